//! Data parallelism within a replica on a slice.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::{Devices, Engine, engines};
use crate::facts::ray::sources::LLM_BUNDLES;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "data-parallel-on-slice",
    severity: Severity::Error,
    summary: "Data parallelism within a replica on a slice",
    pass: Pass::Stack(check),
    docs: r#"
## What

`data_parallel_size` stays 1 on TPU slices. More copies of a model are more `replicas`, each on a slice of its own.

## Why

Ray Serve LLM places data-parallel ranks as a gang, and slices by a reservation that each replica makes itself; no code joins
the two.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 8
    data_parallel_size   = 2
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

Ray 2.60.0 `llm/_internal/serve/core/configs/accelerators.py:205,248` (read, not run).
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    let on_slice = |engine: &Engine<'_>| matches!(engine.devices, Devices::Tpu(..));
    for engine in engines(stack).into_iter().filter(|engine| engine.layout.data > 1 && on_slice(engine)) {
        let data = engine.layout.data;
        let diag = engine
            .found(found, "data_parallel_size", format!("{data} ranks"))
            .detail(format!(
                "Ray places data-parallel ranks as a gang, but each replica on a slice reserves its slice itself: {data} ranks of one replica find no place."
            ))
            .source(LLM_BUNDLES.to_string())
            .help(format!(
                "Take data_parallel_size out and let tensor_parallel_size fill the slice; for {data} copies write replicas = {data} and num_slices = {data}."
            ));
        found.push(diag);
    }
}
