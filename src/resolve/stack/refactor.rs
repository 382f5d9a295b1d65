//! What a stack says of its own past: blocks that have another address now, that it let go, that were there before it.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::span::Spanned;

/// What a stack says of its past.
#[derive(Clone, Debug, Default)]
pub struct Past {
    /// The `moved` blocks, each before those that move on what it moved, else in the order of the file.
    pub moved: Vec<Moved>,
    /// The `removed` blocks.
    pub removed: Vec<Removed>,
    /// The `import` blocks, one an instance.
    pub imports: Vec<Import>,
}

/// A `removed` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The address that the stack no longer has.
    pub from: Spanned<Addr>,
    /// Whether its objects go, or only the stack's hold on them.
    pub destroy: bool,
}

/// An `import` block: an object that exists becomes the stack's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// The block that has it from now on.
    pub to: Spanned<Addr>,
    /// What it is called where it exists.
    pub id: Spanned<String>,
}

/// A `moved` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The address before.
    pub from: Spanned<Addr>,
    /// The address since.
    pub to: Spanned<Addr>,
}

impl Moved {
    /// Whether all instances of a block move, each with its key.
    pub fn is_whole(&self) -> bool {
        self.from.key.is_none() && self.to.key.is_none()
    }
}

impl Past {
    /// The address that an address has now.
    pub fn now(&self, addr: &Addr) -> Addr {
        let by_from: BTreeMap<&Addr, &Moved> = self.moved.iter().map(|moved| (&moved.from.value, moved)).collect();
        let mut addr = addr.clone();
        // There are no circles: a stack with one is refused.
        for _ in 0..self.moved.len() {
            let next = match (by_from.get(&addr), by_from.get(&addr.block())) {
                (Some(moved), _) => moved.to.value.clone(),
                (None, Some(moved)) if moved.is_whole() => Addr { key: addr.key.clone(), ..moved.to.value.clone() },
                _ => break,
            };
            addr = next;
        }
        addr
    }

    /// The `removed` block that an address falls under.
    pub fn removal(&self, addr: &Addr) -> Option<&Removed> {
        let exact = self.removed.iter().find(|removed| removed.from.value == *addr);
        exact.or_else(|| self.removed.iter().find(|removed| removed.from.value == addr.block()))
    }

    /// The address before one of the moves.
    pub fn before(moved: &Moved, addr: &Addr) -> Option<Addr> {
        if moved.to.value == *addr {
            Some(moved.from.value.clone())
        } else if moved.is_whole() && moved.to.value == addr.block() {
            Some(Addr { key: addr.key.clone(), ..moved.from.value.clone() })
        } else {
            None
        }
    }
}
