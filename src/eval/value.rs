//! Values: what expressions become. Cheap to clone; a `sensitive` mark follows each one through every operation.

use crate::base::addr::Addr;
use crate::eval::number::Number;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

/// A value and whether it is sensitive. The elements of a collection have marks of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// What it is.
    pub data: Data,
    /// Whether it came from something sensitive; see also [`Value::has_sensitive`].
    pub sensitive: bool,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// The result of something that failed and was reported. Every operation on it silently gives it again.
    Unknown,
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// An exact decimal number.
    Number(Number),
    /// Text, in Unicode's normal form C.
    String(Arc<str>),
    /// Elements of one type, in order.
    List(Seq),
    /// Distinct elements of one type, sorted.
    Set(Seq),
    /// Elements of any types, in order: what `[a, b]` gives.
    Tuple(Seq),
    /// Entries of one type, sorted by key.
    Map(Table),
    /// Entries of any types, sorted by key: what `{ a = b }` gives.
    Object(Table),
    /// A reference to a block of the stack: `slice.v6e`.
    Block(Arc<Addr>),
    /// A reference to a key of a secret, never its content: `secret.hf.token`.
    Secret(Arc<SecretKey>),
}

/// A key of a `secret` block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretKey {
    /// The `secret` block.
    pub block: Addr,
    /// The key in it.
    pub key: String,
}

/// What is known of a value with everything in it, so that limits and marks need no walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Facts {
    /// Levels of nesting: 0 for a scalar.
    depth: u32,
    /// About how many bytes it takes, shared parts counted each time they occur.
    size: u64,
    sensitive: bool,
    unknown: bool,
}

impl Facts {
    fn of<'a>(values: impl Iterator<Item = &'a Value>) -> Self {
        values.map(Value::facts).fold(Self { size: NODE, ..Self::default() }, |all, one| Self {
            depth: all.depth.max(one.depth + 1),
            size: all.size.saturating_add(one.size),
            sensitive: all.sensitive || one.sensitive,
            unknown: all.unknown || one.unknown,
        })
    }
}

/// What one value costs besides its text.
const NODE: u64 = 32;

/// The elements of a list, set or tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct Seq(Arc<(Vec<Value>, Facts)>);

impl Deref for Seq {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        &self.0.0
    }
}

impl From<Vec<Value>> for Seq {
    fn from(items: Vec<Value>) -> Self {
        let facts = Facts::of(items.iter());
        Self(Arc::new((items, facts)))
    }
}

/// The entries of a map or object, sorted by key.
#[derive(Clone, Debug, PartialEq)]
pub struct Table(Arc<(BTreeMap<Arc<str>, Value>, Facts)>);

impl Deref for Table {
    type Target = BTreeMap<Arc<str>, Value>;
    fn deref(&self) -> &Self::Target {
        &self.0.0
    }
}

impl From<BTreeMap<Arc<str>, Value>> for Table {
    fn from(entries: BTreeMap<Arc<str>, Value>) -> Self {
        let mut facts = Facts::of(entries.values());
        for key in entries.keys() {
            facts.size = facts.size.saturating_add(key.len() as u64);
        }
        Self(Arc::new((entries, facts)))
    }
}

impl From<Data> for Value {
    fn from(data: Data) -> Self {
        Self { data, sensitive: false }
    }
}

/// Making values.
impl Value {
    /// What stands for something that failed and was reported.
    pub fn unknown() -> Self {
        Data::Unknown.into()
    }

    /// `null`
    pub fn null() -> Self {
        Data::Null.into()
    }

    /// A boolean.
    pub fn bool(value: bool) -> Self {
        Data::Bool(value).into()
    }

    /// A number.
    pub fn number(value: impl Into<Number>) -> Self {
        Data::Number(value.into()).into()
    }

    /// Text, brought to normal form C.
    pub fn string(text: impl AsRef<str>) -> Self {
        Data::String(normal(text.as_ref())).into()
    }

    /// A list; the elements must be of one type, which the caller sees to.
    pub fn list(items: Vec<Self>) -> Self {
        Data::List(items.into()).into()
    }

    /// A tuple.
    pub fn tuple(items: Vec<Self>) -> Self {
        Data::Tuple(items.into()).into()
    }

    /// A set: sorted, repetitions gone. Sensitive as a whole if any element is, since its shape tells of them.
    pub fn set(mut items: Vec<Self>) -> Self {
        items.sort_by(order);
        items.dedup_by(|a, b| {
            let same = a.same(b);
            b.sensitive |= same && a.sensitive;
            same
        });
        let seq = Seq::from(items);
        let sensitive = seq.0.1.sensitive;
        Self { data: Data::Set(seq), sensitive }
    }

    /// A map; the values must be of one type, which the caller sees to.
    pub fn map(entries: BTreeMap<Arc<str>, Self>) -> Self {
        Data::Map(entries.into()).into()
    }

    /// An object.
    pub fn object(entries: BTreeMap<Arc<str>, Self>) -> Self {
        Data::Object(entries.into()).into()
    }

    /// A reference to a block.
    pub fn block(addr: Addr) -> Self {
        Data::Block(Arc::new(addr)).into()
    }

    /// A reference to a key of a secret.
    pub fn secret(block: Addr, key: impl Into<String>) -> Self {
        Data::Secret(Arc::new(SecretKey { block, key: key.into() })).into()
    }

    /// The same value, sensitive if it was or `also` is true.
    #[must_use]
    pub fn marked(mut self, also: bool) -> Self {
        self.sensitive |= also;
        self
    }
}

