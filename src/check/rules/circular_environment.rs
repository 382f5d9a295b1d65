//! Environment variables that name each other in a circle.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::lower::environment::{self, Circle};
use crate::lower::place::Place;
use crate::resolve::stack::{Environment, Stack};

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
    for block in stack.blocks.values() {
        let Some(workload) = block.workload() else { continue };
        let mains = block.roles().into_iter().map(|(role, slice)| {
            let slice = slice.and_then(|addr| stack.slice(addr));
            let place = slice.and_then(|slice| Some(Place::Slices { slice, shape: slice.shape()? }));
            (&workload.env, &role.env, place.map_or_else(Vec::new, Place::host_env))
        });
        let none = Environment::default();
        let others = block.containers().map(|container| (&none, &container.env, Vec::new()));
        let mut told: Vec<Span> = Vec::new();
        for (all, role, derived) in mains.chain(others) {
            let Some(circle) = environment::circle(stack, derived, all, role) else { continue };
            let Some(span) = place(&circle, role).or_else(|| place(&circle, all)) else { continue };
            // A circle of the workload's own stands in every role.
            if !told.contains(&span) {
                told.push(span);
                found.push(message(found, &circle.names, span).addr(&block.head().addr));
            }
        }
    }
}

fn message(found: &Findings, names: &[String], span: Span) -> Diag {
    let detail = match names {
        [own] => format!("{own} names itself; Kubernetes knows no earlier value of it."),
        names => format!("{} -> {}.", names.join(" -> "), names.first().map_or("", String::as_str)),
    };
    let help = "Give one of them a value of its own; write `$$(NAME)` where the text itself is meant.";
    found.found(span, "names what names it").detail(detail).help(help).source("Kubernetes API reference, EnvVar.value")
}

/// Where a block gives one of the circle's variables.
fn place(circle: &Circle, env: &Environment) -> Option<Span> {
    circle.names.iter().find_map(|name| env.values.get(name)).map(|value| value.span)
}
