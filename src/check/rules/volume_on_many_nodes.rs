//! A volume of one node, mounted by pods on several.

use crate::base::addr::Addr;
use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::places::uses_of;
use crate::resolve::stack::{Block, Mount, MountSource, Stack, Volume, Workload};

/// The rule.
pub const RULE: Rule = Rule {
    name: "volume-on-many-nodes",
    severity: Severity::Error,
    summary: "A volume for one node is mounted on several",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `volume` whose `access_mode` is read_write_once (the default) or read_write_once_pod may be mounted by pods of one node only:
not by the workers of a slice with several hosts, or of several `nodes`, nor by the head and the workers of a workload on slices.

## Why

The disk is attached to the first node; pods on the others wait for it without end (`Multi-Attach error`), and a slice with a
waiting host never starts. Ray's head can't share the workers' node: GKE keeps pods without chips off TPU nodes.

## Bad

```hcl
volume "models" {
  size = "200Gi"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  worker {
    mount "models" {
      volume = volume.models
    }
  }
}
```

```hcl
volume "models" {
  size = "200Gi"
}

nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
  node_count   = 2
}

train "sft" {
  framework             = "pytorch"
  nodes                 = nodes.h100
  replicas              = 2
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.sft:train_loop_per_worker"
  worker {
    mount "models" {
      volume = volume.models
    }
  }
}
```

## Good

```hcl
volume "models" {
  claim = "models"
}

volume "notes" {
  size = "10Gi"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  mount "models" {
    volume    = volume.models
    read_only = true
  }
  head {
    mount "notes" {
      volume = volume.notes
    }
  }
}
```

## Source

Kubernetes documentation, Persistent Volumes, Access Modes; GKE's taint `google.com/tpu=present:NoSchedule` on TPU nodes.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let roles = block.roles();
        let workers = roles.iter().filter_map(|(role, slice)| Some((role, stack.slice((*slice)?)?)));
        let workers: Vec<_> = workers.collect();
        let of_all = block.workload().into_iter().flat_map(Workload::all_mounts);
        let everywhere = of_all.filter(|_| !workers.is_empty()).map(|mount| (mount, "the head and the workers"));
        let several = workers.iter().filter(|(_, slice)| slice.shape().is_some_and(|shape| shape.multi_host));
        let on_hosts = several.flat_map(|(role, _)| role.all_mounts()).map(|mount| (mount, "the hosts of a slice"));
        let on_nodes = over_nodes(stack, block).into_iter().map(|mount| (mount, "several nodes"));
        for (mount, whose) in everywhere.chain(on_hosts).chain(on_nodes) {
            let Some(volume) = of_one_node(stack, mount) else { continue };
            let diag = found.found(mount.name.span, format!("on {whose}")).also(volume.head.span, "for one node");
            let detail = format!(
                "The pods there run on several nodes, and the disk of {} is attached to one.",
                volume.head.addr
            );
            let help = "Use a `bucket`, a volume with read_write_many or read_only_many, or mount it in `head` alone.";
            found.push(diag.detail(detail).help(help).addr(&block.head().addr));
        }
    }
}

/// Mounts of workers that fill several nodes.
fn over_nodes<'a>(stack: &'a Stack, block: &'a Block) -> Vec<&'a Mount> {
    let fills = |addr: &Addr| {
        let nodes = stack.nodes(addr)?;
        uses_of(stack, nodes).find(|taken| taken.addr == &block.head().addr && taken.whole && taken.nodes > 1)
    };
    let workers = block.workers().into_iter().filter(|(_, place)| fills(place).is_some());
    let of_all = || block.workload().into_iter().flat_map(Workload::all_mounts);
    workers.flat_map(|(role, _)| role.all_mounts().chain(of_all())).collect()
}

/// The volume of a mount, where the stack makes it for one node.
fn of_one_node<'a>(stack: &'a Stack, mount: &Mount) -> Option<&'a Volume> {
    let Some(MountSource::Volume(addr)) = &mount.source else { return None };
    let Some(Block::Volume(volume)) = stack.blocks.get(addr) else { return None };
    (volume.size.is_some() && volume.claim.is_none() && volume.access_mode.starts_with("ReadWriteOnce"))
        .then_some(volume)
}
