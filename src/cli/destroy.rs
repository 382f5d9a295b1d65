//! `destroy`: shows what would go, asks, and removes the stack's files from its directory.

use crate::cli::args::ChangeArgs;
use crate::cli::target::{self, Request, Wish};
use crate::cli::{Exit, Outside, Report, failure, neighbours};
use crate::view::Style;

/// Runs the command.
pub fn run(args: &ChangeArgs, outside: &Outside<'_>, style: Style) -> Report {
    if let Some(dir) = args.stack.path.as_ref().filter(|path| neighbours::owner(outside.files, path).is_some()) {
        let planned = target::orphaned(dir, args, outside);
        let (format, approval) = (args.stack.format.format(), &args.approval);
        return match planned {
            Ok(planned) => target::carry_out(&planned, approval, false, format, outside, style),
            Err(diag) => failure(*diag, format, style, Exit::Error),
        };
    }
    let request = Request { stack: &args.stack, wish: Wish::Nothing, targets: &args.part.targets, replaces: &[] };
    match target::planned(&request, outside, style) {
        Ok(planned) => target::carry_out(&planned, &args.approval, false, args.stack.format.format(), outside, style),
        Err(report) => *report,
    }
}
