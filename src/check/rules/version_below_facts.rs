//! A pinned version older than all that were read.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::versions::{Place, pinned};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "version-below-facts",
    severity: Severity::Warning,
    summary: "A version older than all that Sliceform knows",
    pass: Pass::Stack(check),
    docs: r#"
## What

Sliceform's facts begin with some release of each product. The stack pins an older one.

## Why

Rules that hang on a version do not run: a fault that they would find shows only at run time.

## Bad

```hcl
stack "example" {
  ray_version     = "2.52.0"
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
    for pinned in pinned(stack).into_iter().filter(|pinned| pinned.place == Place::Below) {
        found.push(
            found
                .found(pinned.span, format!("the first that was read is {}", pinned.first))
                .detail(format!(
                    "Nothing is known of {} {}: the rules that hang on its version do not run.",
                    pinned.product, pinned.version
                ))
                .help(format!(
                    "Use {} {} or later; {} is the newest that was read.",
                    pinned.product, pinned.first, pinned.last
                )),
        );
    }
}
