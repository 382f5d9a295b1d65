//! An environment variable that one block gives twice.

use std::collections::BTreeMap;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "repeated-variable",
    severity: Severity::Error,
    summary: "An environment variable is given twice",
    pass: Pass::Stack(check),
    docs: r#"
## What

A name may stand in one of a block's `env`, `secret_env` and `field_env`. A `head` or `worker` block may give the workload's
variable another value: that is no repetition.

## Why

A container has one value of a variable. Kubernetes takes the last of two, and server-side apply refuses the pod; which of two
attributes was meant can't be known.

## Bad

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
  env = {
    TOKEN = "none"
  }
  secret_env = {
    TOKEN = secret.token.token
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
  secret_env = {
    TOKEN = secret.token.token
  }
  head {
    env = {
      TOKEN = "none"
    }
  }
}
```

## Source

Kubernetes API reference, `Container.env`: a list with the key `name`, which server-side apply holds unique.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let addr = &block.head().addr;
        let workload = block.workload().into_iter().map(|workload| &workload.env);
        let roles = block.roles().into_iter().map(|(role, _)| &role.env);
        for env in workload.chain(roles).chain(block.containers().map(|container| &container.env)) {
            let mut given = BTreeMap::new();
            for (name, attr, span) in env.named() {
                let Some((first, place)) = given.insert(name, (attr, span)) else { continue };
                let diag = found.found(span, format!("gives {name} again")).also(place, format!("{first} gives it"));
                let detail = format!("{name} stands in both `{first}` and `{attr}`; a container has one value of it.");
                found.push(diag.detail(detail).help(format!("Take {name} out of one of them.")).addr(addr));
            }
        }
    }
}