/// Reading values.
impl Value {
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// Whether it stands for something that failed.
    pub fn is_unknown(&self) -> bool {
        matches!(self.data, Data::Unknown)
    }

    /// Whether it, or anything in it, stands for something that failed.
    pub fn has_unknown(&self) -> bool {
        self.facts().unknown
    }

    /// Whether it, or anything in it, is sensitive.
    pub fn has_sensitive(&self) -> bool {
        self.facts().sensitive
    }

    /// Levels of nesting: 0 for a scalar and for an empty collection.
    pub fn depth(&self) -> u32 {
        self.facts().depth
    }

    /// About how many bytes it takes when written out.
    pub fn size(&self) -> u64 {
        self.facts().size
    }

    fn facts(&self) -> Facts {
        let mut facts = match &self.data {
            Data::List(seq) | Data::Set(seq) | Data::Tuple(seq) => seq.0.1,
            Data::Map(table) | Data::Object(table) => table.0.1,
            Data::String(text) => Facts { size: NODE + text.len() as u64, ..Facts::default() },
            Data::Unknown => Facts { size: NODE, unknown: true, ..Facts::default() },
            _ => Facts { size: NODE, ..Facts::default() },
        };
        facts.sensitive |= self.sensitive;
        facts
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            Data::String(text) => Some(text),
            _ => None,
        }
    }

    /// A boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.data {
            Data::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// A number.
    pub fn as_number(&self) -> Option<&Number> {
        match &self.data {
            Data::Number(number) => Some(number),
            _ => None,
        }
    }

    /// A whole number from 0 that fits.
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number().and_then(Number::to_u64)
    }

    /// The elements of a list, set or tuple.
    pub fn items(&self) -> Option<&[Self]> {
        match &self.data {
            Data::List(seq) | Data::Set(seq) | Data::Tuple(seq) => Some(seq),
            _ => None,
        }
    }

    /// The entries of a map or object, sorted by key.
    pub fn entries(&self) -> Option<&BTreeMap<Arc<str>, Self>> {
        match &self.data {
            Data::Map(table) | Data::Object(table) => Some(table),
            _ => None,
        }
    }

    /// An entry of a map or object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.entries()?.get(key)
    }

    /// The address of a block.
    pub fn as_block(&self) -> Option<&Addr> {
        match &self.data {
            Data::Block(addr) => Some(addr),
            _ => None,
        }
    }

    /// A key of a secret.
    pub fn as_secret(&self) -> Option<&SecretKey> {
        match &self.data {
            Data::Secret(secret) => Some(secret),
            _ => None,
        }
    }

    /// What it is, for messages: `a string`, `a list`.
    pub fn what(&self) -> &'static str {
        match self.data {
            Data::Unknown => "an unknown value",
            Data::Null => "null",
            Data::Bool(_) => "a bool",
            Data::Number(_) => "a number",
            Data::String(_) => "a string",
            Data::List(_) => "a list",
            Data::Set(_) => "a set",
            Data::Tuple(_) => "a tuple",
            Data::Map(_) => "a map",
            Data::Object(_) => "an object",
            Data::Block(_) => "a block",
            Data::Secret(_) => "a key of a secret",
        }
    }

    /// Whether both are the same value, sensitive or not.
    pub fn same(&self, other: &Self) -> bool {
        match (&self.data, &other.data) {
            (Data::List(a), Data::List(b)) | (Data::Set(a), Data::Set(b)) | (Data::Tuple(a), Data::Tuple(b)) => {
                Arc::ptr_eq(&a.0, &b.0) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same(b)))
            }
            (Data::Map(a), Data::Map(b)) | (Data::Object(a), Data::Object(b)) => {
                Arc::ptr_eq(&a.0, &b.0)
                    || (a.len() == b.len() && a.iter().zip(b.iter()).all(|((k, v), (l, w))| k == l && v.same(w)))
            }
            (a, b) => a == b,
        }
    }
}

/// Text in normal form C.
fn normal(text: &str) -> Arc<str> {
    use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Arc::from(text)
    } else {
        Arc::from(text.nfc().collect::<String>())
    }
}

/// The order of a set's elements: bools, numbers by size, strings by bytes, then collections element by element.
pub(crate) fn order(a: &Value, b: &Value) -> Ordering {
    match (&a.data, &b.data) {
        (Data::Bool(a), Data::Bool(b)) => a.cmp(b),
        (Data::Number(a), Data::Number(b)) => a.cmp(b),
        (Data::String(a), Data::String(b)) => a.cmp(b),
        (Data::Block(a), Data::Block(b)) => a.cmp(b),
        (Data::Secret(a), Data::Secret(b)) => a.cmp(b),
        _ => match (a.items(), b.items(), a.entries(), b.entries()) {
            (Some(a), Some(b), ..) => {
                let first = a.iter().zip(b).map(|(a, b)| order(a, b)).find(|found| found.is_ne());
                first.unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            (_, _, Some(a), Some(b)) => {
                let pairs = a.iter().zip(b).map(|((k, v), (l, w))| k.cmp(l).then_with(|| order(v, w)));
                pairs.into_iter().find(|found| found.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
            }
            _ => rank(a).cmp(&rank(b)),
        },
    }
}

fn rank(value: &Value) -> u8 {
    match value.data {
        Data::Unknown | Data::Null => 0,
        Data::Bool(_) => 1,
        Data::Number(_) => 2,
        Data::String(_) => 3,
        Data::Tuple(_) => 4,
        Data::List(_) => 5,
        Data::Set(_) => 6,
        Data::Object(_) => 7,
        Data::Map(_) => 8,
        Data::Block(_) => 9,
        Data::Secret(_) => 10,
    }
}
