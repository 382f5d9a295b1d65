//! Training over several slices of one host each.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::accepted;
use crate::check::rules::subject::words::count;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "multislice-of-single-hosts",
    severity: Severity::Warning,
    summary: "Training over several slices of one host each",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `train` block with `num_slices` above 1, on a slice whose topology is one host.

## Why

GKE documents Multislice for pools of several hosts only. Chips of slices talk over the data-centre network; one slice of the same
number of chips talks over its own links, and is one program.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "2x2"
  num_slices  = 4
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  num_slices            = 4
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

## Source

GKE documentation on TPU Multislice: it needs multi-host TPU slice node pools.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in accepted(stack).filter(|run| run.train.num_slices.value > 1 && !run.shape.multi_host) {
        let slices = run.train.num_slices.value;
        let chips = run.shape.chips.saturating_mul(slices);
        let detail = format!(
            "{} of {} are {} hosts without links between them; GKE documents Multislice for slices of several hosts.",
            count(slices, "slice"),
            run.shape.topology,
            slices
        );
        let diag = found.found(run.train.num_slices.span, count(slices, "slice")).detail(detail);
        let diag = diag.also(run.slice.head.span, "one host each").source("GKE documentation on TPU Multislice");
        let help = format!("Take one slice with a topology of {chips} chips or the nearest number that is sold.");
        found.push(diag.help(help).addr(&run.train.head.addr));
    }
}
