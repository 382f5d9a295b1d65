//! An engine argument that vLLM knows, and vLLM on TPUs refuses.

use std::borrow::Cow;

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::check::rules::subject::words::or;
use crate::facts::vllm::platform::{REFUSALS, Refusal, Values};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "argument-not-on-tpu",
    severity: Severity::Error,
    summary: "An engine argument that vLLM does not take on TPUs",
    pass: Pass::Stack(check),
    docs: r#"
## What

vLLM's parser takes some values that its back ends for TPUs refuse: GPTQ and bitsandbytes weights, sleep mode, connectors for the
cache of GPUs, and, with vllm-torchtpu, the `sharding` of vllm-tpu.

## Why

The engine fails when it starts, with the slice already up.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    quantization         = "bitsandbytes"
  }
}
```

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    enable_sleep_mode    = true
    kv_transfer_config   = { kv_connector = "NixlConnector", kv_role = "kv_both" }
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
    kv_transfer_config   = { kv_connector = "TPUConnector", kv_role = "kv_both" }
  }
}
```

## Source

tpu-inference 0.21.0, 0.29.0, 0.32.0 and vllm-torchtpu-core 0.29.0 `platforms/tpu_platform.py`; vLLM 0.33.0 `config/model.py:667`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        let rows = REFUSALS.iter().filter(|row| row.backends.contains(&engine.layout.backend));
        for row in rows {
            let Some(written) = engine.model.engine.get(row.argument) else { continue };
            let value = parsed(&written.value);
            let Some(refused) = row.of(&value) else { continue };
            let package = engine.layout.backend.package();
            found.push(
                engine
                    .found(found, row.argument, format!("not with {package}"))
                    .detail(detail(row, refused, package))
                    .source(row.source.to_string())
                    .help(row.instead),
            );
        }
    }
}

/// The value; that in a text where the text holds JSON.
fn parsed(value: &Value) -> Cow<'_, Value> {
    let object = value.as_str().and_then(|text| serde_json::from_str(text).ok()).filter(Value::is_object);
    object.map_or(Cow::Borrowed(value), Cow::Owned)
}

fn detail(row: &Refusal, refused: &Value, package: &str) -> String {
    let name = if row.key.is_empty() { row.argument.to_owned() } else { format!("{}.{}", row.argument, row.key) };
    match row.values {
        Values::Any => format!("{package} refuses `{name}`."),
        Values::AllBut(texts) => format!("{package} takes as `{name}` {}; not {refused}.", or(texts)),
        Values::True | Values::These(_) => format!("{package} refuses `{name} = {refused}`."),
    }
}
