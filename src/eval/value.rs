//! Values: what expressions become. Cheap to clone, and each carries whether it is sensitive.

use std::collections::BTreeMap;
use std::sync::Arc;

use bigdecimal::{BigDecimal, ToPrimitive};

use crate::base::addr::Addr;

/// A value and whether it must never be shown or written.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// The value.
    pub kind: Kind,
    /// Whether it is sensitive; what is made from it is too.
    pub sensitive: bool,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// An error about it has been reported: whatever is made from it is unknown too, without another word.
    Unknown,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A whole number, where it fits.
    Int(i64),
    /// Any other number. Never a whole number that fits `Int`, so that equal numbers compare equal.
    Decimal(Arc<BigDecimal>),
    /// A text, NFC.
    String(Arc<str>),
    /// Elements of one type.
    List(Arc<Vec<Value>>),
    /// Elements of one type, each once, sorted as Terraform sorts them.
    Set(Arc<Vec<Value>>),
    /// Elements of any types: what `[a, b]` makes.
    Tuple(Arc<Vec<Value>>),
    /// Entries of one type.
    Map(Arc<BTreeMap<Arc<str>, Value>>),
    /// Entries of any types: what `{ a = 1 }` makes.
    Object(Arc<BTreeMap<Arc<str>, Value>>),
    /// A block of the stack: `slice.v6e`.
    Block(Arc<Addr>),
    /// A key of a secret: a reference, never its text.
    Secret(Arc<(Addr, String)>),
}

impl From<Kind> for Value {
    fn from(kind: Kind) -> Self {
        Self { kind, sensitive: false }
    }
}

impl Value {
    /// A value about which an error has been reported.
    pub fn unknown() -> Self {
        Kind::Unknown.into()
    }

    /// `null`
    pub fn null() -> Self {
        Kind::Null.into()
    }

    /// A truth value.
    pub fn bool(value: bool) -> Self {
        Kind::Bool(value).into()
    }

    /// A whole number.
    pub fn integer(value: i64) -> Self {
        Kind::Int(value).into()
    }

    /// A number.
    pub fn number(value: &BigDecimal) -> Self {
        let value = value.normalized();
        match value.is_integer().then(|| value.to_i64()).flatten() {
            Some(whole) => Kind::Int(whole).into(),
            None => Kind::Decimal(Arc::new(value)).into(),
        }
    }

    /// A text.
    pub fn string(text: &str) -> Self {
        Kind::String(Arc::from(text)).into()
    }

    /// A list of texts.
    pub fn string_list(items: Vec<String>) -> Self {
        Kind::List(Arc::new(items.iter().map(|item| Self::string(item)).collect())).into()
    }

    /// A map of texts.
    pub fn string_map(entries: impl IntoIterator<Item = (String, String)>) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (Arc::from(key.as_str()), Self::string(&value)));
        Kind::Map(Arc::new(entries.collect())).into()
    }

    /// A block.
    pub fn block(addr: Addr) -> Self {
        Kind::Block(Arc::new(addr)).into()
    }

    /// A key of a secret.
    pub fn secret(block: Addr, key: String) -> Self {
        Kind::Secret(Arc::new((block, key))).into()
    }

    /// The same value, sensitive.
    #[must_use]
    pub fn into_sensitive(mut self) -> Self {
        self.sensitive = true;
        self
    }

    /// The same value, sensitive if `taint` is.
    #[must_use]
    pub fn tainted(mut self, taint: bool) -> Self {
        self.sensitive |= taint;
        self
    }

    /// Whether an error about it has been reported.
    pub fn is_unknown(&self) -> bool {
        self.kind == Kind::Unknown
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind == Kind::Null
    }

    /// Whether it, or anything in it, is sensitive.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive
            || match &self.kind {
                Kind::List(items) | Kind::Set(items) | Kind::Tuple(items) => items.iter().any(Self::is_sensitive),
                Kind::Map(entries) | Kind::Object(entries) => entries.values().any(Self::is_sensitive),
                _ => false,
            }
    }

    /// The truth value, of a truth value.
    pub fn as_bool(&self) -> Option<bool> {
        if let Kind::Bool(value) = self.kind { Some(value) } else { None }
    }

    /// The text, of a text.
    pub fn as_str(&self) -> Option<&str> {
        if let Kind::String(text) = &self.kind { Some(text) } else { None }
    }

    /// The address, of a block.
    pub fn as_block(&self) -> Option<&Addr> {
        if let Kind::Block(addr) = &self.kind { Some(addr) } else { None }
    }

    /// Secret and key, of a secret's key.
    pub fn as_secret(&self) -> Option<(&Addr, &str)> {
        if let Kind::Secret(secret) = &self.kind { Some((&secret.0, &secret.1)) } else { None }
    }

    /// The elements of a list, set or tuple.
    pub fn elements(&self) -> Option<&[Self]> {
        match &self.kind {
            Kind::List(items) | Kind::Set(items) | Kind::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a map or object, sorted by key.
    pub fn entries(&self) -> Option<&BTreeMap<Arc<str>, Self>> {
        match &self.kind {
            Kind::Map(entries) | Kind::Object(entries) => Some(entries),
            _ => None,
        }
    }
}
