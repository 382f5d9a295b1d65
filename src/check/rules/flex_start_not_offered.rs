//! Flex-start capacity of a generation that it does not offer.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::and;
use crate::facts::accelerators::ACCELERATORS;
use crate::resolve::stack::{CapacityKind, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "flex-start-not-offered",
    severity: Severity::Error,
    summary: "A generation that flex-start does not offer",
    pass: Pass::Stack(check),
    docs: r#"
## What

Flex-start (Dynamic Workload Scheduler) lends machines of some generations only.

## Why

The node pool is refused: its machine family does not support flex-start.

## Bad

```hcl
slice "v4" {
  cluster     = cluster.tpu
  accelerator = "v4"
  topology    = "2x2x2"
  capacity "flex_start" {}
}
```

## Good

```hcl
slice "v4" {
  cluster     = cluster.tpu
  accelerator = "v4"
  topology    = "2x2x2"
  capacity "spot" {}
}
```

## Source

GKE's cluster autoscaler (2026): dwsDisabled; GKE documentation on flex-start. Other tables list v4: `catalog conflicts flex-v4`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        let Some(generation) = slice.generation.filter(|generation| !generation.flex_start) else { continue };
        for capacity in &slice.capacity {
            if !matches!(capacity.kind, CapacityKind::FlexStart { .. }) {
                continue;
            }
            let offered: Vec<&str> = ACCELERATORS.iter().filter(|row| row.flex_start).map(|row| row.id).collect();
            found.push(
                found
                    .found(capacity.span, format!("not offered for {}", generation.id))
                    .detail(format!(
                        "Flex-start lends machines of {}, and none of {}.",
                        and(&offered),
                        generation.product
                    ))
                    .source("GKE cluster autoscaler (2026); GKE documentation on flex-start")
                    .help("Use capacity \"reservation\", \"spot\" or \"on_demand\".")
                    .addr(&slice.head.addr),
            );
        }
    }
}
