//! Where a fact was read, in words short enough for a message.

use std::fmt;

/// A citation, such as `Ray 2.59.0 train/torch/config.py:196`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source(pub &'static str);

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A value together with the place where it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited<T> {
    /// The fact.
    pub value: T,
    /// Where it was read.
    pub source: Source,
}
