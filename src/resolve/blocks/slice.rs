//! `slice`: TPU slices of one shape.

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::facts::accelerators::{self, Found};
use crate::facts::gke;
use crate::fit::shape::{self, Shape};
use crate::fit::shape_fault::ShapeFault;
use crate::resolve::blocks::autoscale;
use crate::resolve::blocks::patch::PATCH;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{AttrSpec, BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::{Capacity, CapacityKind, Dranet, Field, Provision, Slice};

/// No machine has more network devices: a slip of the pen must not make a claim that nothing can meet.
const MOST_DEVICES: u32 = 16;

const CAPACITY: BlockSpec =
    capacity_spec(&[&[optional("num_slices", "number", "At most so many slices from here.")], CAPACITY_ATTRS]);

/// What a `capacity` block says of each kind, beside the attribute that caps it.
pub const CAPACITY_ATTRS: &[AttrSpec] = &[
    optional("name", "string", "Reservation: its name."),
    optional("project", "string", "Reservation: the project that owns it, where it is shared."),
    optional("block", "string", "Reservation: a block of it."),
    optional("queued", "bool", "Flex-start: queued provisioning; false by default."),
    optional("max_run_duration", "duration", "Flex-start: how long nodes may run, at most seven days."),
];

/// A `capacity` block of slices or nodes.
pub const fn capacity_spec(attrs: &'static [&'static [AttrSpec]]) -> BlockSpec {
    BlockSpec {
        name: "capacity",
        label: Label::OneOf(&["reservation", "flex_start", "spot", "on_demand"]),
        times: Times::Once,
        doc: "How the capacity is had. Several blocks are a ladder, first choice first.",
        attrs,
        blocks: &[],
        open: Open::No,
    }
}

