//! The typed stack: what the blocks say, with the place of every value that a message may point at.

mod autoscale;
mod cluster;
mod nodes;
mod patch;
mod ray_cluster;
mod refactor;
mod serve;
mod slice;
mod storage;
mod train;
mod workload;

pub use autoscale::*;
pub use cluster::*;
pub use nodes::*;
pub use patch::*;
pub use ray_cluster::*;
pub use refactor::*;
pub use serve::*;
pub use slice::*;
pub use storage::*;
pub use train::*;
pub use workload::*;

use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::base::addr::{Addr, Key};
use crate::base::diag::Severity;
use crate::base::span::{Span, Spanned};
use crate::eval::Value;
use crate::facts::edition::Edition;
use crate::facts::version::Version;
use crate::resolve::instances;

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
    /// The variables with their values, in the order of the file.
    pub variables: Vec<Variable>,
    /// Where each local value stands.
    pub locals: BTreeMap<String, Span>,
    /// The outputs, in the order of the file.
    pub outputs: Vec<Output>,
    /// What it says of its past.
    pub past: Past,
    /// Which block or local value is named where, sorted by place.
    pub references: Vec<Reference>,
}

/// One block naming another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The block that was named.
    pub to: Addr,
    /// Where.
    pub span: Span,
    /// The instance of the block around the place that named it, where that has several.
    pub instance: Option<Key>,
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
    /// The name that the stack had.
    pub renamed_from: Field<String>,
    /// The edition of what is emitted, where the stack names one; else it is the first.
    pub edition: Field<&'static Edition>,
    /// Severities of rules by name; none is off.
    pub rules: IndexMap<String, Spanned<Option<Severity>>>,
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
    /// `nodes`
    Nodes(Nodes),
    /// `bucket`
    Bucket(Bucket),
    /// `volume`
    Volume(Volume),
    /// `config_files`
    ConfigFiles(ConfigFiles),
    /// `manifest`
    Manifest(RawManifest),
    /// `model`
    Model(ModelFacts),
    /// `secret`
    Secret(Secret),
    /// `service_account`
    ServiceAccount(ServiceAccount),
    /// `train`
    Train(Train),
    /// `serve`
    Serve(Serve),
    /// `ray_cluster`
    RayCluster(RayCluster),
}

impl Block {
    /// What every block has.
    pub fn head(&self) -> &Head {
        match self {
            Self::Cluster(block) => &block.head,
            Self::Slice(block) => &block.head,
            Self::Nodes(block) => &block.head,
            Self::Bucket(block) => &block.head,
            Self::Volume(block) => &block.head,
            Self::ConfigFiles(block) => &block.head,
            Self::Manifest(block) => &block.head,
            Self::Model(block) => &block.head,
            Self::Secret(block) => &block.head,
            Self::ServiceAccount(block) => &block.head,
            Self::Train(block) => &block.head,
            Self::Serve(block) => &block.head,
            Self::RayCluster(block) => &block.head,
        }
    }

    /// The same, to be changed.
    pub fn head_mut(&mut self) -> &mut Head {
        match self {
            Self::Cluster(block) => &mut block.head,
            Self::Slice(block) => &mut block.head,
            Self::Nodes(block) => &mut block.head,
            Self::Bucket(block) => &mut block.head,
            Self::Volume(block) => &mut block.head,
            Self::ConfigFiles(block) => &mut block.head,
            Self::Manifest(block) => &mut block.head,
            Self::Model(block) => &mut block.head,
            Self::Secret(block) => &mut block.head,
            Self::ServiceAccount(block) => &mut block.head,
            Self::Train(block) => &mut block.head,
            Self::Serve(block) => &mut block.head,
            Self::RayCluster(block) => &mut block.head,
        }
    }
}

impl Block {
    /// What all workloads share, where the block is one.
    pub fn workload(&self) -> Option<&Workload> {
        match self {
            Self::Train(block) => Some(&block.workload),
            Self::Serve(block) => Some(&block.workload),
            Self::RayCluster(block) => Some(&block.workload),
            Self::Cluster(_)
            | Self::Slice(_)
            | Self::Nodes(_)
            | Self::Bucket(_)
            | Self::Volume(_)
            | Self::ConfigFiles(_)
            | Self::Manifest(_)
            | Self::Model(_)
            | Self::Secret(_)
            | Self::ServiceAccount(_) => None,
        }
    }

    /// The same, to change it.
    pub fn workload_mut(&mut self) -> Option<&mut Workload> {
        match self {
            Self::Train(block) => Some(&mut block.workload),
            Self::Serve(block) => Some(&mut block.workload),
            Self::RayCluster(block) => Some(&mut block.workload),
            _ => None,
        }
    }

