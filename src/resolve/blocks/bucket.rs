//! `bucket`: a Cloud Storage bucket that the stack finds or creates.

use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::Bucket;

/// The `bucket` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "bucket",
    label: Label::Name,
    times: Times::Any,
    doc: "A Cloud Storage bucket: for mounts (GCS FUSE), checkpoints and models.",
    attrs: &[
        &[
            optional("name", "string", "Its globally unique name; the block's by default."),
            optional("location", "string", "Region, for a bucket that the stack creates."),
            optional("manage", "bool", "Whether the stack creates it; false by default."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Reads a `bucket` block.
pub fn decode(block: &Decoder<'_>) -> Bucket {
    Bucket { head: block.head(), location: block.word("location"), manage: block.flag("manage", false) }
}
