//! A GKE version that one source calls too old.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::gke_needs::{message, short_of};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "gke-doubtful",
    severity: Severity::Warning,
    summary: "A GKE version that one source calls too old",
    pass: Pass::Stack(check),
    docs: r#"
## What

Sources name different first versions for a TPU generation. The `version` of the cluster is new enough for one of them and
too old for another.

## Why

The node pool may be refused. `sliceform catalog conflicts` shows who says what.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  version  = "1.31.1-gke.2000000"
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
    for short in short_of(stack, |need, version| {
        // What no source takes has its error.
        need.advised.clone().filter(|_| version.may_be_at_least(&need.required))
    }) {
        let detail = format!("Sources differ about {}: one of them wants a newer version.", short.0.what);
        found.push(message(found, short, detail));
    }
}
