//! Intents of a Ray Train driver: the script that runs on the head and starts a worker a device or a host.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Number, Value};

/// A Ray Train driver to generate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainDriver {
    /// Torch or JAX, with what each needs.
    pub framework: Framework,
    /// `module:function`, importable in the image or the runtime environment.
    pub train_loop: String,
    /// The first argument of the function.
    pub config: Map<String, Value>,
    /// How the workers are laid out.
    pub axes: Vec<Axis>,
    /// Ray Train's scaling.
    pub scaling: Scaling,
    /// The run's name: the folder below `storage_path`.
    pub run_name: String,
    /// Shared storage: `gs://bucket/runs`. Needed where there is more than one node.
    pub storage_path: Option<String>,
    /// What is kept of checkpoints.
    pub checkpoint: Checkpoint,
    /// What failures are borne.
    pub failure: Failure,
    /// Seconds that Ray waits for the workers of a slice.
    pub worker_group_start_timeout_s: u32,
}

/// The trainer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Framework {
    /// `TorchTrainer`, one worker a device.
    Torch {
        /// What the mesh is for; the user's loop applies it.
        strategy: Strategy,
        /// Where the devices are.
        device: TorchDevice,
    },
    /// `JaxTrainer`, one worker a TPU host.
    Jax,
}

/// What a Torch worker computes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum TorchDevice {
    /// GPUs.
    Cuda,
    /// CPUs.
    Cpu,
    /// TPUs through `torch_tpu`.
    Tpu {
        /// The slice as `torch_tpu` writes it: three numbers, `4,4,1`, and a fourth where a chip has two devices,
        /// `2,2,1,2`.
        topology: String,
    },
}

/// How a Torch model is spread over the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Replicated, gradients averaged.
    Ddp,
    /// Parameters sharded (`fully_shard`).
    Fsdp2,
    /// Placed by hand over the mesh.
    Dtensor,
}

/// An axis of the device mesh, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Devices along it.
    pub size: u32,
    /// Parameters are sharded along it.
    pub shard: bool,
}

/// Ray Train's `ScalingConfig`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scaling {
    /// Fewest and most workers: the same number, or elastic.
    pub workers: (u32, u32),
    /// Workers get TPUs.
    pub use_tpu: bool,
    /// Workers get GPUs.
    pub use_gpu: bool,
    /// `4x4`.
    pub topology: Option<String>,
    /// Ray's accelerator type: `TPU-V6E`.
    pub accelerator_type: Option<String>,
    /// Always given: Ray's default changed with 2.56.
    pub resources_per_worker: BTreeMap<String, Number>,
}

/// What is kept of checkpoints: Ray Train's `CheckpointConfig`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checkpoint {
    /// How many; none keeps all.
    pub num_to_keep: Option<u32>,
    /// The metric that ranks them.
    pub score_attribute: Option<String>,
    /// `max` or `min`.
    pub score_order: Option<String>,
}

/// What failures are borne: Ray Train's `FailureConfig`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Restarts from the last checkpoint; -1 is without end.
    pub max_failures: i64,
    /// Restarts after a preemption that don't count (Ray 2.58).
    pub max_preemption_failures: Option<i64>,
}
