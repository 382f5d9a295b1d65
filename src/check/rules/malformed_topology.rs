//! A topology that is not numbers with x between them.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "malformed-topology",
    severity: Severity::Error,
    summary: "A topology that is not numbers with x between them",
    pass: Pass::Stack(check),
    docs: r#"
## What

The topology of a slice is two or three whole numbers with `x` between them: `4x4`, `2x2x4`.

## Why

GKE compares the text with a node label, Ray with a table: any other spelling finds no slice, and the workload waits for ever.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4X4"
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

GKE documentation; Ray 2.60.0 `_private/accelerators/tpu.py`; gcloud's check of `--tpu-topology`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "not a topology");
}
