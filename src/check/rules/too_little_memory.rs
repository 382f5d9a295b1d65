//! Ray pods with less memory than Ray itself needs.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::quantity;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "too-little-memory",
    severity: Severity::Warning,
    summary: "Less memory than Ray's own processes need",
    pass: Pass::Stack(check),
    docs: r#"
## What

The head and the workers of a Ray cluster have at least 4 GiB of memory each.

## Why

Ray's own processes and its object store take some 2 GiB before the first task. A head below 4 GiB is killed when the
dashboard or a second job starts, and with it goes the whole cluster; a worker ends while it starts.

## Bad

```hcl
ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  head {
    cpu    = "1"
    memory = "2Gi"
  }
}
```

## Good

```hcl
ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  head {
    cpu    = "2"
    memory = "8Gi"
  }
}
```

## Source

Issues 528, 2640 and 4287 of ray-project/kuberay.
"#,
};

/// 4 GiB, or 4 GB: who writes `4G` means that.
const LEAST: u128 = 4_000_000_000;

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let Some(workload) = block.workload() else { continue };
        for (pod, what) in [(&workload.head_pod, "head"), (&workload.worker_pod, "worker")] {
            let Some(memory) = &pod.memory else { continue };
            let Some(milli) = quantity::milli(memory).filter(|milli| *milli < LEAST * 1000) else { continue };
            let mib = milli / 1000 / (1 << 20);
            found.push(
                found
                    .found(memory.span, format!("of the {what}"))
                    .detail(format!(
                        "{memory:?} is {mib} MiB. Ray's own processes take some 2 GiB of it before the first task.",
                        memory = memory.value
                    ))
                    .source("issues 528, 2640 and 4287 of ray-project/kuberay")
                    .help("Give it 4Gi or more, or leave memory out: the default is enough.")
                    .addr(&block.head().addr),
            );
        }
    }
}
