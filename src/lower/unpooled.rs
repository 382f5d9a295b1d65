//! Pods on nodes that no pool of the stack makes: on Autopilot GKE makes them for the pods that ask, and existing nodes
//! are found by their labels.

use std::collections::BTreeMap;

use crate::facts::gke::labels;
use crate::fit::shape::Shape;
use crate::lower::intent::pod::{Pod, Toleration};
use crate::lower::slice::policy_name;
use crate::resolve::stack::{CapacityKind, Provision, Slice, Stack};

/// Leads a pod to the zone, capacity and placement of its slice; what the stack selects itself wins.
pub fn lead(stack: &Stack, slice: &Slice, shape: &Shape, pod: &mut Pod) {
    let autopilot = stack.is_autopilot(slice);
    if !autopilot && slice.provision.value != Provision::Existing {
        return;
    }
    let mut selector = BTreeMap::new();
    selector.extend(slice.zone.as_ref().map(|zone| (labels::ZONE.to_owned(), zone.value.clone())));
    // A ladder is refused here: a pod's selectors hold all at once.
    if let [only] = slice.capacity.as_slice() {
        selector.extend(capacity_selector(&only.kind));
        pod.tolerations.extend(capacity_toleration(&only.kind));
    }
    let policy = policy_name(slice, shape).filter(|_| autopilot);
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
