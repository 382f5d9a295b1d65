//! A pool of TPU nodes in a regional cluster that names no zone.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::resolve::stack::{Provision, Stack};

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
    for slice in stack.slices().filter(|slice| !slice.zone_given) {
        let mut of_slice = pools(stack).filter(|pools| pools.head.addr == slice.head.addr);
        let Some(region) =
            of_slice.find(|pools| pools.provision == Provision::NodePool).and_then(|pools| pools.region())
        else {
            continue;
        };
        let detail = "In a regional cluster GKE would make the pool's nodes in each zone, and the hosts of a slice stand in one.";
        let source = "gcloud --node-locations: exactly one zone for any TPU slice pool (GKE 2026, xpk 1.16)";
        let help = "Write the zone that sells the generation, such as zone = \"us-east5-b\": `sliceform catalog zones` lists them.";
        let diag = found.found(slice.head.span, "no zone").also(region, "a region, with several zones");
        found.push(diag.detail(detail).source(source).help(help).addr(&slice.head.addr));
    }
}
