//! Wrong number of dimensions in a topology.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "wrong-dimensions",
    severity: Severity::Error,
    summary: "Wrong number of dimensions in a topology",
    pass: Pass::Stack(check),
    docs: r#"
## What

The slices of some generations are flat (two numbers), those of others are blocks (three): `sliceform catalog topologies`
lists them.

## Why

GKE makes no such slice. Ray Train does not check it before the run: it would try again for ever.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "2x2x4"
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

GKE cluster autoscaler; Ray 2.60.0 `_private/accelerators/tpu.py`; Cluster Toolkit 1.95.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "the wrong number of dimensions");
}
