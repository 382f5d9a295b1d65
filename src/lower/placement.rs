//! Where pods of a slice may run: selectors and tolerations that lead them to its nodes, and to its capacity where GKE
//! makes the nodes for the pods that ask.

use std::collections::BTreeMap;

use crate::facts::gke::labels;
use crate::fit::shape::Shape;
use crate::lower::intent::pod::{Pod, Toleration};
use crate::lower::{dranet, slice as pools};
use crate::resolve::stack::{CapacityKind, Provision, Slice, Stack};

/// Leads a pod to the nodes of the slice.
pub fn place(stack: &Stack, slice: &Slice, shape: &Shape, pod: &mut Pod) {
    // Both selectors: Ray's autoscaler and the TPU webhook read one each (kuberay.md 2.7, 3).
    pod.node_selector.extend(shape.node_selector().into_iter().map(|(key, value)| (key.to_owned(), value)));
    let autopilot = stack.is_autopilot(slice);
    if autopilot || slice.provision.value == Provision::Existing {
        if let Some(zone) = &slice.zone {
            pod.node_selector.insert(labels::ZONE.to_owned(), zone.value.clone());
        }
        // A ladder is refused here: a pod's selectors hold all at once.
        if let [only] = slice.capacity.as_slice() {
            pod.node_selector.extend(capacity_selector(&only.kind));
            pod.tolerations.extend(capacity_toleration(&only.kind));
        }
    }
    if let (true, Some(policy)) = (autopilot, pools::policy_name(slice, shape)) {
        pod.node_selector.insert(labels::PLACEMENT_POLICY.to_owned(), policy);
    }
    pod.node_selector.extend(slice.node_selector.clone());
    dranet::claim(slice, pod);
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
    Some(Toleration { key: key.to_owned(), value: text("true"), effect: text("NoSchedule") })
}