    /// The pods of a workload, role by role; workers with the slices that they run on.
    pub fn roles(&self) -> Vec<(&Pod, Option<&Addr>)> {
        fn addr(slice: Option<&Spanned<Addr>>) -> Option<&Addr> {
            slice.map(|slice| &slice.value)
        }
        let Some(workload) = self.workload() else { return Vec::new() };
        let mut roles = vec![(&workload.head_pod, None)];
        match self {
            Self::Train(train) => roles.push((&workload.worker_pod, addr(train.slice.as_ref()))),
            Self::Serve(serve) => roles.push((&workload.worker_pod, addr(serve.slice.as_ref()))),
            Self::RayCluster(ray) => {
                roles.extend(ray.groups.iter().map(|group| (&group.worker, addr(group.slice.as_ref()))));
            }
            _ => {}
        }
        roles
    }

    /// The pods of workers, with the slices or nodes that they run on.
    pub fn workers(&self) -> Vec<(&Pod, &Addr)> {
        fn place<'a>(slice: Option<&'a Spanned<Addr>>, nodes: Option<&'a Spanned<Addr>>) -> Option<&'a Addr> {
            slice.or(nodes).map(|named| &named.value)
        }
        let Some(workload) = self.workload() else { return Vec::new() };
        let of_all = |place: Option<_>| place.map(|place| (&workload.worker_pod, place)).into_iter().collect();
        match self {
            Self::Train(train) => of_all(place(train.slice.as_ref(), train.nodes.as_ref())),
            Self::Serve(serve) => of_all(place(serve.slice.as_ref(), serve.nodes.as_ref())),
            Self::RayCluster(ray) => {
                let groups = ray.groups.iter();
                groups
                    .filter_map(|group| Some((&group.worker, place(group.slice.as_ref(), group.nodes.as_ref())?)))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Every mount of a workload: of all pods, of its roles, and of their containers.
    pub fn mounts(&self) -> impl Iterator<Item = &Mount> {
        let of_all = self.workload().into_iter().flat_map(Workload::all_mounts);
        of_all.chain(self.roles().into_iter().flat_map(|(role, _)| role.all_mounts()))
    }

    /// Every init container and sidecar of a workload.
    pub fn containers(&self) -> impl Iterator<Item = &Container> {
        let of_all = self.workload().into_iter().flat_map(Workload::containers);
        of_all.chain(self.roles().into_iter().flat_map(|(role, _)| role.containers()))
    }
}

/// What every block has.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its address.
    pub addr: Addr,
    /// The address that names are made from: the block's own, or one that it had.
    pub called: Addr,
    /// The name of the object that it becomes.
    pub name: Spanned<String>,
    /// Whether the stack gives that name, so that it stays whatever the block is called.
    pub is_named: bool,
    /// The blocks that come before it.
    pub depends_on: Vec<Addr>,
    /// How its objects may change.
    pub lifecycle: Lifecycle,
    /// Changes of its objects, in order.
    pub patches: Vec<Patch>,
    /// Where its first line stands.
    pub span: Span,
    /// Where all of it stands.
    pub extent: Span,
}

/// A `lifecycle` block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lifecycle {
    /// A plan that would delete or replace an object of the block is refused.
    pub prevent_destroy: bool,
    /// Fields that keep what is there: `spec.suspend` of a Kubernetes object, `node_count` of a Terraform resource.
    pub ignore_changes: Vec<String>,
    /// Blocks whose change makes the block's objects anew.
    pub replace_triggered_by: Vec<Addr>,
}

impl Head {
    /// The block's name with the instance's key, for names that are the stack's own affair.
    pub fn label(&self) -> String {
        let key = self.called.key.as_ref().map(instances::name_part);
        key.map_or_else(|| self.called.name.clone(), |key| format!("{}-{key}", self.called.name))
    }
}

/// A `variable` block with its value.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Whether the value must not be shown.
    pub sensitive: bool,
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
    all_nodes: Nodes -> Nodes, "The GPU and CPU nodes.";
    buckets: Bucket -> Bucket, "The buckets.";
    service_accounts: ServiceAccount -> ServiceAccount, "The service accounts.";
    trains: Train -> Train, "The training jobs.";
    serves: Serve -> Serve, "The served applications.";
    ray_clusters: RayCluster -> RayCluster, "The Ray clusters for interactive use.";
}

impl Stack {
    /// The slice at an address.
    pub fn slice(&self, addr: &Addr) -> Option<&Slice> {
        if let Some(Block::Slice(slice)) = self.blocks.get(addr) { Some(slice) } else { None }
    }

    /// The cluster that a slice or nodes name.
    pub fn cluster(&self, named: &Field<Addr>) -> Option<&Cluster> {
        let addr = &named.as_ref()?.value;
        if let Some(Block::Cluster(cluster)) = self.blocks.get(addr) { Some(cluster) } else { None }
    }

    /// The cluster of a slice.
    pub fn cluster_of(&self, slice: &Slice) -> Option<&Cluster> {
        self.cluster(&slice.cluster)
    }

    /// Whether GKE makes the nodes of a slice for the pods that ask for them.
    pub fn is_autopilot(&self, slice: &Slice) -> bool {
        self.cluster_of(slice).is_some_and(|cluster| cluster.mode.value == ClusterMode::Autopilot)
    }

    /// The nodes at an address.
    pub fn nodes(&self, addr: &Addr) -> Option<&Nodes> {
        if let Some(Block::Nodes(nodes)) = self.blocks.get(addr) { Some(nodes) } else { None }
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
