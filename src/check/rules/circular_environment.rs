//! Environment variables that name each other in a circle.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::uses::workloads;
use crate::lower::environment::{self, Circle};
use crate::lower::intent::pod::Env;
use crate::lower::ray::host_env;
use crate::resolve::stack::{Block, Environment, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "circular-environment",
    severity: Severity::Error,
    summary: "Environment variables name each other in a circle",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `$(NAME)` in a value of `env` stands for the variable NAME of the same container. Two variables may not name each other, by
way of others either, and none may name itself, unless `env_from` gives it a value to begin with. Write `$$(NAME)` for the
text itself.

## Why

Kubernetes expands a `$(NAME)` from what stands before it, and leaves it as text where there is nothing. Sliceform puts each
variable after those that it names; a circle has no such order, so that one of its variables would hold a `$(NAME)`. What the
image sets, such as `PATH`, is not known to Kubernetes: a `$(PATH)` is never expanded.

## Bad

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  env = {
    CACHE  = "$(MODELS)/cache"
    MODELS = "$(CACHE)/../models"
  }
}
```

```hcl
serve "chat" {
  slice   = slice.v6e
  runtime = "ray"
  image   = "example/serve:1"
  model "qwen3-8b" {
    source               = "Qwen/Qwen3-8B"
    tensor_parallel_size = 16
  }
  worker {
    env = {
      NODE_IP = "$(VBAR_CONTROL_SERVICE_URL)"
    }
  }
}
```

## Good

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  env = {
    CACHE  = "$(MODELS)/cache"
    MODELS = "/data/models"
    SHOWN  = "$$(SHOWN)"
  }
}
```

## Source

Kubernetes API reference, `EnvVar.value`: references are expanded from the previously defined variables of the container.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for (head, workload) in workloads(stack) {
        let roles = [&workload.head_pod, &workload.worker_pod].map(|role| &role.env);
        let derived = [Vec::new(), of_hosts(stack, &head.addr)];
        let mains = roles.into_iter().zip(derived).map(|(role, derived)| (&workload.env, role, derived));
        let none = Environment::default();
        let others = workload.containers().map(|container| (&none, &container.env, Vec::new()));
        let mut told: Vec<Span> = Vec::new();
        for (all, role, derived) in mains.chain(others) {
            let Some(circle) = environment::circle(stack, derived, all, role) else { continue };
            let Some(span) = place(&circle, role).or_else(|| place(&circle, all)) else { continue };
            // A circle of the workload's own stands in every role.
            if told.contains(&span) {
                continue;
            }
            told.push(span);
            let detail = match circle.names.as_slice() {
                [own] => format!("{own} names itself; Kubernetes knows no earlier value of it."),
                names => format!("{} -> {}.", names.join(" -> "), names[0]),
            };
            let diag = found.found(span, "names what names it").detail(detail);
            let help = "Give one of them a value of its own; write `$$(NAME)` where the text itself is meant.";
            let source = "Kubernetes API reference, EnvVar.value";
            found.push(diag.help(help).source(source).addr(&head.addr));
        }
    }
}

/// What the compiler derives for the hosts of a workload's slices.
fn of_hosts(stack: &Stack, addr: &crate::base::addr::Addr) -> Vec<Env> {
    let slice = match stack.blocks.get(addr) {
        Some(Block::Train(train)) => &train.slice,
        Some(Block::Serve(serve)) => &serve.slice,
        _ => return Vec::new(),
    };
    let slice = slice.as_ref().and_then(|addr| stack.slice(&addr.value));
    slice.and_then(|slice| slice.shape()).map_or_else(Vec::new, host_env)
}

/// Where a block gives one of the circle's variables.
fn place(circle: &Circle, env: &Environment) -> Option<Span> {
    circle.names.iter().find_map(|name| env.values.get(name)).map(|value| value.span)
}
