//! `apply`: shows the plan, asks, and writes the directory.

use crate::cli::args::ApplyArgs;
use crate::cli::target::{self, Wish};
use crate::cli::{Outside, Report};
use crate::view::Style;

/// Runs the command.
pub fn run(args: &ApplyArgs, outside: &Outside<'_>, style: Style) -> Report {
    match target::planned(&args.stack, Wish::Stack, outside, style) {
        Ok(planned) => target::carry_out(&planned, &args.approval, &args.stack, outside, style),
        Err(report) => *report,
    }
}
