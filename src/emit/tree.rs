//! Ordered trees: the shape in which every object is built before it is written.

use serde_json::{Map, Value};

/// An object whose keys keep the order in which they are given.
#[derive(Clone, Debug, Default)]
pub struct Tree(Map<String, Value>);

impl Tree {
    /// An empty object.
    pub fn new() -> Self {
        Self::default()
    }

    /// With `key`, whatever its value.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// With `key`, unless its value says nothing: null, false, an empty list or object.
    #[must_use]
    pub fn some(mut self, key: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let says_nothing = match &value {
            Value::Null | Value::Bool(false) => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(true) | Value::Number(_) | Value::String(_) => false,
        };
        if !says_nothing {
            self.0.insert(key.to_owned(), value);
        }
        self
    }
}

impl From<Tree> for Value {
    fn from(tree: Tree) -> Self {
        Self::Object(tree.0)
    }
}

/// A list of what `spell` makes of each item.
pub fn list<'a, T: 'a, V: Into<Value>>(items: impl IntoIterator<Item = &'a T>, spell: impl FnMut(&'a T) -> V) -> Value {
    Value::Array(items.into_iter().map(spell).map(Into::into).collect())
}

/// An object of texts.
pub fn texts<'a>(map: impl IntoIterator<Item = (&'a String, &'a String)>) -> Value {
    Value::Object(map.into_iter().map(|(key, value)| (key.clone(), Value::String(value.clone()))).collect())
}
