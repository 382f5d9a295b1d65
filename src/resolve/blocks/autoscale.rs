//! `autoscale`: between how many slices, or replicas, a thing may be.

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, Label, Times, optional};
use crate::resolve::stack::Autoscale;

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
    open: false,
};

/// The slices of a block, and between which numbers they scale. Where both are written, `num_slices` and `max_slices` are
/// the same number.
pub fn slices(block: &Decoder<'_>) -> (Spanned<u32>, Option<Autoscale>) {
    let num_slices = block.count("num_slices", 1);
    let Some(inner) = block.block("autoscale") else { return (num_slices, None) };
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
    let min = inner.integer::<u32>("min_slices").unwrap_or_else(|| inner.default(0));
    let min = in_order(&inner, min, &max, "min_slices", "max_slices");
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
