//! A batch of tokens that is smaller than what it must hold.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::vllm;
use crate::resolve::stack::{Model, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "batch-too-small",
    severity: Severity::Error,
    summary: "max_num_batched_tokens is smaller than what a batch must hold",
    pass: Pass::Stack(check),
    docs: r#"
## What

A step of the engine takes at most `max_num_batched_tokens` tokens. It has one token for each of `max_num_seqs` requests, and,
where `enable_chunked_prefill` is false, a whole prompt of `max_model_len` tokens.

## Why

vLLM refuses the engine when it starts, with the slice already up.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    max_num_seqs           = 512
    max_num_batched_tokens = 256
  }
}
```

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    max_model_len          = "8k"
    max_num_batched_tokens = "4k"
    enable_chunked_prefill = false
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
    max_num_seqs           = 512
    max_num_batched_tokens = 1024
  }
}
```

## Source

vLLM 0.21.0 to 0.33.0 `vllm/config/scheduler.py` (`verify_max_model_len`).
"#,
};

const ARGUMENT: &str = "max_num_batched_tokens";
const SOURCE: &str = "vLLM 0.33.0 vllm/config/scheduler.py, verify_max_model_len";

fn check(stack: &Stack, found: &mut Findings) {
    for (serve, model) in stack.serves().flat_map(|serve| serve.models.iter().map(move |model| (serve, model))) {
        let Some((tokens, written)) = number(model, ARGUMENT).zip(model.engine.get(ARGUMENT)) else { continue };
        let whole = model.engine.get("enable_chunked_prefill").and_then(|flag| flag.as_bool()) == Some(false);
        let needs = [
            ("max_num_seqs", true, "one token of each request"),
            ("max_model_len", whole, "a whole prompt, which enable_chunked_prefill = false does not split"),
        ];
        let needs = needs.iter().filter(|(_, holds, _)| *holds);
        let needs = needs.filter_map(|(name, _, why)| Some((*name, *why, number(model, name)?)));
        let Some((name, why, least)) = needs.filter(|need| need.2 > tokens).max_by_key(|need| need.2) else {
            continue;
        };
        found.push(
            found
                .found(written.span, format!("{name} is {least}"))
                .detail(format!("A step takes {tokens} tokens, and must hold {why}: {name} is {least}."))
                .source(SOURCE)
                .help(format!("Write {ARGUMENT} = {least} or more, or a smaller {name}."))
                .fix(written.span, format!("{ARGUMENT} = {least}"))
                .addr(&serve.head.addr),
        );
    }
}

fn number(model: &Model, name: &str) -> Option<u64> {
    let value = model.engine.get(name)?;
    value.as_u64().or_else(|| value.as_str().and_then(vllm::human_int))
}
