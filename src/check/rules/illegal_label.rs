//! Labels that Kubernetes does not take.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::emit::{Executor, Manifest};
use crate::resolve::stack::Stack;
use crate::resolve::text::{is_key, is_label_value};

/// The rule.
pub const RULE: Rule = Rule {
    name: "illegal-label",
    severity: Severity::Error,
    summary: "A label that Kubernetes does not take",
    pass: Pass::Objects(check),
    docs: r#"
## What

Labels, `matchLabels` and `nodeSelector` in the object of a `manifest` block, or after a `patch`: a key is a name with at most 63
characters and may have a domain before it; a value is a text of at most 63 letters, digits, `-`, `_` and `.`, or empty.

## Why

The API server refuses the object, or the pods that are made from it.

## Bad

```hcl
manifest "settings" {
  object = {
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata   = { name = "settings", labels = { owner = "research team" } }
    data       = {}
  }
}
```

## Good

```hcl
manifest "settings" {
  object = {
    apiVersion = "v1"
    kind       = "ConfigMap"
    metadata   = { name = "settings", labels = { "example.com/owner" = "research-team" } }
    data       = {}
  }
}
```

## Source

Kubernetes documentation on labels and selectors: syntax and character set.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for manifest in manifests.iter().filter(|manifest| manifest.executor == Executor::Gitops) {
        let mut wrong = Vec::new();
        walk(&manifest.tree, &mut wrong);
        for (map, key, value) in wrong {
            let (kind, name) = (&manifest.object.kind, &manifest.object.name);
            let detail = format!("`{map}` of the {kind} {name:?} holds {key:?} = {value}.");
            let diag = found.in_object(stack, manifest, format!("the label {key:?}")).detail(detail);
            let help = "Take at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends; values are texts.";
            found.push(diag.source("Kubernetes documentation on labels and selectors").help(help));
        }
    }
}

/// Maps of labels below a value: `metadata.labels` and what selects by them.
fn walk<'a>(value: &'a Value, wrong: &mut Vec<(&'static str, &'a str, &'a Value)>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, wrong)),
        Value::Object(fields) => {
            for (name, inner) in fields {
                let labels = inner.get("labels").filter(|_| name == "metadata").map(|map| ("labels", map));
                let selector =
                    ["matchLabels", "nodeSelector"].into_iter().find(|map| map == name).map(|map| (map, inner));
                for (map, labels) in labels.into_iter().chain(selector) {
                    // `nodeSelector` of some kinds holds terms, no map of texts.
                    let entries = labels.as_object().into_iter().flatten();
                    let entries =
                        entries.filter(|(_, value)| !value.is_object() && !value.is_array() && !value.is_null());
                    let bad =
                        entries.filter(|(key, value)| !is_key(key) || !value.as_str().is_some_and(is_label_value));
                    wrong.extend(bad.map(|(key, value)| (map, key.as_str(), value)));
                }
                walk(inner, wrong);
            }
        }
        _ => (),
    }
}
