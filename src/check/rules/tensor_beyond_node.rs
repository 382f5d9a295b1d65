//! Tensor parallelism larger than the GPUs of a node.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::count;
use crate::resolve::stack::{Nodes, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "tensor-beyond-node",
    severity: Severity::Warning,
    summary: "Tensor parallelism over the network",
    pass: Pass::Stack(check),
    docs: r#"
## What

On GPUs, `tensor_parallel_size` should be at most the GPUs of one node. A larger model is split over nodes by
`pipeline_parallel_size`.

## Why

Tensor parallelism exchanges data in every layer. Between nodes that is many times slower than NVLink, and Ray puts such a replica
on as many nodes as happen to be free.

## Bad

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
  node_count   = 2
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.h100
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
  }
}
```

## Good

```hcl
nodes "h100" {
  cluster      = cluster.tpu
  machine_type = "a3-highgpu-8g"
  node_count   = 2
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.h100
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 8
    pipeline_parallel_size = 2
  }
}
```

## Source

ray#55754; Ray 2.60.0 `llm/_internal/serve/core/configs/accelerators.py`: a bundle a GPU, packed where possible.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let nodes = serve.nodes.as_ref().and_then(|addr| stack.nodes(addr));
        let Some(gpus) = nodes.and_then(Nodes::gpus) else { continue };
        for model in &serve.models {
            let Some(tensor) =
                model.engine_int("tensor_parallel_size", 1).filter(|size| *size > u64::from(gpus.count()))
            else {
                continue;
            };
            let (each, machine) = (gpus.count(), gpus.machine.name);
            let stages = tensor.div_ceil(u64::from(each));
            found.push(
                found
                    .found(model.engine_span("tensor_parallel_size"), format!("{machine} has {}", count(each, "GPU")))
                    .detail(format!("{tensor} GPUs are {stages} nodes, and every layer would wait for the network."))
                    .source("ray#55754; Ray 2.60.0 llm/_internal/serve/core/configs/accelerators.py")
                    .help(format!(
                        "Write tensor_parallel_size = {each} and pipeline_parallel_size = {stages}, or take a larger machine."
                    ))
                    .addr(&serve.head.addr),
            );
        }
    }
}
