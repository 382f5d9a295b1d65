//! `moved`, `removed` and `import`: what a stack says of the past of its blocks.

use crate::resolve::spec::{BlockSpec, Label, Open, Times, optional, required};

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

/// A `removed` block.
pub const REMOVED: BlockSpec = BlockSpec {
    name: "removed",
    label: Label::None,
    times: Times::Any,
    doc: "A block, or an instance, that the stack no longer has: whether its objects go too. May stay in the stack for ever.",
    attrs: &[&[required("from", "address", "The address, which the stack no longer has.")]],
    blocks: &[&BlockSpec {
        name: "lifecycle",
        label: Label::None,
        times: Times::Once,
        doc: "What becomes of its objects.",
        attrs: &[&[optional(
            "destroy",
            "bool",
            "Whether they are destroyed; true by default. False: the files go, the objects stay, and the stack forgets them.",
        )]],
        blocks: &[],
        open: Open::No,
    }],
    open: Open::No,
};

/// An `import` block.
pub const IMPORT: BlockSpec = BlockSpec {
    name: "import",
    label: Label::None,
    times: Times::Any,
    doc: "An object that exists becomes the stack's. May stay in the stack for ever.",
    attrs: &[&[
        required("to", "address", "The block that has it from now on."),
        required(
            "id",
            "string",
            "What is taken over. A file of a Kubernetes object that stands in the rendered folder: its path below that, or `KIND/NAME`. A resource of Terraform: the id that its provider imports it by; the `import` block for the root module is written to gke/imports.tf.example.",
        ),
        optional(
            "for_each",
            "map, object or set of strings",
            "An import for each entry; `each.key` and `each.value` stand for it.",
        ),
    ]],
    blocks: &[],
    open: Open::No,
};
