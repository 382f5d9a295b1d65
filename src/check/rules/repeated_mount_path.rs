//! Two volumes at one path of a container.

use std::collections::BTreeMap;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::{containers, text};
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "repeated-mount-path",
    severity: Severity::Error,
    summary: "Two mounts have one path",
    pass: Pass::Objects(check),
    docs: r#"
## What

Each mount of a container has a path of its own: of what `manifest` and `patch` blocks say, and beside what the compiler mounts itself
(`shm_size` mounts `/dev/shm`). A mount below another one (`/data` and `/data/cache`) is fine.

## Why

The API server refuses the pod: "mountPath: Invalid value: must be unique".

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    shm_size = "64Gi"
    mount "shm" {
      path      = "/dev/shm"
      empty_dir = { medium = "memory" }
    }
  }
}
```

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
          volumes = [{ name = "a", emptyDir = {} }, { name = "b", emptyDir = {} }]
          containers = [{
            name         = "web"
            image        = "example/web:1"
            volumeMounts = [{ name = "a", mountPath = "/data" }, { name = "b", mountPath = "/data" }]
          }]
        }
      }
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
    mount "shm" {
      path      = "/dev/shm"
      empty_dir = { medium = "memory" }
    }
  }
}
```

## Source

Kubernetes API reference, `Container.volumeMounts`: a list with the key `mountPath`.
"#,
};

/// The volume that `shm_size` makes.
const SHARED_MEMORY: &str = "dshm";

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for container in containers(manifests) {
        let mut paths = BTreeMap::new();
        for mount in container.objects("volumeMounts") {
            let (volume, path) = (text(mount, "name"), text(mount, "mountPath"));
            let Some(first) = paths.insert(path, volume) else { continue };
            let detail = format!("{}: the volumes {first:?} and {volume:?} both stand at {path}.", container.place());
            let diag = found.in_object(stack, container.manifest, format!("two mounts at {path}")).detail(detail);
            let help = if [first, volume].contains(&SHARED_MEMORY) {
                "Take `shm_size` or the mount out: both are the memory at /dev/shm."
            } else {
                "Give one of them another path, or take it out."
            };
            found.push(diag.source("Kubernetes API reference, Container.volumeMounts").help(help));
        }
    }
}
