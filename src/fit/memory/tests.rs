//! The arithmetic against numbers that engines printed, and its bounds.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "published sizes are decimal fractions of a GiB"
)]

use proptest::prelude::*;

use super::*;
use crate::facts::models::find;

fn gib(bytes: u64) -> f64 {
    bytes as f64 / GIB as f64
}

fn named(storage: &str) -> Storage {
    Storage::of(storage, None).unwrap()
}

/// An engine on one device of `device` GiB.
fn load(model: &Model, backend: Backend, tensor: u32, device: f64) -> Load {
    Load {
        model: model.clone(),
        backend,
        tensor,
        pipeline: 1,
        whole_attention: false,
        storage: Storage::of(model.weight_dtype(), None).unwrap_or_else(|| named("bfloat16")),
        cache_bits: 16,
        batched_tokens: 2048,
        block_size: None,
        device: (device * GIB as f64) as u64,
        utilization: 900_000,
    }
}

/// Tokens that `kv` GiB hold.
fn tokens(load: &Load, kv: f64) -> f64 {
    kv * GIB as f64 / (load.cache(1 << 20) as f64 / f64::from(1 << 20))
}

/// `found` is what was published, within so many percent.
fn near(what: &str, found: f64, published: f64, percent: f64) {
    let off = (found / published - 1.0) * 100.0;
    assert!(off.abs() <= percent, "{what}: {found} is {off:.2} % off {published}");
}

/// vllm issues 12330, 21348, 23278, 15871, 27508 and pull requests 12569, 20665; tpu-inference issues 2803, 898 and pull
/// requests 145, 223.
#[test]
fn what_engines_printed() {
    let llama = find("meta-llama/Llama-3.1-8B-Instruct").unwrap();
    let a100 = load(&llama, Backend::Gpu, 1, 39.4);
    near("Llama-3-8B weights", gib(a100.weights()), 14.9595, 2.0);
    near("Llama-3-8B tokens in 11.12 GiB", tokens(&a100, 11.12), 91_056.0, 2.0);
    near("Llama-3.1-8B, 131072 tokens", gib(load(&llama, Backend::TpuInference, 1, 31.25).cache(131_072)), 16.0, 2.0);

    let v6e = load(&llama, Backend::TpuInference, 4, 31.25);
    near("Llama-3.1-8B on v6e-4, weights", gib(v6e.weights()), 3.74, 2.0);
    near("Llama-3.1-8B on v6e-4, tokens", tokens(&v6e, 28.49 - 3.74), 811_008.0, 2.0);

    let vl = find("Qwen/Qwen3-VL-8B-Instruct").unwrap();
    let tpu7x = load(&vl, Backend::TpuInference, 1, 94.75);
    near("Qwen3-VL-8B tokens in 63.95 GiB", tokens(&tpu7x, 63.95), 465_664.0, 2.0);

    let large = find("Qwen/Qwen3-235B-A22B-FP8").unwrap();
    near("Qwen3-235B tokens in 8.11 GiB", tokens(&load(&large, Backend::Gpu, 4, 79.1), 8.11), 178_880.0, 2.0);

    let oss = find("openai/gpt-oss-120b").unwrap();
    let windows = Load { batched_tokens: 1024, ..load(&oss, Backend::Gpu, 1, 79.1) };
    near("gpt-oss-120b, 131072 tokens", gib(windows.cache(131_072)), 4.54, 2.0);
    // The kernel for Hopper pads the experts.
    near("gpt-oss-120b weights on H100", gib(windows.weights()), 65.97, 8.0);

    let latent = find("deepseek-ai/DeepSeek-V2-Lite-Chat").unwrap();
    let one = load(&latent, Backend::Gpu, 1, 79.1);
    near("DeepSeek-V2-Lite, 32768 tokens", gib(one.cache(32_768)), 0.95, 2.0);
    let stages = Load { tensor: 2, pipeline: 2, ..one };
    near("DeepSeek-V2-Lite tokens in 12.13 GiB on 2 stages", tokens(&stages, 12.13), 807_792.0, 2.0);

    let small = find("Qwen/Qwen3-0.6B").unwrap();
    near("Qwen3-0.6B on v4", gib(load(&small, Backend::TpuInference, 1, 30.75).weights()), 1.11, 2.0);
    let seventy = find("meta-llama/Llama-3.1-70B-Instruct").unwrap();
    let distilled = find("Qwen/Qwen2.5-14B-Instruct").unwrap();
    near("R1-Distill-Qwen-14B weights", gib(load(&distilled, Backend::Gpu, 2, 39.4).weights()), 13.95, 2.0);
    let int8 = Load { storage: named("int8"), ..load(&seventy, Backend::Gpu, 1, 139.7) };
    near("Llama-70B w8a8 weights", gib(int8.weights()), 67.72, 2.0);
}

