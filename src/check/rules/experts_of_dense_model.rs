//! Expert parallelism of a model without experts.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "experts-of-dense-model",
    severity: Severity::Error,
    summary: "Expert parallelism of a model without experts",
    pass: Pass::Stack(check),
    docs: r#"
## What

`enable_expert_parallel` is for mixtures of experts.

## Why

vLLM refuses it for a dense model when the engine starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-32B"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
  }
}
```

## Good

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-32B"
    tensor_parallel_size = 16
  }
}
```

## Source

vLLM 0.33.0; vLLM issue 52435.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults().into_iter().filter(|fault| fault.rule() == RULE.name) {
            if fault != ParallelFault::ExpertsOfDense {
                continue;
            }
            let mut diag = engine
                .found(found, "enable_expert_parallel", "the model has no experts")
                .detail(format!("{} is a dense model: there are no experts to divide.", engine.name()))
                .source(fault.source().to_string())
                .help("Take enable_expert_parallel out.");
            if let Some((span, _)) = engine.set("enable_expert_parallel", "") {
                diag = diag.fix(span, "");
            }
            found.push(diag);
        }
    }
}
