//! PyTorch workers that do not drive one device each.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, accepted};
use crate::check::rules::subject::words::{count, rays};
use crate::facts::ray::sources::WARNS_UNLESS_ONE_DEVICE;
use crate::resolve::stack::{Framework, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "worker-not-one-device",
    severity: Severity::Error,
    summary: "A PyTorch worker must drive exactly one device",
    pass: Pass::Stack(check),
    docs: r#"
## What

On TPUs, PyTorch has one worker for each device: `num_workers` is the number of devices of the slices, and each worker asks
for one TPU. A device is a chip, except on tpu7x, whose chips are two devices each.

## Why

Ray starts any other number with a warning in a log. torch_tpu then fails in every worker, because the devices that it sees
are not one a rank; by then the slice is reserved. More workers than devices ask for a second slice without a word.

## Bad

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e # 4x4: 16 chips, 16 devices
  num_workers           = 8
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e # 16 workers follow
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

Ray 2.60.0 `train/torch/config.py:186-194` (the warning); torch_tpu 0.2.0 `_internal/distributed/device_mesh.py` (the
failure).
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in accepted(stack).filter(|run| run.uses(Framework::Pytorch) && !run.has_its_workers()) {
        let (Some(written), Some(devices)) = (&run.train.num_workers, run.devices()) else { continue };
        found.push(words(found, &run, written, devices));
    }
}

fn words(found: &Findings, run: &Run<'_>, written: &Spanned<u32>, devices: u32) -> Diag {
    let workers = written.value;
    let (label, sum) = match workers {
        0 => ("no worker at all".to_owned(), String::new()),
        _ if devices.is_multiple_of(workers) => {
            let each = count(devices / workers, "device");
            (
                format!("{each} per worker"),
                format!(": {} / {} = {each} per worker", count(devices, "device"), count(workers, "worker")),
            )
        }
        _ => (
            format!("{} for {}", count(workers, "worker"), count(devices, "device")),
            format!(", and {workers} workers cannot drive one each"),
        ),
    };
    let beyond = if workers > devices { " Ray would take the workers beyond for another slice." } else { "" };
    let versions = rays(|row| row.warns_unless_one_device);
    found
        .found(written.span, label)
        .detail(format!(
            "{} {} {}{sum}.{beyond} Ray only warns; torch_tpu then fails at run time, with the slice already reserved.",
            run.place(),
            if run.train.num_slices.value == 1 { "has" } else { "have" },
            count(devices, "device"),
        ))
        .source(format!(
            "{versions} warn: {WARNS_UNLESS_ONE_DEVICE}; torch_tpu 0.2.0 fails: _internal/distributed/device_mesh.py"
        ))
        .help(format!("Leave num_workers out, or write num_workers = {devices}."))
        .fix(written.span, devices.to_string())
        .addr(&run.train.head.addr)
}
