//! Slices that no workload takes.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::places::places_read;
use crate::check::rules::subject::uses::{uses_of, workloads};
use crate::check::rules::subject::words::count;
use crate::resolve::stack::{Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "unused-slice",
    severity: Severity::Warning,
    summary: "Slices that no workload takes",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `slice` block that makes nodes, in a stack with workloads, none of which takes it.

## Why

The chips are paid for and idle. Usually a workload names another slice, or was taken out. A stack that only makes a cluster
and its slices, for others to use, is not meant.

## Bad

```hcl
slice "spare" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

GKE bills node pools by the node, used or not.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    if workloads(stack).next().is_none() {
        return;
    }
    // What no workload takes by that name may be meant by one whose reference could not be read.
    let unread = !places_read(stack);
    for slice in stack.slices().filter(|slice| slice.provision.value == Provision::NodePool) {
        if unread || uses_of(stack, slice).next().is_some() {
            continue;
        }
        let chips = slice.shape().map(|shape| shape.chips.saturating_mul(slice.num_slices.value));
        let what = chips.map_or_else(|| "Its chips".to_owned(), |chips| format!("Its {}", count(chips, "chip")));
        found.push(
            found
                .found(slice.head.span, "nothing runs on it")
                .detail(format!("{what} would be paid for and idle."))
                .help("Name it in a workload, or take it out.")
                .addr(&slice.head.addr),
        );
    }
}
