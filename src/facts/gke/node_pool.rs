//! What a change of a field of `google_container_node_pool` does: read in the provider's source, a row a field.

use crate::facts::source::Source;

/// What Terraform and GKE do when a field changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The pool is destroyed and made again.
    Replace,
    /// The pool stays, its nodes are made again.
    RecreateNodes,
    /// The pool and its nodes stay.
    InPlace,
    /// The plan shows an update, nothing happens, and the state then lies.
    NoEffect,
}

/// A field and what its change does.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// The path in the resource; a trailing `.*` stands for everything below.
    pub path: &'static str,
    /// What a change does.
    pub change: Change,
}

/// Where the rows were read.
pub const NODE_POOL_SOURCE: Source = Source("terraform-provider-google 7.46 (e03b7622)");

const fn on(path: &'static str, change: Change) -> Field {
    Field { path, change }
}

/// The fields, by path. A field that isn't here wasn't read.
pub static FIELDS: &[Field] = &[
    on("autoscaling.*", Change::InPlace),
    on("cluster", Change::Replace),
    on("initial_node_count", Change::Replace),
    on("location", Change::Replace),
    on("management.*", Change::InPlace),
    on("max_pods_per_node", Change::Replace),
    on("name", Change::Replace),
    on("name_prefix", Change::Replace),
    on("network_config.accelerator_network_profile", Change::Replace),
    on("network_config.additional_node_network_configs", Change::Replace),
    on("network_config.additional_pod_network_configs", Change::Replace),
    on("network_config.pod_range", Change::Replace),
    on("network_config.subnetwork", Change::Replace),
    on("node_config.disk_size_gb", Change::RecreateNodes),
    on("node_config.disk_type", Change::RecreateNodes),
    on("node_config.ephemeral_storage_local_ssd_config.*", Change::Replace),
    on("node_config.flex_start", Change::Replace),
    on("node_config.gcfs_config.*", Change::InPlace),
    on("node_config.guest_accelerator.*", Change::Replace),
    on("node_config.gvnic.*", Change::InPlace),
    on("node_config.host_maintenance_policy.*", Change::Replace),
    on("node_config.image_type", Change::InPlace),
    on("node_config.kubelet_config.*", Change::InPlace),
    on("node_config.labels", Change::InPlace),
    on("node_config.linux_node_config.*", Change::InPlace),
    on("node_config.local_ssd_count", Change::Replace),
    on("node_config.machine_type", Change::RecreateNodes),
    on("node_config.max_run_duration", Change::Replace),
    on("node_config.metadata", Change::Replace),
    on("node_config.min_cpu_platform", Change::Replace),
    on("node_config.oauth_scopes", Change::Replace),
    on("node_config.preemptible", Change::Replace),
    on("node_config.reservation_affinity.*", Change::Replace),
    on("node_config.resource_labels", Change::InPlace),
    on("node_config.secondary_boot_disks.*", Change::Replace),
    on("node_config.service_account", Change::Replace),
    on("node_config.spot", Change::Replace),
    on("node_config.tags", Change::InPlace),
    on("node_config.taint", Change::InPlace),
    on("node_config.workload_metadata_config.*", Change::InPlace),
    on("node_count", Change::InPlace),
    on("node_locations", Change::InPlace),
    on("placement_policy", Change::Replace),
    on("placement_policy.policy_name", Change::Replace),
    on("placement_policy.tpu_topology", Change::NoEffect),
    on("placement_policy.type", Change::NoEffect),
    on("project", Change::Replace),
    on("queued_provisioning.*", Change::Replace),
    on("upgrade_settings.*", Change::InPlace),
    on("version", Change::InPlace),
];

/// What a change of the field at `path` does; `placement_policy` itself means that the block comes or goes. The longest
/// row that holds `path` answers. None: the field wasn't read.
pub fn change_of(path: &str) -> Option<Change> {
    FIELDS.iter().filter(|field| field.holds(path)).max_by_key(|field| field.path.len()).map(|field| field.change)
}

impl Field {
    fn holds(&self, path: &str) -> bool {
        match self.path.strip_suffix(".*") {
            None => path == self.path,
            Some(block) => path.strip_prefix(block).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_unique() {
        assert!(FIELDS.windows(2).all(|pair| pair[0].path < pair[1].path));
    }

    #[test]
    fn the_trap_of_the_topology_is_known() {
        assert_eq!(change_of("placement_policy.tpu_topology"), Some(Change::NoEffect));
        assert_eq!(change_of("placement_policy"), Some(Change::Replace));
        assert_eq!(change_of("node_config.reservation_affinity.values"), Some(Change::Replace));
        assert_eq!(change_of("autoscaling"), Some(Change::InPlace));
        assert_eq!(change_of("autoscaling.max_node_count"), Some(Change::InPlace));
        assert_eq!(change_of("node_config.machine_type"), Some(Change::RecreateNodes));
        assert_eq!(change_of("autoscalingx"), None);
        assert_eq!(change_of("node_config"), None);
    }
}
