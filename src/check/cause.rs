//! One cause, one problem: what a rule says of a value that could not be read waits until it can be.

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::Span;
use crate::parse::{Block, Body};

/// Takes out of what rules `found` all that may follow from the `errors` of reading the stack.
///
/// A value that can't be read has its default meanwhile, and a default stands at its block's header. So a finding there waits
/// while an error stands in the block itself; and one that compares blocks waits while there is an error in any of them.
pub fn independent(found: &mut Diags, errors: &Diags, body: &Body) {
    let places: Vec<Span> = errors.iter().filter(|diag| diag.severity == Severity::Error).filter_map(place).collect();
    if places.is_empty() {
        return;
    }
    let unread: Vec<&Block> =
        body.blocks.iter().filter(|block| places.iter().any(|place| within(*place, block.span))).collect();
    found.retain(|diag| !unread.iter().any(|block| follows(diag, block, &places)));
}

fn follows(diag: &Diag, block: &Block, places: &[Span]) -> bool {
    let labels = || place(diag).into_iter().chain(diag.related.iter().map(|label| label.span));
    let here = labels().any(|label| within(label, block.span));
    let elsewhere = labels().any(|label| !within(label, block.span));
    (here && elsewhere) || labels().any(|label| rests_on_default(label, block, places))
}

/// Whether the label stands at the header of this block, or of one in it, that has an error of its own.
fn rests_on_default(label: Span, block: &Block, places: &[Span]) -> bool {
    let inside = |inner: &&Block| within(label, inner.span);
    if let Some(inner) = block.body.blocks.iter().find(inside) {
        return rests_on_default(label, inner, places);
    }
    let own = |place: &&Span| {
        within(**place, block.span) && !block.body.blocks.iter().any(|inner| within(**place, inner.span))
    };
    within(label, block.header) && places.iter().any(|place| own(&place))
}

fn place(diag: &Diag) -> Option<Span> {
    diag.primary.as_ref().map(|label| label.span)
}

fn within(inner: Span, outer: Span) -> bool {
    inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
}
