//! A model on nodes without GPUs.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::machines::{self, Found};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "model-without-gpus",
    severity: Severity::Error,
    summary: "A model on nodes without GPUs",
    pass: Pass::Stack(check),
    docs: r#"
## What

The `nodes` that a `serve` block with models names have no GPUs.

## Why

A replica of Ray Serve LLM asks for a GPU for each device of the model, and waits for ever.

## Bad

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "e2-standard-16"
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.h100
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 8
  }
}
```

## Good

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.h100
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 8
  }
}
```

## Source

Ray 2.60.0 `llm/_internal/serve/core/configs/accelerators.py`: a GPU model asks for `{GPU: 1}` bundles.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves().filter(|serve| !serve.models.is_empty()) {
        let Some((named, nodes)) = serve.nodes.as_ref().and_then(|named| Some((named, stack.nodes(named)?))) else {
            continue;
        };
        // Of a machine that no table has, nobody knows.
        let known = nodes.machine_type.as_ref().is_some_and(|name| matches!(machines::find(name), Found::Machine(_)));
        if !known || nodes.gpus().is_some() {
            continue;
        }
        let machine = nodes.machine_type.as_ref().map_or("", |name| name.value.as_str());
        found.push(
            found
                .found(named.span, "no GPUs there")
                .detail(format!("{machine} has CPUs only, and each replica of a model waits for GPUs."))
                .source("Ray 2.60.0 llm/_internal/serve/core/configs/accelerators.py")
                .help("Name nodes with GPUs, such as of machine type g2-standard-48 or a3-highgpu-8g.")
                .addr(&serve.head.addr),
        );
    }
}
