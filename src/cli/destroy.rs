//! `destroy`: shows what would go, asks, and removes the stack's files from its directory.

use crate::cli::args::ChangeArgs;
use crate::cli::target::{self, Request, Wish};
use crate::cli::{Outside, Report};
use crate::view::Style;

/// Runs the command.
pub fn run(args: &ChangeArgs, outside: &Outside<'_>, style: Style) -> Report {
    let request = Request { stack: &args.stack, wish: Wish::Nothing, targets: &args.part.targets, replaces: &[] };
    match target::planned(&request, outside, style) {
        Ok(planned) => target::carry_out(&planned, &args.approval, false, args.stack.format.format(), outside, style),
        Err(report) => *report,
    }
}
