//! Diagnostics as JSON: Terraform's `validate -json` and more, as `schemas/diagnostics.schema.json` describes.

use serde_json::{Value, json};

use crate::base::diag::{Diag, Diags, Edit, Label, Severity};
use crate::base::span::{SourceMap, Span};
use crate::view::sanitize;

/// The version of the format: the first number moves when a reader of the old one would break.
pub const FORMAT_VERSION: &str = "1.0";

/// A whole report, ending in a newline.
pub fn diags(diags: &Diags, map: &SourceMap) -> String {
    text(&report(diags, map))
}

/// A tree as text, ending in a newline. What could act on a terminal stands as `\u….`, which reads back as the same.
pub fn text(tree: &Value) -> String {
    let text = format!("{tree:#}\n");
    let acts = |c: char| c != '\n' && sanitize::shown(c).is_some();
    if !text.contains(acts) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
    for c in text.chars() {
        if acts(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out += &format!("\\u{unit:04x}"));
        } else {
            out.push(c);
        }
    }
    out
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::addr::Addr;
    use crate::base::span::FileId;

    fn sample() -> (Diags, SourceMap) {
        let mut map = SourceMap::default();
        let file = map.add("a.hcl", "é = \"2x2x4\"\n");
        let span = Span::new(file, 5..12);
        let placed = Diag::error("tpu-topology-unknown", "Unknown TPU topology")
            .at(span, "three dimensions")
            .also(Span::new(file, 0..2), "this")
            .detail("Too many.")
            .source("GKE")
            .help("Write \"4x4\".")
            .fix(span, "\"4x4\"")
            .addr(&Addr::new("slice", "v6e"));
        let lost = Diag::note("io", "Lost").at(Span::new(FileId(9), 0..1), "nowhere");
        ([placed, Diag::warning("io", "Old"), lost].into_iter().collect(), map)
    }

    #[test]
    fn every_field_has_its_place() {
        let (list, map) = sample();
        insta::assert_snapshot!(diags(&list, &map), @r#"
        {
          "format_version": "1.0",
          "valid": false,
          "error_count": 1,
          "warning_count": 1,
          "note_count": 1,
          "diagnostics": [
            {
              "severity": "error",
              "rule": "tpu-topology-unknown",
              "summary": "Unknown TPU topology",
              "detail": "Too many.",
              "source": "GKE",
              "help": "Write \"4x4\".",
              "address": "slice.v6e",
              "range": {
                "filename": "a.hcl",
                "start": {
                  "line": 1,
                  "column": 5,
                  "byte": 5
                },
                "end": {
                  "line": 1,
                  "column": 12,
                  "byte": 12
                },
                "label": "three dimensions"
              },
              "related": [
                {
                  "filename": "a.hcl",
                  "start": {
                    "line": 1,
                    "column": 1,
                    "byte": 0
                  },
                  "end": {
                    "line": 1,
                    "column": 2,
                    "byte": 2
                  },
                  "label": "this"
                }
              ],
              "fixes": [
                {
                  "range": {
                    "filename": "a.hcl",
                    "start": {
                      "line": 1,
                      "column": 5,
                      "byte": 5
                    },
                    "end": {
                      "line": 1,
                      "column": 12,
                      "byte": 12
                    }
                  },
                  "text": "\"4x4\""
                }
              ]
            },
            {
              "severity": "warning",
              "rule": "io",
              "summary": "Old",
              "detail": "",
              "source": null,
              "help": null,
              "address": null,
              "range": null,
              "related": [],
              "fixes": []
            },
            {
              "severity": "note",
              "rule": "io",
              "summary": "Lost",
              "detail": "",
              "source": null,
              "help": null,
              "address": null,
              "range": null,
              "related": [],
              "fixes": []
            }
          ]
        }
        "#);
    }

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_reads_back() {
        let tree = json!({ "\u{9b}31m": ["\u{1b}[0m\n", "a\u{202e}b\u{e0041}", "größer 切片 🧩"] });
        let printed = text(&tree);
        assert!(printed.chars().all(|c| c == '\n' || sanitize::shown(c).is_none()), "{printed}");
        assert_eq!(serde_json::from_str::<Value>(&printed).unwrap(), tree);
        assert!(printed.contains("größer 切片 🧩"));
    }

    #[test]
    fn the_schema_describes_the_report_and_refuses_another() {
        let schema = serde_json::from_str(include_str!("../../schemas/diagnostics.schema.json")).unwrap();
        let schema = jsonschema::draft202012::new(&schema).unwrap();
        let (list, map) = sample();
        let good = report(&list, &map);
        let faults: Vec<String> = schema.iter_errors(&good).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, [""; 0]);
        assert!(schema.is_valid(&report(&Diags::default(), &map)));

        let spoilt = [
            ("/format_version", json!("2.0")),
            ("/error_count", json!(-1)),
            ("/diagnostics/0/severity", json!("fatal")),
            ("/diagnostics/0/range/start/line", json!(0)),
            ("/diagnostics/0/related/0/label", Value::Null),
            ("/diagnostics/0/fixes/0", json!({ "text": "no range" })),
            ("/diagnostics/1", json!({ "severity": "error", "summary": "bare" })),
        ];
        for (pointer, value) in spoilt {
            let mut bad = good.clone();
            *bad.pointer_mut(pointer).unwrap() = value;
            assert!(!schema.is_valid(&bad), "{pointer}");
        }
    }
}
