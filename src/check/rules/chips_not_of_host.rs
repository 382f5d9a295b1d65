//! A pod that asks for other than the chips of its host.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::pods;
use crate::check::rules::subject::tpu_pods;
use crate::check::rules::subject::words::{count, or};
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "chips-not-of-host",
    severity: Severity::Error,
    summary: "A pod that does not ask for the chips of its host",
    pass: Pass::Objects(check),
    docs: r#"
## What

The containers of a pod with the selectors of a slice ask together for `google.com/tpu` chips as a host of that slice has them. The
compiler's own number is that; a sidecar, a `resources`, a `patch` or a `manifest` can make it another.

## Why

No node has more, so that the pod waits for ever; with fewer, a host of the slice lacks chips that the program counts on, and GKE makes
no node for it.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    container "watch" {
      resources = { "google.com/tpu" = 4 }
    }
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
  worker {
    container "watch" {
      cpu = 1
    }
  }
}
```

## Source

GKE documentation on TPUs; cluster autoscaler: "accelerator count found, but doesn't match TPU machine type".
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for pod in pods(manifests) {
        let Some(chips) = tpu_pods::of(&pod) else { continue };
        let machines = chips.machines();
        // A topology that no machine makes is another fault.
        if machines.is_empty() || chips.of_a_host() {
            continue;
        }
        let (generation, topology) = (chips.generation.id, &chips.topology);
        let hosts: Vec<u32> = machines.iter().map(|machine| machine.chips).collect();
        let (kind, name) = (&pod.manifest.object.kind, &pod.manifest.object.name);
        let detail = format!(
            "The containers of a pod of the {kind} {name:?} ask for {} together; a host of a {topology} slice of {generation} has {}.",
            count(chips.asked, "chip"),
            or(&hosts)
        );
        let label = format!("a pod with {}", count(chips.asked, "chip"));
        let diag = found.in_object(stack, pod.manifest, label).detail(detail);
        let help = format!("Let the containers of the pod ask for {} of google.com/tpu together.", or(&hosts));
        found.push(diag.source("GKE documentation on TPUs; GKE's cluster autoscaler (2026)").help(help));
    }
}
