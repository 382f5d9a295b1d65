//! Flex-start of TPU slices together with queued provisioning.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::{CapacityKind, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "flex-start-queued",
    severity: Severity::Warning,
    summary: "Flex-start with queued provisioning on TPUs",
    pass: Pass::Stack(check),
    docs: r#"
## What

A TPU slice takes flex-start capacity without `queued = true`: a pool of one slice goes from nothing to all its hosts at once anyway.

## Why

GKE's API was seen to refuse such a pool: "Flex start node pools don't support TPUs with queued provisioning." Sources
disagree: Cluster Toolkit makes such pools.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  capacity "flex_start" {
    queued = true
  }
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  capacity "flex_start" {}
}
```

## Source

xpk PR 900 quotes the API. Cluster Toolkit 1.95 has a blueprint that does it on tpu7x: `catalog conflicts flex-queued-tpu`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        for capacity in &slice.capacity {
            if !matches!(capacity.kind, CapacityKind::FlexStart { queued: true, .. }) {
                continue;
            }
            found.push(
                found
                    .found(capacity.span, "queued")
                    .detail(
                        "GKE was seen to refuse it: \"Flex start node pools don't support TPUs with queued provisioning\". Sources disagree.",
                    )
                    .source("GKE API, quoted in xpk PR 900; Cluster Toolkit 1.95 does it on tpu7x")
                    .help("Leave `queued` out; `sliceform catalog conflicts flex-queued-tpu` shows who says what.")
                    .addr(&slice.head.addr),
            );
        }
    }
}
