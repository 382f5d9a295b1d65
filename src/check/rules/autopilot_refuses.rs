//! Pods that an Autopilot cluster does not admit.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::{Block, Cluster, ClusterMode, Container, Mount, MountSource, Pod, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "autopilot-refuses",
    severity: Severity::Error,
    summary: "A pod that Autopilot does not admit",
    pass: Pass::Stack(check),
    docs: r#"
## What

On an Autopilot cluster no pod is `privileged`, uses the network of its host, or mounts a path of it.

## Why

Autopilot's admission refuses the pod, so that KubeRay makes none, and waits.

## Bad

```hcl
cluster "auto" {
  project  = "demo"
  location = "us-east5"
  mode     = "autopilot"
}

slice "v6e" {
  cluster     = cluster.auto
  accelerator = "v6e"
  topology    = "4x4"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    privileged = true
  }
}
```

## Good

```hcl
cluster "auto" {
  project  = "demo"
  location = "us-east5"
  mode     = "autopilot"
}

slice "v6e" {
  cluster     = cluster.auto
  accelerator = "v6e"
  topology    = "4x4"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

## Source

GKE documentation on Autopilot: privileged pods, hostNetwork and hostPath are refused.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let Some(workload) = block.workload() else { continue };
        let Some(cluster) = cluster(stack, block).filter(|cluster| cluster.mode.value == ClusterMode::Autopilot) else {
            continue;
        };
        let own = block.head().span;
        let roles = block.roles();
        let pods = roles.iter().flat_map(|(pod, _)| of_pod(pod, own));
        let shared = of_containers(workload.containers()).into_iter().chain(of_mounts(workload.all_mounts()));
        let mut refused: Vec<(Span, &str)> = shared.chain(pods).collect();
        refused.dedup();
        for (span, what) in refused {
            found.push(
                found
                    .found(span, what)
                    .also(cluster.head.span, "an Autopilot cluster")
                    .detail(format!("Autopilot does not admit pods with {what}."))
                    .source("GKE documentation on Autopilot")
                    .help("Take it out, or use a cluster with mode = \"standard\".")
                    .addr(&block.head().addr),
            );
        }
    }
}

/// The cluster that a workload runs in.
fn cluster<'a>(stack: &'a Stack, block: &Block) -> Option<&'a Cluster> {
    block.workers().into_iter().find_map(|(_, addr)| {
        let named =
            stack.slice(addr).map(|slice| &slice.cluster).or_else(|| stack.nodes(addr).map(|nodes| &nodes.cluster));
        stack.cluster(named?)
    })
}

fn of_pod(pod: &Pod, own: Span) -> Vec<(Span, &'static str)> {
    let mut refused = Vec::new();
    if pod.privileged {
        refused.push((own, "privileged containers"));
    }
    if pod.host_network {
        refused.push((own, "the network of the host"));
    }
    refused.extend(of_containers(pod.containers()));
    refused.extend(of_mounts(pod.all_mounts()));
    refused
}

fn of_containers<'a>(containers: impl Iterator<Item = &'a Container>) -> Vec<(Span, &'static str)> {
    let privileged = containers.filter(|container| container.privileged);
    privileged.map(|container| (container.name.span, "privileged containers")).collect()
}

fn of_mounts<'a>(mounts: impl Iterator<Item = &'a Mount>) -> Vec<(Span, &'static str)> {
    let of_host = mounts.filter(|mount| matches!(mount.source, Some(MountSource::HostPath(_))));
    of_host.map(|mount| (mount.name.span, "a path of the host")).collect()
}
