//! The Ray cluster inside every Ray object: `RayCluster.spec`.

use serde_json::Value;

use crate::emit::pod;
use crate::emit::tree::{Tree, list, texts};
use crate::lower::intent::ray::{ClusterShape, HeadGroup, WorkerGroup};

/// `RayCluster.spec`.
pub fn spec(cluster: &ClusterShape) -> Tree {
    let scales = cluster.autoscaling.is_some();
    // `version` always says v2: unset, Ray turns v2 on by itself while KubeRay still acts as if it were v1.
    let options = cluster.autoscaling.as_ref().map(|autoscaling| {
        Value::from(Tree::new().with("version", "v2").some("idleTimeoutSeconds", autoscaling.idle_timeout_s))
    });
    Tree::new()
        .with("rayVersion", cluster.ray_version.clone())
        .some("enableInTreeAutoscaling", scales)
        .some("autoscalerOptions", options)
        .with("headGroupSpec", head(&cluster.head))
        .some("workerGroupSpecs", list(&cluster.groups, |group| worker(group, scales)))
}

fn head(head: &HeadGroup) -> Tree {
    Tree::new().with("rayStartParams", texts(&head.ray_start_params)).with("template", pod::template(&head.pod))
}

fn worker(group: &WorkerGroup, scales: bool) -> Tree {
    // Where Ray scales, `replicas` is Ray's: written here, each apply would set it back.
    let replicas = (!scales).then_some(group.replicas);
    Tree::new()
        .with("groupName", group.name.clone())
        .some("replicas", replicas)
        .with("minReplicas", group.min)
        .with("maxReplicas", group.max)
        .with("numOfHosts", group.num_of_hosts)
        .with("rayStartParams", texts(&group.ray_start_params))
        .some("resources", texts(&group.resources))
        .with("template", pod::template(&group.pod))
}
