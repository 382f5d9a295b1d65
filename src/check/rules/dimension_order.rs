//! Dimensions of a topology in the wrong order.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dimension-order",
    severity: Severity::Error,
    summary: "Dimensions of a topology in the wrong order",
    pass: Pass::Stack(check),
    docs: r#"
## What

GKE and Ray know each slice by one order of its dimensions, nearly always ascending.

## Why

To them `4x2` and `2x4` are different words, and only one of them is a slice.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "8x4"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x8"
}
```

## Source

GKE cluster autoscaler; Ray 2.60.0 `_private/accelerators/tpu.py`; Cluster Toolkit 1.95.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "the dimensions are in another order");
}
