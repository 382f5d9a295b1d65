//! What a `train` block says.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::resolve::stack::{Autoscale, Field, Head, Workload};

/// The library that a training loop uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framework {
    /// Ray Train's TorchTrainer.
    Pytorch,
    /// Ray Train's JaxTrainer.
    Jax,
}

/// How a PyTorch model is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// DistributedDataParallel.
    Ddp,
    /// fully_shard over the axes marked `shard`.
    Fsdp2,
    /// DTensor over a device mesh.
    Dtensor,
}

/// One axis of the device mesh.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name.
    pub name: Spanned<String>,
    /// How many devices wide; none where it could not be read.
    pub size: Field<u32>,
    /// Whether parameters are sharded over it.
    pub shard: bool,
}

/// A `parallelism` block.
#[derive(Clone, Debug)]
pub struct Parallelism {
    /// How the model is spread.
    pub strategy: Field<Strategy>,
    /// The mesh, outermost first.
    pub axes: Vec<Axis>,
    /// Where the block stands.
    pub span: Span,
}

/// What a training job runs.
#[derive(Clone, Debug)]
pub enum Program {
    /// A command of the user's own, with its own Ray Train driver.
    Entrypoint(Spanned<String>),
    /// `module:function`; the driver is generated.
    TrainLoop(Spanned<String>),
}

/// A `failure` block.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// Ray Train's FailureConfig.max_failures: how often a failed worker group starts again (-1: without end).
    pub max_failures: Field<i64>,
    /// How often the whole RayJob starts again on a new cluster.
    pub backoff_limit: Field<u32>,
}

/// A `checkpoint` block: Ray Train's CheckpointConfig.
#[derive(Clone, Debug, Default)]
pub struct Checkpoint {
    /// How many checkpoints to keep.
    pub num_to_keep: Field<u32>,
    /// The metric that ranks them.
    pub score_attribute: Field<String>,
    /// `max` or `min`.
    pub score_order: Field<String>,
}

/// A `runtime_env` block: Ray's runtime environment.
#[derive(Clone, Debug, Default)]
pub struct RuntimeEnv {
    /// Remote URI of the code.
    pub working_dir: Field<String>,
    /// Python packages.
    pub pip: Vec<String>,
    /// Environment of the job.
    pub env_vars: BTreeMap<String, String>,
}

/// A `train` block.
#[derive(Clone, Debug)]
pub struct Train {
    /// Name and place.
    pub head: Head,
    /// What all workloads share.
    pub workload: Workload,
    /// pytorch or jax.
    pub framework: Field<Framework>,
    /// The slices that it runs on.
    pub slice: Field<Addr>,
    /// How many of them.
    pub num_slices: Spanned<u32>,
    /// The nodes that it runs on, instead of slices.
    pub nodes: Field<Addr>,
    /// How many of them.
    pub replicas: Spanned<u32>,
    /// Workers, where the stack says so; else derived.
    pub num_workers: Field<u32>,
    /// Opt-in to PyTorch over several slices.
    pub multi_slice: Field<bool>,
    /// Between how many slices it trains; then `num_slices` is the most.
    pub elastic: Option<Autoscale>,
    /// When it runs, again and again; else it runs once.
    pub schedule: Field<String>,
    /// The time zone of the schedule.
    pub time_zone: Field<String>,
    /// What it runs.
    pub program: Option<Program>,
    /// The loop's configuration.
    pub train_loop_config: Option<serde_json::Value>,
    /// The mesh.
    pub parallelism: Option<Parallelism>,
    /// Where checkpoints and results go.
    pub storage_path: Field<String>,
    /// Checkpoints.
    pub checkpoint: Option<Checkpoint>,
    /// Restarts.
    pub failure: Failure,
    /// The job ends after so many seconds.
    pub deadline: Field<u64>,
    /// The finished job is removed after so many seconds.
    pub ttl_after_finished: Field<u64>,
    /// Ray's runtime environment.
    pub runtime_env: Option<RuntimeEnv>,
    /// A new string is a new run.
    pub run: Field<String>,
}
