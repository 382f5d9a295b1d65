//! More nodes in use than there are.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::places::uses_of;
use crate::check::rules::subject::uses::MOST_SHOWN;
use crate::check::rules::subject::words::count;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "nodes-overbooked",
    severity: Severity::Error,
    summary: "Workloads take more nodes than there are",
    pass: Pass::Stack(check),
    docs: r#"
## What

The pods of workloads that take whole nodes may not be more than the `node_count` of their `nodes` block (with `autoscale`, its
`max_nodes`). Pods that say a `cpu` of their own, and have no GPUs, may share a node, and do not count.

## Why

A pod has all GPUs of its node. The pods of the last workload wait for a node that never comes.

## Bad

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
}

train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  replicas              = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Good

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
  node_count   = 2
}

train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  replicas              = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Source

Kubernetes schedules an extended resource such as `nvidia.com/gpu` to one pod.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for nodes in stack.all_nodes() {
        let takes: Vec<_> = uses_of(stack, nodes).filter(|taken| taken.whole).collect();
        let total: u64 = takes.iter().map(|taken| u64::from(taken.nodes)).sum();
        let there = nodes.node_count.value;
        if total <= u64::from(there) {
            continue;
        }
        let each: Vec<String> =
            takes.iter().take(MOST_SHOWN).map(|taken| format!("{} takes {}", taken.addr, taken.nodes)).collect();
        let mut diag = found
            .found(nodes.node_count.span, format!("{}, but {total} in use", count(there, "node")))
            .detail(format!("{}, and {} has {there}.", each.join(", "), nodes.head.addr))
            .help(match nodes.autoscale {
                Some(_) => format!("Set max_nodes = {total}, or take fewer."),
                None => format!("Set node_count = {total}, or take fewer."),
            })
            .addr(&nodes.head.addr);
        for taken in takes.iter().take(MOST_SHOWN) {
            diag = diag.also(taken.span, format!("takes {}", taken.nodes));
        }
        found.push(diag);
    }
}
