//! The heads of the vision tower do not divide among the devices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "indivisible-vision-heads",
    severity: Severity::Error,
    summary: "The vision tower's heads do not divide among the devices",
    pass: Pass::Stack(check),
    docs: r#"
## What

On GPUs, `tensor_parallel_size` splits a model's vision tower like its layers: its heads must divide too. `mm_encoder_tp_mode =
"data"` keeps the tower whole on every device instead.

## Why

vLLM refuses the split when the engine starts, after the weights have been fetched: GLM-4.5V has 12 such heads, and a node 8 GPUs.

## Bad

```hcl
model "eyes" {
  layers       = 46
  heads        = 96
  kv_heads     = 8
  vision_heads = 12
  parameters   = 8000000000
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.gpus
  image   = "example/serve:1"
  model "chat" {
    source               = "example/eyes"
    facts                = model.eyes
    tensor_parallel_size = 8
  }
}
```

## Good

```hcl
model "eyes" {
  layers       = 46
  heads        = 96
  kv_heads     = 8
  vision_heads = 12
  parameters   = 8000000000
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.gpus
  image   = "example/serve:1"
  model "chat" {
    source               = "example/eyes"
    facts                = model.eyes
    tensor_parallel_size = 8
    mm_encoder_tp_mode   = "data"
  }
}
```

## Source

vLLM issue 24004; vLLM 0.33.0 `vllm/model_executor/layers/linear.py`. vllm-tpu pads the heads (tpu-inference 0.32.0 `qwen2_5_vl.py`).
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults() {
            let ParallelFault::VisionHeads { heads } = fault else { continue };
            let tensor = engine.layout.tensor;
            found.push(
                engine
                    .found(found, "tensor_parallel_size", format!("{heads} heads / {tensor} devices"))
                    .detail(format!(
                        "The vision tower of {} has {heads} heads, and {heads} / {tensor} leaves {} over: every device must get as many.",
                        engine.name(),
                        heads % tensor,
                    ))
                    .source(fault.source().to_string())
                    .help("Write mm_encoder_tp_mode = \"data\", which keeps the tower whole on every device."),
            );
        }
    }
}
