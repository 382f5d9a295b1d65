//! The typed stack: what the blocks say, with the place of every value that a message may point at.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::facts::accelerators::Accelerator;
use crate::facts::version::Version;
use crate::fit::shape::Shape;
use crate::fit::shape_fault::ShapeFault;

/// A value that may have been left out, or could not be read (then an error has said so).
pub type Field<T> = Option<Spanned<T>>;

/// A whole stack.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The label of the `stack` block.
    pub name: Spanned<String>,
    /// What the `stack` block says.
    pub settings: Settings,
    /// Every other block, in the order of the file.
    pub blocks: IndexMap<Addr, Block>,
    /// The outputs, in the order of the file.
    pub outputs: Vec<Output>,
    /// Which block names which, and where.
    pub references: Vec<Reference>,
}

/// One block naming another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The block that was named.
    pub to: Addr,
    /// Where.
    pub span: Span,
}

/// The `stack` block.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the block's header stands.
    pub span: Span,
    /// The Ray that every workload runs, unless it says otherwise.
    pub ray_version: Field<Version>,
    /// The KubeRay operator of the cluster.
    pub kuberay_version: Field<Version>,
    /// A version of Ray or KubeRay was written that cannot be read; an error has said so.
    pub unreadable_version: bool,
    /// The vLLM of the images.
    pub vllm_version: Field<Version>,
    /// The vLLM back end of TPU images.
    pub vllm_backend: Field<VllmBackend>,
    /// The namespace of every object.
    pub namespace: Spanned<String>,
    /// Whether the stack creates that namespace.
    pub create_namespace: bool,
    /// Labels of every object.
    pub labels: BTreeMap<String, String>,
    /// Annotations of every object.
    pub annotations: BTreeMap<String, String>,
    /// `deploy "directory"`: the folder, relative to the stack's own.
    pub deploy_path: Field<String>,
}

/// Which vLLM drives TPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VllmBackend {
    /// vllm-tpu: JAX.
    TpuInference,
    /// vllm-torchtpu: PyTorch.
    TorchTpu,
}

/// A block of the stack, by type.
#[derive(Clone, Debug)]
pub enum Block {
    /// `cluster`
    Cluster(Cluster),
    /// `slice`
    Slice(Slice),
    /// `bucket`
    Bucket(Bucket),
    /// `secret`
    Secret(Secret),
    /// `service_account`
    ServiceAccount(ServiceAccount),
    /// `train`
    Train(Train),
    /// `serve`
    Serve(Serve),
}

impl Block {
    /// What every block has.
    pub fn head(&self) -> &Head {
        match self {
            Self::Cluster(block) => &block.head,
            Self::Slice(block) => &block.head,
            Self::Bucket(block) => &block.head,
            Self::Secret(block) => &block.head,
            Self::ServiceAccount(block) => &block.head,
            Self::Train(block) => &block.head,
            Self::Serve(block) => &block.head,
        }
    }
}

/// What every block has.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its address.
    pub addr: Addr,
    /// The name of the object that it becomes.
    pub name: Spanned<String>,
    /// Where its first line stands.
    pub span: Span,
    /// Where all of it stands.
    pub extent: Span,
}

/// An `output` block.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// Its value; none where it is sensitive or could not be read.
    pub value: Option<serde_json::Value>,
    /// Whether the value must not be shown.
    pub sensitive: bool,
}

/// How a GKE cluster is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterMode {
    /// The team owns node pools.
    Standard,
    /// Google owns them.
    Autopilot,
}

/// Where KubeRay comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayOperator {
    /// GKE's add-on.
    Addon,
    /// Installed by the team.
    SelfManaged,
}

/// A `cluster` block.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Name and place.
    pub head: Head,
    /// Google Cloud project.
    pub project: Field<String>,
    /// Region or zone.
    pub location: Field<String>,
    /// Standard or Autopilot.
    pub mode: Spanned<ClusterMode>,
    /// Whether the stack creates it.
    pub manage: bool,
    /// Minimum GKE version.
    pub version: Field<String>,
    /// rapid, regular, stable or extended.
    pub release_channel: Field<String>,
    /// Where KubeRay comes from.
    pub ray_operator: Spanned<RayOperator>,
    /// VPC network by name.
    pub network: Field<String>,
    /// Subnetwork by name.
    pub subnetwork: Field<String>,
    /// Nodes without public addresses.
    pub private: bool,
    /// Whether pods may act as Google service accounts.
    pub workload_identity: bool,
    /// Whether Terraform may destroy it.
    pub deletion_protection: bool,
}

/// How capacity is had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapacityKind {
    /// A specific reservation.
    Reservation {
        /// Its name.
        name: Option<String>,
        /// The project that owns it.
        project: Option<String>,
        /// A block of it.
        block: Option<String>,
    },
    /// Dynamic Workload Scheduler, flex-start.
    FlexStart {
        /// Queued provisioning.
        queued: bool,
        /// How long nodes may run, in seconds.
        max_run_duration: Option<u64>,
    },
    /// Spot VMs.
    Spot,
    /// On demand.
    OnDemand,
}

