//! What vLLM on TPUs refuses of the engine arguments that its parser takes.

use serde_json::Value;

use crate::facts::source::Source;
use crate::facts::vllm::Backend;

/// Values of an argument that a back end refuses when an engine starts.
#[derive(Debug)]
pub struct Refusal {
    /// The back ends.
    pub backends: &'static [Backend],
    /// The argument.
    pub argument: &'static str,
    /// Where in an argument that is an object: `kv_connector`. Empty: the argument itself.
    pub key: &'static str,
    /// What is refused.
    pub values: Values,
    /// What to write instead.
    pub instead: &'static str,
    /// Where it was read.
    pub source: Source,
}

/// Which values are refused.
#[derive(Debug)]
pub enum Values {
    /// Any but null.
    Any,
    /// True.
    True,
    /// These texts.
    These(&'static [&'static str]),
    /// Every text but these.
    AllBut(&'static [&'static str]),
}

const TPUS: &[Backend] = &[Backend::TpuInference, Backend::TorchTpu];

/// Every refusal that was read.
pub static REFUSALS: &[Refusal] = &[
    Refusal {
        backends: &[Backend::TorchTpu],
        argument: "additional_config",
        key: "sharding",
        values: Values::Any,
        instead: "Use data_parallel_size and enable_expert_parallel instead.",
        source: Source("vllm-torchtpu-core 0.29.0 platforms/tpu_platform.py:656"),
    },
    Refusal {
        backends: TPUS,
        argument: "enable_sleep_mode",
        key: "",
        values: Values::True,
        instead: "Take it out.",
        source: Source("vLLM 0.33.0 config/model.py:667, platforms/interface.py (CUDA, ROCm and XPU only)"),
    },
    Refusal {
        backends: &[Backend::TpuInference],
        argument: "kv_transfer_config",
        key: "kv_connector",
        values: Values::AllBut(&["RaidenOffloadConnector", "TPUConnector", "TPUConnectorHMA", "TPUOffloadConnector"]),
        instead: "Write \"TPUConnector\", or one of the others.",
        source: Source("tpu-inference 0.32.0 platforms/tpu_platform.py, check_and_update_config"),
    },
    Refusal {
        backends: &[Backend::TorchTpu],
        argument: "kv_transfer_config",
        key: "kv_connector",
        values: Values::AllBut(&[
            "DecodeBenchConnector",
            "TPUConnector",
            "TPUMultiConnector",
            "TPURaidenConnector",
            "TPURaidenOffloadingConnector",
        ]),
        instead: "Write \"TPUConnector\", or one of the others.",
        source: Source("vllm-torchtpu-core 0.29.0 platforms/tpu_platform.py:1032"),
    },
    Refusal {
        backends: &[Backend::TpuInference],
        argument: "mamba_cache_mode",
        key: "",
        values: Values::These(&["all"]),
        instead: "Write \"align\" or \"none\".",
        source: Source("tpu-inference 0.32.0 platforms/tpu_platform.py, check_and_update_config"),
    },
    Refusal {
        backends: TPUS,
        argument: "quantization",
        key: "",
        values: Values::These(&["auto_gptq", "bitsandbytes", "gguf", "gptq", "gptq_marlin"]),
        instead: "Use weights in FP8, AWQ or compressed-tensors, and leave the argument out.",
        source: Source(
            "tpu-inference 0.32.0 and vllm-torchtpu-core 0.29.0 platforms/tpu_platform.py, supported_quantization",
        ),
    },
];

impl Refusal {
    /// The refused value that an argument holds, where it holds one.
    pub fn of<'a>(&self, value: &'a Value) -> Option<&'a Value> {
        let value = if self.key.is_empty() { value } else { value.get(self.key)? };
        let refused = match self.values {
            Values::Any => !value.is_null(),
            Values::True => value == &Value::Bool(true),
            Values::These(texts) => value.as_str().is_some_and(|text| texts.contains(&text)),
            Values::AllBut(texts) => value.as_str().is_some_and(|text| !texts.contains(&text)),
        };
        refused.then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::vllm::named;

    #[test]
    fn rows_name_arguments_and_are_sorted() {
        assert!(REFUSALS.iter().all(|row| named(row.argument).is_some()));
        assert!(REFUSALS.iter().map(|row| row.argument).is_sorted());
    }
}
