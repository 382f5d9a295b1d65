//! `secret`: a Kubernetes Secret that exists; its values never enter a stack.

use crate::base::diag::Diag;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::Secret;

/// The `secret` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "secret",
    label: Label::Name,
    times: Times::Any,
    doc: "A Kubernetes Secret that exists. A stack refers to its keys and never sees their values.",
    attrs: &[
        &[
            optional("name", "string", "The Secret's name; the block's by default."),
            required("keys", "list of strings", "The keys that the stack uses."),
            optional("optional", "bool", "Whether pods start without it; false by default."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Reads a `secret` block.
pub fn decode(block: &Decoder<'_>) -> Secret {
    let keys = block.strings("keys");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    for key in keys.iter().filter(|key| key.is_empty() || !key.chars().all(plain)) {
        block.report(
            Diag::error("type", "`keys` holds a key that no Secret has")
                .at(key.span, format!("the key {:?}", key.value))
                .help("Keys are made of letters, digits, `-`, `_` and `.`."),
        );
    }
    Secret { head: block.head(), keys, optional: block.flag("optional", false) }
}
