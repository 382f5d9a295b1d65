//! The order of steps: what others need comes first, and goes last.

use crate::plan::{Action, Step};

/// Kinds in the order in which they come; a kind that is not here comes last. Each with the reason of its place.
const ORDER: &[(&str, &str)] = &[
    ("google_container_cluster", "everything runs in it"),
    ("google_compute_resource_policy", "node pools name it"),
    ("google_service_account", "nodes and bindings name it"),
    ("google_storage_bucket", "bindings name it"),
    ("google_container_node_pool", "pods wait for ever without a node"),
    ("google_project_iam_member", "pods fail without their rights"),
    ("google_service_account_iam_member", "pods fail without their rights"),
    ("google_storage_bucket_iam_member", "pods fail without their rights"),
    ("Namespace", "objects live in it"),
    ("ServiceAccount", "pods name it"),
    ("ConfigMap", "pods mount it"),
    ("RayCluster", "a workload"),
    ("RayCronJob", "a workload"),
    ("RayJob", "a workload"),
    ("RayService", "a workload"),
];

fn rank(step: &Step) -> usize {
    let Some(object) = &step.object else { return ORDER.len() + 1 };
    ORDER.iter().position(|(kind, _)| *kind == object.kind).unwrap_or(ORDER.len())
}

/// Sorts steps: comings and changes by rank, then goings by rank reversed, then the directory's own files.
pub fn sort(steps: &mut [Step]) {
    steps.sort_by(|a, b| {
        let going = |step: &Step| step.object.is_some() && matches!(step.action, Action::Delete | Action::Forget);
        let own = |step: &Step| step.object.is_none();
        let by_rank = if going(a) && going(b) { rank(b).cmp(&rank(a)) } else { rank(a).cmp(&rank(b)) };
        own(a).cmp(&own(b)).then(going(a).cmp(&going(b))).then(by_rank).then_with(|| a.file.cmp(&b.file))
    });
}
