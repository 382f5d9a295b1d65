//! A GKE version that lacks what the stack asks for.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::gke_needs::{message, short_of};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "gke-too-old",
    severity: Severity::Error,
    summary: "A GKE version without what the stack asks for",
    pass: Pass::Stack(check),
    docs: r#"
## What

`version` of a cluster is older than the first that offers a TPU generation or a feature that the stack uses. A version that
is cut short, such as `1.34`, stands for the newest of its line.

## Why

The node pool, or the feature, is refused.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  version  = "1.30"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Good

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  version  = "1.35"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Source

GKE documentation, kubernetes-engine-samples and Cluster Toolkit, row by row: `sliceform catalog versions gke`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    let mut told: Vec<Span> = Vec::new();
    // One version is one fault: the need that is farthest from it says what to write.
    let mut short = short_of(stack, |need, _| Some(need.required.clone()));
    short.sort_by(|(_, a, _), (_, b, _)| b.cmp(a));
    for short in short {
        if told.contains(&short.2) {
            continue;
        }
        told.push(short.2);
        let detail = format!("No source offers {} with this version.", short.0.what);
        found.push(message(found, short, detail));
    }
}