/// One rung of a capacity ladder.
#[derive(Clone, Debug)]
pub struct Capacity {
    /// How.
    pub kind: CapacityKind,
    /// How many slices at most.
    pub num_slices: Field<u32>,
    /// Where it stands.
    pub span: Span,
}

/// Who makes the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provision {
    /// Node pools that the stack declares.
    NodePool,
    /// They are there.
    Existing,
}

/// A `slice` block.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Name and place.
    pub head: Head,
    /// The cluster that it is part of.
    pub cluster: Field<Addr>,
    /// Zone.
    pub zone: Field<String>,
    /// A zone was written, were it one that could not be read.
    pub zone_given: bool,
    /// TPU generation as written.
    pub accelerator: Field<String>,
    /// Topology as written.
    pub topology: Field<String>,
    /// Chips per host, where the shape is ambiguous.
    pub chips_per_host: Field<u32>,
    /// How many slices of this shape there are.
    pub num_slices: Spanned<u32>,
    /// The capacity ladder, first choice first; empty: on demand.
    pub capacity: Vec<Capacity>,
    /// Who makes the nodes.
    pub provision: Spanned<Provision>,
    /// Google service account of the nodes.
    pub service_account: Field<Addr>,
    /// Boot disk size in GB.
    pub boot_disk_size_gb: Field<u32>,
    /// Boot disk type.
    pub boot_disk_type: Field<String>,
    /// Labels of the nodes.
    pub labels: BTreeMap<String, String>,
    /// Selector of existing nodes.
    pub node_selector: BTreeMap<String, String>,
    /// Whether workloads take turns.
    pub share: bool,
    /// The generation's facts, where the name is known.
    pub generation: Option<&'static Accelerator>,
    /// The arithmetic of the shape, or what is wrong with it; none where accelerator or topology is unknown.
    pub shape: Option<Result<Shape, ShapeFault>>,
}

impl Slice {
    /// The shape, where it is sound.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()?.as_ref().ok()
    }
}

/// A `bucket` block.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// The bucket's own name is the object name.
    pub head: Head,
    /// Region.
    pub location: Field<String>,
    /// Whether the stack creates it.
    pub manage: bool,
}

/// A `secret` block: a Kubernetes Secret that exists.
#[derive(Clone, Debug)]
pub struct Secret {
    /// Name and place.
    pub head: Head,
    /// Its keys.
    pub keys: Vec<Spanned<String>>,
    /// Whether pods start without it.
    pub optional: bool,
}

/// A `service_account` block.
#[derive(Clone, Debug)]
pub struct ServiceAccount {
    /// Name and place.
    pub head: Head,
    /// The Google service account that it acts as.
    pub google_service_account: Field<String>,
    /// Project roles to grant.
    pub roles: Vec<Spanned<String>>,
    /// Whether the stack creates the Kubernetes ServiceAccount.
    pub manage: bool,
}

/// What a mount mounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MountSource {
    /// A bucket, through GCS FUSE.
    Bucket(Addr),
    /// A secret's keys as files.
    Secret(Addr),
    /// Scratch space.
    EmptyDir {
        /// `Memory`, or the node's disk.
        memory: bool,
        /// At most so much.
        size: Option<String>,
    },
}

/// A `mount` block.
#[derive(Clone, Debug)]
pub struct Mount {
    /// Its label.
    pub name: Spanned<String>,
    /// What; none where it could not be read.
    pub source: Option<MountSource>,
    /// Where in the container.
    pub path: Spanned<String>,
    /// Only this folder of it.
    pub sub_path: Field<String>,
    /// Not writable.
    pub read_only: bool,
    /// GCS FUSE mount options.
    pub options: Vec<String>,
    /// GCS FUSE cache: none, memory, or a size on disk.
    pub cache: Field<String>,
}

/// A key of a secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretKey {
    /// The `secret` block.
    pub secret: Addr,
    /// The key.
    pub key: String,
}

/// A `head` or `worker` block: what the pods of that role have beyond the workload's own.
#[derive(Clone, Debug, Default)]
pub struct Pod {
    /// CPU limit.
    pub cpu: Field<String>,
    /// Memory limit.
    pub memory: Field<String>,
    /// Ephemeral storage limit.
    pub ephemeral_storage: Field<String>,
    /// Requests that are below the limits.
    pub requests: BTreeMap<String, String>,
    /// Further extended resources.
    pub resources: BTreeMap<String, String>,
    /// Environment.
    pub env: BTreeMap<String, Spanned<String>>,
    /// Environment from secrets.
    pub secret_env: BTreeMap<String, Spanned<SecretKey>>,
    /// Labels of the pods.
    pub labels: BTreeMap<String, String>,
    /// Annotations of the pods.
    pub annotations: BTreeMap<String, String>,
    /// Further node selectors.
    pub node_selector: BTreeMap<String, String>,
    /// Size of `/dev/shm`.
    pub shm_size: Field<String>,
    /// Parameters of `ray start`.
    pub ray_start_params: BTreeMap<String, String>,
    /// Seconds between SIGTERM and SIGKILL.
    pub termination_grace_period: Field<u64>,
    /// Mounts.
    pub mounts: Vec<Mount>,
}

