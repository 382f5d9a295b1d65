//! `render`: prints the manifests of a stack, without writing anything.

use std::fmt::Write as _;

use crate::cli::args::{Format, StackArgs};
use crate::cli::pipeline::{self, Compiled};
use crate::cli::{Exit, Outside, Report, failure, problems, source};
use crate::emit::{Executor, Manifest};
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &StackArgs, outside: &Outside<'_>, style: Style) -> Report {
    let format = args.format.format();
    let found = pipeline::one_stack(args, outside);
    let found =
        found.and_then(|path| source::instances(outside.files, &[path], args.vars.env.as_deref()).map_err(Box::new));
    let instances = match found {
        Ok(instances) => instances,
        Err(diag) => return failure(*diag, format, style, Exit::Error),
    };
    let values = args.vars.values(&outside.variables);
    let (mut out, mut err, mut list) = (String::new(), String::new(), Vec::new());
    for instance in &instances {
        let compiled = pipeline::compile_instance(outside.files, instance, &values, false);
        if compiled.diags.has_errors() {
            return problems(&compiled.diags, &compiled.map, format, style, Exit::Error);
        }
        out.push_str(&text(&compiled.manifests, instance.env.as_deref()));
        err.push_str(&view::human::diags(&compiled.diags, &compiled.map, style));
        list.push(json(&compiled, instance.env.as_deref()));
    }
    match (format, list.as_slice()) {
        (Format::Human, _) => Report { out, err, exit: Exit::Done },
        (Format::Json, [one]) => Report { out: format!("{one}\n"), err: String::new(), exit: Exit::Done },
        (Format::Json, many) => {
            let all = serde_json::json!({ "format_version": view::json::FORMAT_VERSION, "environments": many });
            Report { out: format!("{all}\n"), err: String::new(), exit: Exit::Done }
        }
    }
}

/// Kubernetes objects as one YAML stream, which `kubectl apply -f -` takes; Terraform files follow as comments cannot
/// mix the two languages, so they are printed only where there is nothing else, or as JSON.
fn text(manifests: &[Manifest], env: Option<&str>) -> String {
    let folder = env.map_or_else(String::new, |env| format!("{env}/"));
    let mut out = String::new();
    for manifest in manifests.iter().filter(|manifest| manifest.executor == Executor::Gitops) {
        let _ = write!(out, "---\n# {folder}{}\n{}", manifest.path, manifest.text);
    }
    out
}

fn json(compiled: &Compiled, env: Option<&str>) -> serde_json::Value {
    let files: Vec<serde_json::Value> = compiled
        .manifests
        .iter()
        .map(|manifest| {
            serde_json::json!({
                "path": manifest.path,
                "address": manifest.addr.to_string(),
                "kind": manifest.object.kind,
                "name": manifest.object.name,
                "namespace": manifest.object.namespace,
                "text": manifest.text,
            })
        })
        .collect();
    serde_json::json!({
        "format_version": view::json::FORMAT_VERSION,
        "environment": env,
        "files": files,
        "diagnostics": view::json::list(&compiled.diags, &compiled.map),
    })
}
