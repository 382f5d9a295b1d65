//! Violations in plain words.

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::base::suggest::{did_you_mean, nearest, one_of};

/// One violation: where, and what.
pub(super) enum Fault {
    /// A field that the schema doesn't have.
    UnknownField {
        /// The field's path.
        path: String,
        /// ` Did you mean "x"?`, or nothing.
        near: String,
    },
    /// A value that doesn't fit.
    Value(String),
}

impl Fault {
    /// Whether it is the unknown field at `path`.
    pub(super) fn is_unknown_field(&self, path: &str) -> bool {
        matches!(self, Self::UnknownField { path: own, .. } if own == path)
    }

    /// The fault as a sentence; `since` finds the later version that has a field.
    pub(super) fn sentence(self, since: impl Fn(&str) -> Option<&'static str>, kuberay: &str) -> String {
        match self {
            Self::Value(text) => text,
            Self::UnknownField { path, near } => match since(&path) {
                Some(version) => {
                    format!("{path} exists since KubeRay {version}; KubeRay {kuberay} would drop it in silence.")
                }
                None => format!("{path} isn't a field of this kind: it would be dropped in silence or refused.{near}"),
            },
        }
    }
}

/// Adds what `error`, found under `schema`, says about the object.
pub(super) fn explain(error: &ValidationError<'_>, schema: &Value, found: &mut Vec<Fault>) {
    let place = path(error.instance_path());
    let subject = if place.is_empty() { "the object" } else { &place };
    let mut say = |text: String| found.push(Fault::Value(format!("{subject} {text}.")));
    match error.kind() {
        Kind::AdditionalProperties { unexpected } => {
            let known = known_fields(error.schema_path(), schema);
            for field in unexpected {
                let near = did_you_mean(field, known.iter().map(String::as_str));
                found.push(Fault::UnknownField { path: child(&place, field), near });
            }
        }
        Kind::Required { property } => say(format!("lacks {property}")),
        Kind::Type { kind } => say(format!("must be {}, not {}", wanted(kind), got(error.instance()))),
        Kind::Enum { options } => say(format!("must be {}", choices(options, error.instance()))),
        Kind::Constant { expected_value } => say(format!("must be {expected_value}, not {}", shown(error.instance()))),
        Kind::Minimum { limit } => say(format!("must be at least {limit}, not {}", shown(error.instance()))),
        Kind::Maximum { limit } => say(format!("must be at most {limit}, not {}", shown(error.instance()))),
        Kind::MinLength { limit } => say(format!("must have at least {limit} characters")),
        Kind::MaxLength { limit } => say(format!("must have at most {limit} characters")),
        Kind::MinItems { limit } => say(format!("must have at least {limit} items")),
        Kind::MaxItems { limit } => say(format!("must have at most {limit} items")),
        Kind::UniqueItems => say("has the same item twice".into()),
        Kind::Pattern { pattern } => say(format!("must be {}, not {}", form(pattern), shown(error.instance()))),
        Kind::PropertyNames { error } => match error.kind() {
            Kind::Pattern { pattern } => {
                say(format!("has the key {}, which isn't of the form {pattern}", shown(error.instance())));
            }
            _ => say(format!("has the key {}, which is too long", shown(error.instance()))),
        },
        Kind::Custom { message, .. } => say(message.clone()),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            alternatives(context, schema, &place, error, found);
        }
        Kind::OneOfMultipleValid { .. } | Kind::Not { .. } => say("has fields that exclude each other".into()),
        other => say(format!("breaks the schema's {:?}", other.keyword())),
    }
}

/// Of several forms none fits: the faults of the one that was meant, or all the forms that would do.
fn alternatives(
    context: &[Vec<ValidationError<'static>>],
    schema: &Value,
    place: &str,
    error: &ValidationError<'_>,
    found: &mut Vec<Fault>,
) {
    let of_another_type =
        |e: &ValidationError<'_>| matches!(e.kind(), Kind::Type { .. }) && e.instance_path() == error.instance_path();
    let lacks = |e: &ValidationError<'_>| match e.kind() {
        Kind::Required { property } if e.instance_path() == error.instance_path() => {
            property.as_str().map(String::from)
        }
        _ => None,
    };
    let lacking: Vec<Vec<String>> = context.iter().map(|errors| errors.iter().filter_map(lacks).collect()).collect();
    if lacking.iter().zip(context).all(|(fields, errors)| fields.len() == errors.len()) {
        let forms: Vec<String> = lacking.iter().map(|fields| fields.join(" and ")).collect();
        found.push(Fault::Value(format!("{place} needs {}.", forms.join(", or "))));
        return;
    }
    if let Some(meant) = context.iter().find(|errors| !errors.iter().any(of_another_type)) {
        return meant.iter().for_each(|error| explain(error, schema, found));
    }
    let types = context.iter().flatten().filter_map(|e| match e.kind() {
        Kind::Type { kind } => Some(wanted(kind)),
        _ => None,
    });
    let mut types: Vec<String> = types.collect();
    types.dedup();
    found.push(Fault::Value(format!("{place} must be {}, not {}.", types.join(" or "), got(error.instance()))));
}

/// `spec.workerGroupSpecs[0].template`, with quotes around keys that aren't plain.
fn path(location: &Location) -> String {
    location.segments().fold(String::new(), |path, segment| match segment {
        LocationSegment::Property(name) => child(&path, &name),
        LocationSegment::Index(index) => format!("{path}[{index}]"),
    })
}

fn child(path: &str, field: &str) -> String {
    let plain = !field.is_empty() && field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match (plain, path) {
        (true, "") => field.into(),
        (true, path) => format!("{path}.{field}"),
        (false, path) => format!("{path}[{field:?}]"),
    }
}

/// The fields of the object whose `additionalProperties` stands at `location`.
fn known_fields(location: &Location, schema: &Value) -> Vec<String> {
    let pointer = location.as_str();
    let parent = pointer.strip_suffix("/additionalProperties").unwrap_or(pointer);
    let fields = schema.pointer(parent).and_then(|object| object.get("properties")).and_then(Value::as_object);
    fields.map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}

fn wanted(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => name(*one).into(),
        TypeKind::Multiple(several) => several.iter().map(name).collect::<Vec<_>>().join(" or "),
    }
}

fn name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}

fn got(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        Value::String(_) => format!("the string {}", shown(value)),
        other => other.to_string(),
    }
}

/// A value, cut where it is long.
fn shown(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= LONGEST {
        return text;
    }
    format!("{}…", text.chars().take(LONGEST).collect::<String>())
}

/// `"a" or "b", not "x"`, without the empty choice, which only stands for the default.
fn choices(options: &Value, value: &Value) -> String {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let options: Vec<&str> = options.iter().filter_map(Value::as_str).filter(|option| !option.is_empty()).collect();
    let near = value.as_str().and_then(|value| nearest(value, options.iter().copied()));
    let near = near.map_or_else(String::new, |near| format!(" (did you mean {near:?}?)"));
    format!("{}, not {}{near}", one_of(&options), shown(value))
}

/// What a pattern stands for, in words where it is one of the known ones.
fn form(pattern: &str) -> String {
    if pattern.contains("[KMGTPE]i") {
        return "a quantity such as \"500m\" or \"16Gi\"".into();
    }
    if pattern == r"\$\{" {
        return "a value of the attribute's type, or an expression such as \"${var.name}\"".into();
    }
    format!("of the form {pattern}")
}
