//! Workloads of Ray without the versions that they are checked against.

use crate::base::diag::{Diag, Severity};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::uses::workloads;
use crate::facts::{kuberay, ray};
use crate::resolve::stack::{Head, Stack};

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
    let needing = |pinned: fn(&Stack, &crate::resolve::stack::Workload) -> bool| -> Vec<&Head> {
        workloads(stack).filter(|(_, workload)| !pinned(stack, workload)).map(|(head, _)| head).collect()
    };
    let latest_ray = ray::ROWS.last().map(|row| row.since.to_string());
    let latest_kuberay = kuberay::ROWS.last().map(|row| row.since.to_string());
    let attributes = [
        (
            "ray_version",
            "the Ray of its images",
            latest_ray,
            needing(|stack, workload| stack.ray_version(workload).is_some()),
        ),
        (
            "kuberay_version",
            "the KubeRay operator of its cluster",
            latest_kuberay,
            needing(|stack, workload| stack.kuberay_version(workload).is_some()),
        ),
    ];
    for (attribute, what, latest, heads) in attributes {
        if let Some(diag) = words(stack, found, attribute, what, latest.as_deref(), &heads) {
            found.push(diag);
        }
    }
}

fn words(
    stack: &Stack,
    found: &Findings,
    attribute: &str,
    what: &str,
    latest: Option<&str>,
    heads: &[&Head],
) -> Option<Diag> {
    let first = heads.first()?;
    let example = latest.map_or_else(String::new, |version| format!(", such as {attribute} = \"{version}\""));
    let diag = found
        .found(stack.settings.span, format!("no {attribute}"))
        .detail(format!("{} needs {what}: what is legal, and what is emitted, hangs on it.", first.addr))
        .help(format!("Write it in the stack block{example}, or in each workload."));
    Some(heads.iter().fold(diag, |diag, head| diag.also(head.span, format!("needs {what}"))))
}