/// What all workload blocks share.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Container image.
    pub image: Field<String>,
    /// `Always`, `IfNotPresent` or `Never`.
    pub image_pull_policy: Field<String>,
    /// Namespace, by default the stack's.
    pub namespace: Field<String>,
    /// Ray, where it differs from the stack's.
    pub ray_version: Field<Version>,
    /// KubeRay, where it differs from the stack's.
    pub kuberay_version: Field<Version>,
    /// Environment of every container.
    pub env: BTreeMap<String, Spanned<String>>,
    /// Environment from secrets.
    pub secret_env: BTreeMap<String, Spanned<SecretKey>>,
    /// Kubernetes ServiceAccount of the pods.
    pub service_account: Field<Addr>,
    /// Labels of the object.
    pub labels: BTreeMap<String, String>,
    /// Annotations of the object.
    pub annotations: BTreeMap<String, String>,
    /// Mounts of every pod.
    pub mounts: Vec<Mount>,
    /// The head pod.
    pub head_pod: Pod,
    /// The accelerator pods.
    pub worker_pod: Pod,
}

impl Workload {
    /// The mounts of every role.
    pub fn all_mounts(&self) -> impl Iterator<Item = &Mount> {
        self.mounts.iter().chain(&self.head_pod.mounts).chain(&self.worker_pod.mounts)
    }
}

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
    /// Workers, where the stack says so; else derived.
    pub num_workers: Field<u32>,
    /// Opt-in to PyTorch over several slices.
    pub multi_slice: Field<bool>,
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

/// A `model` block of a `serve`.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name that clients ask for.
    pub name: Spanned<String>,
    /// Hugging Face id or path of the weights.
    pub source: Field<String>,
    /// Copies of it, one slice each.
    pub replicas: Field<u32>,
    /// Requests that a replica takes at once.
    pub max_ongoing_requests: Field<u32>,
    /// vLLM's engine arguments under their own names, in the order of the file.
    pub engine: IndexMap<String, Spanned<serde_json::Value>>,
    /// Where the block's first line stands.
    pub span: Span,
}

impl Model {
    /// An engine argument as a whole number; `default` where it was left out, none where it is something else.
    pub fn engine_int(&self, name: &str, default: u64) -> Option<u64> {
        self.engine.get(name).map_or(Some(default), |value| value.as_u64())
    }

    /// An engine argument as a truth value; false where it was left out.
    pub fn engine_flag(&self, name: &str) -> bool {
        self.engine.get(name).and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// The place of an engine argument, or of the block.
    pub fn engine_span(&self, name: &str) -> Span {
        self.engine.get(name).map_or(self.span, |value| value.span)
    }
}

/// How a RayService takes a new cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeStrategy {
    /// A second cluster is built, then traffic moves.
    NewCluster,
    /// Changes of the cluster wait for a replace.
    None,
}

/// A `serve` block.
#[derive(Clone, Debug)]
pub struct Serve {
    /// Name and place.
    pub head: Head,
    /// What all workloads share.
    pub workload: Workload,
    /// The slices that it runs on.
    pub slice: Field<Addr>,
    /// How many of them.
    pub num_slices: Spanned<u32>,
    /// The models.
    pub models: Vec<Model>,
    /// HTTP port.
    pub port: Spanned<u32>,
    /// How it takes a new cluster.
    pub upgrade: Spanned<UpgradeStrategy>,
}

/// A typed walk over the blocks of one type.
macro_rules! of_type {
    ($($name:ident: $variant:ident -> $type:ty, $doc:literal;)*) => {
        impl Stack {
            $(
                #[doc = $doc]
                pub fn $name(&self) -> impl Iterator<Item = &$type> {
                    self.blocks.values().filter_map(|block| if let Block::$variant(inner) = block { Some(inner) } else { None })
                }
            )*
        }
    };
}

of_type! {
    clusters: Cluster -> Cluster, "The clusters.";
    slices: Slice -> Slice, "The slices.";
    buckets: Bucket -> Bucket, "The buckets.";
    service_accounts: ServiceAccount -> ServiceAccount, "The service accounts.";
    trains: Train -> Train, "The training jobs.";
    serves: Serve -> Serve, "The served applications.";
}

impl Stack {
    /// The slice at an address.
    pub fn slice(&self, addr: &Addr) -> Option<&Slice> {
        if let Some(Block::Slice(slice)) = self.blocks.get(addr) { Some(slice) } else { None }
    }

    /// The Ray version of a workload: its own, else the stack's.
    pub fn ray_version<'a>(&'a self, workload: &'a Workload) -> Option<&'a Spanned<Version>> {
        workload.ray_version.as_ref().or(self.settings.ray_version.as_ref())
    }

    /// The KubeRay version of a workload: its own, else the stack's.
    pub fn kuberay_version<'a>(&'a self, workload: &'a Workload) -> Option<&'a Spanned<Version>> {
        workload.kuberay_version.as_ref().or(self.settings.kuberay_version.as_ref())
    }
}
