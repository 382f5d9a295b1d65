//! Workloads of Ray without the versions that they are checked against.

use crate::base::diag::{Diag, Severity};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::uses::workloads;
use crate::facts::table::Row;
use crate::facts::version::Version;
use crate::facts::{kuberay, ray};
use crate::resolve::stack::{Stack, Workload};

/// The rule.
pub const RULE: Rule = Rule {
    name: "unpinned-version",
    severity: Severity::Error,
    summary: "A version that the stack must pin is missing",
    pass: Pass::Stack(check),
    docs: r#"
## What

A stack with `train` or `serve` blocks says which Ray its images have and which KubeRay its cluster runs: `ray_version` and
`kuberay_version`, in the `stack` block or in each workload.

## Why

What is legal changes from release to release: Ray 2.57 trains PyTorch on the CPU, 2.59 refuses several slices, 2.60 joins
them. Without the versions, nothing could be promised.

## Bad

```hcl
stack "example" {
  ray_version = "2.60.0"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

Ray 2.54.0 to 2.60.0 and KubeRay 1.4 to 1.7, compared release by release.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    if stack.settings.unreadable_version {
        return;
    }
    let ray = |workload| stack.ray_version(workload).is_some();
    let kuberay = |workload| stack.kuberay_version(workload).is_some();
    let ends = |first: Option<&Version>, last: Option<&Version>| Some(format!("{} to {}", first?, last?));
    let known_rays = ends(ray::ROWS.first().map(Row::since), ray::ROWS.last().map(Row::since));
    let known_kuberays = ends(kuberay::ROWS.first().map(Row::since), kuberay::ROWS.last().map(Row::since));
    if let Some(diag) = words(stack, found, ("ray_version", "the Ray of its images", known_rays), ray) {
        found.push(diag);
    }
    if let Some(diag) = words(stack, found, ("kuberay_version", "the KubeRay of its cluster", known_kuberays), kuberay)
    {
        found.push(diag);
    }
}

/// One error an attribute, at the stack's own block, however many workloads lack it.
fn words<'a>(
    stack: &'a Stack,
    found: &Findings,
    (attribute, what, known): (&str, &str, Option<String>),
    pinned: impl Fn(&'a Workload) -> bool,
) -> Option<Diag> {
    let mut lacking = workloads(stack).filter(|(_, workload)| !pinned(workload)).map(|(head, _)| head);
    let first = lacking.next()?;
    let more = match lacking.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let known = known.map_or_else(String::new, |known| format!(" Sliceform knows {known}."));
    let diag = found
        .found(stack.settings.span, format!("no {attribute}"))
        .also(first.span, format!("needs {what}"))
        .detail(format!("{}{more} must say {what}: what is legal, and what is emitted, hangs on it.", first.addr))
        .help(format!("Write {attribute} in the stack block, or in each workload.{known}"));
    Some(diag)
}
