//! Capacity that neither a node pool of the stack nor a node selector can ask for.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::resolve::stack::{CapacityKind, Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "capacity-not-selectable",
    severity: Severity::Error,
    summary: "Capacity that pods cannot ask for",
    pass: Pass::Stack(check),
    docs: r#"
## What

Where the stack makes no node pools (an Autopilot cluster, or `provision = "existing"`), a `capacity` block of a slice or of nodes
becomes node selectors of the pods. They can ask for one kind of capacity, and on existing nodes for Spot and flex-start only: those
are labels that every such node has.

## Why

A pod must match all its selectors at once, so that a ladder would match nothing; a reservation is no label of nodes that others made.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  mode     = "autopilot"
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  capacity "reservation" {
    name = "ml-v6e"
  }
  capacity "spot" {}
}
```

## Good

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  mode     = "autopilot"
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  capacity "spot" {}
}
```

## Source

GKE documentation on TPUs in Autopilot; node labels of GKE's cluster autoscaler (2026).
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for pools in pools(stack) {
        let autopilot = pools.autopilot();
        if !autopilot && pools.provision != Provision::Existing {
            continue;
        }
        let diag = match pools.capacity {
            [first, second, ..] => found
                .found(second.span, "a second kind of capacity")
                .also(first.span, "the first")
                .detail("The stack makes no node pools here: the pods select their capacity, and can select one.")
                .help("Keep one of the blocks."),
            [only] if !autopilot && matches!(only.kind, CapacityKind::Reservation { .. }) => found
                .found(only.span, "not a label of existing nodes")
                .detail("The nodes are there: what they were bought with is not to be chosen by a pod.")
                .help("Take the block out, or say which nodes with `node_selector`."),
            _ => continue,
        };
        found.push(diag.source(source(pools.provision)).addr(&pools.head.addr));
    }
}

fn source(provision: Provision) -> &'static str {
    match provision {
        Provision::Existing => "node labels of GKE's cluster autoscaler (2026)",
        Provision::NodePool => "GKE documentation on TPUs in Autopilot",
    }
}
