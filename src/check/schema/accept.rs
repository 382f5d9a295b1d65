//! The cheap answer: does a schema accept a value, read straight from the schema. Compiling a kind costs milliseconds, and
//! nearly every object is right; what is doubted here goes to the real validator, which also knows the words.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use regex_lite::Regex;
use serde_json::{Map, Value};

use crate::check::schema::keywords::repeated;
use crate::check::schema::store::Defs;

/// Whether the value fits. Only a yes is final: a keyword that isn't known here is a doubt.
pub(super) fn accepts(schema: &Value, defs: &Defs, value: &Value) -> bool {
    let Value::Object(rules) = resolve(schema, defs) else { return schema.as_bool().unwrap_or(false) };
    rules.iter().all(|(keyword, rule)| holds(keyword, rule, rules, defs, value))
}

/// Whether one keyword of a schema holds. A keyword about another type than the value's says nothing.
fn holds(keyword: &str, rule: &Value, rules: &Map<String, Value>, defs: &Defs, value: &Value) -> bool {
    let fits = |schema: &Value| accepts(schema, defs, value);
    let length = |found: Option<usize>, fits: fn(&u64, &u64) -> bool| {
        found.is_none_or(|found| rule.as_u64().is_some_and(|limit| fits(&(found as u64), &limit)))
    };
    let items = value.as_array();
    let options = rule.as_array();
    match keyword {
        "type" => is_of_type(value, rule),
        "properties" => fields(value).all(|(name, field)| rule.get(name).is_none_or(|rule| accepts(rule, defs, field))),
        "additionalProperties" => {
            let known = rules.get("properties");
            let other = |name: &str| known.is_none_or(|known| known.get(name).is_none());
            fields(value).all(|(name, field)| !other(name) || accepts(rule, defs, field))
        }
        "propertyNames" => fields(value).all(|(name, _)| accepts(rule, defs, &Value::String(name.clone()))),
        "required" => !value.is_object() || names(rule).all(|name| value.get(name).is_some()),
        "items" => items.is_none_or(|items| items.iter().all(|item| accepts(rule, defs, item))),
        "enum" => options.is_some_and(|options| options.contains(value)),
        "const" => rule == value,
        "anyOf" => options.is_some_and(|options| options.iter().any(fits)),
        "allOf" => options.is_some_and(|options| options.iter().all(fits)),
        "oneOf" => options.is_some_and(|options| options.iter().filter(|option| fits(option)).count() == 1),
        "not" => !fits(rule),
        "minimum" => value.as_number().is_none() || value.as_i64().zip(rule.as_i64()).is_some_and(|(n, min)| n >= min),
        "maximum" => value.as_number().is_none() || value.as_i64().zip(rule.as_i64()).is_some_and(|(n, max)| n <= max),
        "minLength" => length(value.as_str().map(|text| text.chars().count()), u64::ge),
        "maxLength" => length(value.as_str().map(|text| text.chars().count()), u64::le),
        "minItems" => length(items.map(Vec::len), u64::ge),
        "maxItems" => length(items.map(Vec::len), u64::le),
        "uniqueItems" => {
            items.is_none_or(|items| items.iter().enumerate().all(|(at, item)| !items[..at].contains(item)))
        }
        "pattern" => value.as_str().is_none_or(|text| rule.as_str().is_some_and(|pattern| matches(pattern, text))),
        "listMapKeys" => rule.as_object().is_some_and(|keys| repeated(keys, value).is_none()),
        "whole" => !value.is_f64(),
        _ => false,
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn names(rule: &Value) -> impl Iterator<Item = &str> {
    rule.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn is_of_type(value: &Value, rule: &Value) -> bool {
    match rule.as_str() {
        Some("string") => value.is_string(),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        _ => false,
    }
}

/// A schema, or the definition that it refers to.
fn resolve<'a>(schema: &'a Value, defs: &'a Defs) -> &'a Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
    match name.and_then(|name| defs.get(name)) {
        Some(def) => resolve(def, defs),
        None => schema,
    }
}

/// A pattern and its answers: names and quantities come again and again. The small engine, since no text is long.
struct Pattern {
    regex: Option<Regex>,
    answers: BTreeMap<String, bool>,
}

static PATTERNS: LazyLock<Mutex<BTreeMap<String, Pattern>>> = LazyLock::new(Mutex::default);

fn matches(pattern: &str, text: &str) -> bool {
    let Ok(mut patterns) = PATTERNS.lock() else { return false };
    if !patterns.contains_key(pattern) {
        patterns.insert(pattern.into(), Pattern { regex: Regex::new(pattern).ok(), answers: BTreeMap::new() });
    }
    let Some(Pattern { regex, answers }) = patterns.get_mut(pattern) else { return false };
    if let Some(known) = answers.get(text) {
        return *known;
    }
    let answer = regex.as_ref().is_some_and(|regex| regex.is_match(text));
    answers.insert(text.into(), answer);
    answer
}
