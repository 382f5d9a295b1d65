//! The in-memory stand-in of the disk, for tests and for previews.
