//! Hosts with fewer CPUs than workers.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::runs::accepted;
use crate::check::rules::subject::words::count;
use crate::facts::ray::sources::SCALING_CONFIG;
use crate::resolve::quantity;
use crate::resolve::stack::{Framework, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "too-few-cpus-per-host",
    severity: Severity::Warning,
    summary: "Fewer CPUs on a host than workers",
    pass: Pass::Stack(check),
    docs: r#"
## What

`worker { cpu }` is what one host's pod gets. It should be at least one CPU for each Ray Train worker on the host: as many as
the host has devices with PyTorch, one with JAX.

## Why

Each worker is a process that feeds its device. Without a CPU of its own it starves the chip; and a driver that lets Ray
count CPUs (one a worker is Ray Train's default) waits for ever for CPUs that no host has.

## Bad

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e # 4 devices a host: 4 workers
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  worker {
    cpu = 2
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
  worker {
    cpu = 24
  }
}
```

## Source

Ray 2.60.0 `train/v2/api/config.py` (`ScalingConfig`).
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for run in accepted(stack) {
        let Some(cpu) = &run.train.workload.worker_pod.cpu else { continue };
        let per_host = if run.uses(Framework::Pytorch) { run.shape.devices_per_host() } else { 1 };
        let Some(milli) = quantity::milli(cpu).filter(|milli| *milli < u128::from(per_host) * 1000) else { continue };
        let machine = run.shape.machine_type;
        found.push(
            found
                .found(cpu.span, format!("for {} on each host", count(per_host, "worker")))
                .detail(format!(
                    "{} CPUs / {} = {} a worker; each worker is a process of its own. A {} has {} virtual CPUs.",
                    cpu.value,
                    count(per_host, "worker"),
                    thousandths(milli / u128::from(per_host.max(1))),
                    machine.name,
                    machine.vcpu,
                ))
                .source(SCALING_CONFIG.to_string())
                .help(format!("Give a host at least {per_host}, or leave cpu out: most of the machine is the default."))
                .addr(&run.train.head.addr),
        );
    }
}

fn thousandths(milli: u128) -> String {
    let text = format!("{}.{:03}", milli / 1000, milli % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
