//! A slice, or nodes, in a zone of another region than its cluster.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::check::rules::subject::zones::region_of;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "zone-outside-cluster",
    severity: Severity::Error,
    summary: "A zone outside the cluster's region",
    pass: Pass::Stack(check),
    docs: r#"
## What

The `zone` of a slice, or of nodes, must be a zone of the region that its cluster is in.

## Why

GKE makes nodes of a cluster in its own region only, and refuses the node pool.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "europe-west4-a"
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

GKE documentation on cluster types: nodes run in zones of the cluster's region.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for pools in pools(stack) {
        let Some(location) = pools.cluster.and_then(|cluster| cluster.location.as_ref()) else { continue };
        let Some(zone) = pools.zone else { continue };
        let (Some(own), Some(clusters)) = (region_of(zone), region_of(location)) else { continue };
        if own == clusters {
            continue;
        }
        found.push(
            found
                .found(zone.span, format!("in {own}"))
                .also(location.span, format!("in {clusters}"))
                .detail("Nodes of a cluster run in zones of its own region.")
                .source("GKE documentation on cluster types")
                .help(format!("Write a zone of {clusters}, or declare a cluster in {own}."))
                .addr(&pools.head.addr),
        );
    }
}
