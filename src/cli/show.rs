//! `show`: what is in a stack's directory, and whether it is as Sliceform wrote it; or a saved plan.

use serde_json::json;

use crate::base::diag::Diag;
use crate::cli::args::{Format, PlanFormat, ShowArgs};
use crate::cli::target::{self, Request, Wish};
use crate::cli::{Exit, Outside, Report, failure, saved};
use crate::plan::prior::Standing;
use crate::view::table::Table;
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &ShowArgs, outside: &Outside<'_>, style: Style) -> Report {
    let stack = args.stack.stack();
    let format = stack.format.format();
    if let Some(path) = stack.path.as_deref().filter(|path| saved::is_one(path, outside.files)) {
        return saved::show(path, args, outside, style);
    }
    if args.stack.format.format() == PlanFormat::Markdown {
        let diag = Diag::error("usage", "Only a plan is written as Markdown");
        return failure(diag.help("Name a saved plan, or use `sliceform plan`."), format, style, Exit::Usage);
    }
    let planned = match target::planned(
        &Request { stack: &stack, wish: Wish::Nothing, targets: &[], replaces: &[] },
        outside,
        style,
    ) {
        Ok(planned) => planned,
        Err(report) => return *report,
    };
    let directory = &planned.plan.directory;
    let Some(inventory) = &planned.prior.inventory else {
        let out = match format {
            Format::Human => format!("Nothing has been applied to {}.\n", view::sanitize::text(directory)),
            Format::Json => document(directory, 0, false, &json!([])),
        };
        return Report { out, err: String::new(), exit: Exit::Done };
    };
    let mut table = Table::new(&["address", "kind", "name", "file", "state"]);
    for (path, entry) in &inventory.files {
        let Some(object) = &entry.object else { continue };
        let state = match planned.prior.files.get(path) {
            Some(Standing::File { digest, .. }) if *digest == entry.digest => "as written",
            Some(Standing::File { .. }) => "changed by hand",
            Some(Standing::Other(what)) => what,
            None => "missing",
        };
        table.row([&entry.address, &object.kind, &object.name, path, state].map(|cell| json!(cell)));
    }
    let out = match format {
        Format::Human => {
            let unfinished =
                if inventory.applying { "An apply was cut short: run it again, and it finishes.\n" } else { "" };
            format!("{}, {} chips\n{unfinished}\n{}", view::sanitize::text(directory), inventory.chips, table.human())
        }
        Format::Json => document(directory, inventory.chips, inventory.applying, &table.json()),
    };
    Report { out, err: String::new(), exit: Exit::Done }
}

fn document(directory: &str, chips: u64, applying: bool, objects: &serde_json::Value) -> String {
    let all = json!({
        "format_version": view::json::FORMAT_VERSION,
        "directory": directory,
        "chips": chips,
        "applying": applying,
        "objects": objects,
    });
    format!("{all}\n")
}
