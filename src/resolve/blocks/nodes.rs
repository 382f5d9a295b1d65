//! `nodes`: GPU or CPU nodes of one machine type.

use crate::base::diag::Diag;
use crate::facts::machines::{self, Found, Machine};
use crate::resolve::blocks::patch::PATCH;
use crate::resolve::blocks::slice;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::{Field, Framework, NodeRange, NodeTaint, Nodes};

const CAPACITY: BlockSpec = slice::capacity_spec(&[
    &[optional("node_count", "number", "At most so many nodes from here.")],
    slice::CAPACITY_ATTRS,
]);

const AUTOSCALE: BlockSpec = BlockSpec {
    name: "autoscale",
    label: Label::None,
    times: Times::Once,
    doc: "GKE adds nodes for pods that wait, and takes idle ones away.",
    attrs: &[&[
        optional("min_nodes", "number", "Fewest nodes; 0 by default."),
        required("max_nodes", "number", "Most nodes."),
    ]],
    blocks: &[],
    open: Open::No,
};

const TAINT: BlockSpec = BlockSpec {
    name: "taint",
    label: Label::Name,
    times: Times::Any,
    doc: "Keeps pods off, by the taint's key. GKE taints GPU nodes itself; workloads that name these nodes bear all of them.",
    attrs: &[&[
        optional("value", "string", "Its value; `true` by default."),
        optional("effect", "no_schedule, prefer_no_schedule or no_execute", "What it does; no_schedule by default."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// The `nodes` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "nodes",
    label: Label::Name,
    times: Times::Any,
    doc: "GPU or CPU nodes of one machine type: how many, and how their capacity is had.",
    attrs: &[
        &[
            optional("name", "string", "What its node pools are named after; the block's name by default."),
            required("cluster", "cluster", "The cluster whose nodes these are."),
            required(
                "machine_type",
                "string",
                "Machine type, such as `a3-highgpu-8g` or `e2-standard-16`. GPUs follow from it.",
            ),
            optional("node_count", "number", "How many nodes there are, over all capacity blocks; 1 by default."),
            optional("zone", "string", "Zone of the nodes."),
            optional(
                "gpu_driver_version",
                "default, latest or disabled",
                "Which NVIDIA driver GKE installs; default by default.",
            ),
            optional("provision", "node_pool or existing", "Who makes the nodes; node_pool (Terraform) by default."),
            optional("node_selector", "map of strings", "Selector of existing nodes; machine type and GPU by default."),
            optional("service_account", "service_account", "Google service account of the nodes."),
            optional("labels", "map of strings", "Labels of the nodes."),
            optional(
                "dranet",
                "\"all\" or a number",
                "Network devices that each pod claims through DRANET, on machines with RDMA; none by default.",
            ),
            optional(
                "networks",
                "list of strings",
                "Further networks of the nodes: names in the cluster's additional_networks.",
            ),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE, &PATCH, &AUTOSCALE, &CAPACITY, &TAINT, &slice::BOOT_DISK],
    open: Open::No,
};

/// What the tables know of the machine type. Derived values read it without the rest.
pub fn machine_of(block: &Decoder<'_>) -> Option<Machine> {
    match machines::find(&block.word("machine_type")?) {
        Found::Machine(machine) => Some(machine),
        Found::Tpu(_) | Found::Unknown => None,
    }
}

/// How many nodes there are, or may be.
pub fn most_nodes(block: &Decoder<'_>) -> u32 {
    let range = block.block("autoscale").map(|inner| inner.count("max_nodes", 1));
    range.unwrap_or_else(|| block.count("node_count", 1)).value
}

/// A workload runs on slices or on nodes, and takes only the attributes of the one that it names.
pub fn check_place(block: &Decoder<'_>, of_slices: &[&str], of_nodes: &[&str]) {
    block.exactly_one_of(&["slice", "nodes"]);
    let (named, strangers) = match (block.has("slice"), block.has("nodes")) {
        (true, false) => ("slice", of_nodes),
        (false, true) => ("nodes", of_slices),
        _ => return,
    };
    for name in strangers {
        if let Some(span) = block.attr_span(name) {
            block.report(
                Diag::error("conflicting-attributes", format!("`{name}` does not go with `{named}`"))
                    .at(span, "counts nothing here")
                    .help("Take it out."),
            );
        }
    }
}

/// Ray's facts know JaxTrainer on TPUs alone.
pub fn check_framework(block: &Decoder<'_>, framework: &Field<Framework>) {
    if let Some(framework) =
        framework.as_ref().filter(|framework| framework.value == Framework::Jax && block.has("nodes"))
    {
        block.report(
            Diag::error("type", "JAX trains on slices")
                .at(framework.span, "on nodes, here")
                .detail("Ray's JaxTrainer is known, and checked, on TPUs only.")
                .help("Take `slice` instead of `nodes`, or framework = \"pytorch\"."),
        );
    }
}

/// Reads a `nodes` block.
pub fn decode(block: &Decoder<'_>) -> Nodes {
    let boot_disk = block.block("boot_disk");
    let autoscale = block.block("autoscale").map(|inner| range(&inner));
    if autoscale.is_some() && block.has("node_count") {
        block.report(
            Diag::error("conflicting-attributes", "`node_count` and `autoscale` exclude each other")
                .at(block.attr_span("node_count").unwrap_or(block.header()), "a fixed number")
                .help("Keep one of them."),
        );
    }
    let count = block.count("node_count", 1);
    Nodes {
        head: block.head(),
        cluster: block.reference("cluster", "cluster"),
        zone: block.word("zone"),
        zone_given: block.is_given("zone") || block.misspells("zone"),
        machine: machine_of(block),
        machine_type: block.word("machine_type"),
        node_count: autoscale.as_ref().map_or(count, |range| range.clone().map(|range| range.max)),
        autoscale,
        capacity: block.blocks("capacity").iter().filter_map(|rung| slice::capacity(rung, "node_count")).collect(),
        gpu_driver_version: block
            .choice("gpu_driver_version", &["default", "latest", "disabled"].map(|word| (word, word.to_owned()))),
        provision: slice::provision(block),
        service_account: block.reference("service_account", "service_account"),
        boot_disk_size_gb: boot_disk.as_ref().and_then(|disk| disk.integer("size_gb")),
        boot_disk_type: boot_disk.as_ref().and_then(|disk| disk.word("type")),
        labels: block.labels("labels"),
        taints: block.blocks("taint").iter().filter_map(taint).collect(),
        node_selector: block.labels("node_selector"),
        dranet: slice::dranet(block),
        networks: block.strings("networks"),
        pool_settings: slice::pool_settings(block, boot_disk.as_ref()),
    }
}

fn range(block: &Decoder<'_>) -> crate::base::span::Spanned<NodeRange> {
    let max = block.count("max_nodes", 1);
    let fewest: Field<u32> = block.integer("min_nodes");
    let min = block.check("min_nodes", fewest, |min| *min <= max.value, "at most `max_nodes`");
    max.map(|max| NodeRange { min: min.map_or(0, |min| min.value), max })
}

fn taint(block: &Decoder<'_>) -> Option<NodeTaint> {
    let effects = [
        ("no_schedule", "NoSchedule".to_owned()),
        ("prefer_no_schedule", "PreferNoSchedule".to_owned()),
        ("no_execute", "NoExecute".to_owned()),
    ];
    Some(NodeTaint {
        key: block.label()?.value,
        value: block.word("value").map_or_else(|| "true".to_owned(), |value| value.value),
        effect: block.choice("effect", &effects).map_or_else(|| "NoSchedule".to_owned(), |effect| effect.value),
    })
}
