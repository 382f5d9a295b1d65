//! `moved`: what a stack says of the past of its blocks.

use crate::resolve::spec::{BlockSpec, Label, Open, Times, required};

/// A `moved` block.
pub const MOVED: BlockSpec = BlockSpec {
    name: "moved",
    label: Label::None,
    times: Times::Any,
    doc: "A block, or an instance, that had another address: its objects stay the same ones. May stay in the stack for ever.",
    attrs: &[&[
        required(
            "from",
            "address",
            "The address before, which the stack no longer has: `slice.old`, `slice.v6e[\"a\"]`.",
        ),
        required("to", "address", "The address since."),
    ]],
    blocks: &[],
    open: Open::No,
};
