//! Looking up the row of a release in a fact table.

use crate::facts::version::Version;

/// A row that holds from one release on, until the next row.
pub trait Row: 'static {
    /// The first release that the row describes.
    fn since(&self) -> &Version;
}

/// What a table says about a release.
#[derive(Debug, PartialEq, Eq)]
pub enum Lookup<T: 'static> {
    /// The release was read.
    Exact(&'static T),
    /// Older than the first row: rules that hang on a version don't run, and one warning says so.
    BelowFirst,
    /// Newer than the last row, whose rules are used, with a warning.
    AboveLast(&'static T),
}

impl<T> Clone for Lookup<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Lookup<T> {}

impl<T> Lookup<T> {
    /// The row whose rules hold, if any does.
    pub fn row(self) -> Option<&'static T> {
        match self {
            Self::Exact(row) | Self::AboveLast(row) => Some(row),
            Self::BelowFirst => None,
        }
    }
}

/// The row of `version` in `rows`, which ascend. A patch release is described by the row of its minor release.
pub fn lookup<T: Row>(rows: &'static [T], version: &Version) -> Lookup<T> {
    let Some(last) = rows.last() else {
        return Lookup::BelowFirst;
    };
    if version.line() > last.since().line() {
        return Lookup::AboveLast(last);
    }
    // A candidate of 2.60 behaves as 2.60 does.
    let release = version.release();
    match rows.iter().rev().find(|row| release.may_be_at_least(row.since())) {
        Some(row) => Lookup::Exact(row),
        None => Lookup::BelowFirst,
    }
}
