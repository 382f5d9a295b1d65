//! More slices than the workloads take.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::places::places_read;
use crate::check::rules::subject::uses::{MOST_SHOWN, uses_of};
use crate::check::rules::subject::words::count;
use crate::resolve::stack::{Provision, Slice, Stack, UpgradeStrategy};

/// The rule.
pub const RULE: Rule = Rule {
    name: "slices-left-idle",
    severity: Severity::Warning,
    summary: "More slices than the workloads take",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `slice` block declares more slices than its workloads take together. Room for the second cluster of a served application's
upgrade (`upgrade { strategy = "new_cluster" }`, the default) does not count.

## Why

The slices beyond are paid for and idle.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 3
}

train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e
  num_slices            = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e
  num_slices            = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
}
```

## Source

GKE bills node pools by the node, used or not. KubeRay 1.6 `rayservice_types.go`: a new cluster is built beside the old one.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    // A workload whose place can't be read may be the one that takes them.
    if !places_read(stack) {
        return;
    }
    for slice in stack.slices().filter(|slice| slice.provision.value == Provision::NodePool) {
        let takes = || uses_of(stack, slice);
        let numbers: Vec<u32> = takes().map(|taken| taken.num_slices.value).collect();
        let sum: u64 = numbers.iter().map(|slices| u64::from(*slices)).sum();
        let used = if slice.share { numbers.iter().copied().max().map_or(0, u64::from) } else { sum };
        let idle = u64::from(slice.num_slices.value).saturating_sub(used);
        if numbers.is_empty() || idle <= room_for_upgrades(stack, slice) {
            continue;
        }
        let mut diag = found
            .found(slice.num_slices.span, format!("{idle} of {} idle", count(slice.num_slices.value, "slice")))
            .detail(format!(
                "The workloads take {used}{}.",
                slice.shape().map_or_else(String::new, |shape| format!(
                    "; {} x {} = {} would be paid for and idle",
                    idle,
                    count(shape.chips, "chip"),
                    count(idle.saturating_mul(u64::from(shape.chips)), "chip"),
                ))
            ))
            .help(format!("Set num_slices = {used}, or let a workload take more."))
            .addr(&slice.head.addr);
        for taken in takes().take(MOST_SHOWN) {
            diag = diag.also(taken.span(), format!("takes {}", taken.num_slices.value));
        }
        found.push(diag);
    }
}

/// The slices that the second clusters of upgrades take.
fn room_for_upgrades(stack: &Stack, slice: &Slice) -> u64 {
    let here = stack.serves().filter(|serve| {
        serve.upgrade.value == UpgradeStrategy::NewCluster
            && serve.slice.as_ref().is_some_and(|named| named.value == slice.head.addr)
    });
    here.map(|serve| u64::from(serve.num_slices.value)).sum()
}
