//! The outside as traits, each with an in-memory stand-in. `os` holds the real ones.

pub mod files;
pub mod memory;
pub mod terminal;
pub mod within;
