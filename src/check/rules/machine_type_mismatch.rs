//! No machine type with so many chips makes the topology.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "machine-type-mismatch",
    severity: Severity::Error,
    summary: "No machine type with so many chips makes the topology",
    pass: Pass::Stack(check),
    docs: r#"
## What

Each machine type serves some topologies only: eight-chip hosts make 2x4 and nothing larger.

## Why

GKE refuses the node pool, or the pod's request for chips fits no node.

## Bad

```hcl
slice "v6e" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "4x4"
  chips_per_host = 8
}
```

## Good

```hcl
slice "v6e" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "4x4"
  chips_per_host = 4
}
```

## Source

GKE cluster autoscaler; xpk 1.16; Cluster Toolkit 1.95; kubernetes-engine-samples.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "no machine type for this topology");
}
