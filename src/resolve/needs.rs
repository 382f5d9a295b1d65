//! Which blocks a block needs: those that it names, in an attribute, through a local value, or in `depends_on`.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::addr::Addr;
use crate::base::span::Span;
use crate::resolve::stack::{Reference, Stack};

/// What references call a local value.
pub(super) const LOCAL: &str = "local";

/// Each block with the blocks that it needs itself.
#[derive(Clone, Debug, Default)]
pub struct Needs {
    direct: BTreeMap<Addr, BTreeSet<Addr>>,
}

impl Needs {
    /// Those of a whole stack.
    pub fn of(stack: &Stack) -> Self {
        let block = |(addr, block): (&Addr, &crate::resolve::stack::Block)| {
            let head = block.head();
            let mut needed: BTreeSet<Addr> =
                head.depends_on.iter().chain(&head.lifecycle.replace_triggered_by).cloned().collect();
            let mut open = vec![head.extent];
            let mut seen = BTreeSet::new();
            while let Some(place) = open.pop() {
                let own = named(stack, place).filter(|one| one.instance.is_none() || one.instance == addr.key);
                for reference in own {
                    if reference.to.kind != LOCAL {
                        needed.insert(reference.to.clone());
                    } else if seen.insert(&reference.to.name) {
                        open.extend(stack.locals.get(&reference.to.name));
                    }
                }
            }
            (addr.clone(), needed)
        };
        Self { direct: stack.blocks.iter().map(block).collect() }
    }

    /// The blocks that a block needs itself.
    pub fn direct(&self, block: &Addr) -> impl Iterator<Item = &Addr> {
        self.direct.get(block).into_iter().flatten()
    }

    /// Some blocks with all that they need.
    pub fn with_needed(&self, blocks: BTreeSet<Addr>) -> BTreeSet<Addr> {
        spread(blocks, |addr| self.direct(addr).cloned().collect())
    }

    /// Some blocks with all that need them.
    pub fn with_dependents(&self, blocks: BTreeSet<Addr>) -> BTreeSet<Addr> {
        let mut dependents: BTreeMap<&Addr, Vec<&Addr>> = BTreeMap::new();
        for (addr, needed) in &self.direct {
            for one in needed {
                dependents.entry(one).or_default().push(addr);
            }
        }
        spread(blocks, |addr| dependents.get(addr).into_iter().flatten().map(|addr| (*addr).clone()).collect())
    }
}

fn spread(mut found: BTreeSet<Addr>, next: impl Fn(&Addr) -> Vec<Addr>) -> BTreeSet<Addr> {
    let mut open: Vec<Addr> = found.iter().cloned().collect();
    while let Some(addr) = open.pop() {
        for addr in next(&addr) {
            if found.insert(addr.clone()) {
                open.push(addr);
            }
        }
    }
    found
}

/// The references that stand in a place; they are sorted by where they stand.
fn named(stack: &Stack, place: Span) -> impl Iterator<Item = &Reference> {
    let first = stack.references.partition_point(|one| (one.span.file, one.span.start) < (place.file, place.start));
    stack.references[first..].iter().take_while(move |one| one.span.file == place.file && one.span.start < place.end)
}
