//! A zone or a location that has not the form of one.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pools::pools;
use crate::check::rules::subject::zones::{is_zone, region_of};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "malformed-zone",
    severity: Severity::Error,
    summary: "Not the form of a zone or a region",
    pass: Pass::Stack(check),
    docs: r#"
## What

The `zone` of a slice, or of nodes, is a zone (`us-east5-b`), no region; the `location` of a cluster is a region (`us-east5`) or a
zone. Which ones there are is not looked at here.

## Why

GKE knows no such place, and refuses the node pool or the cluster.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5"
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

Google Cloud documentation on regions and zones: a zone is its region's name, `-`, and a suffix.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for cluster in stack.clusters() {
        let Some(location) = cluster.location.as_ref().filter(|location| region_of(location).is_none()) else {
            continue;
        };
        let help = "Write a region, such as \"us-east5\", or a zone, such as \"us-east5-b\".";
        found.push(diag(found, location, "neither region nor zone").help(help).addr(&cluster.head.addr));
    }
    for pools in pools(stack) {
        let Some(zone) = pools.zone.as_ref().filter(|zone| region_of(zone).is_none() || !is_zone(zone)) else {
            continue;
        };
        let label = if region_of(zone).is_some() { "a region" } else { "not a zone" };
        let help = "Write a zone: the region and a letter, such as \"us-east5-b\".";
        found.push(diag(found, zone, label).help(help).addr(&pools.head.addr));
    }
}

fn diag(found: &Findings, place: &Spanned<String>, label: &str) -> Diag {
    let detail = format!("{:?} is {label}.", place.value);
    found.found(place.span, label).detail(detail).source("Google Cloud documentation on regions and zones")
}
