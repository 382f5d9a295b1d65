//! A mount of a volume that its pod does not have.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::base::diag::Severity;
use crate::base::suggest::did_you_mean;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::{pods, text};
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "mount-without-volume",
    severity: Severity::Error,
    summary: "A mount of a volume that the pod lacks",
    pass: Pass::Objects(check),
    docs: r#"
## What

In the object of a `manifest` block, or after a `patch`: each of a container's `volumeMounts` names one of the pod's `volumes`. The
volumes of a StatefulSet may also come from its `volumeClaimTemplates`.

## Why

The API server refuses the pod: "volumeMounts[0].name: Not found".

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
          containers = [{
            name         = "web"
            image        = "example/web:1"
            volumeMounts = [{ name = "cache", mountPath = "/cache" }]
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
          volumes = [{ name = "cache", emptyDir = {} }]
          containers = [{
            name         = "web"
            image        = "example/web:1"
            volumeMounts = [{ name = "cache", mountPath = "/cache" }]
          }]
        }
      }
    }
  }
}
```

## Source

Kubernetes API reference, `VolumeMount.name`: it must match the name of a volume.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for pod in pods(manifests) {
        let listed = pod.spec.get("volumes").and_then(Value::as_array).into_iter().flatten();
        let mut volumes: BTreeSet<&str> = listed.filter_map(|volume| volume.get("name")?.as_str()).collect();
        volumes.extend(claimed(&pod.manifest.tree));
        for container in pod.containers() {
            for mount in container.objects("volumeMounts") {
                let name = text(mount, "name");
                if volumes.contains(name) {
                    continue;
                }
                let detail = format!("{} mounts {name:?} at {}.", container.place(), text(mount, "mountPath"));
                let diag = found.in_object(stack, pod.manifest, format!("no volume {name:?}")).detail(detail);
                let near = did_you_mean(name, volumes.iter().copied());
                let help = format!("Add the volume to the pod's `volumes`, or name one that is there.{near}");
                found.push(diag.source("Kubernetes API reference, VolumeMount.name").help(help));
            }
        }
    }
}

/// Volumes that a StatefulSet claims for each of its pods.
fn claimed(tree: &Value) -> impl Iterator<Item = &str> {
    let templates = tree.pointer("/spec/volumeClaimTemplates").and_then(Value::as_array).into_iter().flatten();
    templates.filter_map(|template| template.pointer("/metadata/name")?.as_str())
}
