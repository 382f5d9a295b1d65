//! Types: what a `type` constraint says, what values have, and which type several values have in common.

use crate::eval::value::{Data, Value};
use std::collections::BTreeMap;
use std::fmt;

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

impl Field {
    fn required(ty: Type) -> Self {
        Self { ty, optional: false, default: None }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Bool => f.write_str("bool"),
            Self::Number => f.write_str("number"),
            Self::String => f.write_str("string"),
            Self::List(of) => write!(f, "list({of})"),
            Self::Set(of) => write!(f, "set({of})"),
            Self::Map(of) => write!(f, "map({of})"),
            Self::Reference => f.write_str("a reference"),
            Self::Tuple(items) => {
                let items: Vec<String> = items.iter().map(Self::to_string).collect();
                write!(f, "tuple([{}])", items.join(", "))
            }
            Self::Object(fields) => {
                let field = |(name, field): (&String, &Field)| {
                    if field.optional {
                        format!("{name} = optional({})", field.ty)
                    } else {
                        format!("{name} = {}", field.ty)
                    }
                };
                let fields: Vec<String> = fields.iter().map(field).collect();
                write!(f, "object({{{}}})", fields.join(", "))
            }
        }
    }
}

impl Type {
    /// The type of a value. Of an empty collection, and of `null`, only as much as can be told.
    pub fn of(value: &Value) -> Self {
        let common = |items: &mut dyn Iterator<Item = &Value>| {
            Box::new(items.map(Self::of).reduce(|a, b| a.unify(&b).unwrap_or(Self::Any)).unwrap_or(Self::Any))
        };
        match &value.data {
            Data::Unknown | Data::Null => Self::Any,
            Data::Bool(_) => Self::Bool,
            Data::Number(_) => Self::Number,
            Data::String(_) => Self::String,
            Data::List(items) => Self::List(common(&mut items.iter())),
            Data::Set(items) => Self::Set(common(&mut items.iter())),
            Data::Map(table) => Self::Map(common(&mut table.values())),
            Data::Tuple(items) => Self::Tuple(items.iter().map(Self::of).collect()),
            Data::Object(table) => {
                Self::Object(table.iter().map(|(k, v)| (k.to_string(), Field::required(Self::of(v)))).collect())
            }
            Data::Block(_) | Data::Secret(_) => Self::Reference,
        }
    }

    /// The type that values of both can be converted to, if there is one.
    pub fn unify(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (a, b) if a == b => Some(a.clone()),
            (Self::Any, other) | (other, Self::Any) => Some(other.clone()),
            (Self::String, Self::Bool | Self::Number) | (Self::Bool | Self::Number, Self::String) => Some(Self::String),
            (Self::List(a), Self::List(b)) => Some(Self::List(Box::new(a.unify(b)?))),
            (Self::Set(a), Self::Set(b)) => Some(Self::Set(Box::new(a.unify(b)?))),
            (Self::Map(a), Self::Map(b)) => Some(Self::Map(Box::new(a.unify(b)?))),
            (Self::List(of), Self::Set(b)) | (Self::Set(b), Self::List(of)) => Some(Self::List(Box::new(of.unify(b)?))),
            (Self::Tuple(a), Self::Tuple(b)) => Self::unify_tuples(a, b),
            (Self::List(of), Self::Tuple(items)) | (Self::Tuple(items), Self::List(of)) => {
                Some(Self::List(Box::new(Self::unify_all(of, items.iter())?)))
            }
            (Self::Set(of), Self::Tuple(items)) | (Self::Tuple(items), Self::Set(of)) => {
                Some(Self::Set(Box::new(Self::unify_all(of, items.iter())?)))
            }
            (Self::Object(a), Self::Object(b)) => Self::unify_objects(a, b),
            (Self::Map(of), Self::Object(fields)) | (Self::Object(fields), Self::Map(of)) => {
                Some(Self::Map(Box::new(Self::unify_all(of, fields.values().map(|field| &field.ty))?)))
            }
            _ => None,
        }
    }

    fn unify_all<'a>(first: &Self, rest: impl Iterator<Item = &'a Self>) -> Option<Self> {
        let mut rest = rest;
        rest.try_fold(first.clone(), |all, one| all.unify(one))
    }

    fn unify_tuples(a: &[Self], b: &[Self]) -> Option<Self> {
        if a.len() == b.len() {
            return Some(Self::Tuple(a.iter().zip(b).map(|(a, b)| a.unify(b)).collect::<Option<_>>()?));
        }
        Some(Self::List(Box::new(Self::unify_all(&Self::Any, a.iter().chain(b))?)))
    }

    fn unify_objects(a: &BTreeMap<String, Field>, b: &BTreeMap<String, Field>) -> Option<Self> {
        if a.keys().eq(b.keys()) {
            let fields = a.iter().zip(b.values());
            let fields = fields.map(|((k, a), b)| Some((k.clone(), Field::required(a.ty.unify(&b.ty)?))));
            return Some(Self::Object(fields.collect::<Option<_>>()?));
        }
        let types = a.values().chain(b.values()).map(|field| &field.ty);
        Some(Self::Map(Box::new(Self::unify_all(&Self::Any, types)?)))
    }
}
