//! Pipeline stages that the back end or the model does not allow.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::{Engine, engines};
use crate::check::rules::subject::words::count;
use crate::facts::vllm::Backend;
use crate::fit::parallel_fault::ParallelFault;
use crate::fit::parallelism::Layout;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "pipeline-stages",
    severity: Severity::Error,
    summary: "Pipeline stages that the back end or the model does not allow",
    pass: Pass::Stack(check),
    docs: r#"
## What

`pipeline_parallel_size` splits the layers into stages. With vllm-tpu on several hosts there is one stage, or one a host, and a
stage is no wider than a host. With vllm-torchtpu, stages exclude tensor parallelism, `async_scheduling` and `speculative_config`. No
model has more stages than layers.

## Why

The back end refuses other numbers when the engine starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 8
    pipeline_parallel_size = 2
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
    tensor_parallel_size   = 4
    pipeline_parallel_size = 4
  }
}
```

## Source

tpu-inference 0.32.0 `platforms/tpu_platform.py`; vllm-torchtpu 0.29.0 `pp_validation.py`; vLLM 0.33.0 `get_pp_indices`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults().into_iter().filter(|fault| fault.rule() == RULE.name) {
            let Some((detail, help)) = words(&engine, &fault) else { continue };
            found.push(
                engine
                    .found(found, "pipeline_parallel_size", count(engine.layout.pipeline, "stage"))
                    .detail(detail)
                    .source(fault.source().to_string())
                    .help(help),
            );
        }
        found_with_stages(&engine, found);
    }
}

/// What vllm-torchtpu does not do over stages.
fn found_with_stages(engine: &Engine<'_>, found: &mut Findings) {
    let Layout { backend, pipeline, .. } = engine.layout;
    if backend != Backend::TorchTpu || pipeline < 2 || !engine.faults().is_empty() {
        return;
    }
    let engine_args = &engine.model.engine;
    let on = |name: &str| engine_args.get(name).is_some_and(|value| !value.is_null() && value.as_bool() != Some(false));
    for (argument, help) in [
        ("async_scheduling", "Write async_scheduling = false."),
        ("speculative_config", "Take speculative_config out, or pipeline_parallel_size."),
    ] {
        if on(argument) {
            found.push(
                engine
                    .found(found, argument, "not over stages")
                    .detail(format!(
                        "vllm-torchtpu does not take `{argument}` with {}.",
                        count(pipeline, "pipeline stage")
                    ))
                    .source(ParallelFault::StagesWithTensor.source().to_string())
                    .help(help),
            );
        }
    }
}

fn words(engine: &Engine<'_>, fault: &ParallelFault) -> Option<(String, String)> {
    let Layout { tensor, pipeline, .. } = engine.layout;
    let devices = engine.devices.count();
    match *fault {
        ParallelFault::Stages { layers } => Some((
            format!("{} has {layers} layers: they cannot make {pipeline} stages.", engine.name()),
            format!("Write pipeline_parallel_size = 1 and tensor_parallel_size = {devices}."),
        )),
        ParallelFault::StagesNotHosts { hosts } => Some((
            format!(
                "{}, on {hosts} hosts: vllm-tpu takes 1 stage, or {hosts}, one a host; not {pipeline}.",
                engine.slice_has()
            ),
            format!(
                "Leave pipeline_parallel_size out and write tensor_parallel_size = {devices}, or write {hosts} stages of {}.",
                devices / hosts.max(1)
            ),
        )),
        ParallelFault::WiderThanHost { devices_per_host } => Some((
            format!("With a stage a host, a stage is no wider than a host: {tensor} devices of {devices_per_host}."),
            format!("Write tensor_parallel_size = {devices_per_host}."),
        )),
        ParallelFault::StagesWithTensor => Some((
            format!(
                "vllm-torchtpu takes stages or tensor parallelism, not both: {pipeline} stages of {tensor} devices."
            ),
            format!("Leave pipeline_parallel_size out and write tensor_parallel_size = {devices}."),
        )),
        _ => None,
    }
}
