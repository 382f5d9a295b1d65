//! Objects that had another name before the stack's `moved` blocks: which they are, and Terraform's own `moved` and
//! `removed` blocks.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::base::addr::Addr;
use crate::emit::hcl::{self, Block, Expr};
use crate::emit::object::first_line;
use crate::emit::{Executor, Manifest, ObjectId};

/// An object that has another name now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// As it was called.
    pub from: ObjectId,
    /// As it is called.
    pub to: ObjectId,
}

/// A block and the name of an object that it made.
pub type Named = (Addr, ObjectId);

/// The names that the objects `now` had in some `earlier` states of the stack, the latest first; each state has the same
/// objects in the same order. Terraform is told by `moved` blocks beside the resource.
pub fn trace(earlier: &[Vec<Named>], now: &mut [Manifest]) -> Vec<Renamed> {
    let mut seen: BTreeSet<ObjectId> = now.iter().map(|manifest| manifest.object.clone()).collect();
    let mut renamed = Vec::new();
    for (index, manifest) in now.iter_mut().enumerate() {
        let mut moves = Vec::new();
        let mut later = manifest.object.clone();
        let states = earlier.iter().filter_map(|state| state.get(index));
        for (addr, before) in states {
            let same = *addr == manifest.addr && before.kind == manifest.object.kind && *before != later;
            // A name that something has, or had later, was not this object's.
            if same && seen.insert(before.clone()) {
                renamed.push(Renamed { from: before.clone(), to: manifest.object.clone() });
                moves.push(block(before, &later));
                later = before.clone();
            }
        }
        if manifest.executor == Executor::Terraform && !moves.is_empty() {
            moves.reverse();
            add(manifest, &moves);
        }
    }
    renamed
}

fn block(from: &ObjectId, to: &ObjectId) -> Block {
    let resource = |object: &ObjectId| Expr::reference(format!("{}.{}", object.kind, object.name));
    Block::new("moved", &[]).with("from", resource(from)).with("to", resource(to))
}

/// A file that tells Terraform to forget a resource of a block that the stack let go.
pub fn forgotten(address: &str, stack: &str, kind: &str, name: &str) -> String {
    let lifecycle = Block::new("lifecycle", &[]).with("destroy", false);
    let from = Expr::reference(format!("{kind}.{name}"));
    let block = Block::new("removed", &[]).with("from", from).block([lifecycle]);
    format!("{}\n{}", first_line(address, stack), hcl::write(&[block]))
}

fn add(manifest: &mut Manifest, blocks: &[Block]) {
    manifest.text = format!("{}\n{}", manifest.text, hcl::write(blocks));
    if let (Value::Object(tree), Value::Object(more)) = (&mut manifest.tree, hcl::tree(blocks)) {
        tree.extend(more);
    }
}
