//! Latent attention on TPUs without what its back end demands.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::engines;
use crate::facts::vllm::Backend;
use crate::resolve::stack::{Serve, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "latent-attention-unspread",
    severity: Severity::Error,
    summary: "Latent attention that vllm-tpu does not take without DP attention",
    pass: Pass::Stack(check),
    docs: r#"
## What

Models with multi-head latent attention (DeepSeek, Kimi K2) run on vllm-tpu only with data-parallel attention: the variable
`NEW_MODEL_DESIGN` is set, and `additional_config` turns `enable_dp_attention` on.

## Why

vllm-tpu refuses the engine when it starts. Split by tensor parallelism, latent attention would repeat its cache on every device.

## Bad

```hcl
slice "ironwood" {
  cluster     = cluster.tpu
  accelerator = "tpu7x"
  topology    = "2x2x2"
}

serve "chat" {
  runtime = "ray"
  slice   = slice.ironwood
  image   = "example/serve:1"
  model "chat" {
    source                 = "deepseek-ai/DeepSeek-R1"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 4096
  }
}
```

## Good

```hcl
slice "ironwood" {
  cluster     = cluster.tpu
  accelerator = "tpu7x"
  topology    = "2x2x2"
}

serve "chat" {
  runtime = "ray"
  slice   = slice.ironwood
  image   = "example/serve:1"
  env     = { NEW_MODEL_DESIGN = "1" }
  model "chat" {
    source                 = "deepseek-ai/DeepSeek-R1"
    tensor_parallel_size   = 16
    enable_expert_parallel = true
    max_model_len          = 4096
    additional_config      = { sharding = { sharding_strategy = { enable_dp_attention = true } } }
  }
}
```

## Source

tpu-inference 0.21.0, 0.29.0 and 0.32.0 `platforms/tpu_platform.py` ("MLA models require both").
"#,
};

const VARIABLE: &str = "NEW_MODEL_DESIGN";
const CONFIG: &str = "additional_config";
const SWITCH: &str = "/sharding/sharding_strategy/enable_dp_attention";
const SOURCE: &str = "tpu-inference 0.21.0 to 0.32.0 platforms/tpu_platform.py, check_and_update_config";

fn check(stack: &Stack, found: &mut Findings) {
    for engine in engines(stack) {
        let latent = engine.facts.as_ref().is_some_and(|model| model.latent.is_some());
        if !latent || engine.layout.backend != Backend::TpuInference || !engine.faults().is_empty() {
            continue;
        }
        let config = engine.model.engine.get(CONFIG);
        let parsed = config.and_then(|config| config.as_str()).and_then(|text| serde_json::from_str(text).ok());
        let config = parsed.as_ref().or_else(|| config.map(|config| &config.value));
        let spread =
            config.and_then(|config| config.pointer(SWITCH)).and_then(serde_json::Value::as_bool) == Some(true);
        if spread && sets(engine.serve, VARIABLE) {
            continue;
        }
        let missing = match (spread, sets(engine.serve, VARIABLE)) {
            (true, _) => format!("env = {{ {VARIABLE} = \"1\" }}"),
            (_, true) => {
                format!("{CONFIG} = {{ sharding = {{ sharding_strategy = {{ enable_dp_attention = true }} }} }}")
            }
            _ => format!(
                "env = {{ {VARIABLE} = \"1\" }} in the serve block and {CONFIG} = {{ sharding = {{ sharding_strategy = {{ enable_dp_attention = true }} }} }} in the model's"
            ),
        };
        found.push(
            engine
                .found(found, CONFIG, "no DP attention")
                .detail(format!(
                    "{} has latent attention: vllm-tpu takes it with data-parallel attention and {VARIABLE} only.",
                    engine.name()
                ))
                .source(SOURCE)
                .help(format!("Write {missing}.")),
        );
    }
}

/// Whether the engines' pods have a variable, or may have it from a secret, a file or an image that we don't read.
fn sets(serve: &Serve, variable: &str) -> bool {
    let pods = [&serve.workload.env, &serve.workload.worker_pod.env];
    let on = |value: &str| !matches!(value, "" | "0" | "false" | "False");
    pods.iter().any(|env| !env.from.is_empty() || env.values.get(variable).is_some_and(|value| on(&value.value)))
}
