//! Diagnostics as JSON: Terraform's `validate -json` and more, as `schemas/diagnostics.schema.json` describes.

use serde_json::{Value, json};

use crate::base::diag::{Diag, Diags, Edit, Label, Severity};
use crate::base::span::{SourceMap, Span};

/// The version of the format: the first number moves when a reader of the old one would break.
pub const FORMAT_VERSION: &str = "1.0";

/// A whole report, ending in a newline.
pub fn diags(diags: &Diags, map: &SourceMap) -> String {
    format!("{:#}\n", report(diags, map))
}

/// A whole report as a tree.
pub fn report(diags: &Diags, map: &SourceMap) -> Value {
    let count = |severity| diags.count(severity);
    json!({
        "format_version": FORMAT_VERSION,
        "valid": !diags.has_errors(),
        "error_count": count(Severity::Error),
        "warning_count": count(Severity::Warning),
        "note_count": count(Severity::Note),
        "diagnostics": list(diags, map),
    })
}

/// Only the list, for a report about something else that carries diagnostics too.
pub fn list(diags: &Diags, map: &SourceMap) -> Value {
    diags.iter().map(|diag| entry(diag, map)).collect()
}

fn entry(diag: &Diag, map: &SourceMap) -> Value {
    let labelled = |label: &Label| {
        let mut place = range(label.span, map)?;
        place["label"] = json!(label.text);
        Some(place)
    };
    let fix = |edit: &Edit| Some(json!({ "range": range(edit.span, map)?, "text": edit.text }));
    json!({
        "severity": diag.severity.name(),
        "rule": diag.rule,
        "summary": diag.summary,
        "detail": diag.detail.as_deref().unwrap_or(""),
        "source": diag.source,
        "help": diag.help,
        "address": diag.addr.as_ref().map(ToString::to_string),
        "range": diag.primary.as_ref().and_then(labelled),
        "related": diag.related.iter().filter_map(labelled).collect::<Value>(),
        "fixes": diag.fix.iter().filter_map(fix).collect::<Value>(),
    })
}

/// A place, or nothing where the file is not of this map.
fn range(span: Span, map: &SourceMap) -> Option<Value> {
    let file = map.file(span.file)?;
    let position = |byte: u32| {
        let (line, column) = file.line_col(byte);
        json!({ "line": line, "column": column, "byte": byte })
    };
    Some(json!({ "filename": file.name, "start": position(span.start), "end": position(span.end) }))
}
