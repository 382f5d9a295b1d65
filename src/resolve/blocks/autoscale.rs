//! `autoscale`: between how many slices, or replicas, a thing may be.

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, Label, Open, Times, optional, required};
use crate::resolve::stack::{Autoscale, ReplicaRange};

/// Of the slices of a group of Ray workers.
pub const GROUP: BlockSpec = BlockSpec {
    name: "autoscale",
    label: Label::None,
    times: Times::Once,
    doc: "Ray starts and stops the workers of whole slices, as work comes and goes.",
    attrs: &[&[
        optional("min_slices", "number", "Fewest slices; 0 by default."),
        optional("max_slices", "number", "Most slices; num_slices by default."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// Of the pools of a slice.
pub const POOLS: BlockSpec =
    BlockSpec { doc: "GKE makes and removes the nodes of whole slices, as pods wait for them or leave them.", ..GROUP };

/// Of the slices that a training job has at a time.
pub const ELASTIC: BlockSpec = BlockSpec {
    name: "elastic",
    doc: "Ray Train goes on with fewer slices when some are lost, and takes more when they come (JAX).",
    attrs: &[&[
        optional("min_slices", "number", "Fewest slices; 1 by default."),
        optional("max_slices", "number", "Most slices; num_slices by default."),
    ]],
    ..GROUP
};

/// Of the replicas of a model.
pub const REPLICAS: BlockSpec = BlockSpec {
    name: "autoscale",
    label: Label::None,
    times: Times::Once,
    doc: "Ray Serve adds and takes away replicas by load.",
    attrs: &[&[
        optional("min_replicas", "number", "Fewest replicas; 1 by default."),
        required("max_replicas", "number", "Most replicas; each takes a slice."),
        required(
            "target_ongoing_requests",
            "number",
            "Requests that a replica should have at a time. Ray Serve LLM's own target is so high that it never scales.",
        ),
    ]],
    blocks: &[],
    open: Open::No,
};

/// The range of replicas of an `autoscale` block.
pub fn replicas(block: &Decoder<'_>) -> ReplicaRange {
    let max = block.count("max_replicas", 1);
    let min = block.integer::<u32>("min_replicas").unwrap_or_else(|| block.default(1));
    let target = block.integer::<u32>("target_ongoing_requests");
    ReplicaRange {
        min: in_order(block, min, &max, "min_replicas", "max_replicas"),
        max,
        target_ongoing_requests: block.check("target_ongoing_requests", target, |number| *number >= 1, "1 or more"),
        span: block.header(),
    }
}

/// The slices of a block, and between which numbers the inner block `range` lets them be. Where both are written,
/// `num_slices` and `max_slices` are the same number.
pub fn slices(block: &Decoder<'_>, range: &str, least: u32) -> (Spanned<u32>, Option<Autoscale>) {
    let num_slices = block.count("num_slices", 1);
    let Some(inner) = block.block(range) else { return (num_slices, None) };
    let max = if inner.has("max_slices") { inner.count("max_slices", 1) } else { num_slices.clone() };
    if block.has("num_slices") && max.value != num_slices.value {
        block.report(
            Diag::error("conflicting-attributes", "`num_slices` and `max_slices` are two numbers")
                .at(max.span, format!("{} here", max.value))
                .also(num_slices.span, format!("{} here", num_slices.value))
                .detail("What may scale has at most `num_slices` slices.")
                .help("Keep one of them."),
        );
    }
    let wanted = if least == 0 { "0 or more" } else { "1 or more" };
    let min = inner.check("min_slices", inner.integer::<u32>("min_slices"), |min| *min >= least, wanted);
    let min = in_order(&inner, min.unwrap_or_else(|| inner.default(least)), &max, "min_slices", "max_slices");
    (max.clone(), Some(Autoscale { min, max, span: inner.header() }))
}

/// `min`, where it is at most `max`; else `max`, after saying so.
pub fn in_order(
    block: &Decoder<'_>,
    min: Spanned<u32>,
    max: &Spanned<u32>,
    min_name: &str,
    max_name: &str,
) -> Spanned<u32> {
    if min.value <= max.value {
        return min;
    }
    block.report(
        Diag::error("type", format!("`{min_name}` is more than `{max_name}`"))
            .at(min.span, format!("at least {}", min.value))
            .also(max.span, format!("at most {}", max.value)),
    );
    Spanned::new(max.value, min.span)
}
