//! A slice larger than a pod.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "larger-than-pod",
    severity: Severity::Error,
    summary: "A slice larger than a pod",
    pass: Pass::Stack(check),
    docs: r#"
## What

A slice is part of one pod: the chips that are wired together.

## Why

No slice spans pods. More chips are more slices (`num_slices`), joined over the network.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "16x32"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "16x16"
}
```

## Source

Cloud TPU documentation; GKE cluster autoscaler.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "more chips than a pod has");
}
