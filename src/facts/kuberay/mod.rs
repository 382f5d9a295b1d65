//! What the KubeRay operator has, release by release: a row per release that changed something, a column per capability.

mod rows;
pub mod sources;

pub use rows::ROWS;

use crate::facts::table::{Lookup, Row, cells, columns, lookup};
use crate::facts::version::Version;

/// How far a feature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gate {
    /// It isn't there: the API server drops its fields in silence, or doesn't know the kind.
    Absent,
    /// It is there, but off unless the operator runs with the feature gate.
    Alpha,
    /// It works by default.
    On,
}

columns! {
    /// What one release of KubeRay has. Every column must be given: a new row that forgets one doesn't compile.
    #[derive(Debug)]
    #[allow(clippy::struct_excessive_bools)] // Each is a capability of its own, a column of the table.
    pub struct KubeRay {
        /// The first release that the row describes.
        pub since: Version,
        /// Longest name of a RayCluster.
        pub max_cluster_name: usize,
        /// Longest name of a RayJob or a RayService.
        pub max_job_name: usize,
        /// Longest name of a RayCronJob that the operator checks; None: it checks none.
        pub max_cron_job_name: Option<usize>,
        /// Longest name of a RayCluster whose TPU hosts find each other: the webhook cuts the name of the headless Service to 50.
        pub max_multi_host_cluster_name: usize,
        /// The same for a RayJob or a RayService.
        pub max_multi_host_job_name: usize,
        /// The same for a RayCronJob.
        pub max_multi_host_cron_job_name: usize,
        /// True if `autoscalerOptions.version` exists.
        pub autoscaler_version: bool,
        /// True if a group may leave `rayStartParams` out.
        pub ray_start_params_optional: bool,
        /// True if groups have `labels` and `resources`.
        pub group_labels: bool,
        /// True if `submissionMode` may be `SidecarMode`.
        pub sidecar_mode: bool,
        /// `deletionStrategy.deletionRules` of a RayJob.
        pub deletion_rules: Gate,
        /// True if a deletion rule may name a `jobDeploymentStatus`.
        pub deletion_rule_deployment_status: bool,
        /// `NewClusterWithIncrementalUpgrade` of a RayService.
        pub incremental_upgrade: Gate,
        /// True if a RayService has `rayClusterDeletionDelaySeconds`.
        pub cluster_deletion_delay: bool,
        /// True if the annotation `ray.io/initializing-timeout` is read.
        pub initializing_timeout: bool,
        /// True if `authOptions.mode` exists. It is off unless it says `token`.
        pub auth_options: bool,
        /// True if `authOptions` takes `secretName` and `enableK8sTokenAuth`.
        pub auth_secret_name: bool,
        /// True if a RayCluster has `upgradeStrategy`.
        pub cluster_recreate: bool,
        /// The kind RayCronJob.
        pub ray_cron_job: Gate,
        /// True if a RayCronJob has `timeZone`.
        pub cron_time_zone: bool,
        /// True if a RayJob has `preRunningDeadlineSeconds`.
        pub pre_running_deadline: bool,
        /// True if a RayService has `managedBy`.
        pub ray_service_managed_by: bool,
        /// True if a RayService has `suspend`.
        pub ray_service_suspend: bool,
        /// True if it probes Ray 2.53 and later over HTTP; false: it runs wget in the image.
        pub http_probes: bool,
        /// True if a group must have both `minReplicas` and `maxReplicas` where nothing scales it.
        pub min_max_required: bool,
        /// True if a change of tolerations alone starts no upgrade.
        pub tolerations_outside_hash: bool,
        /// Slices are created and deleted as a whole, with index labels.
        pub multi_host_indexing: Gate,
        /// The oldest TPU webhook that agrees on the name of the headless Service.
        pub min_tpu_webhook: Version,
        /// True if groups have `priority`.
        pub group_priority: bool,
        /// True if `autoscalerOptions` takes `command` and `args`.
        pub autoscaler_command: bool,
        /// True if the head group has `ingressOptions`, and an ingress is updated in place.
        pub ingress_options: bool,
        /// True if `gcsFaultToleranceOptions` must have `redisAddress`.
        pub redis_address_required: bool,
        /// Fault tolerance of the head on a volume.
        pub rocksdb: Gate,
        /// `networkPolicy` of a RayCluster.
        pub network_policy: Gate,
        /// `tlsOptions` of a RayCluster.
        pub tls_options: Gate,
        /// `historyServerOptions` of a RayCluster.
        pub history_server: Gate,
    }
}

