//! Memory of a device: weights, the cache of keys and values, and what is left of it.
//!
//! The arithmetic is vLLM's own: an engine starts only if the cache has room for one request of `max_model_len` tokens. All
//! sizes are bytes of one device. What no configuration says, the activations and the programs, is not in the sum: it has to
//! fit outside of `gpu_memory_utilization` on TPUs, and comes off the cache on GPUs.

use crate::facts::models::Model;
use crate::facts::vllm::Backend;

/// Bytes of a GiB.
pub const GIB: u64 = 1 << 30;

/// What a weight takes, in ten-thousandths of a byte, with the scales of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The weights of experts.
    pub experts: u32,
    /// The embeddings.
    pub embeddings: u32,
    /// All other weights.
    pub others: u32,
}

impl Storage {
    /// What a dtype or a way of quantization takes, of so many bits where those are known. None: it has several forms, or no
    /// source says.
    ///
    /// MXFP4 stores experts only: four bits, and a byte of scale for each 32. The four bits of AWQ come with scales for each
    /// 128 and with weights left as they were: 0.56 bytes on the whole. Eight bits leave the embeddings alone.
    pub fn of(name: &str, bits: Option<u32>) -> Option<Self> {
        let all = |each| Self { experts: each, embeddings: each, others: each };
        let name = match (name, bits) {
            ("compressed-tensors" | "gptq" | "bitsandbytes", Some(4)) => "int4",
            ("compressed-tensors" | "gptq" | "bitsandbytes", Some(8)) => "int8",
            _ => name,
        };
        Some(match name {
            "float32" | "float" => all(40_000),
            "bfloat16" | "float16" | "half" => all(20_000),
            "fp8" | "int8" | "tpu_int8" => Self { embeddings: 20_000, ..all(10_000) },
            "awq" | "auto_awq" | "int4" => all(5600),
            "mxfp4" | "gpt_oss_mxfp4" => Self { experts: 5313, ..all(20_000) },
            _ => return None,
        })
    }
}

/// An engine's share of one device.
#[derive(Clone, Debug)]
pub struct Load {
    /// The model.
    pub model: Model,
    /// Which vLLM.
    pub backend: Backend,
    /// `tensor_parallel_size`.
    pub tensor: u32,
    /// `pipeline_parallel_size`.
    pub pipeline: u32,
    /// True if every device has all the weights of attention: data-parallel attention.
    pub whole_attention: bool,
    /// What the weights take.
    pub storage: Storage,
    /// Bits of a number in the cache.
    pub cache_bits: u32,
    /// `max_num_batched_tokens`.
    pub batched_tokens: u64,
    /// `block_size`. None: vLLM chooses.
    pub block_size: Option<u64>,
    /// Memory that the device has, in bytes.
    pub device: u64,
    /// `gpu_memory_utilization`, in millionths.
    pub utilization: u32,
}

impl Load {
    /// What the engine may use.
    pub fn usable(&self) -> u64 {
        small(u128::from(self.device) * u128::from(self.utilization) / 1_000_000)
    }

    /// What is left outside, for programs and activations.
    pub fn outside(&self) -> u64 {
        self.device.saturating_sub(self.usable())
    }

    /// The weights.
    pub fn weights(&self) -> u64 {
        let model = &self.model;
        let bytes = |parameters: u64, each: u32| u128::from(parameters) * u128::from(each) / 10_000;
        let whole = if self.whole_attention { model.attention_parameters } else { 0 };
        let others = [model.expert_parameters, model.embedding_parameters, whole]
            .iter()
            .fold(model.parameters, |left, part| left.saturating_sub(*part));
        let stages = u128::from(self.pipeline.max(1));
        let devices = stages * u128::from(self.tensor.max(1));
        let divided = bytes(model.expert_parameters, self.storage.experts)
            + bytes(model.embedding_parameters, self.storage.embeddings)
            + bytes(others, self.storage.others);
        small(divided / devices + bytes(whole, self.storage.others) / stages)
    }

    /// What the weights leave for the cache. None: they are larger than what the engine may use.
    pub fn left(&self) -> Option<u64> {
        self.usable().checked_sub(self.weights())
    }

