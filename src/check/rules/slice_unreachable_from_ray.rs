//! A slice that GKE has and Ray cannot ask for.

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Severity};
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, runs};
use crate::check::rules::subject::words::count;
use crate::facts::ray::sources::TPU_TABLES;
use crate::fit::shape::Shape;
use crate::resolve::stack::{Slice, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "slice-unreachable-from-ray",
    severity: Severity::Error,
    summary: "A slice that Ray cannot ask for",
    pass: Pass::Stack(check),
    docs: r#"
## What

Ray Train and Ray Serve ask for a slice by generation and topology, and take the chips of its hosts from a table of their
own. Where the slice is not in the table, or its hosts have other numbers of chips, what Ray asks for is never there.

## Why

2x4 on v6e is one host of eight chips to Ray. On two hosts of four, its request for one host with eight chips waits for
ever, with the slice paid for. A driver of your own (`entrypoint`) may say how many chips a host has; the generated one and
Ray Serve cannot.

## Bad

```hcl
slice "small" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 4
}

train "tune" {
  framework             = "jax"
  slice                 = slice.small
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.tune:train_loop_per_worker"
}
```

## Good

```hcl
slice "small" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
}

train "tune" {
  framework             = "jax"
  slice                 = slice.small
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.tune:train_loop_per_worker"
}
```

## Source

Ray 2.60.0 `_private/accelerators/tpu.py`; `util/tpu.py` (`chips_per_vm`).
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in runs(stack).filter(Run::unreachable) {
        let named = run.train.slice.as_ref().map(|slice| slice.span);
        found.push(words(found, run.slice, run.shape, named.unwrap_or(run.train.head.span), &run.train.head.addr));
    }
    for serve in stack.serves() {
        let Some(named) = &serve.slice else { continue };
        let Some((slice, shape)) = stack.slice(named).and_then(|slice| Some((slice, slice.shape()?))) else { continue };
        if !shape.ray_expressible {
            found.push(words(found, slice, shape, named.span, &serve.head.addr));
        }
    }
}

fn words(found: &Findings, slice: &Slice, shape: &Shape, named: Span, addr: &Addr) -> Diag {
    let (id, topology) = (shape.accelerator.id, &shape.topology);
    let assumed = shape.accelerator.ray_chips_per_host(topology.dims());
    let (detail, help) = if shape.ray_known {
        (
            format!(
                "Ray takes {topology} on {id} for {} of {}; {} has {} of {}. What Ray asks for would never be there.",
                count(shape.chips / assumed, "host"),
                count(assumed, "chip"),
                slice.head.addr,
                count(shape.hosts, "host"),
                count(shape.chips_per_host, "chip"),
            ),
            format!("Set chips_per_host = {assumed} in {}, or use a larger topology.", slice.head.addr),
        )
    } else {
        (
            format!("Ray's table of topologies has no {topology} for {id}."),
            "Use a topology that Ray has; `sliceform catalog topologies` lists them.".to_owned(),
        )
    };
    let diag =
        found.found(named, "Ray cannot find these slices").detail(detail).source(TPU_TABLES.to_string()).help(help);
    let written = if shape.ray_known { slice.chips_per_host.as_ref() } else { None };
    let diag = match written {
        Some(chips) => diag.also(chips.span, "not what Ray assumes").fix(chips.span, assumed.to_string()),
        None => diag,
    };
    diag.addr(addr)
}
