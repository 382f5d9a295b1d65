//! How a model may be split over devices: what vLLM would refuse at start-up, known beforehand.

use crate::facts::models::Model;
use crate::facts::vllm::Backend;
use crate::fit::parallel_fault::ParallelFault;

/// How an engine is split, and over what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// `tensor_parallel_size`.
    pub tensor: u32,
    /// `pipeline_parallel_size`.
    pub pipeline: u32,
    /// `data_parallel_size`.
    pub data: u32,
    /// `enable_expert_parallel`.
    pub expert: bool,
    /// True with `mm_encoder_tp_mode = "data"`: the vision tower isn't split.
    pub whole_vision_tower: bool,
    /// Which vLLM.
    pub backend: Backend,
    /// Hosts of the slice, or nodes of the engine.
    pub hosts: u32,
    /// Devices of one of them.
    pub devices_per_host: u32,
}

impl Layout {
    /// Devices that the engine uses; None if the product doesn't fit 32 bits.
    pub fn devices(&self) -> Option<u32> {
        product(&[self.tensor, self.pipeline, self.data])
    }

    /// Ranks among which the experts are divided.
    pub fn expert_ranks(&self) -> Option<u32> {
        product(&[self.tensor, self.data])
    }

    /// The devices there are; None if the product doesn't fit 32 bits.
    pub fn available(&self) -> Option<u32> {
        product(&[self.hosts, self.devices_per_host])
    }
}

/// The product; None if it doesn't fit 32 bits.
pub fn product(factors: &[u32]) -> Option<u32> {
    factors.iter().try_fold(1u32, |product, factor| product.checked_mul(*factor))
}

/// Everything that is wrong with splitting `model` by `layout`; the order is fixed.
pub fn faults(model: &Model, layout: &Layout) -> Vec<ParallelFault> {
    let mut found = size_faults(layout);
    if found.iter().any(|fault| matches!(fault, ParallelFault::Zero { .. })) {
        return found;
    }
    found.extend(tensor_faults(model, layout.tensor, layout.expert, layout.backend));
    // vllm-tpu pads the tower's heads to what the devices divide.
    if !layout.whole_vision_tower && layout.backend != Backend::TpuInference {
        found.extend(
            model
                .vision_heads
                .filter(|heads| !heads.is_multiple_of(layout.tensor))
                .map(|heads| ParallelFault::VisionHeads { heads }),
        );
    }
    if layout.expert {
        found.extend(expert_fault(model, layout));
    }
    if layout.pipeline > model.layers {
        found.push(ParallelFault::Stages { layers: model.layers });
    }
    found
}

/// What is wrong whatever the model: sizes of 0, the product, and the rules of the back end.
pub fn size_faults(layout: &Layout) -> Vec<ParallelFault> {
    let sizes = [
        ("tensor_parallel_size", layout.tensor),
        ("pipeline_parallel_size", layout.pipeline),
        ("data_parallel_size", layout.data),
    ];
    let zeros: Vec<ParallelFault> =
        sizes.iter().filter(|(_, size)| *size == 0).map(|(argument, _)| ParallelFault::Zero { argument }).collect();
    if !zeros.is_empty() {
        return zeros;
    }
    let mut found = Vec::new();
    // On GPUs a replica takes what it needs of the nodes.
    if layout.backend != Backend::Gpu
        && let Some(devices) = layout.available()
        && layout.devices() != Some(devices)
    {
        found.push(ParallelFault::Product { wanted: layout.devices(), devices });
    }
    found.extend(backend_fault(layout));
    found
}

fn backend_fault(layout: &Layout) -> Option<ParallelFault> {
    let Layout { tensor, pipeline, hosts, devices_per_host, .. } = *layout;
    match layout.backend {
        Backend::Gpu => (tensor > devices_per_host).then_some(ParallelFault::TensorBeyondNode { devices_per_host }),
        // On one host, stages are processes of the same host.
        Backend::TpuInference if hosts == 1 || pipeline == 1 => None,
        Backend::TpuInference if pipeline != hosts => Some(ParallelFault::StagesNotHosts { hosts }),
        Backend::TpuInference => {
            (tensor > devices_per_host).then_some(ParallelFault::WiderThanHost { devices_per_host })
        }
        Backend::TorchTpu => (pipeline > 1 && tensor > 1).then_some(ParallelFault::StagesWithTensor),
    }
}

