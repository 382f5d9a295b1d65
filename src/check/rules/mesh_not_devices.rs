//! A device mesh that has not as many places as there are devices.

use crate::base::diag::{Diag, Severity};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, accepted};
use crate::check::rules::subject::words::{count, or};
use crate::fit::workers::{axis_that_fills, mesh_devices};
use crate::resolve::stack::{Axis, Program, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "mesh-not-devices",
    severity: Severity::Error,
    summary: "The mesh does not have as many places as there are devices",
    pass: Pass::Stack(check),
    docs: r#"
## What

The sizes of the `axis` blocks multiply to the number of devices of the slices. With PyTorch, that is the number of workers.

## Why

The generated driver builds the mesh over all devices. `init_device_mesh` and `create_device_mesh` refuse another number,
when every worker is up and the slice is paid for.

## Bad

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e # 4x4: 16 devices
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size  = 2
      shard = true
    }
    axis "tensor" {
      size = 4
    }
  }
}
```

## Good

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  parallelism {
    strategy = "fsdp2"
    axis "data" {
      size  = 4
      shard = true
    }
    axis "tensor" {
      size = 4
    }
  }
}
```

## Source

PyTorch `torch.distributed.device_mesh.init_device_mesh`; JAX `jax.experimental.mesh_utils.create_device_mesh`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in accepted(stack).filter(Run::has_its_workers) {
        // A program of the user's own builds its own mesh.
        let generated = matches!(run.train.program, Some(Program::TrainLoop(_)));
        let (true, Some(parallelism), Some(devices)) = (generated, &run.train.parallelism, run.devices()) else {
            continue;
        };
        let axes = &parallelism.axes;
        let sizes: Option<Vec<u32>> = axes.iter().map(|axis| axis.size.as_ref().map(|size| size.value)).collect();
        let Some(sizes) = sizes.filter(|sizes| !sizes.is_empty() && mesh_devices(sizes) != Some(devices)) else {
            continue;
        };
        if let Some(diag) = words(found, &run, axes, &sizes, devices) {
            found.push(diag);
        }
    }
}

fn words(found: &Findings, run: &Run<'_>, axes: &[Axis], sizes: &[u32], devices: u32) -> Option<Diag> {
    let product: Vec<String> = sizes.iter().map(u32::to_string).collect();
    let total = mesh_devices(sizes).map_or_else(|| "more than 2^32".to_owned(), |total| total.to_string());
    let names: Vec<&str> = axes.iter().map(|axis| axis.name.value.as_str()).collect();
    let fitting: Vec<(usize, u32)> =
        (0..sizes.len()).filter_map(|at| axis_that_fills(sizes, at, devices).map(|size| (at, size))).collect();
    let at = fitting.first().map_or(sizes.len() - 1, |(at, _)| *at);
    let place = axes.get(at)?.size.as_ref()?.span;
    let sum = if sizes.len() > 1 { format!(" = {total}") } else { String::new() };
    let label =
        if sizes.len() > 1 { format!("{} = {total} places", product.join(" x ")) } else { count(sizes[0], "place") };
    let mut diag = found
        .found(place, label)
        .detail(format!(
            "{} = {}{sum}, but {} {} {}{}.",
            names.join(" x "),
            product.join(" x "),
            run.place(),
            if run.train.num_slices.value == 1 { "has" } else { "have" },
            count(devices, "device"),
            if sizes.contains(&0) { "; an axis has at least one place" } else { "" },
        ))
        .addr(&run.train.head.addr);
    for axis in axes.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, axis)| axis) {
        if let Some(size) = &axis.size {
            diag = diag.also(size.span, format!("axis {:?}", axis.name.value));
        }
    }
    let offers: Vec<String> =
        fitting.iter().map(|(at, size)| format!("size = {size} for axis {:?}", names[*at])).collect();
    Some(match fitting.as_slice() {
        [] => diag.help(format!("Choose sizes that multiply to {devices}.")),
        [(_, size)] => diag.help(format!("Write {}.", or(&offers))).fix(place, size.to_string()),
        _ => diag.help(format!("Write {}.", or(&offers))),
    })
}
