//! JAX workers that are not one a host.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, accepted};
use crate::check::rules::subject::words::count;
use crate::facts::ray::sources::{JAX_TRAINER, SCALING_CONFIG};
use crate::resolve::stack::{Framework, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "workers-not-one-per-host",
    severity: Severity::Error,
    summary: "JAX needs one worker per host",
    pass: Pass::Stack(check),
    docs: r#"
## What

A JAX worker drives all chips of its host: `num_workers` is the number of hosts of the slices.

## Why

Ray's `ScalingConfig` refuses a number that is no multiple of a slice's hosts, and takes a larger multiple for more slices
than the stack says.

## Bad

```hcl
train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e # 4x4: 4 hosts
  num_workers           = 16
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
}
```

## Good

```hcl
train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e # 4 workers follow
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
}
```

## Source

Ray 2.60.0 `train/v2/jax/jax_trainer.py`; `train/v2/api/config.py:262-278`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in accepted(stack).filter(|run| run.uses(Framework::Jax) && !run.has_its_workers()) {
        let (Some(written), Some(hosts)) = (&run.train.num_workers, run.workers()) else { continue };
        found.push(words(found, &run, written, hosts));
    }
}

fn words(found: &Findings, run: &Run<'_>, written: &Spanned<u32>, hosts: u32) -> Diag {
    let per_slice = run.shape.hosts;
    let consequence = if written.value > 0 && written.value.is_multiple_of(per_slice) {
        format!(
            "Ray would take {} for {} of {}.",
            count(written.value, "worker"),
            count(written.value / per_slice, "slice"),
            count(per_slice, "host"),
        )
    } else {
        format!("Ray refuses a number that is no multiple of the {} of a slice.", count(per_slice, "host"))
    };
    found
        .found(written.span, format!("{} for {}", count(written.value, "worker"), count(hosts, "host")))
        .detail(format!(
            "{} {} {}, and one JAX worker drives all {} of a host. {consequence}",
            run.place(),
            if run.train.num_slices.value == 1 { "has" } else { "have" },
            count(hosts, "host"),
            count(run.shape.chips_per_host, "chip"),
        ))
        .source(format!("{JAX_TRAINER}; {SCALING_CONFIG}"))
        .help(format!("Leave num_workers out, or write num_workers = {hosts}."))
        .fix(written.span, hosts.to_string())
        .addr(&run.train.head.addr)
}
