//! A GKE version that lacks what the stack asks for.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::gke_needs::{message, short_of};
use crate::check::rules::subject::uses::MOST_SHOWN;
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
    // One version is one fault: the need that is farthest from it says what to write, and the others stand beside it.
    let mut short = short_of(stack, |need, _| Some(need.required.clone()));
    short.sort_by(|(_, a, _), (_, b, _)| b.cmp(a));
    while !short.is_empty() {
        let farthest = short.remove(0);
        let (same, other): (Vec<_>, Vec<_>) = short.into_iter().partition(|(_, _, version)| *version == farthest.2);
        short = other;
        let detail = format!("No source offers {} with this version.", farthest.0.what);
        let mut diag = message(found, farthest, detail);
        for (need, bound, _) in same.into_iter().take(MOST_SHOWN) {
            diag = diag.also(need.span, format!("{} needs {bound}", need.what));
        }
        found.push(diag);
    }
}
