//! PyTorch on chips of two devices, with a Ray that counts chips.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::{Run, runs};
use crate::check::rules::subject::words::{count, first_ray, rays};
use crate::facts::ray::ResourcePerChip;
use crate::facts::ray::sources::RESOURCE_PER_CHIP;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "uncounted-devices",
    severity: Severity::Error,
    summary: "This Ray cannot give a PyTorch worker one device of a chip",
    pass: Pass::Stack(check),
    docs: r#"
## What

A tpu7x chip is two devices, and a PyTorch worker drives one. So Ray has to count devices (`RAY_TPU_RESOURCE_PER_CHIP`,
which the compiler sets) and to show each worker the chip that its device is on. Ray can do both from 2.60 on.

## Why

Ray 2.58 and 2.59 count devices but show workers the wrong chips: two workers fight for one chip, others see none.

## Bad

```hcl
stack "example" {
  ray_version     = "2.59.0"
  kuberay_version = "1.6.2"
}

slice "ironwood" {
  cluster     = cluster.tpu
  accelerator = "tpu7x"
  topology    = "2x2x1"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.ironwood
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

slice "ironwood" {
  cluster     = cluster.tpu
  accelerator = "tpu7x"
  topology    = "2x2x1"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.ironwood
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

Ray 2.60.0 `_private/accelerators/tpu.py:632-648,821-827`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in runs(stack).filter(Run::uncounted) {
        let Some(named) = &run.train.slice else { continue };
        let id = run.shape.accelerator.id;
        let half = rays(|row| row.resource_per_chip == ResourcePerChip::ArithmeticOnly);
        let needed = first_ray(|row| row.resource_per_chip == ResourcePerChip::Full).unwrap_or_default();
        let version = run.version.map_or_else(String::new, |version| format!(" {version}"));
        let mut diag = found
            .found(named.span, format!("{id} has {} a chip", count(run.shape.devices_per_chip, "device")))
            .detail(format!(
                "A PyTorch worker drives one device; Ray{version} hands out whole chips, or shows workers the wrong ones."
            ))
            .source(format!("{half} count devices and show the wrong chips; Ray {needed} does both right: {RESOURCE_PER_CHIP}"))
            .help(format!("Pin Ray {needed} or later, or use framework = \"jax\", whose workers drive whole hosts."))
            .addr(&run.train.head.addr);
        if let Some(pinned) = stack.ray_version(&run.train.workload) {
            diag = diag.also(pinned.span, "this Ray");
        }
        found.push(diag);
    }
}
