//! `ray_cluster`: a Ray cluster for interactive use.

use crate::base::diag::Diag;
use crate::resolve::blocks::patch::PATCH;
use crate::resolve::blocks::{autoscale, nodes, workload};
use crate::resolve::decode::{Decoder, is_dns_label};
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::{ClusterUpgrade, Field, Pod, RayCluster, RayGroup};

const GROUP: BlockSpec = BlockSpec {
    name: "group",
    label: Label::Name,
    times: Times::Any,
    doc: "A group of workers on slices, or nodes, of one block.",
    attrs: &[&[
        optional("slice", "slice", "The slices that it runs on."),
        optional("num_slices", "number", "How many of them; 1 by default."),
        optional("nodes", "nodes", "The GPU or CPU nodes that it runs on, instead of slices."),
        optional("replicas", "number", "Workers, one a node; 1 by default."),
    ]],
    blocks: &[&autoscale::GROUP, &workload::WORKER],
    open: Open::No,
};

/// The `ray_cluster` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "ray_cluster",
    label: Label::Name,
    times: Times::Any,
    doc: "A Ray cluster for interactive use: workers on slices or nodes, several groups of them, or the head alone.",
    attrs: &[
        &[
            optional("slice", "slice", "The slices of its one group of workers; several groups are `group` blocks."),
            optional("num_slices", "number", "How many of them; 1 by default."),
            optional("nodes", "nodes", "The GPU or CPU nodes of its one group of workers, instead of slices."),
            optional("replicas", "number", "Workers, one a node; 1 by default."),
            optional("idle_timeout", "duration", "How long a worker is idle before Ray's autoscaler stops it."),
            optional(
                "upgrade",
                "recreate or none",
                "What a change does to pods that run: recreate makes them all anew (KubeRay 1.6); none (default) leaves them.",
            ),
        ],
        workload::ATTRS,
        META,
    ],
    blocks: &[
        &LIFECYCLE,
        &PATCH,
        &GROUP,
        &autoscale::GROUP,
        &workload::CONTAINER,
        &workload::INIT_CONTAINER,
        &workload::MOUNT,
        &workload::HEAD,
        &workload::WORKER,
    ],
    open: Open::No,
};

/// Reads a `ray_cluster` block.
pub fn decode(block: &Decoder<'_>) -> RayCluster {
    let workload = workload::decode(block);
    let blocks = block.blocks("group");
    let groups: Vec<RayGroup> = if !blocks.is_empty() {
        blocks.iter().map(|inner| group(inner, &workload)).collect()
    } else if block.has("slice") || block.has("nodes") {
        vec![on_place(block, None, workload.worker_pod.clone())]
    } else {
        Vec::new()
    };
    check_place(block, !blocks.is_empty());
    let idle_timeout = block.duration("idle_timeout");
    if let Some(timeout) = idle_timeout.as_ref().filter(|_| groups.iter().all(|group| group.autoscale.is_none())) {
        block.report(
            Diag::error("conflicting-attributes", "`idle_timeout` is for workers that Ray scales")
                .at(timeout.span, "no worker here scales")
                .help("Add `autoscale { }` to a group, or take it out."),
        );
    }
    RayCluster {
        head: block.head(),
        workload,
        groups,
        idle_timeout,
        upgrade: block.choice("upgrade", &[("recreate", ClusterUpgrade::Recreate), ("none", ClusterUpgrade::None)]),
    }
}

fn group(block: &Decoder<'_>, workload: &crate::resolve::stack::Workload) -> RayGroup {
    let name = block.label();
    if let Some(name) =
        name.as_ref().filter(|name| !is_dns_label(name) || name.starts_with(|c: char| c.is_ascii_digit()))
    {
        block.report(
            Diag::error("illegal-name", "A group's name is not a DNS label").at(name.span, "not a legal name").detail(
                "The names of its hosts begin with it: lower-case letters, digits and `-`, and a letter first.",
            ),
        );
    }
    let worker = block.block("worker").map(|inner| workload::worker(block, &inner, workload)).unwrap_or_default();
    on_place(block, name, worker)
}

/// Workers on the slices or the nodes that the block names.
fn on_place(block: &Decoder<'_>, name: Field<String>, worker: Pod) -> RayGroup {
    nodes::check_place(block, &["num_slices"], &["replicas"]);
    if let Some(range) = block.block("autoscale").filter(|_| block.has("nodes")) {
        block.report(
            Diag::error("conflicting-attributes", "`autoscale` of a group is for slices")
                .at(range.header(), "this group runs on nodes")
                .help("Take it out, and let GKE scale the nodes: `autoscale` in the `nodes` block."),
        );
    }
    let (num_slices, autoscale) = autoscale::slices(block, "autoscale", 0);
    RayGroup {
        name,
        slice: block.reference("slice", "slice"),
        num_slices,
        nodes: block.reference("nodes", "nodes"),
        replicas: block.count("replicas", 1),
        autoscale,
        worker,
        span: block.header(),
    }
}

/// What belongs to the place of the one group has no place beside `group` blocks, nor where there is no slice.
fn check_place(block: &Decoder<'_>, groups: bool) {
    if !groups && (block.has("slice") || block.has("nodes")) {
        return;
    }
    let attrs = ["slice", "num_slices", "nodes", "replicas"].into_iter();
    let attrs = attrs.filter_map(|name| Some((name, block.attr_span(name)?)));
    let inner = ["autoscale", "worker"].into_iter().filter_map(|name| Some((name, block.block(name)?.header())));
    for (name, span) in attrs.chain(inner) {
        let diag = Diag::error("conflicting-attributes", format!("`{name}` is for the workers of `slice` or `nodes`"));
        block.report(if groups {
            diag.at(span, "beside `group` blocks").help("Write it into the groups that it is for.")
        } else {
            diag.at(span, "this cluster is a head alone").help("Add `slice` or `nodes`, or take it out.")
        });
    }
}
