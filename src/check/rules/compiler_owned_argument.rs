//! An engine argument that the compiler writes.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::ray::sources::LLM_ENGINE_KWARGS;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "compiler-owned-argument",
    severity: Severity::Error,
    summary: "An engine argument that the compiler writes",
    pass: Pass::Stack(check),
    docs: r#"
## What

A `model` block takes vLLM's arguments under their own names, except those that other attributes of the stack stand for:
`model`, `served_model_name`, `host`, `port`, `config` and `api_key`; nor `disable_log_stats`, since Ray reads these numbers.

## Why

Written twice, they could disagree. Ray refuses `model` and `served_model_name` among the engine's arguments, serves on its own
address whatever `host` and `port` say, and reads no `config` file; an `api_key` in a manifest would be readable by everyone.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    served_model_name    = "qwen"
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
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
  }
}
```

## Source

Ray 2.60.0 `vllm_models.py:141-229`, `llm_config.py` (`log_engine_metrics`).
"#,
};

/// The arguments, and what stands for each.
const OWNED: &[(&str, &str)] = &[
    (
        "api_key",
        "Take it out: secrets never stand in a stack. Ray Serve has no keys of its own; put a gateway in front.",
    ),
    ("config", "Take it out, and write its arguments into the block."),
    ("disable_log_stats", "Take it out: Ray Serve reads the engine's numbers, and refuses an engine that keeps none."),
    ("host", "Take it out: Ray Serve listens on every address of its pods."),
    ("model", "Take it out: `source` names the weights."),
    ("port", "Take it out: `port` of the serve block is the endpoint's."),
    ("served_model_name", "Take it out: the label of the model block is the name that clients ask for."),
];

fn check(stack: &Stack, found: &mut Findings) {
    for (serve, model) in stack.serves().flat_map(|serve| serve.models.iter().map(move |model| (serve, model))) {
        for (argument, instead) in OWNED {
            let written = model.engine.get(*argument).filter(|written| written.as_bool() != Some(false));
            let Some(written) = written else { continue };
            found.push(
                found
                    .found(written.span, "the compiler's own")
                    .detail(format!("What `{argument}` says follows from other parts of the stack."))
                    .source(LLM_ENGINE_KWARGS.to_string())
                    .help(*instead)
                    .fix(written.span, "")
                    .addr(&serve.head.addr),
            );
        }
    }
}
