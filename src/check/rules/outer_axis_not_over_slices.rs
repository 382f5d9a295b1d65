//! A JAX mesh whose outermost axis cannot be spread over the slices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, accepted};
use crate::check::rules::subject::words::count;
use crate::fit::workers::mesh_devices;
use crate::resolve::stack::{Framework, Program, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "outer-axis-not-over-slices",
    severity: Severity::Error,
    summary: "An inner axis of the mesh is wider than a slice",
    pass: Pass::Stack(check),
    docs: r#"
## What

Over several slices, the outermost axis crosses from slice to slice, and the inner axes stay within one. So the size of the
first `axis` is a multiple of the number of slices, and the others multiply to no more than the devices of one slice.

## Why

Within a slice, chips talk over their own wires; between slices, over the data centre's network, which is many times slower.
A tensor axis that crosses it would slow every layer down, and JAX's hybrid mesh refuses the shape when the workers are up.

## Bad

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
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size = 1
    }
    axis "tensor" {
      size = 32
    }
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

train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e
  num_slices            = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size = 2
    }
    axis "tensor" {
      size = 16
    }
  }
}
```

## Source

JAX `jax.experimental.mesh_utils.create_hybrid_device_mesh`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in accepted(stack).filter(|run| run.uses(Framework::Jax) && run.has_its_workers()) {
        let generated = matches!(run.train.program, Some(Program::TrainLoop(_)));
        let (true, Some(parallelism)) = (generated, &run.train.parallelism) else { continue };
        let Some(outer) = parallelism.axes.first() else { continue };
        let sizes: Option<Vec<u32>> =
            parallelism.axes.iter().map(|axis| axis.size.as_ref().map(|size| size.value)).collect();
        let (Some(sizes), Some(size)) = (sizes, &outer.size) else { continue };
        let slices = run.train.num_slices.value;
        if size.value.is_multiple_of(slices) || mesh_devices(&sizes) != run.devices() {
            continue;
        }
        found.push(
            found
                .found(size.span, format!("{} cannot be spread over {slices} slices", count(size.value, "place")))
                .detail(inner(&run, &sizes))
                .help(format!(
                    "Make the first axis a multiple of {slices}: it crosses the slices; the axes after it stay within one."
                ))
                .addr(&run.train.head.addr),
        );
    }
}

fn inner(run: &Run<'_>, sizes: &[u32]) -> String {
    format!(
        "The axes after the first have {} together, and a slice has {}: they would cross from slice to slice, over the network.",
        count(mesh_devices(&sizes[1..]).unwrap_or(u32::MAX), "place"),
        count(run.shape.devices, "device"),
    )
}
