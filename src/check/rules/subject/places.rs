//! Workloads on nodes, and how many nodes each takes.

use crate::base::addr::Addr;
use crate::base::span::Span;
use crate::resolve::stack::{Block, Model, Nodes, Pod, Stack};

/// A workload that takes nodes.
pub struct Use<'a> {
    /// Its address.
    pub addr: &'a Addr,
    /// Where it says how many, or names them.
    pub span: Span,
    /// How many.
    pub nodes: u32,
    /// No other workload may run beside it there.
    pub whole: bool,
}

/// Every workload that takes nodes of this block, in the order of the file; a head is one node, or a part of it.
pub fn uses_of<'a>(stack: &'a Stack, nodes: &'a Nodes) -> impl Iterator<Item = Use<'a>> {
    stack.blocks.values().flat_map(move |block| {
        let head = block.workload().and_then(|workload| head(block, &workload.head_pod, nodes));
        workers(block, nodes).into_iter().chain(groups(block, nodes)).chain(head)
    })
}

fn workers<'a>(block: &'a Block, nodes: &Nodes) -> Option<Use<'a>> {
    let (named, span, count) = match block {
        Block::Train(train) => {
            let named = train.nodes.as_ref()?;
            let written = train.replicas.span != train.head.span;
            (named, if written { train.replicas.span } else { named.span }, train.replicas.value)
        }
        // Without GPUs no replica runs: that has a rule of its own.
        Block::Serve(serve) => {
            let (named, gpus) = (serve.nodes.as_ref()?, nodes.gpus()?);
            (named, named.span, serve.nodes_filled(gpus.count(), Model::most_replicas))
        }
        _ => return None,
    };
    let shares = nodes.gpus().is_none() && block.workload().is_some_and(|workload| workload.worker_pod.cpu.is_some());
    let addr = &block.head().addr;
    (named.value == nodes.head.addr).then_some(Use { addr, span, nodes: count, whole: !shares })
}

/// Groups of a Ray cluster, a pod a node.
fn groups<'a>(block: &'a Block, nodes: &Nodes) -> Vec<Use<'a>> {
    let Block::RayCluster(cluster) = block else { return Vec::new() };
    let on_these = cluster.groups.iter().filter_map(|group| {
        let named = group.nodes.as_ref().filter(|named| named.value == nodes.head.addr)?;
        let whole = nodes.gpus().is_some() || group.worker.cpu.is_none();
        let span = if group.replicas.span == group.span { named.span } else { group.replicas.span };
        Some(Use { addr: &cluster.head.addr, span, nodes: group.replicas.value, whole })
    });
    on_these.collect()
}

fn head<'a>(block: &'a Block, pod: &Pod, nodes: &Nodes) -> Option<Use<'a>> {
    let named = pod.nodes.as_ref().filter(|named| named.value == nodes.head.addr)?;
    let all = nodes.gpus().is_some_and(|gpus| pod.gpus.as_ref().is_some_and(|taken| taken.value >= gpus.count()));
    Some(Use { addr: &block.head().addr, span: named.span, nodes: 1, whole: all })
}

/// Whether every workload's place could be read: what nobody seems to take may be meant by one that could not.
pub fn places_read(stack: &Stack) -> bool {
    stack.trains().all(|train| train.slice.is_some() || train.nodes.is_some())
        && stack.serves().all(|serve| serve.slice.is_some() || serve.nodes.is_some())
        && stack.ray_clusters().flat_map(|ray| &ray.groups).all(|group| group.slice.is_some() || group.nodes.is_some())
}
