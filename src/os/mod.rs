//! The real disk, clock and environment; the only module allowed to touch them.
