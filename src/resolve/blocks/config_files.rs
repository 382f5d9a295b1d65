//! `config_files`: files for pods, in a ConfigMap.

use crate::base::diag::Diag;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::ConfigFiles;

/// The `config_files` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "config_files",
    label: Label::Name,
    times: Times::Any,
    doc: "Files for pods, in a ConfigMap: mounted, or key by key as environment. Other content is another ConfigMap, and what names it follows.",
    attrs: &[
        &[
            optional(
                "name",
                "string",
                "Name of the ConfigMap, before the hash of its content; the block's by default.",
            ),
            optional("files", "map of strings", "Content by name: `{ \"config.yaml\" = file(\"config.yaml\") }`."),
            optional(
                "manage",
                "bool",
                "Whether the stack makes it; true by default. One that exists has no `files` here.",
            ),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Most bytes of a ConfigMap, names and contents together (Kubernetes, `MaxSecretSize`).
const MOST_BYTES: usize = 1 << 20;

/// Reads a `config_files` block.
pub fn decode(block: &Decoder<'_>) -> ConfigFiles {
    let manage = block.flag("manage", true);
    let files = block.files("files");
    if manage {
        block.need("files", "the stack makes this ConfigMap");
    } else if let Some(span) = block.attr_span("files") {
        block.report(
            Diag::error("conflicting-attributes", "`files` is for a ConfigMap that the stack makes")
                .at(span, "beside manage = false")
                .help("Take one of them out."),
        );
    }
    let size: usize = files.iter().map(|(name, text)| name.len() + text.len()).sum();
    if let Some(span) = block.attr_span("files").filter(|_| size > MOST_BYTES) {
        block.report(
            Diag::error("type", "`files` holds more than a ConfigMap can")
                .at(span, format!("{size} bytes"))
                .detail("Kubernetes takes at most 1 MiB, names and contents together.")
                .help("Put large files into a bucket, or into the image."),
        );
    }
    ConfigFiles { head: block.head(), files, manage }
}
