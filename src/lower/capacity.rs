//! Capacity ladders: where nodes come from, first choice first.

use crate::lower::intent::gke::{AccountRef, Capacity};
use crate::resolve::stack::{Block, Capacity as Written, CapacityKind, Field, Stack};

/// One rung of the ladder: where capacity comes from, for how many slices or nodes, and whether it scales from zero.
pub struct Rung {
    /// Where from.
    pub capacity: Capacity,
    /// For how many.
    pub count: u32,
    /// GKE scales it from zero.
    pub scaled: bool,
}

/// The first rung is there always; later ones scale from zero, for when it is short.
pub fn ladder(written: &[Written], total: u32) -> Vec<Rung> {
    if written.is_empty() {
        return vec![Rung { capacity: Capacity::OnDemand, count: total, scaled: false }];
    }
    let rungs = written.iter().enumerate().map(|(position, rung)| {
        let count = rung.num_slices.as_ref().map_or(total, |cap| cap.value.min(total));
        let capacity = match &rung.kind {
            CapacityKind::Reservation { name, project, block } => Capacity::Reservation {
                name: name.clone().unwrap_or_default(),
                project: project.clone(),
                block: block.clone(),
            },
            CapacityKind::FlexStart { queued, max_run_duration } => {
                Capacity::FlexStart { queued: *queued, max_run_duration_s: *max_run_duration }
            }
            CapacityKind::Spot => Capacity::Spot,
            CapacityKind::OnDemand => Capacity::OnDemand,
        };
        // GKE takes flex-start only with autoscaling from zero (gke.md B1).
        let scaled = position > 0 || matches!(capacity, Capacity::FlexStart { .. });
        Rung { capacity, count, scaled }
    });
    rungs.collect()
}

/// The Google service account that nodes run as.
pub fn node_account(stack: &Stack, account: &Field<crate::base::addr::Addr>) -> Option<AccountRef> {
    match stack.blocks.get(&account.as_ref()?.value) {
        Some(Block::ServiceAccount(account)) => {
            account.google_service_account.as_ref().map(|email| AccountRef::Email(email.value.clone()))
        }
        _ => None,
    }
}
