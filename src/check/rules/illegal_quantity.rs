//! Quantities of resources that Kubernetes cannot read.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::containers;
use crate::emit::Manifest;
use crate::resolve::quantity;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "illegal-quantity",
    severity: Severity::Error,
    summary: "A quantity that Kubernetes cannot read",
    pass: Pass::Objects(check),
    docs: r#"
## What

`requests` and `limits` of containers in the object of a `manifest` block, or after a `patch`: numbers with or without a suffix such as
`m`, `Mi`, `Gi` or `G`, not below zero.

## Why

The API server refuses the object, or the pods that are made from it: "quantities must match the regular expression".

## Bad

```hcl
manifest "web" {
  object = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          containers = [{
            name      = "web"
            image     = "example/web:1"
            resources = { limits = { memory = "16GB" } }
          }]
        }
      }
    }
  }
}
```

## Good

```hcl
manifest "web" {
  object = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          containers = [{
            name      = "web"
            image     = "example/web:1"
            resources = { limits = { memory = "16G", cpu = 2 } }
          }]
        }
      }
    }
  }
}
```

## Source

Kubernetes API reference, Quantity.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for container in containers(manifests) {
        for which in ["limits", "requests"] {
            let map = container.fields.get("resources").and_then(|resources| resources.get(which)?.as_object());
            for (resource, value) in map.into_iter().flatten().filter(|(_, value)| !is_legal(value)) {
                let detail = format!("{}: {which} of {resource} are {value}.", container.place());
                let diag = found.in_object(stack, container.manifest, format!("{resource} = {value}")).detail(detail);
                let help = "Write a number with or without a suffix: 4, \"500m\", \"16Gi\" (2^30) or \"16G\" (10^9).";
                found.push(diag.source("Kubernetes API reference, Quantity").help(help));
            }
        }
    }
}

/// What Kubernetes reads: also `1e3`, and thousandths of thousandths (`u`, `n`).
fn is_legal(value: &Value) -> bool {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let small = text.strip_suffix(['n', 'u']).unwrap_or(&text);
    let number = small.starts_with(|c: char| c.is_ascii_digit() || c == '.') && small.parse::<f64>().is_ok();
    value.is_null() || number || quantity::is_quantity(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_of_kubernetes_are_legal() {
        for good in [Value::from(4), Value::from(0.5), "500m".into(), "16Gi".into(), "1e3".into(), "100n".into()] {
            assert!(is_legal(&good), "{good}");
        }
        for bad in [Value::from(-1), "16GB".into(), "four".into(), "".into(), "1 Gi".into(), "inf".into()] {
            assert!(!is_legal(&bad), "{bad}");
        }
    }
}
