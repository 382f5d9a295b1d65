//! Workloads, and how many slices each takes.

use crate::base::span::{Span, Spanned};
use crate::resolve::stack::{Block, Head, Slice, Stack, Workload};

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
}

impl Use<'_> {
    /// Where the number of slices stands; where it was left out, where the slices are named.
    pub fn span(&self) -> Span {
        if self.num_slices.span == self.head.span { self.named } else { self.num_slices.span }
    }
}

/// Every workload that takes slices of this block, in the order of the file.
pub fn uses_of<'a>(stack: &'a Stack, slice: &'a Slice) -> impl Iterator<Item = Use<'a>> {
    stack.blocks.values().filter_map(|block| {
        let (head, named, num_slices) = match block {
            Block::Train(train) => (&train.head, train.slice.as_ref()?, &train.num_slices),
            Block::Serve(serve) => (&serve.head, serve.slice.as_ref()?, &serve.num_slices),
            _ => return None,
        };
        (named.value == slice.head.addr).then_some(Use { head, named: named.span, num_slices })
    })
}

/// Every workload with the block that it is.
pub fn workloads(stack: &Stack) -> impl Iterator<Item = (&Head, &Workload)> {
    stack.blocks.values().filter_map(|block| match block {
        Block::Train(train) => Some((&train.head, &train.workload)),
        Block::Serve(serve) => Some((&serve.head, &serve.workload)),
        _ => None,
    })
}