fn tensor_faults(model: &Model, tensor: u32, expert: bool, backend: Backend) -> Vec<ParallelFault> {
    let mut found = Vec::new();
    if !model.heads.is_multiple_of(tensor) {
        found.push(ParallelFault::Heads { heads: model.heads });
    }
    let kv_heads = if model.latent.is_some() { 1 } else { model.kv_heads };
    if !kv_heads.is_multiple_of(tensor) && !tensor.is_multiple_of(kv_heads) {
        found.push(ParallelFault::KvHeads { kv_heads });
    }
    if let Some(heads) = model.linear_key_heads.filter(|heads| !heads.is_multiple_of(tensor)) {
        found.push(ParallelFault::LinearKeyHeads { heads });
    }
    // vllm-tpu stores the weights anew: its own tests run what the kernels of GPUs refuse.
    if backend == Backend::Gpu
        && let Some((width, block)) = blocks(model)
        && !(expert && model.experts > 0)
        && !(width.is_multiple_of(tensor) && (width / tensor).is_multiple_of(block))
    {
        found.push(ParallelFault::Blocks { width, block });
    }
    found
}

/// The width that is divided, and the side of a quantization block, where the weights have blocks.
fn blocks(model: &Model) -> Option<(u32, u32)> {
    let block = model.quantization.as_ref()?.block.filter(|block| *block > 0)?;
    let width = if model.experts > 0 { model.moe_intermediate } else { model.intermediate }?;
    Some((width, block))
}

fn expert_fault(model: &Model, layout: &Layout) -> Option<ParallelFault> {
    if model.experts == 0 {
        return Some(ParallelFault::ExpertsOfDense);
    }
    let ranks = layout.expert_ranks();
    let divides = ranks.is_some_and(|ranks| model.experts.is_multiple_of(ranks));
    (!divides).then_some(ParallelFault::Experts { experts: model.experts, ranks })
}

