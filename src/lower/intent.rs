//! What shall exist, in the systems' own terms but in no file format: what `lower` decides and `emit` spells.
//!
//! Every field is decided: emit adds the labels of ownership and nothing else. Types serialise so that a name can carry
//! a hash of what it stands for.

use serde::Serialize;

use crate::base::addr::Addr;
use crate::resolve::stack::Lifecycle;

/// Google Cloud: clusters, pools, policies, identities, buckets.
pub mod gke;
/// Pods: containers, environment, volumes, placement.
pub mod pod;
/// Ray: clusters, jobs, services.
pub mod ray;
/// Ray Train driver scripts.
pub mod train;

use gke::{Bucket, GkeCluster, GoogleServiceAccount, IamBinding, NodePool, WorkloadPolicy};
use pod::{Claim, ClaimTemplate, ConfigMap, Namespace, ServiceAccount, StorageClass};
use ray::{RayCluster, RayCronJob, RayJob, RayService};

/// One object that shall exist.
#[derive(Clone, Debug, PartialEq)]
pub struct Intent {
    /// The block that it comes from.
    pub addr: Addr,
    /// What the reader of a plan should know of it: one sentence each.
    pub notes: Vec<String>,
    /// The blocks whose objects come before it.
    pub depends_on: Vec<Addr>,
    /// How it may change.
    pub lifecycle: Lifecycle,
    /// The object.
    pub object: Object,
}

impl Intent {
    /// `object`, from the block at `addr`, without notes.
    pub fn new(addr: Addr, object: Object) -> Self {
        Self { addr, notes: Vec::new(), depends_on: Vec::new(), lifecycle: Lifecycle::default(), object }
    }
}

/// A Kubernetes object that the stack gives as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RawObject {
    /// `apps/v1`.
    pub api_version: String,
    /// `Deployment`.
    pub kind: String,
    /// Name, place, labels and annotations.
    pub meta: pod::Meta,
    /// What else stands in its metadata.
    pub more: serde_json::Map<String, serde_json::Value>,
    /// Everything else.
    pub rest: serde_json::Map<String, serde_json::Value>,
}

/// Every kind of object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Object {
    /// A GKE cluster that the stack makes.
    GkeCluster(GkeCluster),
    /// A GKE node pool; of a multi-host TPU type, it is one slice.
    NodePool(NodePool),
    /// The placement of a multi-host tpu7x slice.
    WorkloadPolicy(WorkloadPolicy),
    /// A Google service account that the stack makes.
    GoogleServiceAccount(GoogleServiceAccount),
    /// A role for someone on something.
    IamBinding(IamBinding),
    /// A Cloud Storage bucket that the stack makes.
    Bucket(Bucket),
    /// A Kubernetes namespace.
    Namespace(Namespace),
    /// A Kubernetes service account.
    ServiceAccount(ServiceAccount),
    /// Files for pods.
    ConfigMap(ConfigMap),
    /// A claim of a persistent volume.
    Claim(Claim),
    /// The disks of such claims.
    StorageClass(StorageClass),
    /// What pods claim of their node's network devices.
    ClaimTemplate(ClaimTemplate),
    /// An object as the stack gives it.
    Raw(RawObject),
    /// A Ray cluster for interactive use.
    RayCluster(RayCluster),
    /// A Ray job with the cluster that runs it.
    RayJob(RayJob),
    /// A Ray job that runs again and again.
    RayCronJob(RayCronJob),
    /// A Ray Serve application with the cluster that runs it.
    RayService(RayService),
}
