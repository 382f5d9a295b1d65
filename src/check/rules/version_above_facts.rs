//! A pinned version newer than all that were read.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::versions::{Place, pinned};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "version-above-facts",
    severity: Severity::Warning,
    summary: "A version newer than all that Sliceform knows",
    pass: Pass::Stack(check),
    docs: r#"
## What

Sliceform's facts end with some release of each product. The stack pins a newer one.

## Why

It is checked by the rules of the newest release that was read. What has changed since is not known: something legal may be
refused, and something new may be missed.

## Bad

```hcl
stack "example" {
  ray_version     = "2.99.0"
  kuberay_version = "1.6.2"
}
```

## Good

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
```

## Source

Ray 2.54.0 to 2.60.0, KubeRay 1.4 to 1.7, vllm-tpu 0.21 to 0.32 and vllm-torchtpu 0.29, read release by release.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for pinned in pinned(stack).into_iter().filter(|pinned| pinned.place == Place::Above) {
        found.push(
            found
                .found(pinned.span, format!("the newest that was read is {}", pinned.last))
                .detail(format!("{} {} is checked as if it were {}.", pinned.product, pinned.version, pinned.last))
                .help(
                    "Use a newer Sliceform, if there is one, or look through the release notes for what has changed.",
                ),
        );
    }
}
