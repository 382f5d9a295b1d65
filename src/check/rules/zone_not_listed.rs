//! A zone that is not known to sell the generation, or to lend it.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::or;
use crate::check::rules::subject::zones::{is_zone, region_of};
use crate::facts::accelerators::ZONES_READ;
use crate::facts::machines::GPU_ZONES;
use crate::resolve::stack::{CapacityKind, Slice, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "zone-not-listed",
    severity: Severity::Warning,
    summary: "A zone that is not known to have the generation",
    pass: Pass::Stack(check),
    docs: r#"
## What

The zone of a slice is not among those that Google's pages listed for the generation, or for its flex-start capacity, when
they were read in November 2026; or the zone of nodes is not among those that a table has for their GPUs.

## Why

Where a zone has no such machines the node pool is refused, or waits for ever. Zones come and go: if yours is new, say so
with `# allow: zone-not-listed -- since when` above the slice. `sliceform catalog zones` lists what was read.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-west4"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-west4-a"
  accelerator = "v6e"
  topology    = "4x4"
}
```

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-c"
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
  capacity "flex_start" {}
}
```

## Source

GKE documentation on TPU and flex-start locations, as read in November 2026; older pages and samples where a row says so.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    check_nodes(stack, found);
    for slice in stack.slices() {
        let (Some(generation), Some(zone)) = (slice.generation, zone(stack, slice)) else { continue };
        let (who, source) = ((generation.id, generation.product), format!("GKE documentation, read in {ZONES_READ}"));
        let names = || generation.zones.iter().map(|zone| zone.name);
        if generation.zone(&zone.value).is_none() {
            found.push(unlisted(found, who, zone, &names().collect::<Vec<_>>(), "has", &source).addr(&slice.head.addr));
            continue;
        }
        // A generation that is not lent at all has its own message.
        let lent = generation.flex_start_zones;
        let flex = slice.capacity.iter().any(|rung| matches!(rung.kind, CapacityKind::FlexStart { .. }));
        if flex && !lent.is_empty() && !lent.contains(&zone.value.as_str()) {
            found.push(unlisted(found, who, zone, lent, "lends, by flex-start,", &source).addr(&slice.head.addr));
        }
    }
}

/// GPUs are in one table only, which says nothing of the date.
fn check_nodes(stack: &Stack, found: &mut Findings) {
    for nodes in stack.all_nodes() {
        let (Some(gpus), Some(zone)) = (nodes.gpus(), nodes.zone.as_ref().filter(|zone| is_zone(zone))) else {
            continue;
        };
        let names = gpus.gpu.zones;
        if names.is_empty() || names.contains(&zone.value.as_str()) {
            continue;
        }
        found.push(
            unlisted(found, (gpus.gpu.id, gpus.gpu.product), zone, names, "has", &GPU_ZONES.to_string())
                .addr(&nodes.head.addr),
        );
    }
}

/// The zone of the slice; without one, that of a cluster that the stack makes in one zone.
fn zone<'a>(stack: &'a Stack, slice: &'a Slice) -> Option<&'a Spanned<String>> {
    let cluster = stack.cluster_of(slice);
    let location = cluster.filter(|cluster| cluster.manage).and_then(|cluster| cluster.location.as_ref());
    slice.zone.as_ref().or(location).filter(|zone| is_zone(zone))
}

fn unlisted(
    found: &Findings,
    (id, product): (&str, &str),
    zone: &Spanned<String>,
    names: &[&str],
    has: &str,
    source: &str,
) -> Diag {
    let near: Vec<&str> = names.iter().copied().filter(|name| region_of(name) == region_of(zone)).collect();
    let names = if near.is_empty() { names } else { near.as_slice() };
    found
        .found(zone.span, format!("not listed for {id}"))
        .detail(format!("No page that was read says that {} {has} {product}.", zone.value))
        .source(source)
        .help(format!(
            "Use {}; if the zone is new, `# allow: {} -- since when` above the block says so.",
            or(names),
            RULE.name
        ))
}
