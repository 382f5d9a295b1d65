//! More replicas than slices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::replicas::replicas;
use crate::check::rules::subject::words::count;
use crate::facts::ray::sources::LLM_BUNDLES;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "replicas-beyond-slices",
    severity: Severity::Error,
    summary: "More replicas than slices",
    pass: Pass::Stack(check),
    docs: r#"
## What

Each replica of a model takes one whole slice of the `serve` block's `num_slices`.

## Why

The replicas beyond wait for a slice for ever, and the application never becomes ready.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

serve "chat" {
  runtime    = "ray"
  slice      = slice.v6e
  num_slices = 2
  image      = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    replicas             = 3
    tensor_parallel_size = 16
  }
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

serve "chat" {
  runtime    = "ray"
  slice      = slice.v6e
  num_slices = 2
  image      = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    replicas             = 2
    tensor_parallel_size = 16
  }
}
```

## Source

Ray 2.60.0 `llm/_internal/serve/core/configs/accelerators.py:205,248`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let (sum, slices) = (replicas(serve), serve.num_slices.value);
        if sum.total <= u64::from(slices) {
            continue;
        }
        let mut diag = found
            .found(serve.num_slices.span, format!("{} for {}", count(slices, "slice"), count(sum.total, "replica")))
            .detail(format!(
                "{}, each on a slice of its own, and the block takes {}.",
                sum.words,
                count(slices, "slice")
            ))
            .source(LLM_BUNDLES.to_string())
            .help(format!("Write num_slices = {}, or fewer replicas.", sum.total))
            .addr(&serve.head.addr);
        for model in &serve.models {
            if let Some(written) = model.autoscale.as_ref().map(|range| &range.max).or(model.replicas.as_ref()) {
                diag = diag.also(written.span, count(written.value, "replica"));
            }
        }
        found.push(diag);
    }
}
