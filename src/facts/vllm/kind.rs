//! What the value of a vLLM argument looks like.

use serde::Deserialize;
use serde_json::Value;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `--x` or `--no-x`.
    Bool,
    /// `--x`, without a negative form.
    Flag,
    /// A whole number.
    Int,
    /// A whole number, also written `8k` (8000) or `8K` (8192).
    HumanInt,
    /// The same, or `auto`.
    HumanIntOrAuto,
    /// A number.
    Float,
    /// A text.
    Str,
    /// One text or several.
    List,
    /// One whole number or several.
    IntList,
    /// A JSON object, or a text: one that holds an object, or any other.
    Json,
    /// A JSON object, or a text that holds one.
    Object,
    /// A JSON object or list, or a text that holds one.
    Structure,
    /// Anything.
    Any,
}

impl Kind {
    /// True if vLLM reads `value`. Null, which leaves the argument out, always is.
    pub fn accepts(self, value: &Value) -> bool {
        match (self, value) {
            (_, Value::Null) | (Self::Any, _) => true,
            (Self::Bool | Self::Flag, value) => value.is_boolean(),
            (Self::HumanInt, value) => is_int(value) || value.as_str().is_some_and(|text| human_int(text).is_some()),
            (Self::HumanIntOrAuto, value) => value.as_str() == Some("auto") || Self::HumanInt.accepts(value),
            (Self::Float, value) => value.is_number(),
            (Self::Str, value) => value.is_string() || value.is_number() || value.is_boolean(),
            (Self::List, Value::Array(items)) => items.iter().all(|item| Self::Str.accepts(item)),
            (Self::List, value) => Self::Str.accepts(value),
            (Self::IntList, Value::Array(items)) => items.iter().all(is_int),
            (Self::Int | Self::IntList, value) => is_int(value),
            (Self::Json, Value::String(text)) => {
                !text.trim_start().starts_with(['{', '[']) || structure(text).is_some()
            }
            (Self::Object, Value::String(text)) => structure(text).is_some_and(|value| value.is_object()),
            (Self::Structure, Value::String(text)) => structure(text).is_some(),
            (Self::Object, value) => value.is_object(),
            (Self::Json | Self::Structure, value) => value.is_object() || value.is_array(),
        }
    }

    /// The kind in words: `a whole number`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Bool | Self::Flag => "true or false",
            Self::Int => "a whole number",
            Self::HumanInt => "a whole number, or one such as \"8k\" (8000) or \"8K\" (8192)",
            Self::HumanIntOrAuto => "a whole number, one such as \"8k\" (8000) or \"8K\" (8192), or \"auto\"",
            Self::Float => "a number",
            Self::Str => "a string",
            Self::List => "a string or a list of strings",
            Self::IntList => "a whole number or a list of them",
            Self::Json | Self::Object => "an object",
            Self::Structure => "an object or a list",
            Self::Any => "any value",
        }
    }
}

/// The object or list that a text holds, as vLLM's command line reads it.
pub fn structure(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().filter(|value: &Value| value.is_object() || value.is_array())
}

fn is_int(value: &Value) -> bool {
    value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// The number that vLLM reads in `8k` (8000), `8K` (8192), `25.6k` or `8192`. None: it reads none.
pub fn human_int(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.char_indices().last() {
        Some((at, unit)) if unit.is_ascii_alphabetic() => (text.get(..at)?, Some(unit)),
        _ => (text, None),
    };
    let Some(unit) = unit else {
        return number.parse().ok();
    };
    let power = u32::try_from("kmgt".find(unit.to_ascii_lowercase())?).ok()? + 1;
    if unit.is_ascii_uppercase() {
        return number.parse::<u64>().ok()?.checked_mul(1024u64.checked_pow(power)?);
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = u32::try_from(fraction.len()).ok()?;
    let places = power.checked_mul(3)?.checked_sub(digits)?;
    if fraction.is_empty() && number.contains('.') {
        return None;
    }
    format!("{whole}{fraction}").parse::<u64>().ok()?.checked_mul(10u64.checked_pow(places)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in
            [("8192", 8192), ("4k", 4000), ("2K", 2048), ("25.6k", 25_600), ("1m", 1_000_000), ("1G", 1 << 30)]
        {
            assert_eq!(human_int(text), Some(number), "{text}");
        }
        for text in ["", "k", "8.5K", "8.k", "8kk", "8x", "-1k", "1.2345k", "99999999999T", "é"] {
            assert_eq!(human_int(text), None, "{text}");
        }
        assert!(Kind::HumanIntOrAuto.accepts(&json!("auto")) && Kind::HumanIntOrAuto.accepts(&json!(-1)));
        assert!(!Kind::HumanInt.accepts(&json!("auto")));
    }

    #[test]
    fn a_value_of_another_kind_is_refused() {
        assert!(
            !Kind::Int.accepts(&json!("eight")) && !Kind::Int.accepts(&json!(1.5)) && Kind::Int.accepts(&json!(8.0))
        );
        assert!(
            !Kind::Bool.accepts(&json!("true")) && !Kind::Json.accepts(&json!(1)) && !Kind::List.accepts(&json!({}))
        );
        let kinds = |value: &Value| [Kind::Json, Kind::Structure, Kind::Object].map(|kind| kind.accepts(value));
        assert_eq!(kinds(&json!("word")), [true, false, false]);
        assert_eq!(kinds(&json!("{bad")), [false, false, false]);
        assert_eq!(kinds(&json!("[1]")), [true, true, false]);
        assert_eq!(kinds(&json!([1])), [true, true, false]);
        assert_eq!(kinds(&json!("{\"a\": 1}")), [true, true, true]);
        assert!(
            Kind::Bool.accepts(&Value::Null)
                && Kind::List.accepts(&json!("a"))
                && Kind::IntList.accepts(&json!([1, 2]))
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*") {
            let _ = human_int(&text);
        }

        #[test]
        fn a_plain_number_is_itself(number in any::<u64>()) {
            prop_assert_eq!(human_int(&number.to_string()), Some(number));
        }
    }
}
