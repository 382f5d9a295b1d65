//! Tools that a model is to choose, without a parser of its calls.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "tool-choice-without-parser",
    severity: Severity::Error,
    summary: "enable_auto_tool_choice without a tool_call_parser",
    pass: Pass::Stack(check),
    docs: r#"
## What

`enable_auto_tool_choice` lets a model decide to call a tool. How it writes a call differs by model, so `tool_call_parser` must name
the parser.

## Why

`vllm serve` refuses one without the other; under Ray every request with tools would be refused.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                  = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size    = 16
    enable_auto_tool_choice = true
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
    source                  = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size    = 16
    enable_auto_tool_choice = true
    tool_call_parser        = "hermes"
  }
}
```

## Source

vLLM 0.33.0 `vllm/entrypoints/common/cli_args.py:553`, `vllm/parser/parser_manager.py:24-50`.
"#,
};

const CHOICE: &str = "enable_auto_tool_choice";
const PARSER: &str = "tool_call_parser";

fn check(stack: &Stack, found: &mut Findings) {
    for (serve, model) in stack.serves().flat_map(|serve| serve.models.iter().map(move |model| (serve, model))) {
        let named =
            model.engine.get(PARSER).and_then(|parser| parser.as_str()).is_some_and(|parser| !parser.is_empty());
        if !model.engine_flag(CHOICE) || named {
            continue;
        }
        found.push(
            found
                .found(model.engine_span(CHOICE), "no parser is named")
                .detail(format!("`{CHOICE}` needs `{PARSER}`: how a model writes a call differs by model."))
                .source("vLLM 0.33.0 vllm/entrypoints/common/cli_args.py:553")
                .help(format!(
                    "Write {PARSER} = \"NAME\", as the model's card says (\"hermes\" for Qwen3), or take it out."
                ))
                .addr(&serve.head.addr),
        );
    }
}
