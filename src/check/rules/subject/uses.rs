//! Workloads, and how many slices each takes.

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::resolve::stack::{Block, Field, Head, Slice, Stack, Workload};

/// How many workloads a message points at, beside its own place: more would bury it.
pub const MOST_SHOWN: usize = 5;

/// A workload that takes slices.
pub struct Use<'a> {
    /// Its address and place.
    pub head: &'a Head,
    /// Where the slices' block is named.
    pub named: Span,
    /// How many of them.
    pub num_slices: &'a Spanned<u32>,
    /// Where the block stands that names them: the workload's, or a group of it.
    block: Span,
}

impl Use<'_> {
    /// Where the number of slices stands; where it was left out, where the slices are named.
    pub fn span(&self) -> Span {
        if self.num_slices.span == self.block { self.named } else { self.num_slices.span }
    }
}

/// Every workload that takes slices of this block, in the order of the file.
pub fn uses_of<'a>(stack: &'a Stack, slice: &'a Slice) -> impl Iterator<Item = Use<'a>> {
    stack.blocks.values().flat_map(uses).filter_map(|(head, block, named, num_slices)| {
        let named = named.as_ref().filter(|named| named.value == slice.head.addr)?;
        Some(Use { head, named: named.span, num_slices, block })
    })
}

/// The slices that a block takes: whose, how many, and where it says so.
fn uses(block: &Block) -> Vec<(&Head, Span, &Field<Addr>, &Spanned<u32>)> {
    match block {
        Block::Train(train) => vec![(&train.head, train.head.span, &train.slice, &train.num_slices)],
        Block::Serve(serve) => vec![(&serve.head, serve.head.span, &serve.slice, &serve.num_slices)],
        Block::RayCluster(cluster) => {
            let groups = cluster.groups.iter();
            groups.map(|group| (&cluster.head, group.span, &group.slice, &group.num_slices)).collect()
        }
        _ => Vec::new(),
    }
}

/// Every workload with the block that it is.
pub fn workloads(stack: &Stack) -> impl Iterator<Item = (&Head, &Workload)> {
    stack.blocks.values().filter_map(|block| Some((block.head(), block.workload()?)))
}
