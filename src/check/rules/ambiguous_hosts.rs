//! A topology that several machine types make.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::shapes;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "ambiguous-hosts",
    severity: Severity::Error,
    summary: "A topology that several machine types make",
    pass: Pass::Stack(check),
    docs: r#"
## What

2x4 on v5e and v6e is one host of eight chips or two hosts of four. `chips_per_host` says which.

## Why

The machine type, the number of pods and the chips that each asks for follow from it, and Ray, GKE and xpk assume different answers.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "2x4"
}
```

## Good

```hcl
slice "v6e" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
}
```

## Source

GKE cluster autoscaler; Ray 2.60.0 `_private/accelerators/tpu.py`; xpk 1.16.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    shapes::report(stack, found, RULE.name, "one host or two?");
}
