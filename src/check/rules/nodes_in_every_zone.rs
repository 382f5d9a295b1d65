//! A pool of GPU or CPU nodes in a regional cluster that names no zone.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::check::rules::subject::words::count;
use crate::resolve::stack::{Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "nodes-in-every-zone",
    severity: Severity::Warning,
    summary: "Nodes are made in each zone of the region",
    pass: Pass::Stack(check),
    docs: r#"
## What

`nodes` in a regional cluster without a `zone`: GKE makes `node_count` nodes (with `autoscale`, up to `max_nodes`) in each zone of
the cluster.

## Why

In a region of three zones three times as many machines are made and billed as the stack says, and workloads count on the
number that it says. GPUs are sold in some of the zones only.

## Bad

```hcl
cluster "gpu" {
  project  = "demo"
  location = "us-central1"
}

nodes "heads" {
  cluster      = cluster.gpu
  machine_type = "e2-standard-16"
  node_count   = 2
}
```

## Good

```hcl
cluster "gpu" {
  project  = "demo"
  location = "us-central1"
}

nodes "heads" {
  cluster      = cluster.gpu
  zone         = "us-central1-a"
  machine_type = "e2-standard-16"
  node_count   = 2
}
```

## Source

gcloud's --num-nodes and --min-nodes: per zone on pools of several zones; terraform-provider-google 7.46, node_count.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for nodes in stack.all_nodes().filter(|nodes| !nodes.zone_given) {
        let mut own = pools(stack).filter(|pools| pools.head.addr == nodes.head.addr);
        let Some(region) = own.find(|pools| pools.provision == Provision::NodePool).and_then(|pools| pools.region())
        else {
            continue;
        };
        let most = if nodes.autoscale.is_some() { "up to " } else { "" };
        found.push(
            found
                .found(nodes.head.span, "no zone")
                .also(region, "a region, with several zones")
                .detail(format!(
                    "GKE makes {most}{} in each zone of the cluster.",
                    count(nodes.node_count.value, "node")
                ))
                .source("gcloud --num-nodes and --min-nodes: per zone on pools of several zones")
                .help("Write one zone, such as zone = \"us-central1-a\".")
                .addr(&nodes.head.addr),
        );
    }
}
