//! `yamlencode` in Terraform's spelling (every key and string quoted, longer texts as blocks), and `yamldecode`.

use super::{ArgFault, Args, Function, fault, function};
use crate::eval::json;
use crate::eval::number::Number;
use crate::eval::value::{Data, Value};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Column behind which a long quoted string goes on in a new line.
const WIDTH: usize = 80;

/// Longest key that stands before its colon; longer ones take a `?`.
const MAX_KEY: usize = 128;

pub(super) const FUNCTIONS: [Function; 2] = [
    function("yamlencode", &["value"], yamlencode, "the value as YAML text").takes_null(),
    function("yamldecode", &["src"], yamldecode, "the value that YAML text holds"),
];

fn yamlencode(args: &Args<'_>) -> Result<Value, ArgFault> {
    let mut out = String::new();
    let value = args.get(0);
    node(&value, None, &mut out).or_else(|why| fault(0, why))?;
    if matches!(value.data, Data::Null | Data::Bool(_) | Data::Number(_)) {
        out.push_str("\n...");
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    Ok(Value::string(out))
}

/// Writes a node behind what is on the line already; `indent` is that of the collection around it.
fn node(value: &Value, indent: Option<usize>, out: &mut String) -> Result<(), String> {
    match &value.data {
        Data::Null | Data::Unknown => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) => out.push_str(&number.to_string()),
        Data::String(text) => scalar(text, indent.map_or(2, |indent| indent + 2), out),
        Data::List(items) | Data::Set(items) | Data::Tuple(items) if items.is_empty() => out.push_str("[]"),
        Data::Map(table) | Data::Object(table) if table.is_empty() => out.push_str("{}"),
        Data::List(items) | Data::Set(items) | Data::Tuple(items) => {
            sequence(items, indent.map_or(0, |indent| indent + 2), out)?;
        }
        Data::Map(table) | Data::Object(table) => mapping(table, indent.map_or(0, |indent| indent + 2), out)?,
        Data::Block(_) | Data::Secret(_) => return Err(json::reference(value)),
    }
    Ok(())
}

fn line(indent: usize, first: bool, out: &mut String) {
    if !first {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&" ".repeat(indent));
    }
}

fn sequence(items: &[Value], indent: usize, out: &mut String) -> Result<(), String> {
    for (index, item) in items.iter().enumerate() {
        line(indent, index == 0, out);
        out.push_str("- ");
        node(item, Some(indent), out)?;
    }
    Ok(())
}

fn mapping(table: &BTreeMap<Arc<str>, Value>, indent: usize, out: &mut String) -> Result<(), String> {
    for (index, (key, value)) in table.iter().enumerate() {
        line(indent, index == 0, out);
        if key.contains('\n') || key.len() > MAX_KEY {
            out.push_str("? ");
            scalar(key, indent + 2, out);
            line(indent, false, out);
        } else {
            quoted(key, usize::MAX, 0, out);
        }
        out.push(':');
        match &value.data {
            Data::List(items) | Data::Set(items) | Data::Tuple(items) if !items.is_empty() => {
                line(indent, false, out);
                sequence(items, indent, out)?;
            }
            Data::Map(table) | Data::Object(table) if !table.is_empty() => {
                line(indent + 2, false, out);
                mapping(table, indent + 2, out)?;
            }
            _ => {
                out.push(' ');
                node(value, Some(indent), out)?;
            }
        }
    }
    Ok(())
}

/// Text: of several lines as a block where that can hold it, else in quotes.
fn scalar(text: &str, indent: usize, out: &mut String) {
    let plain = |c: char| c == '\n' || (printable(c) && c != '\t');
    let block = text.contains('\n') && text.chars().all(plain) && !text.contains(" \n") && !text.ends_with(' ');
    if !block {
        let column = out.rsplit('\n').next().map_or(0, |line| line.chars().count());
        return quoted(text, column, indent, out);
    }
    out.push('|');
    if text.starts_with([' ', '\n']) {
        out.push('2');
    }
    match text.strip_suffix('\n') {
        None => out.push('-'),
        Some(rest) if rest.is_empty() || rest.ends_with('\n') => out.push('+'),
        Some(_) => {}
    }
    for line in text.split_inclusive('\n') {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        if line != "\n" {
            out.push_str(&" ".repeat(indent));
        }
        out.push_str(line.trim_end_matches('\n'));
        if line.ends_with('\n') {
            out.push('\n');
        }
    }
}

/// Text in double quotes, folded behind the width; `usize::MAX` as the column never folds.
fn quoted(text: &str, column: usize, indent: usize, out: &mut String) {
    let folds = column != usize::MAX;
    let mut column = if folds { column + 1 } else { 0 };
    out.push('"');
    let mut chars = text.chars().enumerate().peekable();
    let mut spaces = false;
    while let Some((at, c)) = chars.next() {
        if c == ' ' && folds && !spaces && column > WIDTH && at > 0 && chars.peek().is_some() {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
            spaces = true;
            if chars.peek().is_some_and(|(_, next)| *next == ' ') {
                out.push('\\');
                column += 1;
            }
            continue;
        }
        spaces = c == ' ';
        let before = out.len();
        escaped(c, out);
        column += out[before..].chars().count();
    }
    out.push('"');
}

fn printable(c: char) -> bool {
    matches!(c, '\n' | '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{2027}' | '\u{202a}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        && c != '\u{feff}'
}

fn escaped(c: char, out: &mut String) {
    let short = match c {
        '\0' => "\\0",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\u{b}' => "\\v",
        '\u{c}' => "\\f",
        '\r' => "\\r",
        '\u{1b}' => "\\e",
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{85}' => "\\N",
        '\u{2028}' => "\\L",
        '\u{2029}' => "\\P",
        c if printable(c) => return out.push(c),
        c => {
            let code = c as u32;
            let _ = match code {
                0..=0xff => write!(out, "\\x{code:02X}"),
                0x100..=0xffff => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.push_str(short);
}

/// The value of one YAML document, or why there is none.
pub fn read(text: &str) -> Result<Value, String> {
    match serde_saphyr::from_str::<Yaml>(text) {
        _ if text.trim().is_empty() => Err("not YAML: there is no document".to_owned()),
        Ok(yaml) => Ok(yaml.0),
        Err(why) if why.to_string().contains("multiple YAML documents") => Err("it holds several documents".to_owned()),
        Err(why) => Err(format!("not YAML that can be read: {}", why.to_string().lines().next().unwrap_or(""))),
    }
}

fn yamldecode(args: &Args<'_>) -> Result<Value, ArgFault> {
    let text = args.str(0)?;
    read(&text).or_else(|why| fault(0, why))
}

/// A value read from YAML.
struct Yaml(Value);

impl<'de> Deserialize<'de> for Yaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(YamlVisitor).map(Yaml)
    }
}

struct YamlVisitor;

impl<'de> Visitor<'de> for YamlVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::number(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::number(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        match Number::parse(&value.to_string()) {
            Some(Ok(number)) => Ok(Value::number(number)),
            _ => Err(E::custom("a number is out of range")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::string(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::null())
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::null())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(Yaml(item)) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::tuple(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((Yaml(key), Yaml(value))) = access.next_entry()? {
            let key = match &key.data {
                Data::String(text) => text.clone(),
                Data::Number(number) => Arc::from(number.to_string()),
                Data::Bool(value) => Arc::from(value.to_string()),
                _ => return Err(A::Error::custom("a key must be a string")),
            };
            entries.insert(key, value);
        }
        Ok(Value::object(entries))
    }
}
