//! A value that an engine argument doesn't take.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::base::suggest;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::arguments::{surfaces, words};
use crate::check::rules::subject::words::or;
use crate::facts::vllm::{self, Known};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "argument-value-not-taken",
    severity: Severity::Error,
    summary: "A value that the engine argument does not take",
    pass: Pass::Stack(check),
    docs: r#"
## What

Some engine arguments take a few values only, and which ones hangs on the release of vLLM.

## Why

vLLM refuses another value when it starts, with the slice already up.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    dtype                = "bf16"
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
    dtype                = "bfloat16"
  }
}
```

## Source

The argument parsers of vllm 0.33.0, vllm-tpu 0.21.0 and 0.32.0, and vllm-torchtpu 0.29.0.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let surfaces = surfaces(stack, serve);
        let here = words(stack, serve, &surfaces);
        for (name, value) in serve.models.iter().flat_map(|model| &model.engine) {
            // A value that one of the releases takes may be right.
            let mut taken: Vec<Value> = Vec::new();
            let takes = surfaces.iter().any(|surface| {
                let (Known::Yes(arg) | Known::Perhaps(arg)) = surface.find(name) else { return false };
                let Some(choices) = arg.choices(surface) else { return true };
                taken.extend(choices.into_iter().cloned());
                arg.takes(surface, &value.value)
            });
            if takes || taken.is_empty() {
                continue;
            }
            taken.sort_by_key(|choice| (choice.as_i64(), choice.to_string()));
            taken.dedup();
            let written = &value.value;
            let names = taken.iter().filter_map(Value::as_str);
            let nearest = written.as_str().and_then(|written| suggest::nearest(written, names));
            let help = nearest.map_or_else(String::new, |nearest| format!("Did you mean \"{nearest}\"? "));
            let diag = found
                .found(value.span, "not one of them")
                .detail(format!("`{name}` of {here} takes {}; not {written}.", or(&taken)))
                .source(vllm::source())
                .help(format!("{help}Write one of these, or take it out."));
            found.push(diag.addr(&serve.head.addr));
        }
    }
}
