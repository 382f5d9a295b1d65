//! A topology that the generation does not have.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-topology",
    severity: Severity::Error,
    summary: "A topology that the generation does not have",
    pass: Pass::Stack(check),
    docs: r#"
## What

Slices are sold in the sizes that GKE, xpk, Ray and Cluster Toolkit list; this one is in none of their lists, or GKE does not sell it.

## Why

The node pool is refused. Ray Train, from 2.56 on, does not fail on a topology that it lacks: it tries again for ever.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x3"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Source

GKE documentation and cluster autoscaler; xpk 1.16; Ray 2.60.0; Cluster Toolkit 1.95.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "no such topology");
}
