//! Ray and vLLM that do not go together.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::ray_of;
use crate::facts::ray::sources::VLLM_FRONTEND;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "ray-without-its-vllm",
    severity: Severity::Error,
    summary: "Ray and vLLM that do not go together",
    pass: Pass::Stack(check),
    docs: r#"
## What

Ray Serve LLM imports vLLM's command-line module. Where it looks for it changed, and where vLLM keeps it too.

## Why

`import ray.serve.llm` fails in every pod: nothing starts.

## Bad

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
  vllm_version    = "0.21.0"
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
  vllm_version    = "0.32.0"
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

The wheels of Ray 2.59.0 and 2.60.0, and of vllm-tpu 0.21.0 to 0.32.0.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    let Some(vllm) = &stack.settings.vllm_version else { return };
    for serve in stack.serves() {
        let (Some(row), Some(ray)) = (ray_of(stack, serve), stack.ray_version(&serve.workload)) else { continue };
        if !row.llm_accelerator_config || row.vllm_frontend.is_in(&vllm.value) {
            continue;
        }
        found.push(
            found
                .found(vllm.span, format!("not the vLLM of Ray {}", ray.value))
                .also(ray.span, "this Ray")
                .detail(format!(
                    "Ray {} imports {}, which vLLM {} does not have: Ray Serve LLM would not start.",
                    ray.value,
                    row.vllm_frontend.module(),
                    vllm.value,
                ))
                .source(VLLM_FRONTEND.to_string())
                .help(format!(
                    "Use the vLLM that ray[llm] {} asks for ({}), or another that has the module.",
                    ray.value, row.vllm_pin
                ))
                .addr(&serve.head.addr),
        );
    }
}
