//! A container that asks for more than it may use.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::containers;
use crate::emit::Manifest;
use crate::resolve::quantity;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "request-above-limit",
    severity: Severity::Error,
    summary: "A request above its limit",
    pass: Pass::Objects(check),
    docs: r#"
## What

What a container requests of a resource is at most its limit: `requests` against `cpu`, `memory`, `ephemeral_storage` and `resources`
of a `head`, `worker` or `container`, and `resources` in the object of a `manifest` block or after a `patch`.

## Why

The API server refuses the pod, so that its controller makes none, and waits.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    memory   = "64Gi"
    requests = { memory = "128Gi" }
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
    memory   = "128Gi"
    requests = { memory = "64Gi" }
  }
}
```

## Source

Kubernetes documentation on resources; the API server says "must be less than or equal to memory limit".
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for container in containers(manifests) {
        let of = |name: &str| container.fields.get("resources")?.get(name)?.as_object();
        let (Some(requests), Some(limits)) = (of("requests"), of("limits")) else { continue };
        for (resource, request) in requests {
            let (request, limit) = (shown(request), limits.get(resource).map(shown).unwrap_or_default());
            let (Some(asked), Some(most)) = (quantity::milli(&request), quantity::milli(&limit)) else { continue };
            if asked <= most {
                continue;
            }
            let label = format!("requests {request} of {resource}");
            let detail = format!("{}: at most {limit} of {resource}, and {request} requested.", container.place());
            let diag = found.in_object(stack, container.manifest, label).detail(detail);
            let help = format!("Raise the limit of {resource}, or lower what `requests` says of it.");
            found.push(diag.source("Kubernetes documentation on resources").help(help));
        }
    }
}

/// A quantity as Kubernetes reads it: a text or a number.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
