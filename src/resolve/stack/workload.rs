//! What all workload blocks share.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::span::Spanned;
use crate::facts::version::Version;
use crate::resolve::stack::Field;

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
