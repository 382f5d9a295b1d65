//! A group of Ray workers with other than the hosts of its slice.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::text;
use crate::check::rules::subject::tpu_pods::{self, groups};
use crate::check::rules::subject::words::count;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "hosts-not-of-topology",
    severity: Severity::Error,
    summary: "A worker group without the hosts of its slice",
    pass: Pass::Objects(check),
    docs: r#"
## What

In a Ray object of a `manifest` block, or after a `patch`: a worker group with the selectors of a slice has as `numOfHosts` the hosts of
that slice, its chips divided by those of a pod. `replicas` counts slices.

## Why

The TPU webhook refuses the group: "Number of workers in worker group not equal to specified topology".

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  patch {
    target = "RayJob"
    json   = [{ op = "replace", path = "/spec/rayClusterSpec/workerGroupSpecs/0/numOfHosts", value = 2 }]
  }
}
```

## Good

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

## Source

kuberay-tpu-webhook ef658db `main.go`.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for group in groups(manifests) {
        let Some(chips) = tpu_pods::of(&group.pod).filter(tpu_pods::Chips::of_a_host) else { continue };
        let (hosts, written) = (chips.topology.chips() / chips.asked, group.hosts());
        // None at all is a fault of its own (`broken-in-silence`).
        if written == 0 || written == u64::from(hosts) {
            continue;
        }
        let name = text(group.fields, "groupName");
        let detail = format!(
            "The group {name:?} has a numOfHosts of {written}; a {} slice of {} with {} a host has {}.",
            chips.topology,
            chips.generation.id,
            count(chips.asked, "chip"),
            count(hosts, "host")
        );
        let diag =
            found.in_object(stack, group.manifest, format!("{written} for {}", count(hosts, "host"))).detail(detail);
        let help = format!("Write numOfHosts: {hosts}; several slices are `replicas`.");
        found.push(diag.source("kuberay-tpu-webhook ef658db main.go").help(help));
    }
}
