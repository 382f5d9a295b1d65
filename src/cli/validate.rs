//! `validate`: compiles stacks and shows every problem.

use crate::base::diag::Severity;
use crate::cli::args::{Format, ValidateArgs};
use crate::cli::pipeline::{self, Compiled};
use crate::cli::{Exit, Outside, Report, failure, problems, source};
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &ValidateArgs, outside: &Outside<'_>, style: Style) -> Report {
    let format = args.format.format();
    let values = args.vars.values(&outside.variables);
    let found = source::find(outside.files, &args.paths);
    let found = found.and_then(|paths| source::instances(outside.files, &paths, args.vars.env.as_deref()));
    let found = match found {
        Ok(found) => found,
        Err(diag) => return failure(diag, format, style, Exit::Error),
    };
    let compile = |instance| pipeline::compile_instance(outside.files, instance, &values, args.strict);
    let compiled: Vec<(String, Compiled)> =
        found.iter().map(|instance| (instance.shown(), compile(instance))).collect();
    let failed = compiled.iter().any(|(_, stack)| stack.diags.has_errors());
    let exit = if failed { Exit::Error } else { Exit::Done };
    match (format, compiled.as_slice()) {
        (Format::Human, stacks) => human(stacks, style, exit),
        (Format::Json, [(_, one)]) => problems(&one.diags, &one.map, format, style, exit),
        (Format::Json, many) => json(many, exit),
    }
}

fn human(stacks: &[(String, Compiled)], style: Style, exit: Exit) -> Report {
    let (mut out, mut err) = (String::new(), String::new());
    for (path, stack) in stacks {
        err.push_str(&view::human::diags(&stack.diags, &stack.map, style));
        if !stack.diags.has_errors() {
            let path = view::sanitize::text(path);
            let warnings = stack.diags.count(Severity::Warning);
            let tail = if warnings > 0 { format!(", {}", view::count(warnings, "warning")) } else { String::new() };
            out.push_str(&format!("{path}: valid, {}{tail}\n", view::count(stack.manifests.len(), "object")));
        }
    }
    if stacks.len() > 1 {
        let failed = stacks.iter().filter(|(_, stack)| stack.diags.has_errors()).count();
        out.push_str(&format!("{}, {failed} with errors\n", view::count(stacks.len(), "stack")));
    }
    Report { out, err, exit }
}

fn json(stacks: &[(String, Compiled)], exit: Exit) -> Report {
    let list: Vec<serde_json::Value> = stacks
        .iter()
        .map(|(path, stack)| {
            let mut report = view::json::report(&stack.diags, &stack.map);
            report["path"] = path.as_str().into();
            report
        })
        .collect();
    let all = serde_json::json!({ "format_version": view::json::FORMAT_VERSION, "stacks": list });
    Report { out: format!("{all}\n"), err: String::new(), exit }
}
