//! This Ray does not serve models on TPUs.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::ray_of;
use crate::check::rules::subject::words::{first_ray, rays};
use crate::facts::ray::sources::{LLM_ACCELERATOR_CONFIG, LLM_TPU};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "llm-serves-on-cpu",
    severity: Severity::Error,
    summary: "This Ray does not serve models on TPUs",
    pass: Pass::Stack(check),
    docs: r#"
## What

Ray Serve LLM serves on TPUs from Ray 2.56 on.

## Why

Older releases know no `accelerator_config`: they refuse it, or, without it, serve on the CPU with the slices reserved and idle.

## Bad

```hcl
stack "example" {
  ray_version     = "2.55.0"
  kuberay_version = "1.6.2"
}

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

## Good

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

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

Ray 2.55.0 and 2.56.0 `llm/_internal/serve/core/configs/llm_config.py`; 2.56.0 `accelerators.py`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves().filter(|serve| serve.slice.is_some()) {
        let Some(row) = ray_of(stack, serve).filter(|row| !row.llm_accelerator_config || !row.llm_tpu) else {
            continue;
        };
        let Some(pinned) = stack.ray_version(&serve.workload) else { continue };
        let first = first_ray(|row| row.llm_accelerator_config && row.llm_tpu).unwrap_or_default();
        let cpu = if row.llm_tpu { "" } else { ", and serves on the CPU without it" };
        found.push(
            found
                .found(pinned.span, "too old to serve on TPUs")
                .also(serve.slice.as_ref().map_or(serve.head.span, |slice| slice.span), "to be served from here")
                .detail(format!(
                    "The LLMConfig of Ray {} refuses accelerator_config, by which a model is put on a slice{cpu}.",
                    pinned.value
                ))
                .source(format!(
                    "{} cannot, {} can: {LLM_ACCELERATOR_CONFIG}; {LLM_TPU}",
                    rays(|row| !row.llm_accelerator_config),
                    rays(|row| row.llm_accelerator_config),
                ))
                .help(format!("Pin Ray {first} or later, with an image of it."))
                .addr(&serve.head.addr),
        );
    }
}
