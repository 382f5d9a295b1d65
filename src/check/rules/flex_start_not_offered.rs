//! Flex-start capacity of machines that it is not known to lend.

use crate::base::addr::Addr;
use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::accelerators::Offer;
use crate::resolve::stack::{Capacity, CapacityKind, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "flex-start-not-offered",
    severity: Severity::Warning,
    summary: "Machines that flex-start is not known to lend",
    pass: Pass::Stack(check),
    docs: r#"
## What

Flex-start (Dynamic Workload Scheduler) lends machines of some generations only. Of TPU v4 and of A2, G2 and G4 machines sources
disagree.

## Why

Where it lends none, the node pool is refused: its machine family does not support flex-start.

## Bad

```hcl
slice "v4" {
  cluster     = cluster.tpu
  accelerator = "v4"
  topology    = "2x2x2"
  capacity "flex_start" {}
}
```

```hcl
nodes "edge" {
  cluster      = cluster.tpu
  machine_type = "a3-edgegpu-8g"
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

GKE's cluster autoscaler (2026): dwsDisabled; GKE documentation on flex-start. Other tables list v4, and leave A2, G2 and G4 out:
`catalog conflicts flex`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        let Some(generation) = slice.generation else { continue };
        report(found, &slice.head.addr, &slice.capacity, generation.id, generation.flex_start);
    }
    for nodes in stack.all_nodes() {
        let (Some(gpus), Some(machine)) = (nodes.gpus(), &nodes.machine_type) else { continue };
        let offer = if gpus.machine.no_flex_start { Offer::No } else { gpus.gpu.flex_start };
        report(found, &nodes.head.addr, &nodes.capacity, machine, offer);
    }
}

fn report(found: &mut Findings, addr: &Addr, ladder: &[Capacity], machines: &str, offer: Offer) {
    let detail = match offer {
        Offer::Yes => return,
        Offer::No => format!("GKE's autoscaler marks {machines} as without flex-start."),
        Offer::Disputed => {
            format!(
                "Sources disagree whether flex-start lends {machines}: `sliceform catalog conflicts flex` shows them."
            )
        }
    };
    for rung in ladder.iter().filter(|rung| matches!(rung.kind, CapacityKind::FlexStart { .. })) {
        found.push(
            found
                .found(rung.span, format!("not known to be offered for {machines}"))
                .detail(detail.clone())
                .source("GKE cluster autoscaler (2026); GKE documentation on flex-start; a reservation table (undated)")
                .help("Use capacity \"reservation\", \"spot\" or \"on_demand\".")
                .addr(addr),
        );
    }
}
