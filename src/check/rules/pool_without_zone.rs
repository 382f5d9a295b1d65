//! A pool of TPU nodes in a regional cluster that names no zone.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::{Block, Cluster, ClusterMode, Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "pool-without-zone",
    severity: Severity::Error,
    summary: "A TPU node pool needs exactly one zone",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `slice` whose node pools the stack declares must say its `zone`, unless its cluster is itself in one zone.

## Why

Without one, GKE makes the pool's nodes in each zone of the region: `node_count` counts for each zone. The hosts of a slice
must stand together, so that such a pool is refused, or makes and bills nodes that no slice can use.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Good

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Source

gcloud's `--node-locations`: exactly one zone for any TPU slice pool (GKE 2026, xpk 1.16); Compute Engine refuses a target
size other than the gang size.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices().filter(|slice| !slice.zone_given && slice.provision.value == Provision::NodePool) {
        let cluster = slice.cluster.as_ref().and_then(|addr| match stack.blocks.get(&addr.value) {
            Some(Block::Cluster(cluster)) => Some(cluster),
            _ => None,
        });
        let Some(cluster) = cluster.filter(|cluster| is_regional(cluster)) else { continue };
        let location = cluster.location.as_ref();
        let mut diag = found.found(slice.head.span, "no zone").addr(&slice.head.addr);
        if let Some(location) = location {
            diag = diag.also(location.span, "a region, with several zones");
        }
        let detail = "In a regional cluster GKE would make the pool's nodes in each zone, and the hosts of a slice stand in one.";
        let source = "gcloud --node-locations: exactly one zone for any TPU slice pool (GKE 2026, xpk 1.16)";
        let help = "Write the zone that sells the generation, such as zone = \"us-east5-b\": `sliceform catalog accelerators` lists generations.";
        found.push(diag.detail(detail).source(source).help(help));
    }
}

/// A location of two parts is a region; a zone has a letter behind it. Autopilot chooses zones by itself.
fn is_regional(cluster: &Cluster) -> bool {
    let parts = |location: &str| location.split('-').count();
    cluster.mode.value == ClusterMode::Standard && cluster.location.as_ref().is_some_and(|at| parts(&at.value) == 2)
}
