//! What can be wrong with splitting a model over devices.

use crate::facts::source::Source;

/// A split that can't work, with the numbers of its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParallelFault {
    /// A size is 0.
    Zero {
        /// The argument.
        argument: &'static str,
    },
    /// The product of the sizes isn't the number of devices.
    Product {
        /// The product; None: beyond 32 bits.
        wanted: Option<u32>,
        /// The devices there are.
        devices: u32,
    },
    /// The attention heads don't divide.
    Heads {
        /// The model's heads.
        heads: u32,
    },
    /// The key and value heads neither divide nor are repeated evenly.
    KvHeads {
        /// The model's key and value heads.
        kv_heads: u32,
    },
    /// The key heads of the linear attention layers don't divide.
    LinearKeyHeads {
        /// The model's.
        heads: u32,
    },
    /// The heads of the vision tower don't divide; `mm_encoder_tp_mode = "data"` keeps it whole.
    VisionHeads {
        /// The model's.
        heads: u32,
    },
    /// Expert parallelism without experts.
    ExpertsOfDense,
    /// The experts don't divide among tensor x data ranks.
    Experts {
        /// The model's experts.
        experts: u32,
        /// The ranks; None: beyond 32 bits.
        ranks: Option<u32>,
    },
    /// A rank's part of a layer isn't a whole number of quantization blocks; expert parallelism keeps experts whole.
    Blocks {
        /// Width of the layer.
        width: u32,
        /// Side of a block.
        block: u32,
    },
    /// More stages than layers.
    Stages {
        /// The model's layers.
        layers: u32,
    },
    /// With JAX on several hosts, the stages must be 1 or the number of hosts.
    StagesNotHosts {
        /// The hosts.
        hosts: u32,
    },
    /// With JAX and a stage a host, a stage can't be wider than a host.
    WiderThanHost {
        /// Devices of a host.
        devices_per_host: u32,
    },
    /// With torchtpu, stages exclude tensor parallelism.
    StagesWithTensor,
    /// On GPUs, `tensor_parallel_size` beyond one node: it may run, over the network, or never be placed.
    TensorBeyondNode {
        /// GPUs of a node.
        devices_per_host: u32,
    },
}

impl ParallelFault {
    /// The rule under which it is reported: the fault, in kebab case.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Zero { .. } => "zero-parallelism",
            Self::Product { .. } => "parallelism-product",
            Self::Heads { .. } | Self::LinearKeyHeads { .. } => "indivisible-heads",
            Self::KvHeads { .. } => "indivisible-kv-heads",
            Self::VisionHeads { .. } => "indivisible-vision-heads",
            Self::ExpertsOfDense => "experts-of-dense-model",
            Self::Experts { .. } => "indivisible-experts",
            Self::Blocks { .. } => "indivisible-blocks",
            Self::Stages { .. } | Self::StagesNotHosts { .. } | Self::WiderThanHost { .. } | Self::StagesWithTensor => {
                "pipeline-stages"
            }
            Self::TensorBeyondNode { .. } => "tensor-beyond-node",
        }
    }

    /// Where the rule behind it was read.
    pub fn source(&self) -> Source {
        match self {
            Self::Zero { .. } | Self::Heads { .. } | Self::KvHeads { .. } | Self::LinearKeyHeads { .. } => {
                Source("vLLM 0.33.0 vllm/config/model.py, vllm/model_executor/layers/linear.py")
            }
            Self::Product { .. } => Source("vLLM 0.33.0; tpu-inference PR 1919 and 2250 (two devices a chip on tpu7x)"),
            Self::VisionHeads { .. } => Source("vLLM issue 24004"),
            Self::ExpertsOfDense | Self::Experts { .. } => Source("vLLM 0.33.0; vLLM issue 52435"),
            Self::Blocks { .. } => Source("vLLM 0.33.0 recipe of Qwen3-Coder-480B-A35B-Instruct"),
            Self::Stages { .. } => Source("vLLM 0.33.0, get_pp_indices"),
            Self::StagesNotHosts { .. } | Self::WiderThanHost { .. } => {
                Source("tpu-inference 0.32.0 platforms/tpu_platform.py")
            }
            Self::StagesWithTensor => Source("vllm-torchtpu 0.29.0 pp_validation.py"),
            Self::TensorBeyondNode { .. } => Source("Ray issue 55754"),
        }
    }
}
