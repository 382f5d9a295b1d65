//! Nodes that nothing runs on.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::places::{places_read, uses_of};
use crate::check::rules::subject::uses::workloads;
use crate::resolve::stack::{Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "unused-nodes",
    severity: Severity::Warning,
    summary: "Nodes that no workload takes",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `nodes` block with GPUs that makes nodes, in a stack with workloads, none of which takes it.

## Why

The GPUs are paid for and idle. Nodes without GPUs are not meant: heads and system pods run there unasked; nor are nodes that
GKE scales from zero.

## Bad

```hcl
nodes "spare" {
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

## Good

```hcl
train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Source

GKE bills node pools by the node, used or not.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    if workloads(stack).next().is_none() || !places_read(stack) {
        return;
    }
    for nodes in stack.all_nodes().filter(|nodes| nodes.provision.value == Provision::NodePool) {
        let idle = nodes.autoscale.as_ref().is_some_and(|range| range.min == 0);
        let Some(gpus) = nodes.gpus().filter(|_| !idle) else { continue };
        if uses_of(stack, nodes).next().is_some() {
            continue;
        }
        let total = u64::from(gpus.count()) * u64::from(nodes.node_count.value);
        found.push(
            found
                .found(nodes.head.span, "nothing runs on it")
                .detail(format!("Its {total} GPUs would be paid for and idle."))
                .help("Name it in a workload, or take it out.")
                .addr(&nodes.head.addr),
        );
    }
}
