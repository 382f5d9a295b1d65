//! `render`: prints the manifests of a stack, without writing anything.

use std::fmt::Write as _;

use crate::cli::args::{Format, StackArgs};
use crate::cli::pipeline::{self, Compiled};
use crate::cli::{Exit, Outside, Report, problems};
use crate::emit::{Executor, Manifest};
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &StackArgs, outside: &Outside<'_>, style: Style) -> Report {
    let format = args.format.format();
    let compiled = match pipeline::compile_one(args, outside) {
        Ok(compiled) => compiled,
        Err(diag) => return crate::cli::failure(*diag, format, style, Exit::Error),
    };
    if compiled.diags.has_errors() {
        return problems(&compiled.diags, &compiled.map, format, style, Exit::Error);
    }
    let out = match format {
        Format::Human => text(&compiled.manifests),
        Format::Json => json(&compiled),
    };
    let err = match format {
        Format::Human => view::human::diags(&compiled.diags, &compiled.map, style),
        Format::Json => String::new(),
    };
    Report { out, err, exit: Exit::Done }
}

/// Kubernetes objects as one YAML stream, which `kubectl apply -f -` takes; Terraform files follow as comments cannot
/// mix the two languages, so they are printed only where there is nothing else, or as JSON.
fn text(manifests: &[Manifest]) -> String {
    let mut out = String::new();
    for manifest in manifests.iter().filter(|manifest| manifest.executor == Executor::Gitops) {
        let _ = write!(out, "---\n# {}\n{}", manifest.path, manifest.text);
    }
    out
}

fn json(compiled: &Compiled) -> String {
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
    let all = serde_json::json!({
        "format_version": view::json::FORMAT_VERSION,
        "files": files,
        "diagnostics": view::json::list(&compiled.diags, &compiled.map),
    });
    format!("{all}\n")
}
