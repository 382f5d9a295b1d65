//! Data parallelism of one engine on GPU nodes.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::{Devices, Engine, engines};
use crate::facts::ray::sources::LLM_BUNDLES;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "data-parallel-on-nodes",
    severity: Severity::Warning,
    summary: "Data-parallel ranks for which Ray reserves no GPUs",
    pass: Pass::Stack(check),
    docs: r#"
## What

With `data_parallel_size` an engine runs as several ranks, each with GPUs of its own. Ray Serve LLM reserves those of one rank:
`tensor_parallel_size` times `pipeline_parallel_size`.

## Why

The other ranks find no GPUs, or take those of another replica. Ray's own builder of data-parallel applications reserves a gang; it
is an application of its own, not a model of this block. Copies that share nothing are `replicas`.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  nodes   = nodes.gpus
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 4
    data_parallel_size   = 2
  }
}
```

## Good

```hcl
serve "chat" {
  runtime = "ray"
  nodes   = nodes.gpus
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 4
    replicas             = 2
  }
}
```

## Source

Ray 2.60.0 `llm/_internal/serve/core/configs/accelerators.py`, `serving_patterns/data_parallel/dp_server.py:240-300` (read, not run);
llm-d-modelservice issue 140.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    let on_nodes = |engine: &Engine<'_>| matches!(engine.devices, Devices::Gpu(..)) && engine.faults().is_empty();
    for engine in engines(stack).into_iter().filter(|engine| engine.layout.data > 1 && on_nodes(engine)) {
        let Some((gpus, reserved)) = engine.layout.devices().zip(engine.model.devices()) else { continue };
        let data = engine.layout.data;
        found.push(
            engine
                .found(found, "data_parallel_size", format!("{gpus} GPUs, {reserved} reserved"))
                .detail(format!(
                    "{data} ranks of {reserved} GPUs are {gpus}; Ray reserves {reserved} for a replica, those of one rank."
                ))
                .source(LLM_BUNDLES.to_string())
                .help(format!(
                    "Take data_parallel_size out and write replicas = {data}; or write an application block with ray.serve.llm:build_dp_openai_app."
                )),
        );
    }
}
