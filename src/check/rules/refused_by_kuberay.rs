//! Objects that the KubeRay operator refuses.

use crate::base::diag::Severity;
use crate::check::kuberay::{self, Refusal};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::patched;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "refused-by-kuberay",
    severity: Severity::Error,
    summary: "The KubeRay operator refuses the object",
    pass: Pass::Objects(check),
    docs: r#"
## What

The operator checks each RayCluster, RayJob, RayService and RayCronJob before it does anything with it. These are its own
checks, as the pinned `kuberay_version` has them, on what the stack becomes. The attributes of the language never lead
there; a `patch` or a `manifest` can.

## Why

The API server takes such an object, and `kubectl apply` and a controller call it a success. A refused RayCluster has a
warning among its events and no pods; a refused RayJob stays so even when it is mended, until it is deleted.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  patch {
    target = "RayJob"
    merge  = { spec = { shutdownAfterJobFinishes = false, ttlSecondsAfterFinished = 600 } }
  }
}
```

```hcl
ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  head {
    env = { RAY_REDIS_ADDRESS = "redis:6379" }
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
  ttl_after_finished    = "10m"
}
```

## Source

KubeRay `ray-operator/controllers/ray/utils/validation.go` of v1.4.2, v1.5.1, v1.6.2 and v1.7.0; the conformance suite
`kuberay` runs the operator's own functions over the same objects.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for object in patched::objects(stack, manifests) {
        let Some(version) = object.kuberay else { continue };
        for Refusal { id, fault } in kuberay::refusals(object.manifest, &version.value) {
            let diag = object.found(found, &fault).source(format!("KubeRay validation.go ({id} of its checks)"));
            found.push(diag.also(version.span, format!("as KubeRay {} has it", version.value)));
        }
    }
}
