//! PyTorch on TPUs, with a Ray that trains on the CPU.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::runs;
use crate::check::rules::subject::words::{count, first_ray, rays};
use crate::facts::ray::TorchTpuBackend;
use crate::facts::ray::sources::TORCH_TPU_BACKEND;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "torch-trains-on-cpu",
    severity: Severity::Error,
    summary: "This Ray trains PyTorch on the CPU and leaves the TPUs idle",
    pass: Pass::Stack(check),
    docs: r#"
## What

TorchTrainer trains on TPUs from Ray 2.58 on.

## Why

Older releases take `use_tpu`, reserve the slices and train on the CPU through gloo. Nothing fails: the run is slow, and the
bill is for TPUs.

## Bad

```hcl
stack "example" {
  ray_version     = "2.57.1"
  kuberay_version = "1.6.2"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
stack "example" {
  ray_version     = "2.58.0"
  kuberay_version = "1.6.2"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

Ray 2.57.0 and 2.58.0 `train/v2/torch/torch_trainer.py`; 2.60.0 `train/torch/config.py:264`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    // Over several slices, `torch-multi-slice` says so already.
    for run in runs(stack).filter(|run| run.on_cpu() && !run.over_slices()) {
        let (Some(framework), Some(pinned)) = (&run.train.framework, stack.ray_version(&run.train.workload)) else {
            continue;
        };
        let first = first_ray(|row| row.torch_tpu_backend == TorchTpuBackend::TpuDist).unwrap_or_default();
        found.push(
            found
                .found(pinned.span, "too old for PyTorch on TPUs")
                .also(framework.span, format!("trains on {}", run.place()))
                .detail(format!(
                    "Ray {} reserves the {} and trains on the hosts' CPUs, through gloo, without an error.",
                    pinned.value,
                    count(run.shape.chips.saturating_mul(run.train.num_slices.value), "chip"),
                ))
                .source(format!(
                    "{} train on the CPU, {} on TPUs: {TORCH_TPU_BACKEND}",
                    rays(|row| row.torch_tpu_backend == TorchTpuBackend::Gloo),
                    rays(|row| row.torch_tpu_backend == TorchTpuBackend::TpuDist),
                ))
                .help(format!("Pin Ray {first} or later, with an image of it, or use framework = \"jax\"."))
                .addr(&run.train.head.addr),
        );
    }
}
