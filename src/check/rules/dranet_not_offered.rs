//! Claims of network devices on machines that DRANET does not serve.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::and;
use crate::facts::accelerators::ACCELERATORS;
use crate::facts::machines::GPUS;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "dranet-not-offered",
    severity: Severity::Error,
    summary: "DRANET on machines that it does not serve",
    pass: Pass::Stack(check),
    docs: r#"
## What

`dranet` lets pods claim further network devices of their machine. Some machine types have none that GKE offers.

## Why

The node pool is refused, or its pods wait for devices that no node publishes.

## Bad

```hcl
slice "v4" {
  cluster     = cluster.tpu
  accelerator = "v4"
  topology    = "2x2x2"
  dranet      = "all"
}
```

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
  dranet       = "all"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  dranet      = "all"
}
```

## Source

GKE documentation on DRANET: ct6e-standard-{1,4,8}t, tpu7x-standard-4t, A3 Ultra, A4, A4X; `catalog conflicts netprofile-tpu7x`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        let (Some(dranet), Some(shape)) = (&slice.dranet, slice.shape()) else { continue };
        let machine = shape.machine_type.name;
        if !shape.accelerator.dranet.as_ref().is_some_and(|served| served.machine_types.contains(&machine)) {
            found.push(not_served(found, dranet.span, machine).addr(&slice.head.addr));
        }
    }
    for nodes in stack.all_nodes() {
        let (Some(dranet), Some(machine)) = (&nodes.dranet, &nodes.machine_type) else { continue };
        // Of a machine that no table has nothing is known.
        if nodes.machine.is_some_and(|known| known.gpus.is_none_or(|gpus| gpus.gpu.dranet.is_none())) {
            found.push(not_served(found, dranet.span, machine).addr(&nodes.head.addr));
        }
    }
}

fn not_served(found: &Findings, span: Span, machine: &str) -> Diag {
    let tpus = ACCELERATORS.iter().filter_map(|row| row.dranet.as_ref()).flat_map(|row| row.machine_types);
    let gpus = GPUS.iter().filter(|gpu| gpu.dranet.is_some()).flat_map(|gpu| gpu.machine_types);
    let served: Vec<&str> = tpus.copied().chain(gpus.map(|machine| machine.name)).collect();
    found
        .found(span, format!("not on {machine}"))
        .detail(format!("DRANET serves the machines {}.", and(&served)))
        .source("GKE documentation on DRANET (2026-11)")
        .help("Take `dranet` out; `networks` gives nodes further networks on every machine type.")
}
