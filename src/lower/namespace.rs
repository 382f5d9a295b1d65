//! The namespace, where the stack creates it.

use crate::base::addr::Addr;
use crate::lower::intent::pod::Namespace;
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::Stack;

/// The namespace's intent.
pub fn lower(stack: &Stack) -> Vec<Intent> {
    if !stack.settings.create_namespace {
        return Vec::new();
    }
    let namespace = Namespace { name: stack.settings.namespace.value.clone(), labels: stack.settings.labels.clone() };
    vec![Intent::new(Addr::new("stack", stack.name.value.as_str()), Object::Namespace(namespace))]
}
