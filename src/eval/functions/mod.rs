//! The functions: one table, grouped by what they work on.

mod collection;
mod conversion;
mod encoding;
mod file;
mod format;
mod number;
mod pattern;
mod sequence;
mod set;
mod string;
mod yaml;

pub use yaml::read as read_yaml;

use crate::eval::convert::convert;
use crate::eval::number::Number;
use crate::eval::scope::Scope;
use crate::eval::types::Type;
use crate::eval::value::{Data, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A function of the language.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// The parameters' names; `?` behind one that may be left out, `...` behind one that may come any number of times.
    pub params: &'static [&'static str],
    /// What it does, in one line.
    pub doc: &'static str,
    /// Whether arguments may be null.
    pub(crate) nulls: bool,
    pub(crate) marks: Marks,
    pub(crate) run: fn(&Args<'_>) -> Result<Value, ArgFault>,
}

/// How sensitive marks pass through a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marks {
    /// The result is sensitive if anything in the arguments is.
    Whole,
    /// The result is sensitive if an argument itself is; elements keep marks of their own.
    Elements,
    /// The result is never sensitive.
    None,
}

/// Functions that would give other bytes for the same stack, and what they depend on.
pub(crate) const IMPURE: [(&str, &str); 8] = [
    ("timestamp", "the clock"),
    ("plantimestamp", "the clock"),
    ("uuid", "chance"),
    ("bcrypt", "chance"),
    ("rsadecrypt", "a private key"),
    ("pathexpand", "the machine's home folders"),
    ("abspath", "where the stack lies on this machine"),
    ("env", "the environment"),
];

/// Why a function has no result.
#[derive(Debug)]
pub(crate) struct ArgFault {
    /// The argument at fault; none if all are.
    pub(crate) arg: Option<usize>,
    pub(crate) why: String,
}

/// A fault of argument `arg`.
fn fault<T>(arg: usize, why: impl Into<String>) -> Result<T, ArgFault> {
    Err(ArgFault { arg: Some(arg), why: why.into() })
}

/// A fault of the call as a whole.
fn failed<T>(why: impl Into<String>) -> Result<T, ArgFault> {
    Err(ArgFault { arg: None, why: why.into() })
}

type Run = fn(&Args<'_>) -> Result<Value, ArgFault>;

const fn function(name: &'static str, params: &'static [&'static str], run: Run, doc: &'static str) -> Function {
    Function { name, params, doc, nulls: false, marks: Marks::Whole, run }
}

impl Function {
    const fn takes_null(mut self) -> Self {
        self.nulls = true;
        self
    }

    const fn keeps_marks(mut self) -> Self {
        self.marks = Marks::Elements;
        self
    }

    const fn unmarked(mut self) -> Self {
        self.marks = Marks::None;
        self
    }

    /// The fewest arguments it takes.
    pub(crate) fn least(&self) -> usize {
        self.params.iter().filter(|param| !param.ends_with('?') && !param.ends_with("...")).count()
    }

    /// The most arguments it takes, if there is a limit.
    pub(crate) fn most(&self) -> Option<usize> {
        let open = self.params.last().is_some_and(|param| param.ends_with("..."));
        (!open).then_some(self.params.len())
    }

    /// The name of the parameter that argument `index` goes to.
    pub(crate) fn param(&self, index: usize) -> &'static str {
        let name = self.params.get(index).or(self.params.last()).copied().unwrap_or("");
        name.trim_end_matches(['?', '.'])
    }

    /// `lookup(map, key, default?)`
    pub fn signature(&self) -> String {
        format!("{}({})", self.name, self.params.join(", "))
    }
}

/// Every function, group by group.
pub fn all() -> impl Iterator<Item = &'static Function> {
    let groups: [&'static [Function]; 11] = [
        &conversion::FUNCTIONS,
        &collection::FUNCTIONS,
        &sequence::FUNCTIONS,
        &set::FUNCTIONS,
        &string::FUNCTIONS,
        &pattern::FUNCTIONS,
        &format::FUNCTIONS,
        &number::FUNCTIONS,
        &encoding::FUNCTIONS,
        &yaml::FUNCTIONS,
        &file::FUNCTIONS,
    ];
    groups.into_iter().flatten()
}

