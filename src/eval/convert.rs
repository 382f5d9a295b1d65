//! Conversion of values to types, by Terraform's matrix, except that a key that an object type lacks is an error.

use crate::base::suggest::did_you_mean;
use crate::eval::json;
use crate::eval::number::Number;
use crate::eval::types::{Field, Type};
use crate::eval::value::{Data, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Why a value does not fit a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Where in the value: `.a[0]`; empty for the value itself.
    pub path: String,
    /// Why: `a string is required, not a list`.
    pub why: String,
}

impl Mismatch {
    fn new(why: impl Into<String>) -> Self {
        Self { path: String::new(), why: why.into() }
    }

    fn under(mut self, step: &str) -> Self {
        self.path.insert_str(0, step);
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.why) } else { write!(f, "at {}: {}", self.path, self.why) }
    }
}

/// The value as one of `ty`. `null` and what is unknown fit every type. Sensitive marks stay where they are.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, Mismatch> {
    let result = match (&value.data, ty) {
        (Data::Unknown | Data::Null, _) | (_, Type::Any) | (Data::Block(_) | Data::Secret(_), Type::Reference) => {
            return Ok(value.clone());
        }
        (Data::Block(_) | Data::Secret(_), _) => {
            return Err(Mismatch::new(format!("{} is required; {}", article(ty), json::reference(value))));
        }
        (_, Type::String) => text(value)?,
        (_, Type::Number) => number(value)?,
        (_, Type::Bool) => boolean(value)?,
        (Data::List(items) | Data::Set(items) | Data::Tuple(items), Type::List(of)) => {
            Value::list(elements(items, of)?)
        }
        (Data::List(items) | Data::Set(items) | Data::Tuple(items), Type::Set(of)) => Value::set(elements(items, of)?),
        (Data::Map(table) | Data::Object(table), Type::Map(of)) => Value::map(entries(table, of)?),
        (Data::Tuple(items), Type::Tuple(types)) => tuple(items, types)?,
        (Data::Map(table) | Data::Object(table), Type::Object(fields)) => object(table, fields)?,
        _ => return Err(Mismatch::new(format!("{} is required, not {}", article(ty), value.what()))),
    };
    Ok(result.marked(value.sensitive))
}

fn article(ty: &Type) -> String {
    match ty {
        Type::List(_) => "a list".into(),
        Type::Set(_) => "a set".into(),
        Type::Map(_) => "a map".into(),
        Type::Tuple(_) => "a tuple".into(),
        Type::Object(_) => "an object".into(),
        other => format!("a {other}"),
    }
}

fn text(value: &Value) -> Result<Value, Mismatch> {
    match &value.data {
        Data::String(_) => Ok(value.clone()),
        Data::Number(number) => Ok(Value::string(number.to_string())),
        Data::Bool(value) => Ok(Value::string(value.to_string())),
        _ => Err(Mismatch::new(format!("a string is required, not {}", value.what()))),
    }
}

fn number(value: &Value) -> Result<Value, Mismatch> {
    let text = match &value.data {
        Data::Number(_) => return Ok(value.clone()),
        Data::String(text) => text,
        _ => return Err(Mismatch::new(format!("a number is required, not {}", value.what()))),
    };
    match Number::parse(text) {
        Some(Ok(number)) => Ok(Value::number(number)),
        Some(Err(fault)) => Err(Mismatch::new(fault.text())),
        None if value.sensitive => Err(Mismatch::new("a number is required, and the text is not one")),
        None => Err(Mismatch::new(format!("a number is required, and {} is not one", quoted(text)))),
    }
}

fn boolean(value: &Value) -> Result<Value, Mismatch> {
    let text = match &value.data {
        Data::Bool(_) => return Ok(value.clone()),
        Data::String(text) => text,
        _ => return Err(Mismatch::new(format!("a bool is required, not {}", value.what()))),
    };
    match &**text {
        "true" | "1" => Ok(Value::bool(true)),
        "false" | "0" => Ok(Value::bool(false)),
        _ if value.sensitive => Err(Mismatch::new("a bool is required, and the text is neither true nor false")),
        _ => Err(Mismatch::new(format!("a bool is required, and {} is neither true nor false", quoted(text)))),
    }
}

/// Text in quotes, shortened for a message.
pub(crate) fn quoted(text: &str) -> String {
    if text.chars().count() <= 40 {
        return format!("{text:?}");
    }
    let short: String = text.chars().take(37).collect();
    format!("{:?}", short + "...")
}

/// Elements converted to `of`, or to what they have in common where that is `any`.
fn elements(items: &[Value], of: &Type) -> Result<Vec<Value>, Mismatch> {
    let common;
    let of = if *of == Type::Any {
        common = in_common(items.iter())?;
        &common
    } else {
        of
    };
    let one = |(index, item)| convert(item, of).map_err(|fault| fault.under(&format!("[{index}]")));
    items.iter().enumerate().map(one).collect()
}

fn entries(table: &BTreeMap<Arc<str>, Value>, of: &Type) -> Result<BTreeMap<Arc<str>, Value>, Mismatch> {
    let common;
    let of = if *of == Type::Any {
        common = in_common(table.values())?;
        &common
    } else {
        of
    };
    let one = |(key, value): (&Arc<str>, &Value)| match convert(value, of) {
        Ok(value) => Ok((key.clone(), value)),
        Err(fault) => Err(fault.under(&step(key))),
    };
    table.iter().map(one).collect()
}

fn in_common<'a>(mut items: impl Iterator<Item = &'a Value>) -> Result<Type, Mismatch> {
    let common = items.try_fold(Type::Any, |all, item| all.unify(&Type::of(item)));
    common.ok_or_else(|| Mismatch::new("all elements must have one type in common"))
}

fn tuple(items: &[Value], types: &[Type]) -> Result<Value, Mismatch> {
    if items.len() != types.len() {
        return Err(Mismatch::new(format!("{} elements are required, not {}", types.len(), items.len())));
    }
    let one = |(index, (item, ty)): (usize, (&Value, &Type))| {
        convert(item, ty).map_err(|fault| fault.under(&format!("[{index}]")))
    };
    items.iter().zip(types).enumerate().map(one).collect::<Result<_, _>>().map(Value::tuple)
}

fn object(table: &BTreeMap<Arc<str>, Value>, fields: &BTreeMap<String, Field>) -> Result<Value, Mismatch> {
    if let Some(key) = table.keys().find(|key| !fields.contains_key(&***key)) {
        let near = did_you_mean(key, fields.keys().map(String::as_str));
        return Err(Mismatch::new(format!("the object has no attribute {}.{near}", quoted(key))));
    }
    let mut result = BTreeMap::new();
    for (name, field) in fields {
        let value = match (table.get(name.as_str()), &field.default) {
            (None, _) if !field.optional => return Err(Mismatch::new(format!("the attribute {name:?} is required"))),
            (Some(value), Some(default)) if value.is_null() => default.clone().marked(value.sensitive),
            (Some(value), _) => value.clone(),
            (None, default) => default.clone().unwrap_or_else(Value::null),
        };
        let value = convert(&value, &field.ty).map_err(|fault| fault.under(&step(name)))?;
        result.insert(Arc::from(name.as_str()), value);
    }
    Ok(Value::object(result))
}

/// `.name`, or `["name"]` where it is no name.
fn step(key: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(plain) { format!(".{key}") } else { format!("[{}]", quoted(key)) }
}
