//! Something that the cluster must have and that nobody checks yet.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::and;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "requirement-unchecked",
    severity: Severity::Note,
    summary: "Something that the cluster must have already",
    pass: Pass::Stack(check),
    docs: r#"
## What

`requires` of a cluster names what must be installed in it. Sliceform does not install it, and a directory of manifests
cannot look.

## Why

Without it the objects that need it are refused, or nobody acts on them.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
  requires = ["kueue"]
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Good

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5-b"
}

slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Source

The stack language: `requires` is checked against a live cluster, never installed.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for cluster in stack.clusters() {
        let Some(first) = cluster.requires.first() else { continue };
        let names: Vec<&str> = cluster.requires.iter().map(|name| name.value.as_str()).collect();
        found.push(
            found
                .found(first.span, "must be installed")
                .detail(format!("{} must have {}; Sliceform does not install it.", cluster.head.addr, and(&names)))
                .help("Install it before the first apply.")
                .addr(&cluster.head.addr),
        );
    }
}
