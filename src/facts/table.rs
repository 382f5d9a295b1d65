//! Looking up the row of a release in a fact table.

use crate::facts::version::Version;

/// A row that holds from one release on, until the next row.
pub trait Row: 'static {
    /// The first release that the row describes.
    fn since(&self) -> &Version;
}

/// A column of a table in one row: its name, what it says, and the row's value in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The field's name.
    pub name: &'static str,
    /// What the field means.
    pub says: &'static str,
    /// Its value.
    pub value: String,
}

/// A value in words.
pub trait Cell {
    /// The words.
    fn cell(&self) -> String;
}

impl Cell for bool {
    fn cell(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl<T: Cell> Cell for Option<T> {
    fn cell(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), Cell::cell)
    }
}

/// Values whose own text is the words.
macro_rules! cells {
    ($format:literal: $($kind:ty),*) => {
        $(impl $crate::facts::table::Cell for $kind {
            fn cell(&self) -> String {
                format!($format, self)
            }
        })*
    };
}
pub(crate) use cells;

cells!("{}": u32, usize, &'static str, Version);

/// A row's struct, with a list of its columns: so that a fact can be explained, and two releases compared, without a
/// second table.
macro_rules! columns {
    ($(#[$meta:meta])* pub struct $row:ident { $(#[doc = $says:literal] pub $column:ident: $kind:ty,)* }) => {
        $(#[$meta])*
        pub struct $row { $(#[doc = $says] pub $column: $kind,)* }

        impl $row {
            /// Every column of the row.
            pub fn columns(&self) -> Vec<$crate::facts::table::Column> {
                use $crate::facts::table::{Cell, Column};
                vec![$(Column { name: stringify!($column), says: $says, value: self.$column.cell() }),*]
            }
        }
    };
}
pub(crate) use columns;

/// Sources under the names of the columns that they are for.
macro_rules! sources {
    ($($column:ident),* $(,)?) => {
        /// The source of each column, by the column's name in capitals.
        pub static COLUMNS: &[(&str, Source)] = &[$((stringify!($column), $column)),*];
    };
}
pub(crate) use sources;

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
