//! How many nodes hold replicas that each take some of a node's GPUs.

/// The nodes that hold `replicas` (how many, and the GPUs of each) with `gpus` GPUs a node: the largest first, each into the
/// first node with room; a replica larger than a node takes whole nodes.
pub fn nodes(replicas: impl IntoIterator<Item = (u32, u32)>, gpus: u32) -> u32 {
    let mut wanted: Vec<(u32, u32)> = replicas.into_iter().filter(|(count, _)| *count > 0).collect();
    wanted.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let gpus = gpus.max(1);
    let mut whole = 0_u32;
    // Nodes by the room that is left: their number for each size, so that ten thousand replicas cost nothing.
    let mut room: Vec<(u32, u32)> = Vec::new();
    for (count, size) in wanted {
        let size = size.max(1);
        if size > gpus {
            whole = whole.saturating_add(size.div_ceil(gpus).saturating_mul(count));
            continue;
        }
        let mut left = count;
        let mut next = Vec::with_capacity(room.len() + 2);
        for (nodes, free) in room {
            let each = free / size;
            let full = left.checked_div(each).map_or(0, |filled| nodes.min(filled));
            left -= full * each;
            next.push((full, free - each * size));
            let part = if full < nodes && each > 0 { left } else { 0 };
            next.push((u32::from(part > 0), free - part * size));
            left -= part;
            next.push((nodes - full - u32::from(part > 0), free));
        }
        let each = gpus / size;
        next.push((left / each, gpus - each * size));
        let rest = left % each;
        next.push((u32::from(rest > 0), gpus - rest * size));
        next.retain(|(nodes, _)| *nodes > 0);
        room = next;
    }
    room.iter().fold(whole, |sum, (nodes, _)| sum.saturating_add(*nodes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn replicas_share_a_node_where_they_fit() {
        assert_eq!(nodes([(1, 8)], 8), 1);
        assert_eq!(nodes([(4, 2)], 8), 1);
        assert_eq!(nodes([(5, 2)], 8), 2);
        assert_eq!(nodes([(3, 3), (1, 2)], 8), 2);
        assert_eq!(nodes([(2, 16)], 8), 4);
        assert_eq!(nodes([(1, 4), (1, 4), (8, 1)], 8), 2);
        assert_eq!(nodes([(u32::MAX, 8)], 8), u32::MAX);
    }

    proptest! {
        #[test]
        fn there_is_room_for_all_and_no_node_is_spare(wanted in proptest::collection::vec((1u32..20, 1u32..9), 1..5)) {
            let found = nodes(wanted.clone(), 8);
            let gpus: u32 = wanted.iter().map(|(count, size)| count * size).sum();
            prop_assert!(found * 8 >= gpus);
            let replicas: u32 = wanted.iter().map(|(count, _)| count).sum();
            prop_assert!(found <= replicas);
            // First fit leaves all nodes but one more than half full.
            prop_assert!(found <= gpus / 4 + 1);
        }
    }
}
