//! An executor that Ray Serve does not take.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::ray::sources::LLM_ENGINE_KWARGS;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "executor-not-ray",
    severity: Severity::Error,
    summary: "An executor that Ray Serve does not take",
    pass: Pass::Stack(check),
    docs: r#"
## What

`distributed_executor_backend` is `ray` in a model that Ray Serve runs on accelerators. Left out, the compiler writes it.

## Why

Ray refuses every other executor when the replica starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                       = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size         = 16
    distributed_executor_backend = "mp"
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

Ray 2.60.0 `vllm_models.py:154`.
"#,
};

const ARGUMENT: &str = "distributed_executor_backend";
const EXECUTOR: &str = "ray";

fn check(stack: &Stack, found: &mut Findings) {
    for (serve, model) in stack.serves().flat_map(|serve| serve.models.iter().map(move |model| (serve, model))) {
        let Some(written) = model.engine.get(ARGUMENT).filter(|written| written.as_str() != Some(EXECUTOR)) else {
            continue;
        };
        found.push(
            found
                .found(written.span, "only \"ray\"")
                .detail("Ray Serve starts the engine's workers itself, and refuses another executor on accelerators.")
                .source(LLM_ENGINE_KWARGS.to_string())
                .help("Write distributed_executor_backend = \"ray\", or leave it out.")
                .fix(written.span, format!("{ARGUMENT} = \"{EXECUTOR}\""))
                .addr(&serve.head.addr),
        );
    }
}
