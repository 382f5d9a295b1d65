//! A name in `networks` that the cluster's `additional_networks` lacks.

use crate::base::diag::Severity;
use crate::base::suggest::nearest;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-network",
    severity: Severity::Error,
    summary: "A network that the cluster does not name",
    pass: Pass::Stack(check),
    docs: r#"
## What

`networks` of a slice, or of nodes, are names in `additional_networks` of its cluster, where VPC and subnetwork stand.

## Why

Without the VPC there is nothing to attach.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
  additional_networks = {
    data = { network = "data-vpc", subnetwork = "data-us-east5" }
  }
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  networks    = ["dara"]
}
```

## Good

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
  additional_networks = {
    data = { network = "data-vpc", subnetwork = "data-us-east5" }
  }
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  networks    = ["data"]
}
```

## Source

The stack language: VPCs are named, never made.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for pools in pools(stack) {
        let Some(cluster) = pools.cluster else { continue };
        let known: Vec<&str> = cluster.additional_networks.keys().map(String::as_str).collect();
        for name in pools.networks.iter().filter(|name| !known.contains(&name.value.as_str())) {
            let addr = &cluster.head.addr;
            let listed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let help = match nearest(&name.value, known.iter().copied()) {
                Some(near) => format!("Write {near:?}, or name it in `additional_networks` of {addr}."),
                None => format!("Name it in `additional_networks` of {addr}."),
            };
            found.push(
                found
                    .found(name.span, "not a name of the cluster's")
                    .also(cluster.head.span, format!("names {listed}"))
                    .detail(format!("{addr} has no additional network {:?}.", name.value))
                    .help(help)
                    .addr(&pools.head.addr),
            );
        }
    }
}
