//! `plan`: shows what an apply would change, and saves it where it is told to.

use crate::cli::args::{Format, PlanArgs, PlanFormat};
use crate::cli::target::{self, Request, Wish};
use crate::cli::{Exit, Outside, Report, failure, saved};
use crate::view::{self, Style, sanitize};

/// Runs the command.
pub fn run(args: &PlanArgs, outside: &Outside<'_>, style: Style) -> Report {
    let (stack, shape) = (args.stack.stack(), args.stack.format.format());
    let format = stack.format.format();
    let wish = if args.destroy { Wish::Nothing } else { Wish::Stack };
    let request = Request { stack: &stack, wish, targets: &args.part.targets, replaces: &args.replacement.replaces };
    let planned = match target::planned(&request, outside, style) {
        Ok(planned) => planned,
        Err(report) => return *report,
    };
    let exit = match (args.detailed_exitcode, planned.plan.has_changes()) {
        (true, true) if planned.plan.destroys() => Exit::Destroys,
        (true, true) => Exit::Changes,
        _ => Exit::Done,
    };
    let saved = args.out.as_deref().map(|out| (out, saved::write(&planned, &request, out, outside)));
    let mut report = match shape {
        PlanFormat::Markdown => {
            let diagnostics = view::json::list(&planned.diags, &planned.map);
            let out = view::plan_markdown::plan(&planned.plan, &diagnostics, args.full);
            Report { out, err: String::new(), exit }
        }
        PlanFormat::Human | PlanFormat::Json => target::report(&planned, args.full, format, style, exit),
    };
    match saved {
        Some((_, Err(diag))) => return failure(diag, format, style, Exit::Error),
        Some((out, Ok(()))) if format == Format::Human => {
            let out = out.display().to_string();
            let out = if out.contains(' ') { format!("'{out}'") } else { out };
            let out = sanitize::text(&out);
            report.err.push_str(&format!("\nThe plan is saved. To carry it out: sliceform apply {out}\n"));
        }
        _ => {}
    }
    report
}
