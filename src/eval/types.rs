//! Types: what a `type` constraint says, and what values have.

use crate::eval::value::Value;
use std::collections::BTreeMap;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `any`: whatever comes.
    Any,
    /// `bool`
    Bool,
    /// `number`
    Number,
    /// `string`
    String,
    /// `list(T)`
    List(Box<Type>),
    /// `set(T)`
    Set(Box<Type>),
    /// `map(T)`
    Map(Box<Type>),
    /// `tuple([A, B])`
    Tuple(Vec<Type>),
    /// `object({ a = A, b = optional(B, default) })`
    Object(BTreeMap<String, Field>),
    /// A block of the stack, or a key of a secret. It can't be written; `any` takes it.
    Reference,
}

/// An attribute of an object type.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its type.
    pub ty: Type,
    /// Whether it may be left out.
    pub optional: bool,
    /// What stands in for it then; `null` if there is none.
    pub default: Option<Value>,
}
