//! A node selector with a TPU type that GKE does not have.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::{pods, text};
use crate::emit::Manifest;
use crate::facts::accelerators::ACCELERATORS;
use crate::facts::gke::labels;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-tpu-label",
    severity: Severity::Warning,
    summary: "A node selector of an unknown TPU type",
    pass: Pass::Objects(check),
    docs: r#"
## What

`cloud.google.com/gke-tpu-accelerator` in the `node_selector` of a role, in a `patch` or in a `manifest` has the value that GKE gives
nodes of a generation, such as `tpu-v6e-slice`: neither `v6e` nor a machine type.

## Why

No node has the label, and the autoscaler makes none: the pod waits for ever.

## Bad

```hcl
manifest "web" {
  object = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          nodeSelector = {
            "cloud.google.com/gke-tpu-accelerator" = "tpu-v6e-podslice"
            "cloud.google.com/gke-tpu-topology"    = "2x2"
          }
          containers = [{
            name      = "web"
            image     = "example/web:1"
            resources = { limits = { "google.com/tpu" = 4 } }
          }]
        }
      }
    }
  }
}
```

## Good

```hcl
manifest "web" {
  object = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          nodeSelector = {
            "cloud.google.com/gke-tpu-accelerator" = "tpu-v6e-slice"
            "cloud.google.com/gke-tpu-topology"    = "2x2"
          }
          containers = [{
            name      = "web"
            image     = "example/web:1"
            resources = { limits = { "google.com/tpu" = 4 } }
          }]
        }
      }
    }
  }
}
```

## Source

GKE's cluster autoscaler (2026): "TPU type not supported"; `sliceform catalog accelerators` lists the labels.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for pod in pods(manifests) {
        let selector = pod.spec.get("nodeSelector").and_then(Value::as_object);
        let value = selector.map(|selector| text(selector, labels::TPU_ACCELERATOR)).unwrap_or_default();
        let known =
            || ACCELERATORS.iter().map(|row| row.gke_label).chain(labels::OTHER_TPU_ACCELERATORS.value.iter().copied());
        if value.is_empty() || known().any(|label| label == value) {
            continue;
        }
        let (kind, name) = (&pod.manifest.object.kind, &pod.manifest.object.name);
        let detail =
            format!("Pods of the {kind} {name:?} select nodes with {value:?}, which no source knows as a TPU type.");
        let diag = found.in_object(stack, pod.manifest, format!("selects {value:?}")).detail(detail);
        // `tpu-v6e-podslice` means v6e, whichever label is spelt most like it.
        let help = match ACCELERATORS.iter().find(|row| value.contains(row.id)) {
            Some(row) => format!("The nodes of {} have {:?}.", row.product, row.gke_label),
            None => format!("Write one of {}.", known().collect::<Vec<_>>().join(", ")),
        };
        found.push(diag.source("GKE's cluster autoscaler (2026)").help(help));
    }
}
