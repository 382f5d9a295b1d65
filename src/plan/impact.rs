//! What a change does to what runs, by kind and path, as a table with sources.

use serde_json::Value;

use crate::facts::gke;
use crate::plan::{Change, Class, Impact};

/// A row: changes at or below `path` of `kind` have this class. The longest path that fits decides.
struct Row {
    kind: &'static str,
    /// Path without the names in brackets: `spec.workerGroupSpecs.replicas`. Empty: the whole object.
    path: &'static str,
    class: Class,
    text: &'static str,
    source: &'static str,
}

const KUBERAY_SERVICE: &str = "KubeRay rayservice_controller.go (facts of 1.7, section 4.4)";
const KUBERAY_JOB: &str = "KubeRay rayjob_controller.go (facts of 1.7, section 4.3)";
const KUBERAY_CLUSTER: &str = "KubeRay raycluster_controller.go (facts of 1.7, sections 4.1 and 4.2)";
const KUBERAY_CRON_JOB: &str = "KubeRay raycronjob_controller.go:170-191 (facts of 1.7, section 4.5)";
const PROVIDER: &str = "terraform-provider-google 7.46: every field of the resource is ForceNew";

const ROWS: &[Row] = &[
    Row {
        kind: "RayService",
        path: "metadata.annotations.\"sliceform.dev/replace-trigger\"",
        class: Class::Replace,
        text: "a block that `replace_triggered_by` names has changed: delete the RayService, and what applies the files makes it anew",
        source: "the stack's own wish",
    },
    Row {
        kind: "RayCluster",
        path: "metadata.annotations.\"sliceform.dev/replace-trigger\"",
        class: Class::Replace,
        text: "a block that `replace_triggered_by` names has changed: delete the RayCluster, and what applies the files makes it anew",
        source: "the stack's own wish",
    },
    Row {
        kind: "RayService",
        path: "",
        class: Class::Unknown,
        text: "nobody has looked at what KubeRay does with this",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "metadata.labels",
        class: Class::None,
        text: "labels of the object alone; nothing reacts",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "metadata.annotations",
        class: Class::None,
        text: "annotations of the object alone; nothing reacts",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.serveConfigV2",
        class: Class::InPlace,
        text: "sent to the running cluster; Ray Serve restarts the replicas whose settings changed",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.upgradeStrategy",
        class: Class::InPlace,
        text: "holds from the next change of the cluster on",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.rayClusterConfig",
        class: Class::RollingDouble,
        text: "a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.rayClusterConfig.workerGroupSpecs.replicas",
        class: Class::NoEffect,
        text: "KubeRay leaves the running cluster as it is until its next change; delete the RayService for it to take effect",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.rayClusterConfig.workerGroupSpecs.minReplicas",
        class: Class::NoEffect,
        text: "KubeRay leaves the running cluster as it is until its next change; delete the RayService for it to take effect",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.rayClusterConfig.workerGroupSpecs.maxReplicas",
        class: Class::NoEffect,
        text: "KubeRay leaves the running cluster as it is until its next change; delete the RayService for it to take effect",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayService",
        path: "spec.rayClusterConfig.workerGroupSpecs.template.spec.tolerations",
        class: Class::NoEffect,
        text: "not part of what KubeRay compares; holds for the next cluster",
        source: KUBERAY_SERVICE,
    },
    Row {
        kind: "RayJob",
        path: "",
        class: Class::Replace,
        text: "a job runs once: this is a new job, and one that runs is ended",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "metadata.labels",
        class: Class::None,
        text: "labels of the object alone; nothing reacts",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "metadata.annotations",
        class: Class::None,
        text: "annotations of the object alone; nothing reacts",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "spec.activeDeadlineSeconds",
        class: Class::InPlace,
        text: "holds for the running job",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "spec.preRunningDeadlineSeconds",
        class: Class::InPlace,
        text: "holds for the waiting job",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "spec.backoffLimit",
        class: Class::InPlace,
        text: "holds for the running job",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "spec.ttlSecondsAfterFinished",
        class: Class::InPlace,
        text: "holds for the running job",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayJob",
        path: "spec.shutdownAfterJobFinishes",
        class: Class::InPlace,
        text: "holds for the running job",
        source: KUBERAY_JOB,
    },
    Row {
        kind: "RayCluster",
        path: "",
        class: Class::Unknown,
        text: "nobody has looked at what KubeRay does with this",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "metadata.labels",
        class: Class::None,
        text: "labels of the object alone; nothing reacts",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "metadata.annotations",
        class: Class::None,
        text: "annotations of the object alone; nothing reacts",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.upgradeStrategy",
        class: Class::InPlace,
        text: "holds from the next change on",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.rayVersion",
        class: Class::NewPodsOnly,
        text: "pods that run stay as they are",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.headGroupSpec",
        class: Class::NewPodsOnly,
        text: "the head that runs stays as it is",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.enableInTreeAutoscaling",
        class: Class::NewPodsOnly,
        text: "the autoscaler is a container of the head: it comes or goes with the head's next pod",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.autoscalerOptions",
        class: Class::NewPodsOnly,
        text: "the autoscaler that runs keeps its options until the head's next pod",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.autoscalerOptions.idleTimeoutSeconds",
        class: Class::InPlace,
        text: "Ray's autoscaler reads it again",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.workerGroupSpecs",
        class: Class::NewPodsOnly,
        text: "pods that run stay as they are; the pods of a group that goes are left behind and keep their chips",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.workerGroupSpecs.replicas",
        class: Class::InPlace,
        text: "slices are added; fewer of them end some that run, and KubeRay chooses which",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.workerGroupSpecs.minReplicas",
        class: Class::InPlace,
        text: "slices are added where there are fewer",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.workerGroupSpecs.maxReplicas",
        class: Class::InPlace,
        text: "slices beyond it end",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.workerGroupSpecs.resources",
        class: Class::InPlace,
        text: "Ray's autoscaler reads it again; pods that run keep what they have",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCluster",
        path: "spec.workerGroupSpecs.numOfHosts",
        class: Class::Replace,
        text: "slices of another size: KubeRay would leave broken ones behind",
        source: KUBERAY_CLUSTER,
    },
    Row {
        kind: "RayCronJob",
        path: "",
        class: Class::InPlace,
        text: "holds from the next run on; a job that runs goes on as it is",
        source: KUBERAY_CRON_JOB,
    },
    Row {
        kind: "RayCronJob",
        path: "metadata.labels",
        class: Class::None,
        text: "labels of the object alone; its jobs do not get them",
        source: KUBERAY_CRON_JOB,
    },
    Row {
        kind: "RayCronJob",
        path: "metadata.annotations",
        class: Class::None,
        text: "annotations of the object alone; its jobs do not get them",
        source: KUBERAY_CRON_JOB,
    },
    Row {
        kind: "ConfigMap",
        path: "",
        class: Class::NewPodsOnly,
        text: "pods that run keep what they have read",
        source: "Kubernetes: mounted ConfigMaps are not read again by a running program",
    },
    Row {
        kind: "ServiceAccount",
        path: "",
        class: Class::NewPodsOnly,
        text: "pods that run keep their tokens",
        source: "Kubernetes: tokens are issued when a pod starts",
    },
    Row {
        kind: "ResourceClaimTemplate",
        path: "",
        class: Class::Replace,
        text: "its spec cannot be changed: it is made anew, and pods that run keep their claims",
        source: "Kubernetes API: the spec of a ResourceClaimTemplate is immutable",
    },
    Row {
        kind: "ResourceClaimTemplate",
        path: "metadata",
        class: Class::None,
        text: "labels and annotations alone; nothing reacts",
        source: "Kubernetes API",
    },
    Row {
        kind: "PersistentVolumeClaim",
        path: "spec",
        class: Class::Replace,
        text: "the API server refuses it: the claim must be deleted and made anew, and what lies in it is lost",
        source: "Kubernetes API: the spec of a PersistentVolumeClaim is immutable but for resources.requests",
    },
    Row {
        kind: "PersistentVolumeClaim",
        path: "spec.resources.requests",
        class: Class::InPlace,
        text: "the volume grows, where its class allows that; none shrinks",
        source: "Kubernetes API: resources.requests of a bound claim",
    },
    Row {
        kind: "Namespace",
        path: "",
        class: Class::None,
        text: "labels alone; nothing restarts",
        source: "Kubernetes API",
    },
];

