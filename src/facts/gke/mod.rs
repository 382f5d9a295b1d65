//! What GKE needs and does: minimum versions, and the names that pools, identities and volumes hang on.

mod node_pool;

pub use node_pool::{Change, FIELDS, Field, NODE_POOL_SOURCE, change_of};

use crate::facts::source::{Cited, Source};
use crate::facts::version::Version;

/// A feature of GKE that hangs on its version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The Ray operator add-on, with the TPU webhook.
    RayAddon,
    /// A TPU webhook that the stack's owner installs.
    SelfManagedTpuWebhook,
    /// DRANET: `accelerator_network_profile = "auto"`, with Dataplane V2.
    Dranet,
    /// Flex-start of TPU pools.
    FlexStartTpu,
    /// Flex-start of GPU pools.
    FlexStartGpu,
    /// `ComputeClass`.
    ComputeClass,
    /// A `ComputeClass` that makes pools in a cluster without node auto-provisioning.
    ComputeClassPools,
    /// A `ComputeClass` of Autopilot nodes in a Standard cluster.
    AutopilotComputeClass,
    /// Several TPU slices that train together, in Standard.
    MultisliceStandard,
    /// Several TPU slices that train together, in Autopilot.
    MultisliceAutopilot,
    /// The `dynamic-rwo` storage class.
    DynamicRwo,
}

/// A feature and the oldest GKE that has it.
#[derive(Debug)]
pub struct FeatureRow {
    /// The feature.
    pub feature: Feature,
    /// Its name in a message.
    pub name: &'static str,
    /// The oldest version.
    pub min: Cited<Version>,
}

const fn since(feature: Feature, name: &'static str, min: Version, source: &'static str) -> FeatureRow {
    FeatureRow { feature, name, min: Cited { value: min, source: Source(source) } }
}

const DOCS: &str = "GKE documentation (2026-11)";

/// Every feature that hangs on a version.
pub static FEATURES: &[FeatureRow] = &[
    since(Feature::RayAddon, "the Ray operator add-on", Version::gke(1, 30, 0, 1_747_000), DOCS),
    since(
        Feature::SelfManagedTpuWebhook,
        "the TPU webhook",
        Version::new(1, 28, 0),
        "kuberay-tpu-webhook ef658db (chart 0.3.1)",
    ),
    since(
        Feature::Dranet,
        "DRANET",
        Version::gke(1, 34, 1, 1_829_001),
        "GKE documentation on DRANET; Cluster Toolkit 1.95",
    ),
    since(Feature::FlexStartTpu, "flex-start of TPUs", Version::gke(1, 33, 0, 1_712_000), DOCS),
    since(Feature::FlexStartGpu, "flex-start of GPUs", Version::gke(1, 32, 2, 1_652_000), DOCS),
    since(Feature::ComputeClass, "ComputeClass", Version::gke(1, 30, 3, 1_451_000), DOCS),
    since(
        Feature::ComputeClassPools,
        "a ComputeClass that makes node pools without node auto-provisioning",
        Version::gke(1, 33, 3, 1_136_000),
        DOCS,
    ),
    since(Feature::AutopilotComputeClass, "a ComputeClass of Autopilot nodes", Version::gke(1, 33, 1, 1_107_000), DOCS),
    since(Feature::MultisliceStandard, "multislice in Standard", Version::gke(1, 27, 4, 900), DOCS),
    since(Feature::MultisliceAutopilot, "multislice in Autopilot", Version::gke(1, 29, 2, 1_521_000), DOCS),
    since(Feature::DynamicRwo, "the dynamic-rwo storage class", Version::gke(1, 35, 3, 1_290_000), DOCS),
];

/// The row of a feature; None only if the table forgets one, which a test forbids.
pub fn feature(feature: Feature) -> Option<&'static FeatureRow> {
    FEATURES.iter().find(|row| row.feature == feature)
}

/// Pods a node of a TPU pool: more would reserve addresses that large pools don't have.
pub const MAX_PODS_PER_NODE: Cited<u32> =
    Cited { value: 15, source: Source("xpk 1.16; with the default of 110, 64 nodes ran out of pod addresses") };

/// The longest that flex-start lends a machine, in seconds: seven days.
pub const FLEX_START_MAX_SECONDS: Cited<u64> =
    Cited { value: 604_800, source: Source("GKE documentation on flex-start") };

/// The OAuth scope of nodes: narrower ones fail when a checkpoint is written, and can't be changed later.
pub const OAUTH_SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";

/// What a TPU pod asks for, per host.
pub const TPU_RESOURCE: &str = "google.com/tpu";

/// The taint that GKE gives TPU nodes.
pub const TPU_TAINT: &str = "google.com/tpu";

/// What a GPU pod asks for, and the taint that GKE gives GPU nodes.
pub const GPU_RESOURCE: &str = "nvidia.com/gpu";

/// Labels of nodes, by which pods choose them.
pub mod labels {
    use crate::facts::source::{Cited, Source};

