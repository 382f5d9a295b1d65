//! `removed`: blocks that the stack let go.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::Span;
use crate::parse::Body;
use crate::resolve::blocks::refactor::REMOVED;
use crate::resolve::decode::Decoder;
use crate::resolve::refactor::is_declared;
use crate::resolve::scope::Context;
use crate::resolve::stack::{Moved, Removed};

/// Reads the `removed` blocks; `moved` are the moves.
pub fn read(context: &Context<'_>, body: &Body, moved: &[Moved]) -> Vec<Removed> {
    let mut seen: BTreeMap<Addr, Span> = BTreeMap::new();
    let mut kept = Vec::new();
    for block in body.blocks.iter().filter(|block| block.kind.value == REMOVED.name) {
        let decoder = Decoder::new(context, block, &REMOVED, REMOVED.name.to_owned());
        let destroy = decoder.block("lifecycle").is_none_or(|lifecycle| lifecycle.flag("destroy", true));
        let Some(from) = decoder.address("from") else { continue };
        let removed = Removed { from, destroy };
        match still_there(context, &removed).or_else(|| fault(&removed, &seen, moved)) {
            Some(diag) => context.report(diag),
            None => {
                seen.insert(removed.from.value.clone(), removed.from.span);
                kept.push(removed);
            }
        }
    }
    kept
}

fn still_there(context: &Context<'_>, removed: &Removed) -> Option<Diag> {
    let from = &removed.from.value;
    let block = context.blocks.get(&from.block())?;
    (from.key.is_none() || is_declared(context, from)).then(|| {
        Diag::error("removed", format!("{from} is removed, and is still there"))
            .at(removed.from.span, "still declared")
            .also(block.header, "here")
            .help("Take the block out of the stack, or the `removed` block.")
    })
}

fn fault(removed: &Removed, seen: &BTreeMap<Addr, Span>, moved: &[Moved]) -> Option<Diag> {
    let from = &removed.from.value;
    if let Some(first) = seen.get(from) {
        return Some(
            Diag::error("removed", format!("{from} is removed twice"))
                .at(removed.from.span, "again here")
                .also(*first, "first here")
                .help("Keep one of them."),
        );
    }
    let other = moved.iter().find(|other| other.from.value == *from)?;
    Some(
        Diag::error("removed", format!("{from} is removed, and has moved"))
            .at(removed.from.span, "removed here")
            .also(other.from.span, format!("moved to {} here", other.to.value))
            .help(format!("Write `from = {}`, or take one of both out.", other.to.value)),
    )
}
