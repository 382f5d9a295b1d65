//! A model that the catalogue does not have.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-model",
    severity: Severity::Note,
    summary: "A model that the catalogue does not have",
    pass: Pass::Stack(check),
    docs: r#"
## What

The catalogue has the dimensions of common models and of their re-releases. Others are welcome, and are checked less.

## Why

Whether heads, experts and quantization blocks divide among the devices, and how long the context is, shows only when the engine
starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "example/in-house-70b"
    tensor_parallel_size = 16
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

The `config.json` of each model; `sliceform catalog models` lists them.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack).into_iter().filter(|engine| engine.facts.is_none() && engine.model.facts.is_none()) {
        let Some(source) = &engine.model.source else { continue };
        let tensor = engine.layout.tensor;
        found.push(
            found
                .found(source.span, "not in the catalogue")
                .detail("Not checked: whether its heads and experts divide among the devices, and how long its context is.")
                .help(format!(
                    "In its config.json, num_attention_heads must divide by {tensor}, and num_key_value_heads divide by {tensor} or divide it. `sliceform catalog models` lists the models that are known; a `model` block with its config.json adds one: `facts = model.NAME`."
                ))
                .addr(&engine.serve.head.addr),
        );
    }
}
