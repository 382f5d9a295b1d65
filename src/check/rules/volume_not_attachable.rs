//! A volume on a disk that the machines of its pods do not take.

use crate::base::addr::Addr;
use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::or;
use crate::resolve::stack::{Block, Mount, MountSource, Stack, Volume};

/// The rule.
pub const RULE: Rule = Rule {
    name: "volume-not-attachable",
    severity: Severity::Error,
    summary: "A volume on a disk that the machines do not take",
    pass: Pass::Stack(check),
    docs: r#"
## What

`disk_type` of a `volume` must be one that the machines of the workers that mount it take.

## Why

The disk is not attached to the node, and the pod waits for ever.

## Bad

```hcl
volume "models" {
  size        = "500Gi"
  disk_type   = "pd-ssd"
  access_mode = "read_only_many"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    mount "models" {
      volume    = volume.models
      read_only = true
    }
  }
}
```

## Good

```hcl
volume "models" {
  size        = "500Gi"
  disk_type   = "hyperdisk-ml"
  access_mode = "read_only_many"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    mount "models" {
      volume    = volume.models
      read_only = true
    }
  }
}
```

## Source

GKE's cluster autoscaler (2026), disks by machine family: `sliceform catalog disks`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let Some(workload) = block.workload() else { continue };
        for (role, place) in block.workers() {
            let Some((machines, takes)) = machines(stack, place) else { continue };
            for mount in workload.all_mounts().chain(role.all_mounts()) {
                let Some((volume, disk)) = disk(stack, mount).filter(|(_, disk)| !takes.contains(&disk.as_str()))
                else {
                    continue;
                };
                found.push(
                    found
                        .found(mount.name.span, format!("on {machines}, which takes {}", or(takes)))
                        .also(volume.head.span, format!("a disk of type {disk}"))
                        .detail(format!("Machines of {place} attach no {disk}."))
                        .source("GKE cluster autoscaler (2026)")
                        .help(format!("Give {} a disk_type of {}.", volume.head.addr, or(takes)))
                        .addr(&block.head().addr),
                );
            }
        }
    }
}

/// What the machines at an address are, and which volumes they take. None: no table says.
fn machines<'a>(stack: &'a Stack, place: &Addr) -> Option<(&'a str, &'static [&'static str])> {
    if let Some(slice) = stack.slice(place) {
        let row = slice.generation?;
        return Some((row.id, row.volume_disks));
    }
    let nodes = stack.nodes(place)?;
    let takes = nodes.machine?.volume_disks;
    (!takes.is_empty()).then_some((nodes.machine_type.as_ref()?.value.as_str(), takes))
}

/// The disk of a mounted volume that the stack makes.
fn disk<'a>(stack: &'a Stack, mount: &Mount) -> Option<(&'a Volume, &'a String)> {
    let Some(MountSource::Volume(addr)) = &mount.source else { return None };
    let Some(Block::Volume(volume)) = stack.blocks.get(addr) else { return None };
    Some((volume, &volume.disk_type.as_ref()?.value))
}
