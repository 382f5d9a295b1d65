//! Objects that nobody refuses and that can't work.

use crate::base::diag::Severity;
use crate::check::kuberay::{self, Refusal};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::patched;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "broken-in-silence",
    severity: Severity::Error,
    summary: "Nobody refuses the object, and it can't work",
    pass: Pass::Objects(check),
    docs: r#"
## What

Some fields of KubeRay's objects are checked by nobody: two groups of one name, a replica of no hosts, the labels by which
pods are found, the node selectors of a slice. The attributes of the language never lead there; a `patch` or a
`manifest` can.

## Why

The objects are accepted, the slices are bought, and nothing runs on them.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    patch {
      merge = { metadata = { labels = { "app.kubernetes.io/name" = "trainer" } } }
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
    patch {
      merge = { metadata = { labels = { "example.com/name" = "trainer" } } }
    }
  }
}
```

## Source

KubeRay v1.7.0 `common/pod.go`, `common/service.go:25-54`, `utils/util.go:389-407`; kuberay-tpu-webhook ef658db `main.go`; Ray
2.60.0 `autoscaler/_private/kuberay/autoscaling_config.py`; issue 718 of ray-project/kuberay.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for object in patched::objects(stack, manifests) {
        for Refusal { fault, .. } in kuberay::broken(object.manifest) {
            found.push(object.found(found, &fault));
        }
    }
}