    /// The cache of one request of so many tokens.
    pub fn cache(&self, tokens: u64) -> u64 {
        let block = u128::from(self.block(tokens));
        let tokens = u128::from(tokens);
        let blocks = |tokens: u128| tokens.div_ceil(block);
        let full_bits = blocks(tokens) * block * self.token_bits(Kind::Full);
        let full = u128::from(self.layers(Kind::Full)) * full_bits / 8;
        let kept = match self.model.sliding {
            // vllm-tpu keeps all tokens of these layers too.
            Some(sliding) if self.backend == Backend::Gpu => {
                let window = u128::from(sliding.window).saturating_sub(1) + u128::from(self.batched_tokens);
                (blocks(window.min(tokens)) + 1).min(blocks(tokens) + 1)
            }
            _ => blocks(tokens),
        };
        let sliding = u128::from(self.layers(Kind::Sliding)) * kept * block * self.token_bits(Kind::Sliding) / 8;
        small(full + sliding)
    }

    /// Whether one request of so many tokens fits, were the weights so many percent of what the formula says.
    pub fn fits(&self, tokens: u64, percent: u32) -> bool {
        let weights = u128::from(self.weights()) * u128::from(percent) / 100;
        weights + u128::from(self.cache(tokens)) <= u128::from(self.usable())
    }

    /// The most tokens that one request may have. None: not even one block fits.
    pub fn longest(&self) -> Option<u64> {
        let fits = |tokens: u64| self.fits(tokens, 100);
        if !fits(1) {
            return None;
        }
        // 2^40 tokens are more than any device holds; a model whose layers keep nothing has no bound.
        let (mut most, mut too_many) = (1u64, 1u64 << 40);
        while too_many - most > 1 {
            let middle = most + (too_many - most) / 2;
            if fits(middle) { most = middle } else { too_many = middle }
        }
        Some(most)
    }

    /// Tokens of a block. On TPUs it follows from the length; latent attention has blocks of 1024 there.
    fn block(&self, tokens: u64) -> u64 {
        if let Some(size) = self.block_size.filter(|size| *size > 0) {
            return size;
        }
        match self.backend {
            Backend::Gpu | Backend::TorchTpu => 16,
            Backend::TpuInference if self.model.latent.is_some() => 1024,
            Backend::TpuInference if tokens > 8192 => 16,
            Backend::TpuInference => (tokens.max(1).next_power_of_two() / 16).clamp(16, 256),
        }
    }

    /// Layers of a kind on the fullest stage; those that are left over never stand on the last one.
    fn layers(&self, kind: Kind) -> u32 {
        let sliding = self.model.sliding.map_or(0, |sliding| sliding.layers);
        let of_model = match kind {
            Kind::Sliding => sliding,
            Kind::Full => self.model.layers.saturating_sub(sliding).saturating_sub(self.model.linear_layers),
        };
        of_model.div_ceil(self.pipeline.max(1))
    }

    /// Bits that a token leaves in one layer of a kind.
    fn token_bits(&self, kind: Kind) -> u128 {
        let bits = u128::from(self.cache_bits);
        let jax = self.backend == Backend::TpuInference;
        if let Some(latent) = self.model.latent {
            let width = |number: u32| u128::from(if jax { number.next_multiple_of(128) } else { number });
            // The key of an index is kept in 8 bits, with 4 bytes of scale.
            let index = latent.index.map_or(0, |width| u128::from(width) * 8 + 32);
            return (width(latent.rank) + width(latent.rope)) * bits + index;
        }
        let (kv_heads, head_dim) = match (kind, self.model.full) {
            (Kind::Full, Some(full)) => (full.kv_heads, full.head_dim),
            _ => (self.model.kv_heads, self.model.head_dim),
        };
        let heads = 2 * u128::from((kv_heads / self.tensor.max(1)).max(1));
        // The TPU's layout packs numbers to 4 bytes and widths to 128; 64 has a kernel of its own.
        let heads = if jax { heads.next_multiple_of((32 / bits.max(1)).max(1)) } else { heads };
        let width = if jax && head_dim != 64 { head_dim.next_multiple_of(128) } else { head_dim };
        heads * u128::from(width) * bits
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Full,
    Sliding,
}

fn small(bytes: u128) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
