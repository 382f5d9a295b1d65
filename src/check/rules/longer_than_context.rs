//! A `max_model_len` beyond the model's context.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::{MAX_MODEL_LEN as ARGUMENT, engines};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "longer-than-context",
    severity: Severity::Error,
    summary: "A max_model_len beyond the model's context",
    pass: Pass::Stack(check),
    docs: r#"
## What

`max_model_len` is at most what the model was trained for, unless `hf_overrides` stretches it (rope scaling), or
`VLLM_ALLOW_LONG_MAX_MODEL_LEN` is set.

## Why

vLLM refuses a longer one when the engine starts.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    max_model_len        = 131072
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
    max_model_len        = 40960
  }
}
```

## Source

vLLM 0.33.0 `vllm/config/model.py`; the `config.json` of each model.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        let (Some(written), Some((length, context))) = (engine.model.engine.get(ARGUMENT), engine.beyond_context())
        else {
            continue;
        };
        found.push(
            engine
                .found(found, ARGUMENT, format!("the context is {context}"))
                .detail(format!("{} has a context of {context} tokens; {length} are {} more.", engine.name(), length - context))
                .source(engine.facts.as_ref().map_or_else(String::new, |model| model.source.clone()))
                .help(format!(
                    "Write {ARGUMENT} = {context} or less, or stretch the context with hf_overrides, as the model's card says."
                ))
                .fix(written.span, format!("{ARGUMENT} = {context}"))
                .addr(&engine.serve.head.addr),
        );
    }
}
