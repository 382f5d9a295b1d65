//! An engine argument that the pinned vLLM doesn't have.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::arguments::{missing, surfaces, words};
use crate::facts::vllm::{self, Known};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "argument-not-in-vllm",
    severity: Severity::Error,
    summary: "An engine argument that this vLLM does not have",
    pass: Pass::Stack(check),
    docs: r#"
## What

Engine arguments come and go with the releases of vLLM. Those of a served model must be in the one that `vllm_version` pins, else
in one of those that the pinned Ray goes with. What only the command line of `vllm serve` has (`headless`, `grpc`) is none of them.
A name that no vLLM ever had is refused as an unknown attribute.

## Why

Ray refuses such an argument when a replica starts ("Unknown engine argument"), with the slice already up. Many recipes and samples
still pass arguments that are gone. `sliceform catalog flags` lists what was read.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                  = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size    = 16
    guided_decoding_backend = "xgrammar"
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
    max-model-len        = 8192
    calculate_kv_scales  = true
    watchdog_config      = {}
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
    headless             = true
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
    source                    = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size      = 16
    structured_outputs_config = { backend = "xgrammar" }
  }
}
```

## Source

The argument parsers of vllm 0.33.0, vllm-tpu 0.21.0 and 0.32.0, and vllm-torchtpu 0.29.0; Ray 2.60.0 `vllm_models.py:229`.
"#,
};

/// What is right wherever no other argument does the work.
const TAKE_OUT: &str = "Take it out";

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let surfaces = surfaces(stack, serve);
        if surfaces.is_empty() {
            continue;
        }
        let here = words(stack, serve, &surfaces);
        let arguments = serve.models.iter().flat_map(|model| &model.engine);
        for (name, value) in arguments {
            let mut fix = None;
            let (label, detail, help) = if name.contains('-') {
                let known = name.replace('-', "_");
                let detail = format!("Ray takes an argument by its field's name: `{known}`, not `{name}`.");
                fix = Some(format!("{known} = {}", value.value));
                ("with underscores".to_owned(), detail, format!("Write {known}."))
            } else if vllm::named(name).is_some_and(|arg| arg.command_line) {
                (
                    "of the command line only".to_owned(),
                    format!("`{name}` is for the command line of `vllm serve`, which Ray Serve does not run."),
                    format!("{TAKE_OUT}."),
                )
            } else {
                let Some(known) = missing(&surfaces, name) else { continue };
                match known {
                    Known::Removed { last, .. } => (
                        format!("last in vLLM {last}"),
                        format!("`{name}` was taken out after vLLM {last}; {here} does not have it."),
                        format!("{TAKE_OUT}."),
                    ),
                    Known::NotYet { since, .. } => (
                        format!("comes with vLLM {since}"),
                        format!("{} does not have `{name}` yet: it comes with vLLM {since}.", capital(&here)),
                        format!("{TAKE_OUT}, or pin a vllm_version and an image from {since} on."),
                    ),
                    Known::Gone(gone) => (
                        "gone".to_owned(),
                        format!("`{name}` was taken out before vLLM 0.21; {here} does not have it."),
                        gone.how.as_ref().or(gone.instead.as_ref()).map_or_else(
                            || format!("{TAKE_OUT}."),
                            |instead| format!("Write `{instead}`, which does its work today."),
                        ),
                    ),
                    Known::Yes(_) | Known::Perhaps(_) | Known::Unknown { .. } => continue,
                }
            };
            let fix = fix.or_else(|| help.starts_with(TAKE_OUT).then(String::new));
            let diag = found.found(value.span, label).detail(detail).source(vllm::source()).help(help);
            let diag = fix.into_iter().fold(diag, |diag, text| diag.fix(value.span, text));
            found.push(diag.addr(&serve.head.addr));
        }
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