/// The `boot_disk` block.
pub const BOOT_DISK: BlockSpec = BlockSpec {
    name: "boot_disk",
    label: Label::None,
    times: Times::Once,
    doc: "The nodes' boot disk.",
    attrs: &[&[
        optional("size_gb", "number", "Size in GB."),
        optional("type", "string", "Disk type; by default one that the generation takes."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// The `slice` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "slice",
    label: Label::Name,
    times: Times::Any,
    doc: "TPU slices of one shape: generation, topology, how many, and how their capacity is had.",
    attrs: &[
        &[
            optional("name", "string", "What its node pools are named after; the block's name by default."),
            required("cluster", "cluster", "The cluster whose nodes these are."),
            required(
                "accelerator",
                "string",
                "TPU generation, such as `v6e`; `sliceform catalog accelerators` lists them.",
            ),
            required(
                "topology",
                "string",
                "Shape of one slice in chips, such as `4x4`. Hosts and devices follow from it.",
            ),
            optional(
                "num_slices",
                "number",
                "How many slices of this shape there are, over all capacity blocks; 1 by default.",
            ),
            optional("zone", "string", "Zone of the nodes."),
            optional(
                "chips_per_host",
                "number",
                "Chips of one host, where the shape alone is ambiguous (2x4 on v5e and v6e).",
            ),
            optional("provision", "node_pool or existing", "Who makes the nodes; node_pool (Terraform) by default."),
            optional(
                "node_selector",
                "map of strings",
                "Selector of existing nodes; generation and topology by default.",
            ),
            optional("service_account", "service_account", "Google service account of the nodes."),
            optional("labels", "map of strings", "Labels of the nodes."),
            optional(
                "dranet",
                "\"all\" or a number",
                "Network devices that each pod claims through DRANET; none by default.",
            ),
            optional(
                "networks",
                "list of strings",
                "Further networks of the nodes: names in the cluster's additional_networks.",
            ),
            optional("share", "bool", "Whether workloads take turns on it; false by default."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE, &PATCH, &CAPACITY, &autoscale::POOLS, &BOOT_DISK],
    open: Open::No,
};

/// The arithmetic of a slice, from the three attributes that decide it. Derived values read it without the rest.
pub fn shape_of(block: &Decoder<'_>) -> Option<Result<Shape, ShapeFault>> {
    let accelerator = block.string("accelerator")?;
    let topology = block.string("topology")?;
    let chips_per_host = block.integer("chips_per_host");
    let Found::Accelerator(generation) = accelerators::find(&accelerator) else { return None };
    Some(shape::shape(generation, &topology, chips_per_host.map(|chips| chips.value)))
}

/// Reads a `slice` block.
pub fn decode(block: &Decoder<'_>) -> Slice {
    let accelerator = block.string("accelerator");
    let generation = accelerator.as_ref().and_then(|name| match accelerators::find(name) {
        Found::Accelerator(row) => Some(row),
        _ => None,
    });
    let boot_disk = block.block("boot_disk");
    let (num_slices, autoscale) = autoscale::slices(block, "autoscale", 0);
    Slice {
        head: block.head(),
        cluster: block.reference("cluster", "cluster"),
        zone: block.word("zone"),
        zone_given: block.is_given("zone") || block.misspells("zone"),
        accelerator,
        topology: block.string("topology"),
        chips_per_host: block.integer("chips_per_host"),
        num_slices,
        autoscale,
        capacity: block.blocks("capacity").iter().filter_map(|rung| capacity(rung, "num_slices")).collect(),
        provision: provision(block),
        service_account: block.reference("service_account", "service_account"),
        boot_disk_size_gb: boot_disk.as_ref().and_then(|disk| disk.integer("size_gb")),
        boot_disk_type: boot_disk.as_ref().and_then(|disk| disk.word("type")),
        labels: block.labels("labels"),
        node_selector: block.labels("node_selector"),
        dranet: dranet(block),
        networks: block.strings("networks"),
        pool_settings: pool_settings(block, boot_disk.as_ref()),
        share: block.flag("share", false),
        generation,
        shape: shape_of(block),
    }
}

/// Who makes the nodes.
pub fn provision(block: &Decoder<'_>) -> Spanned<Provision> {
    if let Some(written) = block.word("provision").filter(|written| written.value == "compute_class") {
        block.report(
            Diag::error("type", "`provision = \"compute_class\"` is not built yet")
                .at(written.span, "this release does not write ComputeClass objects")
                .detail("A ComputeClass makes nodes as pods ask for them; this release declares node pools.")
                .help(
                    "Write \"node_pool\": its `capacity` blocks are a ladder, and `autoscale` makes nodes as pods wait. Nodes of \
                     a class that is there are \"existing\", with node_selector = { \"cloud.google.com/compute-class\" = NAME }.",
                ),
        );
        return Spanned::new(Provision::NodePool, written.span);
    }
    block
        .choice("provision", &[("node_pool", Provision::NodePool), ("existing", Provision::Existing)])
        .unwrap_or_else(|| block.default(Provision::NodePool))
}

/// `dranet`, of slices or nodes.
pub fn dranet(block: &Decoder<'_>) -> Field<Dranet> {
    let text = block.string("dranet")?;
    let read = match text.value.as_str() {
        "all" => Some(Dranet::All),
        count => count.parse().ok().filter(|count| (1..=MOST_DEVICES).contains(count)).map(Dranet::Count),
    };
    let place = text.span;
    let wanted = format!("\"all\" or a number of devices, 1 to {MOST_DEVICES}");
    block
        .check("dranet", Some(text.map(|_| read)), Option::is_some, &wanted)
        .and_then(|read| read.value.map(|dranet| Spanned::new(dranet, place)))
}

/// What stands in the block although a node pool alone can have it.
pub fn pool_settings(block: &Decoder<'_>, boot_disk: Option<&Decoder<'_>>) -> Vec<Spanned<&'static str>> {
    let written = |name: &'static str| block.attr_span(name).map(|span| Spanned::new(name, span));
    let attributes = ["service_account", "labels", "networks"].into_iter().filter_map(written);
    attributes.chain(boot_disk.map(|disk| Spanned::new("boot_disk", disk.header()))).collect()
}

/// One rung of a ladder; `cap` is the attribute that bounds it.
pub fn capacity(block: &Decoder<'_>, cap: &str) -> Option<Capacity> {
    let kind = match block.label()?.value.as_str() {
        "reservation" => {
            block.need("name", "which reservation");
            CapacityKind::Reservation {
                name: block.word("name").map(|name| name.value),
                project: block.word("project").map(|name| name.value),
                block: block.word("block").map(|name| name.value),
            }
        }
        "flex_start" => CapacityKind::FlexStart {
            queued: block.flag("queued", false),
            max_run_duration: {
                let limit = gke::FLEX_START_MAX_SECONDS.value;
                let duration = block.duration("max_run_duration");
                let wanted = "a duration of at most seven days";
                block
                    .check("max_run_duration", duration, |seconds| *seconds <= limit, wanted)
                    .map(|seconds| seconds.value)
            },
        },
        "spot" => CapacityKind::Spot,
        "on_demand" => CapacityKind::OnDemand,
        // Another kind was told as such; what it would take nobody knows.
        _ => return None,
    };
    let takes: &[&str] = match kind {
        CapacityKind::Reservation { .. } => &[cap, "name", "project", "block"],
        CapacityKind::FlexStart { .. } => &[cap, "queued", "max_run_duration"],
        CapacityKind::Spot | CapacityKind::OnDemand => &[cap],
    };
    block.only(takes);
    Some(Capacity { kind, num_slices: block.has(cap).then(|| block.count(cap, 1)), span: block.header() })
}
