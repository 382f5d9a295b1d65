//! What all workload blocks share.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::facts::version::Version;
use crate::resolve::stack::Field;

/// What a mount mounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MountSource {
    /// A bucket, through GCS FUSE.
    Bucket(Addr),
    /// A persistent volume.
    Volume(Addr),
    /// Files of a `config_files` block.
    ConfigFiles(Addr),
    /// A secret's keys as files.
    Secret(Addr),
    /// Scratch space.
    EmptyDir {
        /// `Memory`, or the node's disk.
        memory: bool,
        /// At most so much.
        size: Option<String>,
    },
    /// A path of the node.
    HostPath(String),
    /// A mount of the pod, of the same name: what a container's own `mount` without a source names.
    Shared,
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

impl Mount {
    /// Whether it names a mount of the pod instead of being one.
    pub fn is_shared(&self) -> bool {
        self.source == Some(MountSource::Shared)
    }
}

/// A key of a secret.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretKey {
    /// The `secret` block.
    pub secret: Addr,
    /// The key.
    pub key: String,
}

/// The environment that a block gives its containers.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Plain values.
    pub values: BTreeMap<String, Spanned<String>>,
    /// Keys of secrets.
    pub secrets: BTreeMap<String, Spanned<SecretKey>>,
    /// Fields of the pod: `status.hostIP`.
    pub fields: BTreeMap<String, Spanned<String>>,
    /// Blocks of which every key becomes a variable.
    pub from: Vec<Spanned<Addr>>,
}

impl Environment {
    /// Every variable that is given by name, with the attribute that gives it and where.
    pub fn named(&self) -> impl Iterator<Item = (&str, &'static str, Span)> {
        let values = self.values.iter().map(|(name, value)| (name.as_str(), "env", value.span));
        let secrets = self.secrets.iter().map(|(name, value)| (name.as_str(), "secret_env", value.span));
        let fields = self.fields.iter().map(|(name, value)| (name.as_str(), "field_env", value.span));
        values.chain(secrets).chain(fields)
    }
}

/// A `container` or `init_container` block.
#[derive(Clone, Debug)]
pub struct Container {
    /// Its label.
    pub name: Spanned<String>,
    /// Its image; the workload's where it has none.
    pub image: Field<String>,
    /// `Always`, `IfNotPresent` or `Never`.
    pub image_pull_policy: Field<String>,
    /// Replaces the image's entry point.
    pub command: Vec<String>,
    /// Arguments.
    pub args: Vec<String>,
    /// Working directory.
    pub working_dir: Field<String>,
    /// Environment.
    pub env: Environment,
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
    /// Ports by name.
    pub ports: BTreeMap<String, u16>,
    /// Every device of the node.
    pub privileged: bool,
    /// The user that it runs as.
    pub run_as_user: Field<u64>,
    /// An init container that stays beside the main one.
    pub keep_running: bool,
    /// Its mounts.
    pub mounts: Vec<Mount>,
}

/// A taint that pods bear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toleration {
    /// The taint's key; none bears every taint.
    pub key: Option<String>,
    /// Its value; none bears every value.
    pub value: Option<String>,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`; none is all.
    pub effect: Option<String>,
    /// Seconds until a pod leaves a node with the taint.
    pub seconds: Option<u64>,
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
    pub env: Environment,
    /// Labels of the pods.
    pub labels: BTreeMap<String, String>,
    /// Annotations of the pods.
    pub annotations: BTreeMap<String, String>,
    /// Further node selectors.
    pub node_selector: BTreeMap<String, String>,
    /// Taints that the pods bear.
    pub tolerations: Vec<Toleration>,
    /// The main container gets every device of the node.
    pub privileged: bool,
    /// The node's network instead of the pod's own.
    pub host_network: bool,
    /// Size of `/dev/shm`.
    pub shm_size: Field<String>,
    /// The nodes that the head runs on.
    pub nodes: Field<Addr>,
    /// GPUs of the head.
    pub gpus: Field<u32>,
    /// Parameters of `ray start`.
    pub ray_start_params: BTreeMap<String, String>,
    /// Seconds between SIGTERM and SIGKILL.
    pub termination_grace_period: Field<u64>,
    /// Mounts.
    pub mounts: Vec<Mount>,
    /// Init containers, in the order of the file.
    pub init_containers: Vec<Container>,
    /// Sidecars, in the order of the file.
    pub sidecars: Vec<Container>,
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
    /// Environment of every pod's main container.
    pub env: Environment,
    /// Kubernetes ServiceAccount of the pods.
    pub service_account: Field<Addr>,
    /// Labels of the object.
    pub labels: BTreeMap<String, String>,
    /// Annotations of the object.
    pub annotations: BTreeMap<String, String>,
    /// `PriorityClass` of every pod.
    pub priority_class: Field<String>,
    /// Mounts of every pod's main container.
    pub mounts: Vec<Mount>,
    /// Init containers of every pod, in the order of the file.
    pub init_containers: Vec<Container>,
    /// Sidecars of every pod, in the order of the file.
    pub sidecars: Vec<Container>,
    /// The head pod.
    pub head_pod: Pod,
    /// The accelerator pods.
    pub worker_pod: Pod,
}

impl Pod {
    /// Its init containers and sidecars.
    pub fn containers(&self) -> impl Iterator<Item = &Container> {
        self.init_containers.iter().chain(&self.sidecars)
    }

    /// Its mounts, those of its containers included.
    pub fn all_mounts(&self) -> impl Iterator<Item = &Mount> {
        self.mounts.iter().chain(self.containers().flat_map(|container| &container.mounts))
    }
}

impl Workload {
    /// The init containers and sidecars of every pod.
    pub fn containers(&self) -> impl Iterator<Item = &Container> {
        self.init_containers.iter().chain(&self.sidecars)
    }

    /// The mounts of every pod, those of its containers included.
    pub fn all_mounts(&self) -> impl Iterator<Item = &Mount> {
        self.mounts.iter().chain(self.containers().flat_map(|container| &container.mounts))
    }

    /// The mounts that a container of any pod may name.
    pub fn pod_mounts(&self) -> Vec<Mount> {
        pod_mounts(&self.mounts, self.containers())
    }
}

/// Mounts that are volumes of the pod: these, and those that its containers bring.
pub fn pod_mounts<'a>(own: &'a [Mount], containers: impl Iterator<Item = &'a Container>) -> Vec<Mount> {
    let of_containers = containers.flat_map(|container| &container.mounts);
    own.iter().chain(of_containers).filter(|mount| !mount.is_shared()).cloned().collect()
}
