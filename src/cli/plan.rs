//! `plan`: shows what an apply would change.

use crate::cli::args::PlanArgs;
use crate::cli::target::{self, Wish};
use crate::cli::{Exit, Outside, Report};
use crate::view::Style;

/// Runs the command.
pub fn run(args: &PlanArgs, outside: &Outside<'_>, style: Style) -> Report {
    let planned = match target::planned(&args.stack, Wish::Stack, outside, style) {
        Ok(planned) => planned,
        Err(report) => return *report,
    };
    let exit = match (args.detailed_exitcode, planned.plan.has_changes()) {
        (true, true) if planned.plan.destroys() => Exit::Destroys,
        (true, true) => Exit::Changes,
        _ => Exit::Done,
    };
    target::report(&planned, args.full, args.stack.format.format(), style, exit)
}
