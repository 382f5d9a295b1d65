//! The blocks of the quantized weights do not divide among the devices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "indivisible-blocks",
    severity: Severity::Error,
    summary: "The blocks of the quantized weights do not divide among the devices",
    pass: Pass::Stack(check),
    docs: r#"
## What

Weights in FP8 come in blocks of 128 x 128 with one scale each. Without expert parallelism, each device gets a part of every
layer, and that part is a whole number of blocks. `enable_expert_parallel` keeps the experts whole.

## Why

vLLM on GPUs refuses the split when it loads the weights ("output_size is not divisible by block_n"). vllm-tpu stores them anew,
and its own tests run such a split.

## Bad

```hcl
nodes "h200" {
  cluster      = cluster.tpu
  machine_type = "a3-ultragpu-8g"
  node_count   = 1
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.h200
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-235B-A22B-FP8"
    tensor_parallel_size = 8
    max_model_len        = 8192
  }
}
```

## Good

```hcl
nodes "h200" {
  cluster      = cluster.tpu
  machine_type = "a3-ultragpu-8g"
  node_count   = 1
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.h200
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-235B-A22B-FP8"
    tensor_parallel_size   = 8
    enable_expert_parallel = true
    max_model_len          = 8192
  }
}
```

## Source

vLLM 0.33.0 recipe of Qwen3-Coder-480B-A35B-Instruct.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults().into_iter().filter(|fault| fault.rule() == RULE.name) {
            let ParallelFault::Blocks { width, block } = fault else { continue };
            let tensor = engine.layout.tensor;
            let mixture = engine.facts.as_ref().is_some_and(|model| model.experts > 0);
            let (part, layer) = (f64::from(width) / f64::from(tensor), if mixture { "An expert" } else { "A layer" });
            found.push(
                engine
                    .found(found, "tensor_parallel_size", format!("{width} / {tensor} is no multiple of {block}"))
                    .detail(format!(
                        "{layer} of {} is {width} wide and quantized in blocks of {block}: {width} / {tensor} = {part} = {} blocks a device.",
                        engine.name(),
                        part / f64::from(block),
                    ))
                    .source(fault.source().to_string())
                    .help(if mixture {
                        "Add enable_expert_parallel = true: each device then holds whole experts.".to_owned()
                    } else {
                        engine.smaller()
                    }),
            );
        }
    }
}
