//! What was seen of the memory that engines need beside weights and cache.

use crate::facts::source::{Cited, Source};
use crate::facts::vllm::Backend;

/// How much of a device vLLM takes where nothing says otherwise, in millionths, in the releases that were read.
pub const UTILIZATION: u32 = 920_000;

/// What leaves room for the programs of a mixture of experts on TPUs, in millionths. vLLM on TPUs does not measure what
/// programs and activations need: they get what is outside.
pub const EXPERTS_ON_TPU: Cited<u32> = Cited {
    value: 900_000,
    source: Source(
        "tpu-recipes#151: gpt-oss-120b at 0.93 fails 63.6 % of its starts, its recipe says 0.86; tpu-inference PR#2923",
    ),
};

/// `gpu_memory_utilization` where a stack leaves it out, in millionths: vLLM's default, or what leaves a mixture of experts
/// its room on TPUs.
pub fn utilization(experts: bool, backend: Backend) -> u32 {
    if experts && backend != Backend::Gpu { EXPERTS_ON_TPU.value } else { UTILIZATION }
}

/// A mixture that runs above [`EXPERTS_ON_TPU`].
#[derive(Debug)]
pub struct Proven {
    /// The model.
    pub model: &'static str,
    /// On which generation.
    pub accelerator: &'static str,
    /// Up to which `gpu_memory_utilization`, in millionths.
    pub utilization: u32,
    /// Where it was read.
    pub source: Source,
}

/// Mixtures that public deployments run above [`EXPERTS_ON_TPU`].
pub static PROVEN: &[Proven] = &[
    Proven {
        model: "deepseek-ai/DeepSeek-R1",
        accelerator: "tpu7x",
        utilization: 950_000,
        source: Source("tpu-recipes on DeepSeek-R1"),
    },
    Proven {
        model: "Qwen/Qwen3-Coder-480B-A35B-Instruct",
        accelerator: "tpu7x",
        utilization: 950_000,
        source: Source("tpu-inference .buildkite/kubernetes/manifests/v7x"),
    },
];

/// A model that its back end's makers list as too large for so many devices.
#[derive(Debug)]
pub struct TooLarge {
    /// The model.
    pub model: &'static str,
    /// On which generation, or GPU.
    pub accelerator: &'static str,
    /// On so many devices, and fewer.
    pub devices: u32,
    /// For requests of more tokens than this; 0 is for all.
    pub tokens: u64,
    /// Where it was read.
    pub source: Source,
}

const MATRIX: Source = Source("tpu-inference's support matrix of 2026-10-22: \"not enough HBM\" on v6e-8");

const fn too_large(model: &'static str) -> TooLarge {
    TooLarge { model, accelerator: "v6e", devices: 8, tokens: 0, source: MATRIX }
}

/// Every such model, but for gemma-4-26B-A4B, which a recipe does run there.
pub static TOO_LARGE: &[TooLarge] = &[
    too_large("Qwen/Qwen3-Coder-480B-A35B-Instruct"),
    too_large("Qwen/Qwen3.5-397B-A17B"),
    too_large("deepseek-ai/DeepSeek-R1"),
    too_large("openai/gpt-oss-120b"),
    // 1.71 GiB were left, of the 4.54 that 131072 tokens need.
    TooLarge {
        model: "openai/gpt-oss-120b",
        accelerator: "h100-80gb",
        devices: 1,
        tokens: 49_000,
        source: Source("vllm issues 27508 and 23278"),
    },
];

/// What a program may use of a GPU, in MiB, as its driver reports. None: no source says.
pub fn usable_gpu_mib(gpu: &str) -> Option<Cited<u32>> {
    matches!(gpu, "h100-80gb" | "h100-mega-80gb").then_some(Cited { value: 81_008, source: Source("vllm issue 27508") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::accelerators::ACCELERATORS;
    use crate::facts::machines::GPUS;
    use crate::facts::models::all;

    #[test]
    fn rows_name_what_exists() {
        let models = || PROVEN.iter().map(|row| row.model).chain(TOO_LARGE.iter().map(|row| row.model));
        assert!(models().all(|id| all().iter().any(|model| model.id == id)));
        let accelerators = PROVEN.iter().map(|row| row.accelerator).chain(TOO_LARGE.iter().map(|row| row.accelerator));
        let known = |id: &str| ACCELERATORS.iter().any(|row| row.id == id) || GPUS.iter().any(|gpu| gpu.id == id);
        assert!(accelerators.into_iter().all(known));
        for gpu in GPUS {
            let usable = usable_gpu_mib(gpu.id);
            assert!(usable.is_none_or(|usable| usable.value < gpu.hbm_gib.value * 1024), "{}", gpu.id);
        }
        assert_eq!(GPUS.iter().filter(|gpu| usable_gpu_mib(gpu.id).is_some()).count(), 2);
    }
}
