//! Claims of network devices on machines that DRANET does not serve.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::and;
use crate::facts::accelerators::ACCELERATORS;
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

GKE documentation on DRANET: ct6e-standard-{1,4,8}t and tpu7x-standard-4t; `catalog conflicts netprofile-tpu7x`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        let (Some(dranet), Some(shape)) = (&slice.dranet, slice.shape()) else { continue };
        let machine = shape.machine_type.name;
        if shape.accelerator.dranet.as_ref().is_some_and(|served| served.machine_types.contains(&machine)) {
            continue;
        }
        let served: Vec<&str> = ACCELERATORS
            .iter()
            .filter_map(|row| row.dranet.as_ref())
            .flat_map(|row| row.machine_types.iter().copied())
            .collect();
        found.push(
            found
                .found(dranet.span, format!("not on {machine}"))
                .detail(format!("DRANET serves the TPU machines {}.", and(&served)))
                .source("GKE documentation on DRANET (2026-11)")
                .help("Take `dranet` out; `networks` gives nodes further networks on every machine type.")
                .addr(&slice.head.addr),
        );
    }
}
