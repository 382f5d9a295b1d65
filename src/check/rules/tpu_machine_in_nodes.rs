//! A machine with TPUs in a `nodes` block.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::machines::{self, Found};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "tpu-machine-in-nodes",
    severity: Severity::Error,
    summary: "A machine with TPUs in a `nodes` block",
    pass: Pass::Stack(check),
    docs: r#"
## What

TPU machines make slices: they are `slice` blocks, with a generation and a topology.

## Why

Hosts, placement, node selectors and chips all follow from the shape of a slice, which a machine type alone does not tell.

## Bad

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "ct6e-standard-4t"
}

train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Good

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
}

train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Source

GKE cluster autoscaler (2026): chips and topologies by machine type.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for nodes in stack.all_nodes() {
        let Some(written) = &nodes.machine_type else { continue };
        let Found::Tpu(generation) = machines::find(written) else { continue };
        found.push(
            found
                .found(written.span, format!("a machine of {generation}"))
                .detail("Its chips are part of a slice, whose hosts and placement follow from a topology.")
                .help(format!("Declare a `slice` block with accelerator = \"{generation}\" and a topology."))
                .addr(&nodes.head.addr),
        );
    }
}