/// Model, device in GiB, tensor and pipeline sizes, utilization in millionths, length, and whether its weights are one byte.
type Deployment = (&'static str, f64, (u32, u32), u32, u64, bool);

#[test]
fn what_runs_in_public_fits() {
    let cases: &[Deployment] = &[
        ("meta-llama/Llama-3.1-8B-Instruct", 31.25, (1, 1), 980_000, 2048, false),
        ("Qwen/Qwen3-32B", 31.25, (4, 1), 980_000, 4096, false),
        ("Qwen/Qwen3-4B", 31.25, (1, 1), 980_000, 4096, false),
        ("Qwen/Qwen2.5-VL-7B-Instruct", 31.25, (1, 1), 980_000, 16384, false),
        ("google/gemma-4-31B-it", 31.25, (16, 1), 920_000, 8192, false),
        ("google/gemma-4-31B-it", 94.75, (2, 1), 900_000, 1524, true),
        ("Qwen/Qwen3-Coder-480B-A35B-Instruct", 94.75, (8, 1), 950_000, 10240, true),
        ("Qwen/Qwen3-Coder-480B-A35B-Instruct", 94.75, (16, 1), 900_000, 10240, false),
        ("openai/gpt-oss-120b", 94.75, (2, 1), 860_000, 9216, false),
        ("Qwen/Qwen3.5-397B-A17B", 94.75, (8, 1), 900_000, 9216, true),
        ("meta-llama/Llama-3.3-70B-Instruct", 94.75, (2, 1), 920_000, 10240, false),
        ("Qwen/Qwen3-235B-A22B", 95.0, (4, 2), 900_000, 4096, false),
    ];
    for (name, device, (tensor, pipeline), utilization, length, one_byte) in cases {
        let model = find(name).unwrap();
        let mut load = load(&model, Backend::TpuInference, *tensor, *device);
        (load.pipeline, load.utilization) = (*pipeline, *utilization);
        if *one_byte {
            (load.storage, load.cache_bits) = (named("int8"), 8);
        }
        assert!(load.longest() >= Some(*length), "{name}: {:?}", load.longest());
    }
}

/// tpu-inference's own list of what its devices can't hold, and its issue 2333.
#[test]
fn what_is_known_not_to_fit_does_not() {
    let qwen = find("Qwen/Qwen3.5-397B-A17B").unwrap();
    let fp8 = Load { storage: named("int8"), ..load(&qwen, Backend::TpuInference, 8, 31.25) };
    assert_eq!(fp8.longest(), None);
    let gemma = find("google/gemma-4-31B-it").unwrap();
    assert_eq!(load(&gemma, Backend::TpuInference, 1, 31.25).longest(), None);
    assert_eq!(load(&gemma, Backend::TpuInference, 2, 31.25).longest(), None);
}

/// DeepSeek-R1 on four tpu7x chips: its experts in four bits, its attention whole on every device.
#[test]
fn attention_that_every_device_has_counts_whole() {
    let model = find("deepseek-ai/DeepSeek-R1").unwrap();
    let shared = Load {
        storage: Storage { experts: 5313, ..named("fp8") },
        cache_bits: 8,
        utilization: 950_000,
        ..load(&model, Backend::TpuInference, 8, 94.75)
    };
    let whole = Load { whole_attention: true, ..shared.clone() };
    assert!(whole.weights() > shared.weights() + 9 * GIB);
    assert!(whole.longest() > Some(9216));
}

#[test]
fn a_longest_request_fits_and_one_token_more_does_not() {
    let model = find("google/gemma-3-27b-it").unwrap();
    for backend in [Backend::Gpu, Backend::TpuInference] {
        let load = load(&model, backend, 4, 31.25);
        let (left, longest) = (load.left().unwrap(), load.longest().unwrap());
        assert!(load.cache(longest) <= left);
        assert!(load.cache(longest + 1) > left, "{backend:?}");
    }
}

proptest! {
    #[test]
    fn no_numbers_make_it_panic(
        index in 0usize..49, tensor: u32, pipeline: u32, bits in 0u32..64, tokens: u64, batched: u64,
        block: Option<u64>, device: u64, utilization: u32, whole: bool, gpu: bool,
    ) {
        let model = &crate::facts::models::all()[index];
        let load = Load {
            model: model.clone(), tensor, pipeline, device, utilization,
            backend: if gpu { Backend::Gpu } else { Backend::TpuInference },
            whole_attention: whole,
            storage: Storage { experts: u32::MAX, embeddings: 0, others: bits },
            cache_bits: bits,
            batched_tokens: batched,
            block_size: block,
        };
        let _ = (load.cache(tokens), load.outside(), load.longest());
    }

    /// More devices never take more of each.
    #[test]
    fn a_wider_split_takes_less(index in 0usize..49, power in 0u32..5, tokens in 1u64..200_000) {
        let model = &crate::facts::models::all()[index];
        let of = |tensor| load(model, Backend::Gpu, tensor, 80.0);
        let (narrow, wide) = (of(1 << power), of(2 << power));
        prop_assert!(wide.weights() <= narrow.weights() && wide.cache(tokens) <= narrow.cache(tokens));
    }

    /// Longer requests never take less.
    #[test]
    fn a_longer_request_takes_more(index in 0usize..49, tokens in 1u64..200_000, more in 0u64..10_000) {
        let model = &crate::facts::models::all()[index];
        let load = load(model, Backend::Gpu, 4, 80.0);
        prop_assert!(load.cache(tokens) <= load.cache(tokens + more));
    }
}