    /// The TPU generation.
    pub const TPU_ACCELERATOR: &str = "cloud.google.com/gke-tpu-accelerator";
    /// Its values beside those of the generations that a stack can have: older ones, and pools that other tools make.
    pub const OTHER_TPU_ACCELERATORS: Cited<&[&str]> = Cited {
        value: &["tpu-v3-device", "tpu-v3-slice", "tpu-v5-lite-device", "tpu7"],
        source: Source("GKE's cluster autoscaler (2026)"),
    };
    /// The topology of the slice.
    pub const TPU_TOPOLOGY: &str = "cloud.google.com/gke-tpu-topology";
    /// The GPU type.
    pub const GPU_ACCELERATOR: &str = "cloud.google.com/gke-accelerator";
    /// Chips or GPUs of the node.
    pub const ACCELERATOR_COUNT: &str = "cloud.google.com/gke-accelerator-count";
    /// The node pool.
    pub const NODE_POOL: &str = "cloud.google.com/gke-nodepool";
    /// `true` on Spot nodes, which also have it as a taint where no compute class made them.
    pub const SPOT: &str = "cloud.google.com/gke-spot";
    /// `true` on flex-start nodes.
    pub const FLEX_START: &str = "cloud.google.com/gke-flex-start";
    /// `true` on queued nodes, which also have it as a taint.
    pub const QUEUED: &str = "cloud.google.com/gke-queued";
    /// The compute class.
    pub const COMPUTE_CLASS: &str = "cloud.google.com/compute-class";
    /// The reservation.
    pub const RESERVATION_NAME: &str = "cloud.google.com/reservation-name";
    /// The project of the reservation.
    pub const RESERVATION_PROJECT: &str = "cloud.google.com/reservation-project";
    /// `specific` or `any`.
    pub const RESERVATION_AFFINITY: &str = "cloud.google.com/reservation-affinity";
    /// A block of the reservation.
    pub const RESERVATION_BLOCKS: &str = "cloud.google.com/reservation-blocks";
    /// The workload policy that places the nodes of a slice.
    pub const PLACEMENT_POLICY: &str = "cloud.google.com/placement-policy-name";
    /// The zone.
    pub const ZONE: &str = "topology.kubernetes.io/zone";
    /// The longest life of the node.
    pub const MAX_RUN_DURATION: &str = "cloud.google.com/gke-max-run-duration-seconds";
}

/// An add-on of GKE that a stack may ask for by name.
#[derive(Debug)]
pub struct Addon {
    /// What a stack writes; Terraform's block is the same with `_config` behind.
    pub name: &'static str,
}

/// Add-ons that Terraform turns on with `enabled = true` (schema of terraform-provider-google 7.46).
pub static ADDONS: &[Addon] = &[
    Addon { name: "config_connector" },
    Addon { name: "dns_cache" },
    Addon { name: "gce_persistent_disk_csi_driver" },
    Addon { name: "gcp_filestore_csi_driver" },
    Addon { name: "gcs_fuse_csi_driver" },
    Addon { name: "gke_backup_agent" },
    Addon { name: "high_scale_checkpointing" },
    Addon { name: "lustre_csi_driver" },
    Addon { name: "parallelstore_csi_driver" },
    Addon { name: "slice_controller" },
    Addon { name: "stateful_ha" },
];

/// DRANET: pods claim network devices of their node.
pub mod dranet {
    use crate::facts::source::Source;

    /// The class of network devices without RDMA: those of TPU machines.
    pub const DEVICE_CLASS: &str = "netdev.google.com";
    /// The class of network devices with RDMA: those of GPU machines.
    pub const RDMA_DEVICE_CLASS: &str = "mrdma.google.com";
    /// The label, `"true"`, of nodes that run the driver.
    pub const NODE_LABEL: &str = "cloud.google.com/gke-networking-dra-driver";
    /// Where it was read.
    pub const SOURCE: Source = Source("GKE documentation on DRANET; kubernetes-engine-samples 2b503651");
}

/// Workload Identity: pods act as a Google service account.
pub mod workload_identity {
    /// The annotation of a Kubernetes service account that names the Google one.
    pub const ANNOTATION: &str = "iam.gke.io/gcp-service-account";
    /// The role on the Google service account.
    pub const ROLE: &str = "roles/iam.workloadIdentityUser";
    /// The mode of a node's metadata server.
    pub const METADATA_MODE: &str = "GKE_METADATA";
    /// The pool of a project is its name with this behind.
    pub const POOL_SUFFIX: &str = ".svc.id.goog";
    /// Roles on a bucket that checkpoints and GCS FUSE need.
    pub const BUCKET_ROLES: &[&str] = &["roles/storage.objectAdmin", "roles/storage.legacyBucketReader"];
}

/// GCS FUSE: a bucket as a folder.
pub mod gcs_fuse {
    use crate::facts::source::Source;

    /// The CSI driver.
    pub const DRIVER: &str = "gcsfuse.csi.storage.gke.io";
    /// The annotation, `"true"`, of every pod that mounts a bucket.
    pub const ANNOTATION: &str = "gke-gcsfuse/volumes";
    /// The name that a volume for the cache must have.
    pub const CACHE_VOLUME: &str = "gke-gcsfuse-cache";
    /// Annotations that limit the sidecar; `"0"` is no limit.
    pub const LIMITS: &[&str] =
        &["gke-gcsfuse/cpu-limit", "gke-gcsfuse/memory-limit", "gke-gcsfuse/ephemeral-storage-limit"];
    /// Where it was read.
    pub const SOURCE: Source = Source("GKE documentation on Cloud Storage FUSE");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_one_row() {
        let all = [
            Feature::RayAddon,
            Feature::SelfManagedTpuWebhook,
            Feature::Dranet,
            Feature::FlexStartTpu,
            Feature::FlexStartGpu,
            Feature::ComputeClass,
            Feature::ComputeClassPools,
            Feature::AutopilotComputeClass,
            Feature::MultisliceStandard,
            Feature::MultisliceAutopilot,
            Feature::DynamicRwo,
        ];
        assert_eq!(all.len(), FEATURES.len());
        for wanted in all {
            assert_eq!(feature(wanted).map(|row| row.feature), Some(wanted));
        }
    }

    #[test]
    fn a_generations_dranet_is_that_of_gke() {
        for row in crate::facts::accelerators::ACCELERATORS {
            if let Some(dranet) = &row.dranet {
                assert_eq!(Some(&dranet.min_gke), feature(Feature::Dranet).map(|row| &row.min.value));
            }
        }
    }
}