/// A function by name; `core::` may stand before it.
pub(crate) fn find(name: &str) -> Option<&'static Function> {
    let name = name.strip_prefix("core::").unwrap_or(name);
    all().find(|function| function.name == name)
}

/// The arguments of a call.
pub(crate) struct Args<'a> {
    pub(crate) values: &'a [Value],
    pub(crate) scope: &'a dyn Scope,
    /// The call stands in a template file.
    pub(crate) in_template: bool,
}

impl Args<'_> {
    fn len(&self) -> usize {
        self.values.len()
    }

    /// An argument; null where it was left out.
    fn get(&self, index: usize) -> Value {
        self.values.get(index).cloned().unwrap_or_else(Value::null)
    }

    fn converted(&self, index: usize, ty: &Type) -> Result<Value, ArgFault> {
        convert(&self.get(index), ty).or_else(|mismatch| fault(index, mismatch.to_string()))
    }

    fn str(&self, index: usize) -> Result<Arc<str>, ArgFault> {
        match self.converted(index, &Type::String)?.data {
            Data::String(text) => Ok(text),
            _ => fault(index, "a string is required"),
        }
    }

    fn number(&self, index: usize) -> Result<Number, ArgFault> {
        match self.converted(index, &Type::Number)?.data {
            Data::Number(number) => Ok(number),
            _ => fault(index, "a number is required"),
        }
    }

    fn int(&self, index: usize) -> Result<i64, ArgFault> {
        self.number(index)?.to_i64().map_or_else(|| fault(index, "a whole number is required"), Ok)
    }

    /// The elements of a list, set or tuple.
    fn items(&self, index: usize) -> Result<&[Value], ArgFault> {
        let value = self.values.get(index);
        match value.and_then(Value::items) {
            Some(items) => Ok(items),
            None => fault(index, format!("a list is required, not {}", value.map_or("nothing", Value::what))),
        }
    }

    /// The elements as strings.
    fn strings(&self, index: usize) -> Result<Vec<Arc<str>>, ArgFault> {
        let text = |(at, item): (usize, &Value)| match convert(item, &Type::String) {
            Ok(Value { data: Data::String(text), .. }) => Ok(text),
            Ok(_) => fault(index, format!("element {at} is null")),
            Err(mismatch) => fault(index, format!("element {at}: {mismatch}")),
        };
        self.items(index)?.iter().enumerate().map(text).collect()
    }

    /// The entries of a map or object.
    fn entries(&self, index: usize) -> Result<&BTreeMap<Arc<str>, Value>, ArgFault> {
        let value = self.values.get(index);
        match value.and_then(Value::entries) {
            Some(entries) => Ok(entries),
            None => fault(index, format!("a map or object is required, not {}", value.map_or("nothing", Value::what))),
        }
    }
}

/// A list of what the elements have in common.
fn unified(items: Vec<Value>) -> Result<Value, ArgFault> {
    let list = Type::List(Box::new(Type::Any));
    convert(&Value::tuple(items), &list).or_else(|mismatch| failed(mismatch.to_string()))
}

/// A tuple if `model` is one, else a list.
fn alike(model: &Value, items: Vec<Value>) -> Value {
    if matches!(model.data, Data::Tuple(_)) { Value::tuple(items) } else { Value::list(items) }
}

/// A list of strings.
fn texts<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::list(items.into_iter().map(Value::string).collect())
}

/// A yes or no.
#[allow(clippy::unnecessary_wraps, reason = "what every function gives")]
fn yes(truth: bool) -> Result<Value, ArgFault> {
    Ok(Value::bool(truth))
}
