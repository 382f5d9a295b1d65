//! `ray_cluster`: a Ray cluster for interactive use.

use crate::base::diag::Diag;
use crate::resolve::blocks::{autoscale, workload};
use crate::resolve::decode::{Decoder, is_dns_label};
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::{ClusterUpgrade, RayCluster, RayGroup};

const GROUP: BlockSpec = BlockSpec {
    name: "group",
    label: Label::Name,
    times: Times::Any,
    doc: "A group of workers on slices of one block.",
    attrs: &[&[
        required("slice", "slice", "The slices that it runs on."),
        optional("num_slices", "number", "How many of them; 1 by default."),
    ]],
    blocks: &[&autoscale::GROUP, &workload::WORKER],
    open: Open::No,
};

/// The `ray_cluster` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "ray_cluster",
    label: Label::Name,
    times: Times::Any,
    doc: "A Ray cluster for interactive use: workers on slices, several groups of them, or the head alone.",
    attrs: &[
        &[
            optional("slice", "slice", "The slices of its one group of workers; several groups are `group` blocks."),
            optional("num_slices", "number", "How many of them; 1 by default."),
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
    let groups: Vec<RayGroup> = if blocks.is_empty() {
        let (num_slices, autoscale) = autoscale::slices(block, "autoscale", 0);
        let slice = block.reference("slice", "slice");
        let worker = workload.worker_pod.clone();
        let group = RayGroup { name: None, slice, num_slices, autoscale, worker, span: block.header() };
        if block.has("slice") { vec![group] } else { Vec::new() }
    } else {
        blocks.iter().map(|inner| group(inner, &workload)).collect()
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
    let (num_slices, autoscale) = autoscale::slices(block, "autoscale", 0);
    let worker = block.block("worker").map(|inner| workload::worker(block, &inner, workload)).unwrap_or_default();
    RayGroup { name, slice: block.reference("slice", "slice"), num_slices, autoscale, worker, span: block.header() }
}

/// What belongs to the slices of the one group has no place beside `group` blocks, nor where there is no slice.
fn check_place(block: &Decoder<'_>, groups: bool) {
    if !groups && block.has("slice") {
        return;
    }
    let attrs = ["slice", "num_slices"].into_iter().filter(|name| groups || *name != "slice");
    let attrs = attrs.filter_map(|name| Some((name, block.attr_span(name)?)));
    let inner = ["autoscale", "worker"].into_iter().filter_map(|name| Some((name, block.block(name)?.header())));
    for (name, span) in attrs.chain(inner) {
        let diag = Diag::error("conflicting-attributes", format!("`{name}` is for the workers of `slice`"));
        block.report(if groups {
            diag.at(span, "beside `group` blocks").help("Write it into the groups that it is for.")
        } else {
            diag.at(span, "this cluster is a head alone").help("Add `slice`, or take it out.")
        });
    }
}
