//! JAX that may use TPUs only, in a container without one.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::{pods, text};
use crate::check::rules::subject::tpu_pods::asked;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "jax-platform-not-there",
    severity: Severity::Warning,
    summary: "JAX for TPUs alone, where there are none",
    pass: Pass::Objects(check),
    docs: r#"
## What

`JAX_PLATFORMS = "tpu"` in a pod that asks for no chips: Ray's head has the `env` of its workload.

## Why

Where JAX runs there, it finds no platform that it may use, and fails: "Unable to initialize backend 'tpu'", or "Unknown backend cpu".

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  env = {
    JAX_PLATFORMS = "tpu"
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
  env = {
    JAX_PLATFORMS = "tpu,cpu"
  }
}
```

## Source

kubernetes-engine-samples 2b503651: every sample for Ray on TPUs has `tpu,cpu`.
"#,
};

const VARIABLE: &str = "JAX_PLATFORMS";

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for pod in pods(manifests).iter().filter(|pod| asked(pod) == Some(0)) {
        for container in pod.containers() {
            if !container.objects("env").any(|env| text(env, "name") == VARIABLE && text(env, "value") == "tpu") {
                continue;
            }
            let detail = format!("{} has {VARIABLE}=tpu, and its pod asks for no chips.", container.place());
            let diag = found.in_object(stack, pod.manifest, format!("{VARIABLE}=tpu without chips")).detail(detail);
            let help = "Write \"tpu,cpu\", or give it to the `worker` alone.";
            found.push(diag.source("kubernetes-engine-samples 2b503651").help(help));
        }
    }
}
