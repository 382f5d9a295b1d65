//! A boot disk of a type that the generation does not boot from.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::check::rules::subject::words::or;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "boot-disk-not-taken",
    severity: Severity::Error,
    summary: "A boot disk that the machines do not take",
    pass: Pass::Stack(check),
    docs: r#"
## What

`boot_disk { type }` must be one that the machines of the generation, or of the machine type, take. Left out, Sliceform takes a right one.

## Why

The node pool is refused when it is made.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  boot_disk {
    type = "pd-balanced"
  }
}
```

```hcl
nodes "h200" {
  cluster      = cluster.tpu
  machine_type = "a3-ultragpu-8g"
  boot_disk {
    type = "pd-ssd"
  }
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  boot_disk {
    type = "hyperdisk-balanced"
  }
}
```

## Source

GKE's cluster autoscaler (2026), disks by machine family: `sliceform catalog disks`; tpu-recipes.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for pools in pools(stack) {
        let (Some(takes), Some(machines), Some(disk)) = (pools.boot_disks, pools.machines, pools.boot_disk) else {
            continue;
        };
        if takes.contains(&disk.value.as_str()) {
            continue;
        }
        let mut diag = found
            .found(disk.span, format!("{machines} takes {}", or(takes)))
            .detail(format!("{machines} does not boot from {}.", disk.value))
            .source("GKE cluster autoscaler (2026)")
            .help(format!(
                "Write {}, or leave it out.",
                or(&takes.iter().map(|disk| format!("\"{disk}\"")).collect::<Vec<_>>())
            ))
            .addr(&pools.head.addr);
        if let [only] = takes {
            diag = diag.fix(disk.span, format!("\"{only}\""));
        }
        found.push(diag);
    }
}
