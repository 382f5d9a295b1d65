//! Engines that leave devices of their slice idle, or want more than there are.

use crate::base::diag::Diag;
use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::{Engine, engines};
use crate::check::rules::subject::words::count;
use crate::facts::ray::sources::LLM_BUNDLES;
use crate::fit::parallel_fault::ParallelFault;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "parallelism-product",
    severity: Severity::Error,
    summary: "The engine does not use the slice's devices exactly",
    pass: Pass::Stack(check),
    docs: r#"
## What

`tensor_parallel_size` x `pipeline_parallel_size` is the number of devices of a slice. Left out, each is 1. A device is a chip,
except on tpu7x, whose chips are two devices each.

## Why

A replica takes a whole slice, whatever it uses of it. Ray does not compare: with fewer, chips that are paid for idle, or the
engine hangs at its start because a host is only partly used; with more, it never starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 8
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
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
  }
}
```

## Source

Ray 2.60.0 `llm/_internal/serve/core/configs/accelerators.py:205,248`; vLLM pull request 21155 and issue 20515;
tpu-inference pull requests 1919 and 2250.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        for fault in engine.faults() {
            let ParallelFault::Product { wanted, devices } = fault else { continue };
            let diag = words(found, &engine, wanted, devices).source(format!("{LLM_BUNDLES}; {}", fault.source()));
            found.push(help(&engine, diag, devices));
        }
    }
}

fn words(found: &Findings, engine: &Engine<'_>, wanted: Option<u32>, devices: u32) -> Diag {
    let (tensor, pipeline) = (engine.layout.tensor, engine.layout.pipeline);
    let written = engine.model.engine.contains_key("tensor_parallel_size");
    let sum = match (wanted, pipeline) {
        (None, _) => format!("{tensor} x {pipeline} is beyond all bounds"),
        (Some(_), 1) if !written => "tensor_parallel_size is 1 where it is left out".to_owned(),
        (Some(_), 1) => format!("tensor_parallel_size = {tensor}"),
        (Some(wanted), _) => format!("tensor_parallel_size {tensor} x pipeline_parallel_size {pipeline} = {wanted}"),
    };
    let (label, consequence) = match wanted.and_then(|wanted| devices.checked_sub(wanted)) {
        Some(idle) => (
            format!("uses {} of {devices} devices", devices - idle),
            format!("{} would be paid for and idle, and an engine on a part of a host may hang.", chips(engine, idle)),
        ),
        None => (format!("there are only {}", count(devices, "device")), "The engine would never start.".to_owned()),
    };
    engine
        .found(found, "tensor_parallel_size", label)
        .detail(format!("{sum}, but a replica takes a whole slice, and {}. {consequence}", engine.slice_has()))
}

/// The chips that so many devices are.
fn chips(engine: &Engine<'_>, devices: u32) -> String {
    match engine.devices.per_chip() {
        1 => count(devices, "chip"),
        each if devices.is_multiple_of(each) => {
            format!("{} ({})", count(devices, "device"), count(devices / each, "chip"))
        }
        _ => count(devices, "device"),
    }
}

fn help(engine: &Engine<'_>, diag: Diag, devices: u32) -> Diag {
    let pipeline = engine.layout.pipeline;
    if !devices.is_multiple_of(pipeline) {
        return diag.help(format!("Choose sizes that multiply to {devices}."));
    }
    let fills = devices / pipeline;
    match engine.allows(fills) {
        None => diag.help(format!(
            "Write tensor_parallel_size = {fills}, if the model's attention heads (num_attention_heads in its config.json) divide by it."
        )),
        Some(false) => diag.help(format!(
            "tensor_parallel_size = {fills} would fill the slice, but {} does not divide by it ({}). {}",
            engine.name(),
            engine.heads(),
            engine.smaller()
        )),
        Some(true) => {
            let diag = diag.help(format!("Write tensor_parallel_size = {fills}: {} ({}) allows it.", engine.name(), engine.heads()));
            match engine.set("tensor_parallel_size", &fills.to_string()) {
                Some((span, text)) => diag.fix(span, text),
                None => diag,
            }
        }
    }
}
