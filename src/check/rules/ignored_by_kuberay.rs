//! What KubeRay and Ray take and do not heed.

use crate::base::diag::Severity;
use crate::check::kuberay::{self, Refusal};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::patched;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "ignored-by-kuberay",
    severity: Severity::Warning,
    summary: "KubeRay takes it and does something else",
    pass: Pass::Objects(check),
    docs: r#"
## What

Replicas outside their bounds, resources under a name or with a quantity that Ray's autoscaler does not read, authentication
without its mode: a `patch` or a `manifest` can write them, and no error follows.

## Why

The operator takes the nearer bound, passes over the quantity, makes the Secret and asks for no token.

## Bad

```hcl
ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  slice = slice.v6e
  patch {
    target = "RayCluster"
    merge  = { spec = { authOptions = { secretName = "dev-token" } } }
  }
}
```

## Good

```hcl
ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  slice = slice.v6e
  patch {
    target = "RayCluster"
    merge  = { spec = { authOptions = { mode = "token", secretName = "dev-token" } } }
  }
}
```

## Source

KubeRay v1.7.0 `utils/util.go:389-407` and `:796`, `common/pod.go:1658-1662`; Ray 2.60.0
`autoscaler/_private/kuberay/autoscaling_config.py:377,436,471`.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for object in patched::objects(stack, manifests) {
        for Refusal { fault, .. } in kuberay::ignored(object.manifest) {
            found.push(object.found(found, &fault));
        }
    }
}
