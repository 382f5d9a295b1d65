//! `service_account`: the identity of pods.

use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::ServiceAccount;

/// The `service_account` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "service_account",
    label: Label::Name,
    times: Times::Any,
    doc: "A Kubernetes ServiceAccount and what it may do in Google Cloud.",
    attrs: &[
        &[
            optional("name", "string", "Its name; the block's by default."),
            optional(
                "google_service_account",
                "string",
                "Email of the Google service account that it acts as; without one, roles are granted to the ServiceAccount itself.",
            ),
            optional("roles", "list of strings", "Project roles to grant, such as `roles/logging.logWriter`."),
            optional("manage", "bool", "Whether the stack creates it; true by default."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Reads a `service_account` block.
pub fn decode(block: &Decoder<'_>) -> ServiceAccount {
    ServiceAccount {
        head: block.head(),
        google_service_account: block.word("google_service_account"),
        roles: block.strings("roles"),
        manage: block.flag("manage", true),
    }
}
