//! PyTorch over several slices.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, runs};
use crate::check::rules::subject::words::{count, first_ray, or, rays};
use crate::facts::ray::sources::{TORCH_MULTI_SLICE, TORCH_TPU_BACKEND};
use crate::facts::ray::{Ray, TorchMultiSlice};
use crate::fit::shape::with_chips;
use crate::fit::shape_fault::Offer;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "torch-multi-slice",
    severity: Severity::Error,
    summary: "PyTorch trains within one slice",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `train` with `framework = "pytorch"` takes one slice. From Ray 2.60 on, `multi_slice = true` opts in to several.

## Why

Ray 2.58 and 2.59 raise for a TorchTrainer over more than one slice, but only when its workers start: the slices are reserved
and paid for by then. Ray 2.57 and older train on the CPU, so that nothing fails and nothing works. Ray 2.60 joins the
slices over the data centre's network (Megascale), a young path that a stack must ask for. JaxTrainer may span slices with
every Ray.

## Bad

```hcl
stack "example" {
  ray_version     = "2.59.0"
  kuberay_version = "1.6.2"
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  num_slices            = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

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
  num_slices            = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x8" # one slice of 32 chips
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  num_slices            = 2
  multi_slice           = true
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

Ray 2.59.0 `train/torch/config.py:196-203`; Ray 2.60.0 `train/torch/config.py:197-252`; Ray 2.57.0
`train/v2/torch/torch_trainer.py`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in runs(stack).filter(Run::over_slices) {
        if let Some(row) = run.ray {
            found.push(words(stack, found, &run, row));
        }
    }
}

fn words(stack: &Stack, found: &Findings, run: &Run<'_>, row: &Ray) -> Diag {
    let slices = run.train.num_slices.value;
    let version = run.version.map_or_else(String::new, |version| format!("Ray {version}"));
    let joined = rays(|row| row.torch_multi_slice == TorchMultiSlice::Megascale);
    let first = first_ray(|row| row.torch_multi_slice == TorchMultiSlice::Megascale).unwrap_or_default();
    let raising = rays(|row| row.torch_multi_slice == TorchMultiSlice::Raises);
    let one = one_slice(run);
    let diag = found.found(run.train.num_slices.span, format!("{slices} slices")).addr(&run.train.head.addr);
    match row.torch_multi_slice {
        TorchMultiSlice::Raises => pinned(stack, run, diag)
            .detail(format!(
                "{version}'s TorchTrainer raises a ValueError when its workers start on more than one slice: {} would be reserved and paid for first.{}",
                count(run.shape.chips.saturating_mul(slices), "chip"),
                if run.train.multi_slice.is_some() { format!(" multi_slice has no effect before Ray {first}.") } else { String::new() },
            ))
            .source(format!("{raising} raise, {joined} joins slices: {TORCH_MULTI_SLICE}"))
            .help(format!(
                "Pin Ray {first} and write multi_slice = true, or {one}, or use framework = \"jax\", which spans slices with every Ray."
            )),
        TorchMultiSlice::Megascale => opt_in(run, diag
            .detail(format!(
                "{version} joins slices over the data centre's network (it sets MEGASCALE_* for each worker); older releases raise, or train on the CPU. A stack must ask for it."
            ))
            .source(format!("{joined} joins slices, {raising} raise: {TORCH_MULTI_SLICE}"))
            .help(format!("Write multi_slice = true to train over {slices} slices, or {one}."))),
        TorchMultiSlice::Silent => pinned(stack, run, diag)
            .detail(format!(
                "{version} takes the slices and trains on the CPUs of their hosts, through gloo, without an error: {} would be reserved and idle.",
                count(run.shape.chips.saturating_mul(slices), "chip"),
            ))
            .source(format!(
                "{} train on the CPU: {TORCH_TPU_BACKEND}; {joined} joins slices: {TORCH_MULTI_SLICE}",
                rays(|row| row.torch_multi_slice == TorchMultiSlice::Silent)
            ))
            .help(format!("Pin Ray {first} and write multi_slice = true, or {one}.")),
    }
}

fn pinned(stack: &Stack, run: &Run<'_>, diag: Diag) -> Diag {
    match stack.ray_version(&run.train.workload) {
        Some(pinned) => diag.also(pinned.span, "this Ray"),
        None => diag,
    }
}

/// The opt-in as an edit: on a line of its own, after the number of slices.
fn opt_in(run: &Run<'_>, diag: Diag) -> Diag {
    if let Some(written) = &run.train.multi_slice {
        return diag.fix(written.span, "true");
    }
    let after = run.train.num_slices.span;
    diag.fix(Span { start: after.end, ..after }, "\n  multi_slice = true")
}

/// `write num_slices = 1 on a slice of 4x8 (32 chips, 8 hosts)`.
fn one_slice(run: &Run<'_>) -> String {
    let chips = run.shape.chips.checked_mul(run.train.num_slices.value);
    let offers = chips.map_or_else(Vec::new, |chips| with_chips(run.shape.accelerator, chips));
    let offers: Vec<String> = offers.iter().map(Offer::text).collect();
    if offers.is_empty() {
        "write num_slices = 1".to_owned()
    } else {
        format!("write num_slices = 1 on a slice of {}", or(&offers))
    }
}
