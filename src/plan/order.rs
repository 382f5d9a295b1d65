//! The order of steps: what others need comes first, and goes last.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::steps::Desired;
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
    ("StorageClass", "claims name it"),
    ("PersistentVolumeClaim", "pods mount it"),
    ("ResourceClaimTemplate", "pods name it"),
    ("RayCluster", "a workload"),
    ("RayCronJob", "a workload"),
    ("RayJob", "a workload"),
    ("RayService", "a workload"),
];

fn rank(step: &Step) -> usize {
    let Some(object) = &step.object else { return ORDER.len() + 1 };
    ORDER.iter().position(|(kind, _)| *kind == object.kind).unwrap_or(ORDER.len())
}

/// How many blocks must come before an address: what `depends_on` names, and what that depends on.
fn levels(files: &BTreeMap<String, Desired>) -> BTreeMap<&str, usize> {
    let mut before: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files.values().filter(|file| !file.depends_on.is_empty()) {
        before.entry(&file.address).or_default().extend(file.depends_on.iter().map(String::as_str));
    }
    let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
    // There are no cycles: a stack with one is refused. A chain has at most as many links as there are blocks.
    for _ in 0..before.len() {
        let mut settled = true;
        for (address, dependencies) in &before {
            let deepest = dependencies.iter().map(|one| levels.get(one).copied().unwrap_or(0) + 1).max().unwrap_or(0);
            settled &= levels.insert(address, deepest) == Some(deepest);
        }
        if settled {
            break;
        }
    }
    levels
}

/// Sorts steps: comings and changes in the order of `depends_on` and by rank, then goings by rank reversed, then the
/// directory's own files.
pub fn sort(steps: &mut [Step], files: &BTreeMap<String, Desired>) {
    let levels = levels(files);
    let level = |step: &Step| levels.get(step.address.as_str()).copied().unwrap_or(0);
    steps.sort_by(|a, b| {
        let going = |step: &Step| step.object.is_some() && matches!(step.action, Action::Delete | Action::Forget);
        let own = |step: &Step| step.object.is_none();
        let by_rank = if going(a) && going(b) {
            rank(b).cmp(&rank(a))
        } else {
            level(a).cmp(&level(b)).then(rank(a).cmp(&rank(b)))
        };
        own(a).cmp(&own(b)).then(going(a).cmp(&going(b))).then(by_rank).then_with(|| a.file.cmp(&b.file))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::{Context, emit, samples};

    #[test]
    fn every_kind_that_is_written_has_its_place() {
        let manifests = emit(&samples::all(), &Context { stack: "park", resources: None }).unwrap();
        for manifest in manifests {
            let kind = &manifest.object.kind;
            assert!(ORDER.iter().any(|(known, _)| known == kind), "{kind}");
        }
    }
}
