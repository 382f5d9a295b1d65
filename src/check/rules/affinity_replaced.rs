//! An affinity that the TPU webhook replaces.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::text;
use crate::check::rules::subject::tpu_pods::{asked, groups};
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "affinity-replaced",
    severity: Severity::Warning,
    summary: "An affinity that the TPU webhook replaces",
    pass: Pass::Objects(check),
    docs: r#"
## What

In a Ray object of a `manifest` block, or after a `patch`: `affinity` in the pods of a TPU worker group with several hosts.

## Why

The webhook that joins the hosts of a slice puts its own affinity in the place of it, without a word.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  worker {
    patch {
      merge = { spec = { affinity = { podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution = [
        { topologyKey = "kubernetes.io/hostname", labelSelector = { matchLabels = { app = "noisy" } } }
      ] } } } }
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
    node_selector = { team = "research" }
  }
}
```

## Source

kuberay-tpu-webhook ef658db `main.go`: with `numOfHosts` above 1 it writes `/spec/affinity`.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for group in
        groups(manifests).iter().filter(|group| group.hosts() > 1 && asked(&group.pod).is_some_and(|chips| chips > 0))
    {
        let affinity = group.pod.spec.get("affinity").and_then(Value::as_object);
        if affinity.is_none_or(serde_json::Map::is_empty) {
            continue;
        }
        let name = text(group.fields, "groupName");
        let detail =
            format!("The pods of the group {name:?} have an affinity of their own, which the webhook overwrites.");
        let diag = found.in_object(stack, group.manifest, "an affinity").detail(detail);
        let help = "Say it with `node_selector` and `tolerations`, which stay.";
        found.push(diag.source("kuberay-tpu-webhook ef658db main.go").help(help));
    }
}
