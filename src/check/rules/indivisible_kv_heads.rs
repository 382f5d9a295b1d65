//! The key and value heads do not divide among the devices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "indivisible-kv-heads",
    severity: Severity::Error,
    summary: "The key and value heads do not divide among the devices",
    pass: Pass::Stack(check),
    docs: r#"
## What

`tensor_parallel_size` divides the model's key and value heads, or is a multiple of them: then each is held by several devices.

## Why

vLLM refuses other splits when the engine starts. Phi-4, with 10 of them, runs on 1, 2, 5 or 10 devices, but not on 4 or 8.

## Bad

```hcl
slice "one_host" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "2x2"
}

serve "chat" {
  runtime = "ray"
  slice   = slice.one_host
  image   = "example/serve:1"
  model "chat" {
    source               = "microsoft/phi-4"
    tensor_parallel_size = 4
  }
}
```

## Good

```hcl
slice "one_host" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "2x2"
}

serve "chat" {
  runtime = "ray"
  slice   = slice.one_host
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-8B"
    tensor_parallel_size = 4
  }
}
```

## Source

vLLM 0.33.0 `vllm/model_executor/layers/linear.py`; vLLM issues 16021 and 15753.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults().into_iter().filter(|fault| fault.rule() == RULE.name) {
            let ParallelFault::KvHeads { kv_heads } = fault else { continue };
            let tensor = engine.layout.tensor;
            found.push(
                engine
                    .found(found, "tensor_parallel_size", format!("{kv_heads} key and value heads / {tensor} devices"))
                    .detail(format!(
                        "{} has {kv_heads} key and value heads: {tensor} neither divides them nor is a multiple of them.",
                        engine.name(),
                    ))
                    .source(fault.source().to_string())
                    .help(engine.smaller()),
            );
        }
    }
}