/// Every `tensor_parallel_size` up to `limit` that the model allows, ascending: computed, since it hangs on the storage of
/// the weights, on expert parallelism and on the back end.
pub fn legal_tensor_sizes(model: &Model, expert: bool, backend: Backend, limit: u32) -> Vec<u32> {
    let legal = |tensor: &u32| tensor_faults(model, *tensor, expert, backend).is_empty();
    (1..=limit.min(model.heads)).filter(legal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::models::{Quantization, all, find};
    use crate::fit::shape::{shape, shapes};
    use proptest::prelude::*;

    const V6E_4X4: Layout = Layout {
        tensor: 16,
        pipeline: 1,
        data: 1,
        expert: false,
        whole_vision_tower: false,
        backend: Backend::TpuInference,
        hosts: 4,
        devices_per_host: 4,
    };

    fn found(model: &str, layout: Layout) -> Vec<ParallelFault> {
        faults(&find(model).unwrap(), &layout)
    }

    fn powers(model: &Model, expert: bool) -> Vec<u32> {
        legal_tensor_sizes(model, expert, Backend::Gpu, 64).into_iter().filter(|size| size.is_power_of_two()).collect()
    }

    #[test]
    fn the_missions_model_fits_a_4x4() {
        assert_eq!(found("Qwen/Qwen3-30B-A3B", Layout { expert: true, ..V6E_4X4 }), []);
        assert_eq!(found("Qwen/Qwen3-235B-A22B-FP8", Layout { expert: true, ..V6E_4X4 }), []);
    }

    #[test]
    fn forty_heads_dont_fill_sixteen_chips() {
        assert_eq!(found("Qwen/Qwen3-14B", V6E_4X4), [ParallelFault::Heads { heads: 40 }]);
        let phi = [ParallelFault::KvHeads { kv_heads: 10 }];
        assert_eq!(found("microsoft/phi-4", Layout { tensor: 4, hosts: 1, ..V6E_4X4 }), phi);
        assert_eq!(powers(&find("microsoft/phi-4").unwrap(), false), [1, 2]);
        assert_eq!(powers(&find("Qwen/Qwen2.5-7B-Instruct").unwrap(), false), [1, 2, 4]);
    }

    #[test]
    fn blocks_of_fp8_must_stay_whole_without_expert_parallelism() {
        let blocks = ParallelFault::Blocks { width: 1536, block: 128 };
        let gpus = Layout { tensor: 8, backend: Backend::Gpu, hosts: 1, devices_per_host: 8, ..V6E_4X4 };
        assert_eq!(found("Qwen/Qwen3-235B-A22B-FP8", gpus), [blocks]);
        assert_eq!(found("Qwen/Qwen3-235B-A22B", gpus), []);
        assert_eq!(found("Qwen/Qwen3-235B-A22B-FP8", V6E_4X4), []);
        for (name, largest) in [
            ("Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", 4),
            ("Qwen/Qwen3-235B-A22B-FP8", 4),
            ("zai-org/GLM-4.5-FP8", 4),
            ("deepseek-ai/DeepSeek-V3", 16),
        ] {
            assert_eq!(powers(&find(name).unwrap(), false).last(), Some(&largest), "{name}");
        }
    }

    #[test]
    fn experts_divide_among_tensor_and_data_ranks() {
        assert_eq!(found("Qwen/Qwen3-32B", Layout { expert: true, ..V6E_4X4 }), [ParallelFault::ExpertsOfDense]);
        let layout = Layout { tensor: 32, data: 2, expert: true, hosts: 16, ..V6E_4X4 };
        let experts = ParallelFault::Experts { experts: 160, ranks: Some(64) };
        assert_eq!(found("Qwen/Qwen3-Coder-480B-A35B-Instruct", layout), [experts]);
    }

    #[test]
    fn a_vision_tower_may_stay_whole() {
        let model = Model { vision_heads: Some(12), ..find("zai-org/GLM-4.5-Air").unwrap() };
        let layout = Layout { tensor: 8, hosts: 2, backend: Backend::TorchTpu, ..V6E_4X4 };
        assert_eq!(faults(&model, &layout), [ParallelFault::VisionHeads { heads: 12 }]);
        assert_eq!(faults(&model, &Layout { backend: Backend::TpuInference, ..layout }), []);
        assert_eq!(faults(&model, &Layout { whole_vision_tower: true, ..layout }), []);
    }

    #[test]
    fn each_back_end_has_its_rule_for_stages() {
        let of = |backend, tensor, pipeline, hosts, devices_per_host| {
            size_faults(&Layout { tensor, pipeline, backend, hosts, devices_per_host, ..V6E_4X4 })
        };
        assert_eq!(of(Backend::TpuInference, 4, 4, 4, 4), []);
        assert_eq!(of(Backend::TpuInference, 8, 2, 4, 4), [ParallelFault::StagesNotHosts { hosts: 4 }]);
        assert_eq!(of(Backend::TpuInference, 4, 2, 1, 8), []);
        assert_eq!(of(Backend::TorchTpu, 4, 4, 4, 4), [ParallelFault::StagesWithTensor]);
        assert_eq!(of(Backend::TorchTpu, 1, 16, 4, 4), []);
        assert_eq!(of(Backend::Gpu, 16, 1, 2, 8), [ParallelFault::TensorBeyondNode { devices_per_host: 8 }]);
        assert_eq!(of(Backend::Gpu, 8, 2, 2, 8), []);
    }

    #[test]
    fn the_product_counts_devices_and_not_chips() {
        let crate::facts::accelerators::Found::Accelerator(row) = crate::facts::accelerators::find("ironwood") else {
            panic!()
        };
        let slice = shape(row, "2x2x1", None).unwrap();
        assert_eq!(slice.devices, 8);
        let layout = Layout { tensor: 4, hosts: slice.hosts, devices_per_host: slice.devices_per_host(), ..V6E_4X4 };
        assert_eq!(size_faults(&layout), [ParallelFault::Product { wanted: Some(4), devices: 8 }]);
        assert_eq!(size_faults(&Layout { tensor: 8, ..layout }), []);
    }

    /// Another program computed these from the same configurations: a model, the largest legal power of two, and the
    /// largest with weights in FP8 blocks of 128 and without expert parallelism (0: none).
    const LEGAL: &str = "
        meta-llama/Llama-3.1-8B-Instruct 32 16
        meta-llama/Llama-3.1-70B-Instruct 64 32
        meta-llama/Llama-3.1-405B-Instruct 64 32
        meta-llama/Llama-3.3-70B-Instruct 64 32
        meta-llama/Llama-4-Scout-17B-16E-Instruct 8 8
        meta-llama/Llama-4-Maverick-17B-128E-Instruct 8 8
        Qwen/Qwen2.5-7B-Instruct 4 4
        Qwen/Qwen2.5-14B-Instruct 8 4
        Qwen/Qwen2.5-32B-Instruct 8 8
        Qwen/Qwen2.5-72B-Instruct 64 1
        Qwen/Qwen2.5-VL-7B-Instruct 4 4
        Qwen/Qwen3-0.6B 16 8
        Qwen/Qwen3-4B 32 4
        Qwen/Qwen3-8B 32 32
        Qwen/Qwen3-14B 8 8
        Qwen/Qwen3-32B 64 8
        Qwen/Qwen3-30B-A3B 32 2
        Qwen/Qwen3-235B-A22B 64 4
        Qwen/Qwen3-Coder-480B-A35B-Instruct 32 4
        Qwen/Qwen3-Next-80B-A3B-Instruct 16 4
        Qwen/Qwen3.5-27B 8 8
        Qwen/Qwen3.5-397B-A17B 16 8
        Qwen/Qwen3-VL-8B-Instruct 32 32
        google/gemma-2-9b-it 16 16
        google/gemma-2-27b-it 32 32
        google/gemma-3-12b-it 16 8
        google/gemma-3-27b-it 32 8
        google/gemma-4-31B-it 32 8
        google/gemma-4-26B-A4B-it 16 0
        mistralai/Mistral-7B-Instruct-v0.3 32 16
        mistralai/Mistral-Nemo-Instruct-2407 32 16
        mistralai/Mistral-Small-24B-Instruct-2501 32 32
        mistralai/Mistral-Large-Instruct-2407 32 32
        mistralai/Mixtral-8x7B-Instruct-v0.1 32 16
        mistralai/Mixtral-8x22B-Instruct-v0.1 16 16
        deepseek-ai/DeepSeek-V3 64 16
        deepseek-ai/DeepSeek-R1 64 16
        deepseek-ai/DeepSeek-V3.2 64 16
        deepseek-ai/DeepSeek-V2-Lite-Chat 16 1
        openai/gpt-oss-20b 64 0
        openai/gpt-oss-120b 64 0
        moonshotai/Kimi-K2-Instruct 64 16
        moonshotai/Kimi-K2.5 64 16
        zai-org/GLM-4.5 32 4
        zai-org/GLM-4.6 32 4
        zai-org/GLM-4.5-Air 32 1
        zai-org/GLM-5 64 16
        MiniMaxAI/MiniMax-M2.5 16 4
        microsoft/phi-4 2 2
    ";

    #[test]
    fn legal_sizes_are_those_that_another_program_computed() {
        let fp8 = Quantization { method: "fp8".to_owned(), block: Some(128), bits: None };
        let rows: Vec<Vec<&str>> = LEGAL.lines().map(|line| line.split_whitespace().collect()).collect();
        let rows: Vec<&Vec<&str>> = rows.iter().filter(|row| row.len() == 3).collect();
        assert_eq!(rows.len(), all().len());
        for row in rows {
            let largest = |quantization| {
                let model = Model { quantization, ..find(row[0]).unwrap() };
                powers(&model, false).last().copied().unwrap_or(0).to_string()
            };
            assert_eq!([largest(None).as_str(), largest(Some(fp8.clone())).as_str()], row[1..], "{}", row[0]);
        }
    }

    proptest! {
        #[test]
        fn no_numbers_make_it_panic(
            (tensor, pipeline, data) in (any::<u32>(), any::<u32>(), any::<u32>()),
            (hosts, devices_per_host) in (any::<u32>(), any::<u32>()),
            expert in any::<bool>(),
            which in 0usize..49,
        ) {
            for backend in [Backend::Gpu, Backend::TpuInference, Backend::TorchTpu] {
                let layout = Layout { tensor, pipeline, data, expert, whole_vision_tower: false, backend, hosts, devices_per_host };
                let _ = faults(&all()[which], &layout);
            }
        }

        #[test]
        fn a_legal_size_has_no_fault_on_a_slice_of_that_size(which in 0usize..49, row in 0usize..5) {
            let model = &all()[which];
            for slice in shapes(&crate::facts::accelerators::ACCELERATORS[row]).iter().take(20) {
                let layout = Layout {
                    tensor: slice.devices,
                    hosts: slice.hosts,
                    devices_per_host: slice.devices_per_host(),
                    ..V6E_4X4
                };
                let legal = legal_tensor_sizes(model, false, Backend::TpuInference, slice.devices).contains(&slice.devices);
                prop_assert_eq!(faults(model, &layout).is_empty(), legal);
            }
        }
    }
}
