//! The attention heads do not divide among the devices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "indivisible-heads",
    severity: Severity::Error,
    summary: "The attention heads do not divide among the devices",
    pass: Pass::Stack(check),
    docs: r#"
## What

Each device gets as many attention heads as every other: `tensor_parallel_size` divides the model's number of heads. The same
holds for the key heads of linear attention layers.

## Why

vLLM refuses the split when the engine starts, after the weights have been fetched. Models with 40 heads (Qwen3-14B,
Qwen2.5-32B, Llama 4) cannot fill a slice of 16 chips: 8 is their largest power of two.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-14B"
    tensor_parallel_size = 16
  }
}
```

## Good

```hcl
slice "small" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
}

serve "chat" {
  runtime = "ray"
  slice   = slice.small
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-14B"
    tensor_parallel_size = 8
  }
}
```

## Source

vLLM 0.33.0 `vllm/config/model.py` ("Total number of attention heads must be divisible by tensor parallel size").
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults().into_iter().filter(|fault| fault.rule() == RULE.name) {
            let (what, heads) = match fault {
                ParallelFault::Heads { heads } => ("attention heads", heads),
                ParallelFault::LinearKeyHeads { heads } => ("key heads in its linear attention layers", heads),
                _ => continue,
            };
            let tensor = engine.layout.tensor;
            found.push(
                engine
                    .found(found, "tensor_parallel_size", format!("{heads} heads / {tensor} devices"))
                    .detail(format!(
                        "{} has {heads} {what}, and {heads} / {tensor} leaves {} over: every device must get as many.",
                        engine.name(),
                        heads % tensor,
                    ))
                    .source(fault.source().to_string())
                    .help(engine.smaller()),
            );
        }
    }
}
