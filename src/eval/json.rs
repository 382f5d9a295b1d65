//! Values as JSON: text in Terraform's spelling, trees for manifests, and reading it.

use crate::eval::number::Number;
use crate::eval::scope::MAX_SIZE;
use crate::eval::value::{Data, Value};
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Deepest nesting that is read.
const MAX_DEPTH: usize = 128;

/// Most elements that are read.
const MAX_ELEMENTS: usize = 1_000_000;

/// A string in JSON quotes; `html` escapes `<`, `>` and `&` too, as `jsonencode` does.
pub(super) fn quoted(text: &str, html: bool) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' if html => drop(write!(out, "\\u{:04x}", c as u32)),
            '\u{0}'..='\u{1f}' | '\u{2028}' | '\u{2029}' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// `jsonencode`: no blanks, keys sorted.
pub(super) fn encode(value: &Value) -> Result<String, String> {
    let mut out = String::new();
    write_value(value, &mut out)?;
    Ok(out)
}

fn write_value(value: &Value, out: &mut String) -> Result<(), String> {
    if out.len() as u64 > MAX_SIZE {
        return Err("the text would be too large".into());
    }
    match &value.data {
        Data::Null | Data::Unknown => out.push_str("null"),
        Data::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Data::Number(number) => out.push_str(&number.to_string()),
        Data::String(text) => out.push_str(&quoted(text, true)),
        Data::List(items) | Data::Set(items) | Data::Tuple(items) => {
            for (index, item) in items.iter().enumerate() {
                out.push(if index == 0 { '[' } else { ',' });
                write_value(item, out)?;
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Data::Map(table) | Data::Object(table) => {
            for (index, (key, value)) in table.iter().enumerate() {
                out.push(if index == 0 { '{' } else { ',' });
                out.push_str(&quoted(key, true));
                out.push(':');
                write_value(value, out)?;
            }
            out.push_str(if table.is_empty() { "{}" } else { "}" });
        }
        Data::Block(_) | Data::Secret(_) => return Err(reference(value)),
    }
    Ok(())
}

/// Why a reference is no plain value.
pub(super) fn reference(value: &Value) -> String {
    match &value.data {
        Data::Secret(secret) => format!(
            "{}.{} is a reference to a key of a secret; its content never enters a stack: use secret_env or a mount",
            secret.block, secret.key
        ),
        Data::Block(addr) => format!("{addr} is a block; use one of its attributes, such as {addr}.name"),
        _ => String::new(),
    }
}

impl Value {
    /// The value as `jsonencode` writes it, sensitive or not: to compare it, never to show it. None for a block or a secret.
    pub fn to_json_text(&self) -> Option<String> {
        encode(self).ok()
    }

    /// The value as a JSON tree for a manifest. Refuses what must not get there: sensitive values, references to
    /// blocks and secrets, and numbers that JSON readers would not read back exactly. The error says where and why.
    pub fn to_json(&self) -> Result<serde_json::Value, String> {
        let at = |step: String| {
            move |why: String| format!("{step}{}{why}", if why.starts_with(['.', '[']) { "" } else { ": " })
        };
        if self.sensitive {
            return Err("the value is sensitive".into());
        }
        Ok(match &self.data {
            Data::Null | Data::Unknown => serde_json::Value::Null,
            Data::Bool(value) => (*value).into(),
            Data::String(text) => (&**text).into(),
            Data::Number(number) => json_number(number)?,
            Data::List(items) | Data::Set(items) | Data::Tuple(items) => {
                let items =
                    items.iter().enumerate().map(|(index, item)| item.to_json().map_err(at(format!("[{index}]"))));
                serde_json::Value::Array(items.collect::<Result<_, _>>()?)
            }
            Data::Map(table) | Data::Object(table) => {
                let entries = table.iter().map(|(key, value)| {
                    let json = value.to_json().map_err(at(format!(".{key}")))?;
                    Ok::<_, String>((key.to_string(), json))
                });
                serde_json::Value::Object(entries.collect::<Result<_, _>>()?)
            }
            Data::Block(_) | Data::Secret(_) => return Err(reference(self)),
        })
    }
}

fn json_number(number: &Number) -> Result<serde_json::Value, String> {
    if let Some(int) = number.to_i64() {
        return Ok(int.into());
    }
    if let Some(int) = number.to_u64() {
        return Ok(int.into());
    }
    let float = serde_json::Number::from_f64(number.to_f64()).filter(|_| !number.is_whole());
    float.map(serde_json::Value::Number).ok_or_else(|| format!("the number {number} is too large"))
}

/// `jsondecode`: numbers exact, of equal keys the last.
pub(super) fn decode(text: &str) -> Result<Value, String> {
    if text.bytes().filter(|byte| *byte == b',').count() > MAX_ELEMENTS {
        return Err(format!("more than {MAX_ELEMENTS} elements"));
    }
    // The library says what is wrong and where; after that the text is known to be JSON.
    serde_json::from_str::<IgnoredAny>(text).map_err(|why| why.to_string())?;
    let mut reader = Reader { text, at: 0 };
    reader.value(0)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&mut self) -> u8 {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Steps over a separator if it is there.
    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == byte;
        self.at += usize::from(there);
        there
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!("nested deeper than {MAX_DEPTH} levels"));
        }
        match self.peek() {
            b'{' => self.object(depth),
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                while !self.eat(b']') {
                    items.push(self.value(depth + 1)?);
                    self.eat(b',');
                }
                Ok(Value::tuple(items))
            }
            b'"' => self.string().map(Value::string),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, String> {
        self.at += 1;
        let mut entries = BTreeMap::new();
        while !self.eat(b'}') {
            self.peek();
            let key = self.string()?;
            self.eat(b':');
            let value = self.value(depth + 1)?;
            self.eat(b',');
            entries.insert(Arc::from(Value::string(key).as_str().unwrap_or("")), value);
        }
        Ok(Value::object(entries))
    }

    fn string(&mut self) -> Result<String, String> {
        let rest = &self.text[self.at..];
        let mut escaped = false;
        let end = rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let literal = &rest[..end.map_or(rest.len(), |end| end + 2)];
        self.at += literal.len();
        serde_json::from_str(literal).map_err(|why| why.to_string())
    }

    fn word(&mut self) -> Result<Value, String> {
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len())];
        self.at += word.len();
        match word {
            "null" => Ok(Value::null()),
            "true" => Ok(Value::bool(true)),
            "false" => Ok(Value::bool(false)),
            number => match Number::parse(number) {
                Some(Ok(number)) => Ok(Value::number(number)),
                Some(Err(fault)) => Err(fault.text().into()),
                None => Err(format!("{number:?} is no value")),
            },
        }
    }
}
