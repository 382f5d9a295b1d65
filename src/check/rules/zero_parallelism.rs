//! A size of parallelism is 0.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "zero-parallelism",
    severity: Severity::Error,
    summary: "A size of parallelism is 0",
    pass: Pass::Stack(check),
    docs: r#"
## What

`tensor_parallel_size`, `pipeline_parallel_size` and `data_parallel_size` are at least 1. Left out, each is 1.

## Why

vLLM refuses 0 when the engine starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    pipeline_parallel_size = 0
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
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    pipeline_parallel_size = 1
  }
}
```

## Source

vLLM 0.33.0 `vllm/config/model.py`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults().into_iter().filter(|fault| fault.rule() == RULE.name) {
            let ParallelFault::Zero { argument } = fault else { continue };
            let mut diag = engine
                .found(found, argument, "at least 1")
                .detail(format!("{argument} = 0 leaves the engine no device."))
                .source(fault.source().to_string())
                .help(format!("Write {argument} = 1, or leave it out."));
            if argument != "tensor_parallel_size"
                && let Some((span, text)) = engine.set(argument, "1")
            {
                diag = diag.fix(span, text);
            }
            found.push(diag);
        }
    }
}
