//! `import`: objects that were there before the stack.

use std::collections::BTreeSet;

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::suggest::did_you_mean;
use crate::parse::{Block, Body};
use crate::resolve::blocks::refactor::IMPORT;
use crate::resolve::decode::Decoder;
use crate::resolve::instances::{self, Instances};
use crate::resolve::refactor::is_declared;
use crate::resolve::scope::Context;
use crate::resolve::stack::Import;

/// Reads the `import` blocks.
pub fn read(context: &Context<'_>, body: &Body) -> Vec<Import> {
    let blocks = body.blocks.iter().filter(|block| block.kind.value == IMPORT.name);
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for import in blocks.flat_map(|block| of_block(context, block)) {
        if let Some(diag) = no_target(context, &import) {
            context.report(diag);
        } else if seen.insert((import.to.value.clone(), import.id.value.clone())) {
            kept.push(import);
        } else {
            context.report(
                Diag::error("import", "The same import twice")
                    .at(import.to.span, format!("{:?} is imported to {} already", *import.id, *import.to))
                    .help("Keep one of them."),
            );
        }
    }
    kept
}

/// The imports of a block: one, or one an entry of its `for_each`.
fn of_block(context: &Context<'_>, block: &Block) -> Vec<Import> {
    let decoder = || Decoder::new(context, block, &IMPORT, IMPORT.name.to_owned());
    match instances::of(context, &Addr::new(IMPORT.name, "block"), block) {
        Instances::One => one(&decoder()).into_iter().collect(),
        many => many.keyed().iter().filter_map(|instance| one(&decoder().of_instance(instance))).collect(),
    }
}

fn one(decoder: &Decoder<'_>) -> Option<Import> {
    // Both are read, for the errors of both.
    let (to, id) = (decoder.address("to"), decoder.string("id"));
    Some(Import { to: to?, id: id? })
}

fn no_target(context: &Context<'_>, import: &Import) -> Option<Diag> {
    let to = &import.to;
    if is_declared(context, to) {
        return None;
    }
    let block = to.block();
    let diag = Diag::error("import", format!("There is no {} to import to", to.value)).at(to.span, "not declared");
    let Some(declared) = context.blocks.get(&block) else {
        let names = context.blocks.keys().filter(|known| known.kind == to.kind).map(|known| known.name.as_str());
        let near = did_you_mean(&to.name, names);
        return Some(diag.help(format!("Declare the block that the object is to belong to.{near}")));
    };
    let keys = match &*context.instances(&block) {
        // An error has said why they are not known.
        Instances::Unknown => return None,
        instances => {
            instances.keyed().iter().map(|one| block.instance(one.key.clone()).to_string()).collect::<Vec<_>>()
        }
    };
    let diag = diag.also(declared.header, "its block");
    Some(if keys.is_empty() { diag } else { diag.help(format!("Its instances: {}.", keys.join(", "))) })
}
