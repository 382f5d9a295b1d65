//! More slices in use than there are.

use crate::base::diag::{Diag, Severity};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, runs};
use crate::check::rules::subject::uses::{MOST_SHOWN, Use, uses_of};
use crate::check::rules::subject::words::count;
use crate::resolve::stack::{Slice, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "chips-overbooked",
    severity: Severity::Error,
    summary: "Workloads take more slices than there are",
    pass: Pass::Stack(check),
    docs: r#"
## What

The slices that workloads take may not exceed the `num_slices` of their `slice` block, unless it says `share = true`: then
workloads take turns, and only the largest must fit.

## Why

A TPU slice is never shared: the pods of the last workload wait for chips that the first one holds, for ever if that one is a
service.

## Bad

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}

serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
  }
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

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}

serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
  }
}
```

## Source

GKE documentation on TPUs: one pod a host takes all its chips.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    // PyTorch that may not take several slices is mended by taking one.
    let refused: Vec<_> = runs(stack).filter(Run::over_slices).map(|run| &run.train.head.addr).collect();
    for slice in stack.slices() {
        let takes: Vec<(Use<'_>, u32)> = uses_of(stack, slice)
            .map(|taken| {
                let slices = if refused.contains(&&taken.head.addr) { 1 } else { taken.num_slices.value };
                (taken, slices)
            })
            .collect();
        if slice.share {
            for (taken, slices) in takes.iter().filter(|(_, slices)| *slices > slice.num_slices.value) {
                found.push(alone(found, slice, taken, *slices));
            }
        } else if total(&takes) > u64::from(slice.num_slices.value) {
            found.push(together(found, slice, &takes));
        }
    }
}

fn total(takes: &[(Use<'_>, u32)]) -> u64 {
    takes.iter().map(|(_, slices)| u64::from(*slices)).sum()
}

fn alone(found: &Findings, slice: &Slice, taken: &Use<'_>, slices: u32) -> Diag {
    let declared = slice.num_slices.value;
    found
        .found(taken.span(), format!("takes {}", count(slices, "slice")))
        .also(slice.num_slices.span, format!("{} declared", count(declared, "slice")))
        .detail(format!("{} takes {slices} of {}, which has {declared}.", taken.head.addr, slice.head.addr))
        .help(format!("Set num_slices = {slices} in {}, or take fewer.", slice.head.addr))
        .addr(&taken.head.addr)
}

fn together(found: &Findings, slice: &Slice, takes: &[(Use<'_>, u32)]) -> Diag {
    let (declared, total) = (slice.num_slices.value, total(takes));
    let sum = if takes.len() > MOST_SHOWN {
        format!("{} take {total}", count(takes.len() as u64, "workload"))
    } else {
        let names: Vec<String> = takes.iter().map(|(taken, _)| taken.head.addr.to_string()).collect();
        let slices: Vec<String> = takes.iter().map(|(_, slices)| slices.to_string()).collect();
        let each = if takes.len() > 1 { format!("{} = ", slices.join(" + ")) } else { String::new() };
        format!("{} = {each}{total}", names.join(" + "))
    };
    let mut diag = found
        .found(slice.num_slices.span, format!("{}, but {total} in use", count(declared, "slice")))
        .detail(format!("{sum}, and {} has {declared}.", slice.head.addr))
        .help(match takes {
            [_] => format!("Set num_slices = {total}."),
            _ => format!("Set num_slices = {total}, or share = true if the workloads take turns."),
        })
        .addr(&slice.head.addr);
    for (taken, slices) in takes.iter().take(MOST_SHOWN) {
        diag = diag.also(taken.span(), format!("takes {slices}"));
    }
    diag
}
