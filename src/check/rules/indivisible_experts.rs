//! The experts do not divide among the devices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::check::rules::subject::words::count;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "indivisible-experts",
    severity: Severity::Error,
    summary: "The experts do not divide among the devices",
    pass: Pass::Stack(check),
    docs: r#"
## What

With `enable_expert_parallel`, each device holds as many experts as every other: the number of experts is a multiple of
the devices.

## Why

vLLM refuses the split when the engine starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "mistralai/Mixtral-8x7B-Instruct-v0.1"
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
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
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
            let ParallelFault::Experts { experts, ranks } = fault else { continue };
            let ranks = ranks.unwrap_or(u32::MAX);
            found.push(
                engine
                    .found(found, "enable_expert_parallel", format!("{experts} experts / {}", count(ranks, "device")))
                    .detail(format!(
                        "{} has {experts} experts, which is no multiple of {}: every device must hold as many.",
                        engine.name(),
                        count(ranks, "device"),
                    ))
                    .source(fault.source().to_string())
                    .help(format!(
                        "Take enable_expert_parallel out, or use a slice whose number of devices divides {experts}."
                    )),
            );
        }
    }
}
