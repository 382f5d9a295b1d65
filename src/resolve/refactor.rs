//! `moved`, `removed`, `import`: reads what a stack says of its past, and refuses what can't be meant.

mod imports;
mod removed;

use std::collections::BTreeMap;

use crate::base::addr::{Addr, Key};
use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::parse::Body;
use crate::resolve::blocks::refactor::MOVED;
use crate::resolve::decode::Decoder;
use crate::resolve::instances::Instances;
use crate::resolve::scope::Context;
use crate::resolve::stack::{Moved, Past, Removed};

/// No stack keeps more of them: each costs a look at the whole stack as it was before it.
const MOST_MOVED: usize = 100;

/// Reads what `body` says of its past.
pub fn read(context: &Context<'_>, body: &Body) -> Past {
    let blocks = body.blocks.iter().filter(|block| block.kind.value == MOVED.name);
    let found: Vec<Moved> = blocks
        .filter_map(|block| {
            let decoder = Decoder::new(context, block, &MOVED, MOVED.name.to_owned());
            // Both are read, for the errors of both.
            let (from, to) = (decoder.address("from"), decoder.address("to"));
            Some(Moved { from: from?, to: to? })
        })
        .collect();
    if let Some(moved) = found.get(MOST_MOVED) {
        context.report(
            Diag::error("moved", format!("More than {MOST_MOVED} `moved` blocks"))
                .at(moved.from.span, "one too many")
                .help("Take out those that every environment has applied."),
        );
        return Past::default();
    }
    let removed = removed::read(context, body, &found);
    let moved = in_order(sound(context, found, &removed));
    Past { moved, removed, imports: imports::read(context, body) }
}

/// The moves without a fault.
fn sound(context: &Context<'_>, found: Vec<Moved>, removed: &[Removed]) -> Vec<Moved> {
    let mut kept: Vec<Moved> = Vec::new();
    let froms: BTreeMap<Addr, Span> =
        found.iter().rev().map(|moved| (moved.from.value.clone(), moved.from.span)).collect();
    let ends = removed.iter().map(|removed| &removed.from);
    let froms = froms.into_iter().chain(ends.map(|from| (from.value.clone(), from.span))).collect();
    for moved in found {
        let fault = in_itself(&moved)
            .or_else(|| twice(&moved, &kept))
            .or_else(|| circle(&moved, &kept))
            .or_else(|| still_there(context, &moved))
            .or_else(|| nowhere(context, &moved.to, &froms));
        match fault {
            Some(diag) => context.report(diag),
            None => kept.push(moved),
        }
    }
    kept
}

fn in_itself(moved: &Moved) -> Option<Diag> {
    if moved.from.value == moved.to.value {
        return Some(
            Diag::error("moved", "A block that moves to where it is")
                .at(moved.to.span, "the same address")
                .help("Take the `moved` block out."),
        );
    }
    (moved.from.kind != moved.to.kind).then(|| {
        Diag::error("moved", "A block cannot become one of another type")
            .at(moved.to.span, format!("a {}", moved.to.kind))
            .also(moved.from.span, format!("a {}", moved.from.kind))
            .help("Take the `moved` block out: the plan then shows what goes and what comes.")
    })
}

fn twice(moved: &Moved, kept: &[Moved]) -> Option<Diag> {
    let help = "Keep one of them. What moved twice is a chain: the second `moved` starts where the first ends.";
    if let Some(other) = kept.iter().find(|other| other.from.value == moved.from.value) {
        return Some(
            Diag::error("moved", format!("{} moves to two places", moved.from.value))
                .at(moved.from.span, "again here")
                .also(other.from.span, format!("moved to {} here", other.to.value))
                .help(help),
        );
    }
    let other = kept.iter().find(|other| other.to.value == moved.to.value)?;
    Some(
        Diag::error("moved", format!("Two blocks move to {}", moved.to.value))
            .at(moved.to.span, "again here")
            .also(other.to.span, format!("{} moved there here", other.from.value))
            .help(help),
    )
}

fn still_there(context: &Context<'_>, moved: &Moved) -> Option<Diag> {
    let from = &moved.from.value;
    let block = context.blocks.get(&from.block())?;
    (moved.is_whole() || is_declared(context, from)).then(|| {
        Diag::error("moved", format!("{from} has moved, and is still there"))
            .at(moved.from.span, "still declared")
            .also(block.header, "here")
            .help(format!("Rename the block to {}, or take the `moved` block out.", moved.to.value))
    })
}

/// Whether the stack has the block, or the instance.
pub fn is_declared(context: &Context<'_>, addr: &Addr) -> bool {
    let block = addr.block();
    if !context.blocks.contains_key(&block) {
        return false;
    }
    match (&*context.instances(&block), &addr.key) {
        (Instances::One, None) => true,
        (instances, Some(key)) => instances.keyed().iter().any(|instance| instance.key == *key),
        (_, None) => false,
    }
}

/// Moves that lead back to where they began.
fn circle(moved: &Moved, kept: &[Moved]) -> Option<Diag> {
    let mut way = vec![&moved.from.value, &moved.to.value];
    while let Some(next) = kept.iter().find(|next| Some(&&next.from.value) == way.last()) {
        way.push(&next.to.value);
        if next.to.value == moved.from.value {
            let chain: Vec<String> = way.iter().map(ToString::to_string).collect();
            return Some(
                Diag::error("moved", "Moves that lead back to where they began")
                    .at(moved.from.span.to(moved.to.span), "closes the circle")
                    .detail(format!("{}.", chain.join(" moved to ")))
                    .help("Take one of them out."),
            );
        }
    }
    None
}

/// A place that the stack does not have, and from which nothing moves on. An instance may come and go with a variable.
fn nowhere(context: &Context<'_>, to: &Spanned<Addr>, froms: &BTreeMap<Addr, Span>) -> Option<Diag> {
    let block = to.block();
    if froms.contains_key(&to.value) || froms.contains_key(&block) {
        return None;
    }
    let Some(declared) = context.blocks.get(&block) else {
        let names = context.blocks.keys().filter(|known| known.kind == to.kind).map(|known| known.name.as_str());
        let near = did_you_mean(&to.name, names);
        return Some(
            Diag::error("moved", format!("There is no {} {:?} to move to", to.kind, to.name))
                .at(to.span, "not declared in this stack")
                .help(format!("`to` is the address that the block has now.{near}")),
        );
    };
    let (is, wanted) = match (&*context.instances(&block), &to.key) {
        (Instances::One, Some(_)) => ("one block without instances", block.to_string()),
        (Instances::Counted(_), Some(Key::Name(_))) => ("counted: its instances have numbers", format!("{block}[0]")),
        (Instances::Each(_), Some(Key::Index(_))) => {
            ("made by `for_each`: its instances have keys", format!("{block}[\"key\"]"))
        }
        _ => return None,
    };
    Some(
        Diag::error("moved", format!("{} is no address of {block}", to.value))
            .at(to.span, "no such instance")
            .also(declared.header, is)
            .help(format!("Write {wanted}.")),
    )
}

/// Each move before those that move on what it moved.
fn in_order(mut left: Vec<Moved>) -> Vec<Moved> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let feeds = |later: &Moved| {
            left.iter().any(|other| {
                other.to.value == later.from.value || (other.is_whole() && other.to.value == later.from.block())
            })
        };
        let next = left.iter().position(|moved| !feeds(moved)).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}
