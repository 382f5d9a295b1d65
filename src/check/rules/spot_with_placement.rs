//! Spot capacity for slices whose pools have a placement policy, where that was seen refused.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::accelerators::Offer;
use crate::resolve::stack::{CapacityKind, Provision, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "spot-with-placement",
    severity: Severity::Warning,
    summary: "Spot for a slice of several hosts that was seen refused",
    pass: Pass::Stack(check),
    docs: r#"
## What

The pool of a slice of several hosts has a placement policy. On v5p, Google's recipes saw such a pool refused with Spot capacity.

## Why

Compute Engine answers "Required field 'resource.requestedRunDuration' not specified", and makes no node.

## Bad

```hcl
slice "v5p" {
  cluster     = cluster.tpu
  accelerator = "v5p"
  topology    = "2x2x2"
  capacity "spot" {}
}
```

## Good

```hcl
slice "v5p" {
  cluster     = cluster.tpu
  accelerator = "v5p"
  topology    = "2x2x1"
  capacity "spot" {}
}
```

## Source

tpu-recipes (2026-08), on v5p. The autoscaler's table has Spot of v5p, without a word of placement.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in
        stack.slices().filter(|slice| slice.provision.value == Provision::NodePool && !stack.is_autopilot(slice))
    {
        let Some(shape) = slice.shape().filter(|shape| shape.multi_host) else { continue };
        let seen = &shape.accelerator.placed_spot;
        if seen.value == Offer::Yes {
            continue;
        }
        for rung in slice.capacity.iter().filter(|rung| rung.kind == CapacityKind::Spot) {
            found.push(
                found
                    .found(rung.span, format!("{} {} has a placement policy", shape.accelerator.id, shape.topology))
                    .detail("Compute Engine was seen to refuse it: \"Required field 'resource.requestedRunDuration' not specified\".")
                    .source(seen.source.to_string())
                    .help("Use capacity \"flex_start\", \"reservation\" or \"on_demand\", or a slice of one host.")
                    .addr(&slice.head.addr),
            );
        }
    }
}
