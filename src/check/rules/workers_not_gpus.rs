//! Another number of workers than the GPUs of the nodes, or a mesh of another size.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::count;
use crate::facts::machines::Gpus;
use crate::fit::workers::mesh_devices;
use crate::resolve::stack::{Nodes, Program, Stack, Train};

/// The rule.
pub const RULE: Rule = Rule {
    name: "workers-not-gpus",
    severity: Severity::Error,
    summary: "Workers that are not as many as the GPUs",
    pass: Pass::Stack(check),
    docs: r#"
## What

A training run on GPU nodes has one worker a GPU: a written `num_workers` may not be more, and the axes of its mesh multiply to the
workers.

## Why

Workers beyond the GPUs wait for ever; a mesh of another size is refused by PyTorch when the workers start.

## Bad

```hcl
train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  num_workers           = 16
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Good

```hcl
train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  num_workers           = 8
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
}
```

## Source

Ray Train `ScalingConfig(use_gpu=True)`: one GPU a worker; PyTorch `init_device_mesh`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for train in stack.trains() {
        let nodes = train.nodes.as_ref().and_then(|addr| stack.nodes(addr));
        let Some(gpus) = nodes.and_then(Nodes::gpus) else { continue };
        let there = u64::from(gpus.count()) * u64::from(train.replicas.value);
        let workers = train.num_workers.as_ref().map_or(there, |written| u64::from(written.value));
        if workers > there {
            beyond(found, train, gpus, there);
        } else {
            let place = nodes.map(|nodes| nodes.head.span);
            mesh(found, train, workers, place);
        }
    }
}

fn beyond(found: &mut Findings, train: &Train, gpus: Gpus, there: u64) {
    let Some(written) = &train.num_workers else { return };
    let diag = found
        .found(written.span, format!("{there} GPUs"))
        .detail(format!(
            "There are {there} GPUs, of {} of {}, and each worker needs one.",
            count(train.replicas.value, "node"),
            gpus.machine.name
        ))
        .help(format!("Write num_workers = {there}, or leave it out: it is derived."))
        .fix(written.span, there.to_string())
        .addr(&train.head.addr);
    found.push(diag);
}

fn mesh(found: &mut Findings, train: &Train, workers: u64, place: Option<Span>) {
    // A program of the user's own builds its own mesh.
    let generated = matches!(train.program, Some(Program::TrainLoop(_)));
    let Some(parallelism) = train.parallelism.as_ref().filter(|_| generated) else { return };
    let sizes: Option<Vec<u32>> =
        parallelism.axes.iter().map(|axis| axis.size.as_ref().map(|size| size.value)).collect();
    let Some(sizes) = sizes.filter(|sizes| !sizes.is_empty()) else { return };
    if mesh_devices(&sizes).is_some_and(|devices| u64::from(devices) == workers) {
        return;
    }
    let product: Vec<String> = sizes.iter().map(u32::to_string).collect();
    let diag = found
        .found(parallelism.span, format!("{} for {}", product.join(" x "), count(workers, "worker")))
        .detail(format!("The axes multiply to another number than the {workers} workers of the run."))
        .help(format!("Choose sizes that multiply to {workers}."))
        .addr(&train.head.addr);
    let diag = diag.also(train.replicas.span, count(train.replicas.value, "node"));
    found.push(place.into_iter().fold(diag, |diag, place| diag.also(place, "the nodes")));
}
