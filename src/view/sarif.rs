//! Diagnostics as SARIF 2.1.0, for code scanning: rules with their prose, fixes, and fingerprints that outlive moved lines.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::base::diag::{Diag, Diags, Edit, Severity};
use crate::base::span::{SourceMap, Span};
use crate::view::sanitize;

/// What is known of a rule: its line, its prose, and how bad it is.
#[derive(Clone, Copy, Debug)]
pub struct RuleText<'a> {
    /// The rule's name.
    pub name: &'a str,
    /// The fault in one line.
    pub summary: &'a str,
    /// Its page in Markdown.
    pub page: &'a str,
    /// How bad it is.
    pub severity: Severity,
}

/// One run over several stacks, ending in a newline. `rule` tells of a rule what there is to tell.
pub fn log<'a>(stacks: &[(&Diags, &SourceMap)], rule: impl Fn(&str) -> Option<RuleText<'a>>) -> String {
    let all = || stacks.iter().flat_map(|(diags, map)| diags.iter().map(move |diag| (diag, *map)));
    let mut names: Vec<&str> = all().map(|(diag, _)| diag.rule).collect();
    names.sort_unstable();
    names.dedup();
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let mut twins = BTreeMap::new();
    let results: Vec<Value> = all().map(|(diag, map)| result(diag, map, &index, &mut twins)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "sliceform",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": names.iter().map(|name| descriptor(name, rule(name))).collect::<Vec<Value>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn descriptor(name: &str, rule: Option<RuleText<'_>>) -> Value {
    let mut found = json!({ "id": name });
    if let Some(rule) = rule {
        found["shortDescription"] = json!({ "text": rule.summary });
        found["help"] = json!({ "text": rule.page, "markdown": rule.page });
        found["defaultConfiguration"] = json!({ "level": level(rule.severity) });
    }
    found
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn result(diag: &Diag, map: &SourceMap, index: &BTreeMap<&str, usize>, twins: &mut BTreeMap<String, usize>) -> Value {
    let mut found = Map::new();
    found.insert("ruleId".into(), diag.rule.into());
    found.insert("ruleIndex".into(), json!(index.get(diag.rule)));
    found.insert("level".into(), level(diag.severity).into());
    found.insert("message".into(), json!({ "text": message(diag) }));
    let place = diag.primary.as_ref().and_then(|label| location(label.span, Some(&label.text), map));
    if let Some(mut place) = place {
        if let Some(addr) = &diag.addr {
            place["logicalLocations"] = json!([{ "fullyQualifiedName": addr.to_string() }]);
        }
        found.insert("locations".into(), json!([place]));
    }
    let related = diag.related.iter().enumerate().filter_map(|(id, label)| {
        let mut place = location(label.span, Some(&label.text), map)?;
        place["id"] = json!(id);
        Some(place)
    });
    let related: Vec<Value> = related.collect();
    if !related.is_empty() {
        found.insert("relatedLocations".into(), related.into());
    }
    let print = fingerprint(diag, map);
    // The same fault twice in one block: the second is another alert.
    let twin = twins.entry(print.clone()).and_modify(|count| *count += 1).or_insert(0);
    found.insert("partialFingerprints".into(), json!({ "sliceform/v1": format!("{print}:{twin}") }));
    let changes: Vec<Value> = diag.fix.iter().filter_map(|edit| change(edit, map)).collect();
    if !changes.is_empty() {
        let words = diag.help.as_deref().unwrap_or("Mend it.");
        found.insert("fixes".into(), json!([{ "description": { "text": words }, "artifactChanges": changes }]));
    }
    Value::Object(found)
}

/// Summary, reason, source and help as one text.
fn message(diag: &Diag) -> String {
    let mut parts = vec![format!("{}.", diag.summary)];
    parts.extend(diag.detail.clone());
    parts.extend(diag.help.clone());
    parts.extend(diag.source.as_ref().map(|source| format!("Source: {source}.")));
    sanitize::text(&parts.join(" ")).into_owned()
}

/// What stays the same when lines move: the rule, the block, and the text at the place.
pub fn fingerprint(diag: &Diag, map: &SourceMap) -> String {
    let mut hash = Sha256::new();
    let text = diag.primary.as_ref().map_or("", |label| map.text(label.span));
    let file = diag.primary.as_ref().and_then(|label| map.file(label.span.file)).map_or("", |file| file.name.as_str());
    let addr = diag.addr.as_ref().map(ToString::to_string).unwrap_or_default();
    for part in [diag.rule, file, &addr, text] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn location(span: Span, words: Option<&str>, map: &SourceMap) -> Option<Value> {
    let mut place =
        json!({ "physicalLocation": { "artifactLocation": artifact(span, map)?, "region": region(span, map)? } });
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        place["message"] = json!({ "text": sanitize::text(words) });
    }
    Some(place)
}

fn change(edit: &Edit, map: &SourceMap) -> Option<Value> {
    let replacement = json!({ "deletedRegion": region(edit.span, map)?, "insertedContent": { "text": edit.text } });
    Some(json!({ "artifactLocation": artifact(edit.span, map)?, "replacements": [replacement] }))
}

/// The file as a URI: relative to where the command ran, unless it was named from the root.
fn artifact(span: Span, map: &SourceMap) -> Option<Value> {
    let name = &map.file(span.file)?.name;
    let plain = name.strip_prefix("./").unwrap_or(name);
    let root = if plain.starts_with('/') { "file://" } else { "" };
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    };
    Some(json!({ "uri": format!("{root}{}", plain.bytes().map(escape).collect::<String>()) }))
}

fn region(span: Span, map: &SourceMap) -> Option<Value> {
    let file = map.file(span.file)?;
    let ((start_line, start), (end_line, end)) = (file.line_col(span.start), file.line_col(span.end));
    Some(json!({ "startLine": start_line, "startColumn": start, "endLine": end_line, "endColumn": end }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::addr::Addr;

    fn sample() -> (Diags, SourceMap) {
        let mut map = SourceMap::default();
        let file = map.add("./a b/é.stack.hcl", "é = \"2x2x4\"\nx = 1\n");
        let span = Span::new(file, 5..12);
        let placed = || {
            Diag::error("wrong-dimensions", "Wrong number of dimensions")
                .at(span, "three")
                .also(Span::new(file, 0..2), "this")
                .detail("Too many:\u{1b}[31m red.")
                .source("GKE")
                .help("Write \"4x4\".")
                .fix(span, "\"4x4\"")
                .addr(&Addr::new("slice", "v6e"))
        };
        ([placed(), placed(), Diag::note("io", "Lost")].into_iter().collect(), map)
    }

    fn written() -> Value {
        let (diags, map) = sample();
        let text = RuleText { name: "wrong-dimensions", summary: "Wrong", page: "# Page", severity: Severity::Error };
        serde_json::from_str(&log(&[(&diags, &map)], |name| (name == text.name).then_some(text))).unwrap()
    }

    #[test]
    fn the_standards_schema_takes_it() {
        let schema = serde_json::from_str(include_str!("../../schemas/sarif-2.1.0.json")).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        let log = written();
        let faults: Vec<String> = schema.iter_errors(&log).map(|fault| fault.to_string()).collect();
        assert_eq!(faults, [""; 0]);
        let mut spoilt = log.clone();
        spoilt["runs"][0]["results"][0]["level"] = json!("fatal");
        assert!(!schema.is_valid(&spoilt));
        let nothing: Value = serde_json::from_str(&self::log(&[], |_| None)).unwrap();
        assert!(schema.is_valid(&nothing));
    }

    #[test]
    fn a_result_says_where_why_and_how() {
        let log = written();
        let results = &log["runs"][0]["results"];
        insta::assert_json_snapshot!(results[0], @r#"
        {
          "ruleId": "wrong-dimensions",
          "ruleIndex": 1,
          "level": "error",
          "message": {
            "text": "Wrong number of dimensions. Too many:\\u{1b}[31m red. Write \"4x4\". Source: GKE."
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a%20b/%C3%A9.stack.hcl"
                },
                "region": {
                  "startLine": 1,
                  "startColumn": 5,
                  "endLine": 1,
                  "endColumn": 12
                }
              },
              "message": {
                "text": "three"
              },
              "logicalLocations": [
                {
                  "fullyQualifiedName": "slice.v6e"
                }
              ]
            }
          ],
          "relatedLocations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "a%20b/%C3%A9.stack.hcl"
                },
                "region": {
                  "startLine": 1,
                  "startColumn": 1,
                  "endLine": 1,
                  "endColumn": 2
                }
              },
              "message": {
                "text": "this"
              },
              "id": 0
            }
          ],
          "partialFingerprints": {
            "sliceform/v1": "ac0cca96b426c125abfc33005bac8088:0"
          },
          "fixes": [
            {
              "description": {
                "text": "Write \"4x4\"."
              },
              "artifactChanges": [
                {
                  "artifactLocation": {
                    "uri": "a%20b/%C3%A9.stack.hcl"
                  },
                  "replacements": [
                    {
                      "deletedRegion": {
                        "startLine": 1,
                        "startColumn": 5,
                        "endLine": 1,
                        "endColumn": 12
                      },
                      "insertedContent": {
                        "text": "\"4x4\""
                      }
                    }
                  ]
                }
              ]
            }
          ]
        }
        "#);
        let prints: Vec<&str> =
            (0..2).map(|at| results[at]["partialFingerprints"]["sliceform/v1"].as_str().unwrap()).collect();
        assert!(prints[0].ends_with(":0") && prints[1].ends_with(":1") && prints[0][..32] == prints[1][..32]);
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][1]["defaultConfiguration"]["level"], "error");
    }

    #[test]
    fn a_fingerprint_outlives_moved_lines() {
        let of = |text: &str, at: usize| {
            let mut map = SourceMap::default();
            let file = map.add("a.hcl", text);
            fingerprint(&Diag::error("r", "s").at(Span::new(file, at..at + 3), ""), &map)
        };
        assert_eq!(of("abc", 0), of("\n\n# new\nabc", 8));
        assert_ne!(of("abc", 0), of("abd", 0));
    }
}
