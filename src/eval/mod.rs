//! Expressions, functions and templates: Terraform's semantics, with spans.

pub mod value;

use std::cell::Cell;

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::Spanned;

pub use value::{Kind, Value};

/// What names mean where an expression stands.
pub trait Scope {
    /// The value of a root name: `var`, `local`, a block type. `next` is the attribute after it, where that is a plain
    /// name; the answer says whether it has been used up.
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>>;

    /// A derived value of a block: `slice.v6e.chips`.
    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>>;

    /// Files below the stack's root.
    fn reader(&self) -> &dyn Reader;

    /// What the run may still spend.
    fn budget(&self) -> &Budget;
}

/// Files below the stack's root. Paths are relative to the stack's folder; errors are sentences.
pub trait Reader {
    /// The bytes of a file.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Whether a file is there.
    fn exists(&self, path: &str) -> Result<bool, String>;

    /// All files below a folder, as paths relative to it, sorted.
    fn list(&self, folder: &str) -> Result<Vec<String>, String>;
}

/// How much evaluation a run may do: without it a few doubling locals or one `range` could fill the memory.
#[derive(Debug)]
pub struct Budget {
    fuel: Cell<u64>,
    bytes: Cell<u64>,
}

/// Steps: a step is an expression node or an element made.
const FUEL: u64 = 50_000_000;

/// Bytes of text made.
const BYTES: u64 = 256 << 20;

impl Default for Budget {
    fn default() -> Self {
        Self { fuel: Cell::new(FUEL), bytes: Cell::new(BYTES) }
    }
}

impl Budget {
    /// Spends steps; false where none are left.
    pub fn step(&self, steps: u64) -> bool {
        Self::spend(&self.fuel, steps)
    }

    /// Spends bytes of new text; false where none are left.
    pub fn text(&self, bytes: usize) -> bool {
        Self::spend(&self.bytes, bytes as u64)
    }

    fn spend(cell: &Cell<u64>, amount: u64) -> bool {
        let left = cell.get();
        cell.set(left.saturating_sub(amount));
        amount <= left
    }
}
