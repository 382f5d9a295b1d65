//! `volume`: a disk or a share for pods, by a claim.

use crate::base::diag::Diag;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::Volume;

/// The `volume` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "volume",
    label: Label::Name,
    times: Times::Any,
    doc: "A persistent volume, by its claim: one that exists (`claim`), or one that the stack makes (`size`).",
    attrs: &[
        &[
            optional("name", "string", "Name of the claim that the stack makes; the block's by default."),
            optional("claim", "string", "A PersistentVolumeClaim that exists."),
            optional("size", "quantity", "Size of the claim that the stack makes."),
            optional("storage_class", "string", "Its StorageClass, which exists; the cluster's default without one."),
            optional("disk_type", "pd or hyperdisk type", "Its disk: the stack makes a StorageClass for it."),
            optional(
                "access_mode",
                "read_write_once, read_write_many, read_only_many or read_write_once_pod",
                "Who may mount it; read_write_once (one node) by default.",
            ),
            optional("per", "stack", "For what there is one: the stack. Ray's pods have no claims of their own."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Disks of Google Cloud that a claim on GKE can ask for (accelerators.json, `boot_disk` and `pvc_disk`).
const DISKS: &[&str] = &[
    "pd-standard",
    "pd-balanced",
    "pd-ssd",
    "hyperdisk-balanced",
    "hyperdisk-extreme",
    "hyperdisk-throughput",
    "hyperdisk-ml",
];

/// Reads a `volume` block.
pub fn decode(block: &Decoder<'_>) -> Volume {
    block.exactly_one_of(&["claim", "size"]);
    if block.has("storage_class") && block.has("disk_type") {
        block.exactly_one_of(&["storage_class", "disk_type"]);
    }
    if block.has("claim") {
        for name in ["storage_class", "disk_type", "access_mode"] {
            if let Some(span) = block.attr_span(name) {
                block.report(
                    Diag::error("conflicting-attributes", format!("`{name}` is for a claim that the stack makes"))
                        .at(span, "the claim exists")
                        .help("Take it out, or give a `size` instead of `claim`."),
                );
            }
        }
    }
    if let Some(per) = block.string("per").filter(|per| per.value != "stack") {
        let diag = if matches!(per.value.as_str(), "replica" | "group") {
            Diag::error("type", format!("There is no volume per {} of a Ray cluster", per.value))
                .at(per.span, "not for Ray")
                .detail("KubeRay makes pods, and no claims for them: they name claims that exist.")
                .help("Take it out: there is one claim for the stack. For one a pod, `patch` an ephemeral volume into `worker`.")
        } else {
            Diag::error("type", "`per` takes stack").at(per.span, "not that")
        };
        block.report(diag);
    }
    let modes = [
        ("read_write_once", "ReadWriteOnce"),
        ("read_write_many", "ReadWriteMany"),
        ("read_only_many", "ReadOnlyMany"),
        ("read_write_once_pod", "ReadWriteOncePod"),
    ];
    Volume {
        head: block.head(),
        claim: block.dns_subdomain("claim"),
        size: block.quantity("size"),
        storage_class: block.dns_subdomain("storage_class"),
        disk_type: block.choice("disk_type", &DISKS.iter().map(|disk| (*disk, (*disk).to_owned())).collect::<Vec<_>>()),
        access_mode: block.choice("access_mode", &modes).map_or("ReadWriteOnce", |mode| mode.value),
    }
}
