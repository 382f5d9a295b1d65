//! A legal topology on which the sources disagree.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::fit::shape::{Doubt, Shape};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "doubtful-topology",
    severity: Severity::Warning,
    summary: "A topology on which the sources disagree",
    pass: Pass::Stack(check),
    docs: r#"
## What

One source alone lists the topology, or it is larger than the largest slice that the documentation names.

## Why

GKE publishes no list of its large slices. What a single source has may be a slip there, and shows only when the node pool
is made. Where the slice is yours, allow it with a reason.

## Bad

```hcl
slice "huge" {
  cluster     = cluster.tpu
  accelerator = "v5p"
  topology    = "16x20x28"
}
```

## Good

```hcl
slice "huge" {
  cluster     = cluster.tpu
  accelerator = "v5p"
  topology    = "16x16x24"
}
```

## Source

Cloud TPU documentation; xpk 1.16; Ray 2.60.0; Cluster Toolkit 1.95.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        let (Some(shape), Some(topology)) = (slice.shape(), &slice.topology) else { continue };
        let Some(doubt) = shape.doubts.first() else { continue };
        let (detail, source) = words(shape, doubt);
        found.push(
            found
                .found(topology.span, "may not exist")
                .detail(detail)
                .source(source)
                .help("Make sure that GKE has such a slice for your project before you count on it.")
                .addr(&slice.head.addr),
        );
    }
}

fn words(shape: &Shape, doubt: &Doubt) -> (String, String) {
    let (id, topology) = (shape.accelerator.id, &shape.topology);
    match doubt {
        Doubt::OneSource(lister) => (
            format!(
                "Only {} lists {topology} for {id}; GKE's documentation and the other tools do not.",
                lister.name()
            ),
            shape.accelerator.source.to_string(),
        ),
        Doubt::AboveDocumented { largest, source } => (
            format!(
                "{topology} has {} chips; the largest slice of {id} that the documentation names is {largest} with {}.",
                shape.chips,
                largest.chips()
            ),
            source.to_string(),
        ),
    }
}
