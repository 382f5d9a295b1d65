//! A model that its devices can't hold.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::check::rules::subject::rooms::{Room, gib, rooms};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "model-does-not-fit",
    severity: Severity::Error,
    summary: "A model that its devices can't hold",
    pass: Pass::Stack(check),
    docs: r#"
## What

On each device the weights and the keys and values of one request of `max_model_len` tokens must fit into
`gpu_memory_utilization` of its memory.

## Why

vLLM loads the weights, which takes many minutes, and then refuses to start: "to serve at least one request with the model's max
seq len". The slice is paid for until somebody looks. Only what the model's dimensions say is counted, with the weights taken 2 %
smaller than the formula says: what this rule refuses can't start. What is close is the warning `hbm-headroom`.
`sliceform explain serve.NAME` shows the sum of a model that fits.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "qwen" {
    source                 = "Qwen/Qwen3-235B-A22B"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 40960
  }
}
```

```hcl
nodes "l4" {
  cluster      = cluster.tpu
  machine_type = "g2-standard-12"
  node_count   = 1
}

serve "chat" {
  runtime = "ray"
  nodes   = nodes.l4
  image   = "example/serve:1"
  model "llama" {
    source = "meta-llama/Llama-3.1-70B-Instruct"
  }
}
```

## Good

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "qwen" {
    source                 = "Qwen/Qwen3-235B-A22B-FP8"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 40960
  }
}
```

## Source

vLLM 0.33.0 `v1/core/kv_cache_utils.py`; tpu-inference 0.32.0 `worker/tpu_worker.py`; sizes printed by engines, in vllm issues
12330, 21348 and 27508, vllm PR 20665, tpu-inference issue 2803 and PR 145.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for room in rooms(stack).into_iter().filter(Room::refused) {
        // A length that no context has is told as such, where a legal one would fit.
        let beyond = engines(stack)
            .into_iter()
            .find(|engine| std::ptr::eq(engine.model, room.model))
            .and_then(|engine| engine.beyond_context());
        if beyond.is_some_and(|(_, context)| room.load.fits(context, 98)) {
            continue;
        }
        let label = match (room.load.left(), room.length) {
            (Some(left), Some(length)) => {
                format!("needs {}, and {} are left", gib(room.load.cache(length)), gib(left))
            }
            _ => format!("weights of {} a device", gib(room.load.weights())),
        };
        found.push(
            room.found(found, label)
                .detail(room.sum())
                .source("vLLM's own arithmetic: v1/core/kv_cache_utils.py (0.33.0), tpu-inference 0.32.0 worker/tpu_worker.py")
                .help(room.ways_out(room.longest())),
        );
    }
}
