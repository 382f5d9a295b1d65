//! Intents of Google Cloud: clusters, node pools, placement policies, identities, buckets.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// A GKE cluster that the stack makes. One that it only uses is a [`ClusterRef`] and no intent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(clippy::struct_excessive_bools)] // each is a switch of GKE's own
pub struct GkeCluster {
    /// The local name of the Terraform resource: what [`ClusterRef::managed`] repeats.
    pub resource: String,
    /// Its name in GKE.
    pub name: String,
    /// The project that owns it.
    pub project: String,
    /// A region or a zone.
    pub location: String,
    /// GKE runs the nodes.
    pub autopilot: bool,
    /// `RAPID`, `REGULAR`, `STABLE`, `EXTENDED`; none leaves GKE's choice.
    pub release_channel: Option<String>,
    /// The lowest control plane version.
    pub min_version: Option<String>,
    /// The VPC; none is `default`.
    pub network: Option<String>,
    /// The subnetwork.
    pub subnetwork: Option<String>,
    /// Further add-ons by name, sorted.
    pub addons: BTreeSet<String>,
    /// Times without upgrades.
    pub exclusions: Vec<Exclusion>,
    /// Nodes may have several networks.
    pub multi_networking: bool,
    /// Nodes without public addresses.
    pub private_nodes: bool,
    /// Address blocks that may reach the control plane; empty leaves it open.
    pub authorized_networks: Vec<String>,
    /// Pods may act as Google identities through `PROJECT.svc.id.goog`.
    pub workload_identity: bool,
    /// GKE installs `KubeRay` and the TPU webhook (needs 1.30.0-gke.1747000).
    pub ray_addon: bool,
    /// GKE installs the Cloud Storage FUSE driver.
    pub gcs_fuse: bool,
    /// Dataplane V2.
    pub dataplane_v2: bool,
    /// Terraform refuses to destroy it.
    pub deletion_protection: bool,
    /// What becomes of the pool that GKE makes with a cluster. Not read under `autopilot`.
    pub default_pool: DefaultPool,
    /// Labels of the cluster in Google Cloud.
    pub labels: BTreeMap<String, String>,
}

/// A time without upgrades.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exclusion {
    /// Its name.
    pub name: String,
    /// When it begins, in UTC.
    pub start_time: String,
    /// When it ends.
    pub end_time: String,
    /// `NO_UPGRADES` and its like.
    pub scope: String,
}

/// The pool that GKE makes with a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum DefaultPool {
    /// It goes at once: other pools carry all pods, those without chips included.
    Remove,
    /// It stays, so that Ray heads and system pods have nodes without chips.
    Keep {
        /// Nodes (in a regional cluster: per zone).
        node_count: u32,
        /// Machine type; none leaves GKE's choice.
        machine_type: Option<String>,
    },
}

/// The cluster that something belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClusterRef {
    /// Its name in GKE.
    pub name: String,
    /// The project that owns it.
    pub project: String,
    /// A region or a zone.
    pub location: String,
    /// The Terraform resource's local name where this stack makes it; none where it exists.
    pub managed: Option<String>,
}

/// A node pool. A multi-host TPU pool is one slice: two slices are two pools.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodePool {
    /// Its name in GKE and, made an identifier, in Terraform. It contains generation and topology of a TPU pool: the
    /// provider plans a change of topology as an update that does nothing, so it must be another pool.
    pub name: String,
    /// Where it belongs.
    pub cluster: ClusterRef,
    /// The one zone of its nodes; none leaves the cluster's.
    pub zone: Option<String>,
    /// `ct6e-standard-4t`.
    pub machine_type: String,
    /// How many nodes.
    pub size: PoolSize,
    /// How its nodes are placed.
    pub placement: Placement,
    /// Where its capacity comes from.
    pub capacity: Capacity,
    /// GKE repairs broken nodes; false under flex-start.
    pub auto_repair: bool,
    /// `hyperdisk-balanced`; none leaves GKE's choice.
    pub disk_type: Option<String>,
    /// Boot disk.
    pub disk_size_gib: Option<u64>,
    /// Pods a node.
    pub max_pods_per_node: Option<u32>,
    /// Kubernetes labels of its nodes.
    pub labels: BTreeMap<String, String>,
    /// Taints of its nodes, beyond those that GKE adds.
    pub taints: Vec<Taint>,
    /// Who its nodes are; none is the project's default account.
    pub service_account: Option<AccountRef>,
    /// DRANET: GKE attaches the machine's accelerator networks.
    pub accelerator_network: bool,
    /// Further networks of its nodes, in order.
    pub networks: Vec<Network>,
    /// The GPUs of each node.
    pub gpus: Option<GuestAccelerator>,
}

