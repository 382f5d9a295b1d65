//! Capacity blocks that together cap below the number of slices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::count;
use crate::resolve::stack::{Slice, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "ladder-too-short",
    severity: Severity::Error,
    summary: "Capacity for fewer slices than there are",
    pass: Pass::Stack(check),
    docs: r#"
## What

Each `capacity` block may cap its `num_slices`. Together they must reach the `num_slices` of the slice.

## Why

For the slices beyond the caps there is no pool: their pods wait for ever.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 4
  capacity "reservation" {
    name       = "ml-v6e"
    num_slices = 2
  }
  capacity "spot" {
    num_slices = 1
  }
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 4
  capacity "reservation" {
    name       = "ml-v6e"
    num_slices = 2
  }
  capacity "spot" {
    num_slices = 2
  }
}
```

## Source

The stack language: num_slices is the total over the capacity blocks.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        let Some(most) = most(slice).filter(|most| *most < u64::from(slice.num_slices.value)) else { continue };
        let wanted = slice.num_slices.value;
        let mut diag = found
            .found(slice.num_slices.span, format!("{wanted}, but the capacity blocks reach {most}"))
            .detail(format!(
                "{} has {wanted} slices, and its capacity blocks allow {}.",
                slice.head.addr,
                count(most, "slice")
            ))
            .help(format!("Raise the caps, leave one out, or set num_slices = {most}."))
            .addr(&slice.head.addr);
        for cap in slice.capacity.iter().filter_map(|rung| rung.num_slices.as_ref()) {
            diag = diag.also(cap.span, format!("at most {}", cap.value));
        }
        found.push(diag);
    }
}

/// The sum of the caps; none where one block has none and takes all.
fn most(slice: &Slice) -> Option<u64> {
    if slice.capacity.is_empty() {
        return None;
    }
    slice.capacity.iter().map(|rung| rung.num_slices.as_ref().map(|cap| u64::from(cap.value))).sum()
}
