//! Pods on nodes that no pool of the stack makes: on Autopilot GKE makes them for the pods that ask, and existing nodes
//! are found by their labels.

use std::collections::BTreeMap;

use crate::facts::gke::labels;
use crate::lower::intent::pod::{Pod, Toleration};
use crate::lower::place::Place;
use crate::lower::slice::policy_name;
use crate::resolve::stack::{CapacityKind, ClusterMode, Provision, Stack};

/// Leads a pod to the zone, capacity and placement of its nodes; what the stack selects itself wins.
pub fn lead(stack: &Stack, place: Place<'_>, pod: &mut Pod) {
    let (cluster, provision, zone, capacity) = match place {
        Place::Slices { slice, .. } => (&slice.cluster, slice.provision.value, &slice.zone, &slice.capacity),
        Place::Nodes(nodes) => (&nodes.cluster, nodes.provision.value, &nodes.zone, &nodes.capacity),
    };
    let autopilot = stack.cluster(cluster).is_some_and(|cluster| cluster.mode.value == ClusterMode::Autopilot);
    if !autopilot && provision != Provision::Existing {
        return;
    }
    let mut selector = BTreeMap::new();
    selector.extend(zone.as_ref().map(|zone| (labels::ZONE.to_owned(), zone.value.clone())));
    // A ladder is refused here: a pod's selectors hold all at once.
    if let [only] = capacity.as_slice() {
        selector.extend(capacity_selector(&only.kind));
        pod.tolerations.extend(capacity_toleration(&only.kind));
    }
    let policy = match place {
        Place::Slices { slice, shape } => policy_name(slice, shape).filter(|_| autopilot),
        Place::Nodes(_) => None,
    };
    selector.extend(policy.map(|policy| (labels::PLACEMENT_POLICY.to_owned(), policy)));
    for (label, value) in selector {
        pod.node_selector.entry(label).or_insert(value);
    }
}

/// The labels of nodes with such capacity: on Autopilot a pod that selects them makes GKE provide them.
fn capacity_selector(kind: &CapacityKind) -> BTreeMap<String, String> {
    let mut selector = BTreeMap::new();
    let mut put = |label: &str, value: String| selector.insert(label.to_owned(), value);
    match kind {
        CapacityKind::OnDemand => {}
        CapacityKind::Spot => {
            put(labels::SPOT, "true".to_owned());
        }
        CapacityKind::FlexStart { max_run_duration, .. } => {
            put(labels::FLEX_START, "true".to_owned());
            if let Some(seconds) = max_run_duration {
                put(labels::MAX_RUN_DURATION, seconds.to_string());
            }
        }
        CapacityKind::Reservation { name, project, block } => {
            put(labels::RESERVATION_AFFINITY, "specific".to_owned());
            for (label, value) in [
                (labels::RESERVATION_NAME, name),
                (labels::RESERVATION_PROJECT, project),
                (labels::RESERVATION_BLOCKS, block),
            ] {
                if let Some(value) = value {
                    put(label, value.clone());
                }
            }
        }
    }
    selector
}

/// GKE taints Spot nodes that it makes by itself, where no compute class asked for them.
fn capacity_toleration(kind: &CapacityKind) -> Option<Toleration> {
    let key = match kind {
        CapacityKind::Spot => labels::SPOT,
        CapacityKind::FlexStart { queued: true, .. } => labels::QUEUED,
        _ => return None,
    };
    let text = |text: &str| Some(text.to_owned());
    Some(Toleration { key: text(key), value: text("true"), effect: text("NoSchedule"), seconds: None })
}