/// GPUs of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GuestAccelerator {
    /// GKE's name of the type: `nvidia-h100-80gb`.
    pub kind: String,
    /// How many.
    pub count: u32,
    /// Which driver GKE installs: `DEFAULT`, `LATEST`, `INSTALLATION_DISABLED`.
    pub driver: String,
}

/// A further network of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Network {
    /// The VPC.
    pub network: String,
    /// The subnetwork.
    pub subnetwork: String,
}

/// How many nodes a pool has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PoolSize {
    /// Always so many: the hosts of a slice.
    Fixed(u32),
    /// Scaled by GKE. A multi-host TPU pool goes from 0 to its hosts at once.
    Scaled {
        /// Fewest nodes.
        min: u32,
        /// Most nodes.
        max: u32,
    },
}

/// How the nodes of a pool are placed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Placement {
    /// No policy: CPU nodes, and TPU types with the whole slice on one host.
    None,
    /// One multi-host slice of v4, v5e, v5p, v6e.
    Compact {
        /// `4x4`.
        topology: String,
    },
    /// One multi-host slice of tpu7x: the [`WorkloadPolicy`] of that name.
    WorkloadPolicy(String),
}

/// Where capacity comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Capacity {
    /// As available.
    OnDemand,
    /// May be taken back at any time.
    Spot,
    /// Capacity set aside.
    Reservation {
        /// Its name.
        name: String,
        /// The project that shares it; none is the cluster's.
        project: Option<String>,
        /// A block of it.
        block: Option<String>,
    },
    /// Dynamic Workload Scheduler: for a bounded time, when there is room.
    FlexStart {
        /// Through a queue (Kueue's provisioning request).
        queued: bool,
        /// Seconds until the nodes go.
        max_run_duration_s: Option<u64>,
    },
}

/// A taint of nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Taint {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// `NoSchedule`, `PreferNoSchedule`, `NoExecute`.
    pub effect: String,
}

/// The placement policy of a multi-host tpu7x slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkloadPolicy {
    /// Its name in Compute Engine.
    pub name: String,
    /// The project that owns it.
    pub project: String,
    /// The region of the slice.
    pub region: String,
    /// `4x4x8`.
    pub topology: String,
}

/// A Google service account that the stack makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GoogleServiceAccount {
    /// The part before `@`.
    pub account_id: String,
    /// The project that owns it.
    pub project: String,
    /// What people see.
    pub display_name: Option<String>,
}

/// A Google service account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum AccountRef {
    /// The account that this stack makes, by its id.
    Managed(String),
    /// One that exists.
    Email(String),
}

/// A role for a member on a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IamBinding {
    /// Its name in Terraform, unique in the stack.
    pub name: String,
    /// `roles/storage.objectUser`.
    pub role: String,
    /// On what.
    pub target: IamTarget,
    /// For whom.
    pub member: Member,
}

/// What a role is given on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum IamTarget {
    /// A project.
    Project(String),
    /// A bucket.
    Bucket {
        /// Its name.
        name: String,
        /// This stack makes it.
        managed: bool,
    },
    /// A Google service account: who may act as it.
    Account {
        /// The account.
        account: AccountRef,
        /// The project that owns it.
        project: String,
    },
}

/// Who gets a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Member {
    /// A Google service account.
    Account(AccountRef),
    /// A Kubernetes service account, directly (`principal://…`); Terraform looks up the project's number.
    Principal(KubernetesIdentity),
    /// A Kubernetes service account in the form that `roles/iam.workloadIdentityUser` takes
    /// (`serviceAccount:PROJECT.svc.id.goog[NAMESPACE/NAME]`).
    WorkloadIdentityUser(KubernetesIdentity),
}

/// A Kubernetes service account as Google Cloud sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KubernetesIdentity {
    /// The project of the cluster's workload pool.
    pub project: String,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// A Cloud Storage bucket that the stack makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bucket {
    /// Its name.
    pub name: String,
    /// The project that owns it.
    pub project: String,
    /// A region or multi-region.
    pub location: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
}
