//! `apply`: shows the plan, asks, and writes the directory; or carries out a saved plan.

use crate::cli::args::{ApplyArgs, ChangeArgs};
use crate::cli::target::{self, Request, Wish};
use crate::cli::{Outside, Report, saved};
use crate::view::Style;

/// Runs the command.
pub fn run(args: &ApplyArgs, outside: &Outside<'_>, style: Style) -> Report {
    let ChangeArgs { stack, part, approval } = &args.change;
    if let Some(path) = stack.path.as_deref().filter(|path| saved::is_one(path, outside.files)) {
        return saved::apply(path, args, outside, style);
    }
    let request = Request { stack, wish: Wish::Stack, targets: &part.targets, replaces: &args.replacement.replaces };
    match target::planned(&request, outside, style) {
        Ok(planned) => target::carry_out(&planned, approval, false, stack.format.format(), outside, style),
        Err(report) => *report,
    }
}
