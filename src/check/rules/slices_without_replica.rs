//! Fewer replicas than slices.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::replicas::replicas;
use crate::check::rules::subject::words::count;
use crate::facts::ray::sources::LLM_BUNDLES;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "slices-without-replica",
    severity: Severity::Warning,
    summary: "Fewer replicas than slices",
    pass: Pass::Stack(check),
    docs: r#"
## What

Each replica of a model takes one slice. The `serve` block takes more slices than its models have replicas.

## Why

The slices beyond hold no model: they are paid for and idle.

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
    replicas             = 1
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
    for serve in stack.serves().filter(|serve| !serve.models.is_empty() && serve.applications.is_empty()) {
        let (sum, slices) = (replicas(serve), serve.num_slices.value);
        let Some(idle) = u64::from(slices).checked_sub(sum.total).filter(|idle| *idle > 0) else { continue };
        found.push(
            found
                .found(serve.num_slices.span, format!("{} for {}", count(slices, "slice"), count(sum.total, "replica")))
                .detail(format!(
                    "{}, each on a slice of its own: {} would hold no model.",
                    sum.words,
                    count(idle, "slice")
                ))
                .source(LLM_BUNDLES.to_string())
                .help(format!("Write num_slices = {}, or more replicas.", sum.total))
                .addr(&serve.head.addr),
        );
    }
}
