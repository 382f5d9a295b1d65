//! An attribute of node pools on a slice for which the stack makes none.

use crate::base::diag::Severity;
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::resolve::stack::{Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "setting-without-pool",
    severity: Severity::Error,
    summary: "A setting of node pools where the stack makes none",
    pass: Pass::Stack(check),
    docs: r#"
## What

`boot_disk`, `labels`, `networks` and `service_account` of a slice, or of nodes, are settings of its node pools. In an Autopilot cluster
and with `provision = "existing"` the stack makes none. DRANET is not there at all on Autopilot.

## Why

The setting would be ignored without a word.

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
  boot_disk {
    size_gb = 200
  }
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
}
```

## Source

GKE documentation on TPUs in Autopilot; on dynamic resource allocation: "Autopilot clusters don't support DRA".
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for pools in pools(stack) {
        let autopilot = pools.autopilot();
        let why = match (autopilot, pools.provision) {
            (true, _) => "The cluster is an Autopilot cluster: GKE makes the nodes for the pods that ask for them.",
            (false, Provision::Existing) => "The nodes exist: the stack makes no pool that could have it.",
            (false, Provision::NodePool) => continue,
        };
        let dranet = pools.dranet.as_ref().filter(|_| autopilot).map(|dranet| Spanned::new("dranet", dranet.span));
        for setting in pools.settings.iter().cloned().chain(dranet) {
            found.push(
                found
                    .found(setting.span, "there is no pool to set it on")
                    .detail(format!("{why} `{}` would be ignored.", setting.value))
                    .source("GKE documentation on TPUs in Autopilot, and on dynamic resource allocation")
                    .help(format!("Take `{}` out.", setting.value))
                    .addr(&pools.head.addr),
            );
        }
    }
}
