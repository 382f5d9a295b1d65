//! What a stack was like before its `moved` blocks: the same blocks, called as they were then. What they become under
//! those names says which object of then is which of today.

use crate::lower::intent::Intent;
use crate::resolve::decode::object_name;
use crate::resolve::stack::{Moved, Past, Stack};

/// What the stack became before each of its moves, the latest move first. Addresses are those of today, and so is the
/// order: only what names are made from differs.
pub fn states(stack: &Stack) -> impl Iterator<Item = Vec<Intent>> {
    let mut state = stack.clone();
    let moves = stack.past.moved.iter().rev();
    moves.map(move |moved| {
        undo(&mut state, moved);
        crate::lower::lower(&state)
    })
}

fn undo(stack: &mut Stack, moved: &Moved) {
    for block in stack.blocks.values_mut() {
        let head = block.head_mut();
        if let Some(before) = Past::before(moved, &head.called) {
            if !head.is_named {
                head.name.value = object_name(&before);
            }
            head.called = before;
        }
    }
}
