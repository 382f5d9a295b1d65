//! A report to bytes: human, json, sarif, github. The only module that knows colour, width and JSON; it decides nothing.

mod draw;
mod excerpt;
pub mod github;
pub mod human;
pub mod json;
pub mod plan_human;
pub mod plan_json;
pub mod plan_markdown;
#[cfg(test)]
mod plan_sample;
#[cfg(test)]
mod plan_tests;
mod plan_value;
pub mod sanitize;
pub mod sarif;
pub mod table;
pub mod upgrade;

/// How human output looks. `cli` fills it from the terminal and the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to write ANSI colours.
    pub color: bool,
    /// Whether to draw with Unicode lines; ASCII otherwise.
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Style {
    /// No colour, ASCII, 80 columns: what a pipe or a log gets.
    pub const PLAIN: Self = Self { color: false, unicode: false, width: 80 };
}

/// `1 object`, `3 objects`.
pub fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
