//! A drain that is longer than the time that pods have to end.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "grace-period-too-short",
    severity: Severity::Warning,
    summary: "The engine drains for longer than its pods have to end",
    pass: Pass::Stack(check),
    docs: r#"
## What

`shutdown_timeout` lets an engine finish requests after SIGTERM. The pods' `termination_grace_period`, 30 seconds by default, must
be longer.

## Why

When the grace period ends the pods are killed, and requests that were to be finished are cut.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    shutdown_timeout     = 45
  }
}
```

## Good

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  worker {
    termination_grace_period = "75s"
  }
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    shutdown_timeout     = 45
  }
}
```

## Source

vLLM PR 43208, KServe PR 5485 and 5496, llm-d issue 927; Kubernetes, `terminationGracePeriodSeconds`.
"#,
};

const ARGUMENT: &str = "shutdown_timeout";
const GRACE: &str = "termination_grace_period";
/// Kubernetes' default.
const USUAL: u64 = 30;
/// Seconds that the process itself takes to end, beside its drain.
const ROOM: u64 = 15;

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let written = serve.workload.worker_pod.termination_grace_period.as_ref();
        let grace = written.map_or(USUAL, |grace| grace.value);
        for model in &serve.models {
            let Some(drain) = model.engine.get(ARGUMENT) else { continue };
            let Some(seconds) = drain.as_u64().filter(|seconds| *seconds >= grace) else { continue };
            let least = seconds.saturating_add(ROOM);
            let diag = found
                .found(drain.span, format!("the pods have {grace} s"))
                .detail(format!(
                    "The engine drains for up to {seconds} s after SIGTERM; Kubernetes kills its pods after {grace} s{}.",
                    if written.is_some() { "" } else { ", its default" }
                ))
                .source("vLLM PR 43208; KServe PR 5485 and 5496")
                .help(format!("Write {GRACE} = \"{least}s\" in the worker block, or a shorter {ARGUMENT}."));
            let diag = match written {
                Some(grace) => diag.also(grace.span, "their time to end"),
                None => diag,
            };
            found.push(diag.addr(&serve.head.addr));
        }
    }
}