/// Terraform resources that cannot change at all, or only by being made anew.
const RECREATED: &[&str] = &[
    "google_compute_resource_policy",
    "google_project_iam_member",
    "google_service_account_iam_member",
    "google_storage_bucket_iam_member",
];

/// The impact of some changes of an object: the highest class wins. Changes that force a replacement are marked.
pub fn of(kind: &str, changes: &mut [Change]) -> Option<Impact> {
    let mut highest: Option<Impact> = None;
    for change in changes {
        let impact = of_path(kind, &bare(&change.path));
        change.forces = impact.class == Class::Replace;
        if highest.as_ref().is_none_or(|known| known.class < impact.class) {
            highest = Some(impact);
        }
    }
    highest
}

/// What KubeRay leaves out when it compares a cluster with its spec (facts of 1.7, section 4).
const MUTED: &[&str] = &[
    "metadata",
    "spec.upgradeStrategy",
    "spec.workerGroupSpecs.replicas",
    "spec.workerGroupSpecs.minReplicas",
    "spec.workerGroupSpecs.maxReplicas",
    "spec.workerGroupSpecs.template.spec.tolerations",
];

/// The same, where the object itself says otherwise: a RayService without an upgrade strategy keeps its cluster, and a
/// RayCluster with one makes all pods anew.
pub fn in_context(impact: Impact, tree: &Value, changes: &[Change]) -> Impact {
    let compared = |change: &Change| {
        let path = bare(&change.path);
        !MUTED.iter().any(|muted| path.strip_prefix(muted).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
    };
    let strategy = tree.pointer("/spec/upgradeStrategy/type").and_then(Value::as_str);
    let (class, text) = match (impact.class, strategy) {
        (Class::RollingDouble, Some("None")) => (
            Class::NoEffect,
            "with the upgrade strategy none, KubeRay keeps the running cluster as it is: delete the RayService for it to take effect",
        ),
        (Class::NewPodsOnly | Class::InPlace, Some("Recreate")) if changes.iter().any(compared) => (
            Class::RestartAll,
            "with the upgrade strategy recreate, KubeRay ends every pod of the cluster and makes it anew",
        ),
        _ => return impact,
    };
    Impact { class, text: text.to_owned(), ..impact }
}

fn of_path(kind: &str, path: &str) -> Impact {
    let below =
        |row: &str| row.is_empty() || path == row || path.strip_prefix(row).is_some_and(|rest| rest.starts_with('.'));
    if RECREATED.contains(&kind) {
        return Impact {
            class: Class::Replace,
            text: "Terraform destroys it and makes it anew".to_owned(),
            source: Some(PROVIDER.to_owned()),
        };
    }
    if kind == "google_container_node_pool" {
        return of_pool(path);
    }
    let rows = ROWS.iter().filter(|row| row.kind == kind && below(row.path));
    match rows.max_by_key(|row| row.path.len()) {
        Some(row) => Impact { class: row.class, text: row.text.to_owned(), source: Some(row.source.to_owned()) },
        None => Impact {
            class: Class::Unknown,
            text: "nobody has looked at what this change does".to_owned(),
            source: None,
        },
    }
}

/// A node pool has a table of its own, among the facts of GKE.
fn of_pool(path: &str) -> Impact {
    let (class, text) = match gke::change_of(path) {
        Some(gke::Change::Replace) => {
            (Class::Replace, "the pool is destroyed and made anew, and what ran on it is lost")
        }
        Some(gke::Change::RecreateNodes) => {
            (Class::RestartAll, "GKE makes every node anew, and what ran on them is lost")
        }
        Some(gke::Change::InPlace) => {
            (Class::InPlace, "holds without a restart; a multi-host TPU pool refuses another size")
        }
        Some(gke::Change::NoEffect) => {
            (Class::NoEffect, "the provider plans an update that does nothing; the pool needs another name")
        }
        None => (Class::Unknown, "nobody has looked at what the provider does with this"),
    };
    Impact { class, text: text.to_owned(), source: Some(gke::NODE_POOL_SOURCE.to_string()) }
}

/// A path without the names in brackets.
fn bare(path: &str) -> String {
    let mut depth = 0_u32;
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(kind: &str, path: &str) -> Class {
        of_path(kind, &bare(path)).class
    }

    #[test]
    fn the_longest_path_decides_and_an_unknown_one_says_so() {
        assert_eq!(class("RayService", "spec.serveConfigV2.applications[llm].args"), Class::InPlace);
        assert_eq!(class("RayService", "spec.rayClusterConfig.rayVersion"), Class::RollingDouble);
        assert_eq!(class("RayService", "spec.rayClusterConfig.workerGroupSpecs[v6e].replicas"), Class::NoEffect);
        assert_eq!(class("RayService", "spec.bogus"), Class::Unknown);
        assert_eq!(class("RayJob", "spec.entrypoint"), Class::Replace);
        assert_eq!(class("RayJob", "spec.backoffLimit"), Class::InPlace);
        assert_eq!(class("google_container_node_pool", "node_config.spot"), Class::Replace);
        assert_eq!(class("google_container_node_pool", "placement_policy.tpu_topology"), Class::NoEffect);
        assert_eq!(class("google_storage_bucket_iam_member", "role"), Class::Replace);
        assert_eq!(class("Gizmo", "spec"), Class::Unknown);
        assert_eq!(class("RayCluster", "spec.workerGroupSpecs[v6e].replicas"), Class::InPlace);
        assert_eq!(class("RayCluster", "spec.workerGroupSpecs[v6e].template.spec"), Class::NewPodsOnly);
    }

    #[test]
    fn a_cluster_that_is_made_anew_loses_its_pods_to_any_change_that_kuberay_compares() {
        let tree = serde_json::json!({"spec": {"upgradeStrategy": {"type": "Recreate"}}});
        let class = |path: &str, tree: &Value| {
            let mut changes = [Change { path: path.into(), before: None, after: None, forces: false }];
            let impact = of("RayCluster", &mut changes).unwrap();
            in_context(impact, tree, &changes).class
        };
        assert_eq!(class("spec.autoscalerOptions.idleTimeoutSeconds", &tree), Class::RestartAll);
        assert_eq!(class("spec.autoscalerOptions.idleTimeoutSeconds", &Value::Null), Class::InPlace);
        assert_eq!(class("spec.workerGroupSpecs[v6e].replicas", &tree), Class::InPlace);
    }

    #[test]
    fn the_highest_class_wins_and_marks_what_forces() {
        let change = |path: &str| Change { path: path.into(), before: None, after: None, forces: false };
        let mut changes = [change("node_count"), change("node_config.spot")];
        assert_eq!(of("google_container_node_pool", &mut changes).unwrap().class, Class::Replace);
        assert_eq!(changes.map(|change| change.forces), [false, true]);
    }
}
