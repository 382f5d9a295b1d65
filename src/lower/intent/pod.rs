//! Intents of core Kubernetes: the shape of a pod, and the small objects that pods need.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;

use crate::lower::intent::train::TrainDriver;

/// Name, place and the stack's own labels of a namespaced object. Emit adds the labels of ownership.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Meta {
    /// Its name.
    pub name: String,
    /// Its namespace.
    pub namespace: String,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
}

/// A namespace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// Labels.
    pub labels: BTreeMap<String, String>,
}

/// A Kubernetes service account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServiceAccount {
    /// Name and place.
    pub meta: Meta,
    /// The e-mail of the Google service account that its pods act as (`iam.gke.io/gcp-service-account`).
    pub google_service_account: Option<String>,
}

/// Files for pods.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConfigMap {
    /// Name and place.
    pub meta: Meta,
    /// The files by name.
    pub files: IndexMap<String, FileText>,
}

/// A claim of a persistent volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Name and place.
    pub meta: Meta,
    /// Its `StorageClass`; the cluster's default without one.
    pub storage_class: Option<String>,
    /// `ReadWriteOnce`.
    pub access_mode: String,
    /// `200Gi`.
    pub size: String,
}

/// Disks of one type, made when a pod first needs one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StorageClass {
    /// Its name; it has no namespace.
    pub meta: Meta,
    /// `hyperdisk-balanced`.
    pub disk_type: String,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum FileText {
    /// As it is.
    Text(String),
    /// A generated Ray Train driver.
    TrainDriver(Box<TrainDriver>),
}

/// A pod.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pod {
    /// Labels of the pod.
    pub labels: BTreeMap<String, String>,
    /// Annotations of the pod; GCS FUSE's are decided here too.
    pub annotations: BTreeMap<String, String>,
    /// Init containers, in order.
    pub init_containers: Vec<Container>,
    /// The main container first, then sidecars.
    pub containers: Vec<Container>,
    /// Volumes, in order.
    pub volumes: Vec<Volume>,
    /// Labels that a node must have.
    pub node_selector: BTreeMap<String, String>,
    /// Taints that it bears.
    pub tolerations: Vec<Toleration>,
    /// What it claims of its node's devices.
    pub resource_claims: Vec<ResourceClaim>,
    /// Who it is in Kubernetes.
    pub service_account: Option<String>,
    /// Priority.
    pub priority_class: Option<String>,
    /// `Never`, `OnFailure`, `Always`; none leaves the controller's choice.
    pub restart_policy: Option<String>,
    /// The node's network instead of its own.
    pub host_network: bool,
    /// False keeps Services out of the environment (a Service named `vllm` would set `VLLM_PORT`).
    pub service_links: bool,
    /// Seconds between the signal to end and the kill.
    pub termination_grace_period_s: Option<u64>,
}

/// A container.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Container {
    /// Its name.
    pub name: String,
    /// Its image.
    pub image: String,
    /// `Always`, `IfNotPresent`, `Never`.
    pub image_pull_policy: Option<String>,
    /// Replaces the image's entry point.
    pub command: Vec<String>,
    /// Arguments.
    pub args: Vec<String>,
    /// Working directory.
    pub working_dir: Option<String>,
    /// Environment, in order: a `$(NAME)` stands after what it names.
    pub env: Vec<Env>,
    /// Whole secrets or config maps as environment.
    pub env_from: Vec<EnvFrom>,
    /// Ports, named.
    pub ports: Vec<Port>,
    /// What it may use and what it gets.
    pub resources: Resources,
    /// What of the pod's volumes it sees.
    pub mounts: Vec<Mount>,
    /// What it may do.
    pub security: Security,
    /// An init container that stays beside the main one.
    pub keep_running: bool,
}

/// One environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Env {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: EnvValue,
}

impl Env {
    /// `name` with a plain value.
    pub fn plain(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: EnvValue::Plain(value.into()) }
    }
}

/// The value of an environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum EnvValue {
    /// A text, in which `$(NAME)` stands for an earlier variable.
    Plain(String),
    /// A field of the pod: `status.hostIP`.
    Field(String),
    /// A key of a secret.
    SecretKey {
        /// The secret.
        name: String,
        /// Its key.
        key: String,
        /// The pod starts without it too.
        optional: bool,
    },
}

/// Many environment variables at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum EnvFrom {
    /// Every key of a secret.
    Secret {
        /// The secret.
        name: String,
        /// The pod starts without it too.
        optional: bool,
    },
    /// Every key of a config map.
    ConfigMap(String),
}

/// A port of a container.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Its name: `KubeRay` makes Services of named ports only.
    pub name: String,
    /// Its number.
    pub port: u16,
}

/// Resources of a container: Kubernetes quantities by resource name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Upper bounds.
    pub limits: BTreeMap<String, String>,
    /// What the scheduler counts.
    pub requests: BTreeMap<String, String>,
    /// Claims of the pod that the container may use, by name.
    pub claims: Vec<String>,
}

/// A volume in a container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Mount {
    /// The pod's volume.
    pub volume: String,
    /// Where.
    pub path: String,
    /// Only this file or folder of it.
    pub sub_path: Option<String>,
    /// Without the right to write.
    pub read_only: bool,
}

/// What a container may do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Security {
    /// All of the node's devices.
    pub privileged: bool,
    /// Capabilities added: `IPC_LOCK`.
    pub add_capabilities: Vec<String>,
    /// The user it runs as.
    pub run_as_user: Option<u64>,
}

/// A volume of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Volume {
    /// Its name. A GCS FUSE cache must be called `gke-gcsfuse-cache`.
    pub name: String,
    /// What it is.
    pub source: VolumeSource,
}

/// What a volume is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum VolumeSource {
    /// Scratch space.
    EmptyDir {
        /// In memory, counted against the pod's limit.
        memory: bool,
        /// `200Gi`.
        size_limit: Option<String>,
    },
    /// A bucket through Cloud Storage FUSE.
    GcsFuse {
        /// The bucket.
        bucket: String,
        /// `implicit-dirs`, joined by commas; caching options included.
        mount_options: Vec<String>,
        /// Without the right to write.
        read_only: bool,
    },
    /// Files of a config map.
    ConfigMap(String),
    /// Files of a secret.
    Secret {
        /// The secret.
        name: String,
        /// The pod starts without it too.
        optional: bool,
    },
    /// A claim that exists.
    Claim {
        /// The claim.
        name: String,
        /// Without the right to write.
        read_only: bool,
    },
    /// A path of the node.
    HostPath(String),
}

/// A claim of a pod.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResourceClaim {
    /// What the pod calls it.
    pub name: String,
    /// The template that it is made from.
    pub template: String,
}

/// What claims made from it ask for: devices of one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClaimTemplate {
    /// Name and place.
    pub meta: Meta,
    /// The class: `netdev.google.com`.
    pub device_class: String,
    /// How many devices; none is all of the node.
    pub count: Option<u32>,
}

/// A taint that a pod bears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Toleration {
    /// Its key; none bears every taint.
    pub key: Option<String>,
    /// Its value; none bears every value.
    pub value: Option<String>,
    /// `NoSchedule`, `PreferNoSchedule`, `NoExecute`; none is all.
    pub effect: Option<String>,
    /// Seconds until a pod leaves a node with the taint; none stays.
    pub seconds: Option<u64>,
}
