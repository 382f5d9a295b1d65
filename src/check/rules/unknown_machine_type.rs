//! A machine type that no table has.

use crate::base::diag::Severity;
use crate::base::suggest::nearest;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::machines::{self, Found, GPUS};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-machine-type",
    severity: Severity::Warning,
    summary: "A machine type that no table has",
    pass: Pass::Stack(check),
    docs: r#"
## What

The machine type of a `nodes` block is none that the tables of GPUs and CPUs have.

## Why

GKE may know it all the same. But whether it has GPUs is unknown, so that its pods get none, and no CPU and memory either unless
`worker` says how much.

## Bad

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-9g"
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

GKE cluster autoscaler (2026), machine families.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for nodes in stack.all_nodes() {
        let Some(written) = nodes.machine_type.as_ref().filter(|name| machines::find(name) == Found::Unknown) else {
            continue;
        };
        let known = GPUS.iter().flat_map(|gpu| gpu.machine_types).map(|machine| machine.name);
        let near =
            nearest(written, known).map_or_else(String::new, |near| format!("Write \"{near}\", if that is meant. "));
        found.push(
            found
                .found(written.span, "not in the tables")
                .detail("Nothing is known of its GPUs, CPUs and memory, so that its pods ask for none.")
                .source("GKE cluster autoscaler (2026)")
                .help(format!("{near}Or say `cpu` and `memory` in the `worker` of workloads that run there."))
                .addr(&nodes.head.addr),
        );
    }
}
