//! Chips that do not divide among the hosts.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "indivisible-hosts",
    severity: Severity::Error,
    summary: "Chips that do not divide among the hosts",
    pass: Pass::Stack(check),
    docs: r#"
## What

The chips of a slice are a whole multiple of the chips of a host.

## Why

GKE refuses the node pool; gcloud rounds in silence and makes a smaller one.

## Bad

```hcl
slice "v6e" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "4x4"
  chips_per_host = 3
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

GKE cluster autoscaler; Cluster Toolkit 1.95.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "not a divisor of the slice's chips");
}