cells!("{:?}": Gate);

impl Row for KubeRay {
    fn since(&self) -> &Version {
        &self.since
    }
}

/// The row of a KubeRay version.
pub fn row_for(version: &Version) -> Lookup<KubeRay> {
    lookup(ROWS, version)
}

/// What KubeRay puts behind a cluster's name for the Service of its multi-host workers.
pub const HEADLESS_SUFFIX: &str = "-headless";

/// Length of the random suffix, with its dash, of a cluster that a RayJob or RayService makes.
pub const CHILD_SUFFIX_LEN: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_source() {
        let sourced: Vec<String> = sources::COLUMNS.iter().map(|(name, _)| name.to_lowercase()).collect();
        let columns: Vec<&str> = ROWS[0].columns().iter().map(|column| column.name).collect();
        // A column whose name only says what it is for.
        let missing: Vec<&&str> =
            columns.iter().skip(1).filter(|name| !sourced.contains(&(**name).to_owned())).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(sourced.len() + 1, columns.len());
    }

    fn row(version: &str) -> &'static KubeRay {
        row_for(&version.parse().unwrap()).row().unwrap()
    }

    #[test]
    fn a_patch_release_may_have_a_row_of_its_own() {
        assert!(!row("1.5.0").auth_options);
        assert!(row("1.5.1").auth_options);
        // KubeRay 1.5 is the newest 1.5.
        assert!(row("1.5").auth_options);
        assert_eq!(row("1.6.2").since, Version::new(1, 6, 0));
        assert!(matches!(row_for(&"1.3.2".parse().unwrap()), Lookup::BelowFirst));
        assert!(matches!(row_for(&"1.8.0".parse().unwrap()), Lookup::AboveLast(_)));
    }

    #[test]
    fn gates_only_open() {
        for pair in ROWS.windows(2) {
            let (old, new) = (&pair[0], &pair[1]);
            assert!(old.since < new.since);
            for (before, after) in [
                (old.deletion_rules, new.deletion_rules),
                (old.incremental_upgrade, new.incremental_upgrade),
                (old.ray_cron_job, new.ray_cron_job),
                (old.multi_host_indexing, new.multi_host_indexing),
                (old.rocksdb, new.rocksdb),
                (old.network_policy, new.network_policy),
            ] {
                assert!(before <= after);
            }
        }
        assert_eq!(row("1.6.0").multi_host_indexing, Gate::On);
        assert_eq!(row("1.5.1").multi_host_indexing, Gate::Alpha);
    }

    /// 50 characters of the Service's name survive in the webhook; a child cluster has six more than its owner.
    #[test]
    fn the_caps_of_multi_host_names_follow_from_the_names_that_kuberay_makes() {
        for row in ROWS {
            assert_eq!(row.max_multi_host_cluster_name, 50 - HEADLESS_SUFFIX.len());
            assert_eq!(row.max_multi_host_job_name, row.max_multi_host_cluster_name - CHILD_SUFFIX_LEN);
            // A dash and eight digits of minutes.
            assert_eq!(row.max_multi_host_cron_job_name, row.max_multi_host_job_name - 9);
            assert_eq!(row.max_job_name, row.max_cluster_name - CHILD_SUFFIX_LEN);
        }
    }
}
