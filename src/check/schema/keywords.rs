//! The two keywords that the schemas use beside JSON Schema's own: `whole` and `listMapKeys`.

use std::sync::LazyLock;

use jsonschema::paths::Location;
use jsonschema::{Draft, Keyword, PatternCache, PatternOptions, ValidationError, ValidationOptions};
use serde_json::{Map, Value};

/// The few patterns, compiled once for all kinds.
static PATTERNS: LazyLock<PatternCache> = LazyLock::new(PatternCache::default);

/// How every validator of manifests is built. Draft 7 knows all keywords in use, and its check of the schema itself
/// takes a fraction of the later drafts' time.
pub(super) fn options() -> ValidationOptions<'static> {
    jsonschema::options()
        .with_draft(Draft::Draft7)
        .with_pattern_options(PatternOptions::regex())
        .with_pattern_cache(PATTERNS.clone())
        .with_keyword("whole", whole)
        .with_keyword("listMapKeys", list_map_keys)
}

type Made<'a> = Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'a>>;

#[allow(clippy::unnecessary_wraps, reason = "the signature is jsonschema's")]
fn whole<'a>(_: &'a Map<String, Value>, _: &'a Value, _: Location) -> Made<'a> {
    Ok(Box::new(Whole))
}

#[allow(clippy::unnecessary_wraps, reason = "the signature is jsonschema's")]
fn list_map_keys<'a>(_: &'a Map<String, Value>, keys: &'a Value, _: Location) -> Made<'a> {
    Ok(Box::new(ListMapKeys(keys.as_object().cloned().unwrap_or_default())))
}

/// An integer that isn't written as a float: JSON Schema takes 1.0 for one, the API server's decoder doesn't.
struct Whole;

impl<'i> Keyword<'i> for Whole {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            return Ok(());
        }
        Err(ValidationError::custom("must be written as an integer, without a decimal point"))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        // A fraction is the business of `type`; only what that lets through is looked at.
        instance.as_f64().is_none_or(|number| !instance.is_f64() || number.fract() != 0.0)
    }
}

/// A list whose items differ in these fields; a field that is left out has the value given here.
struct ListMapKeys(Map<String, Value>);

/// The key that two items of a list share.
pub(super) fn repeated<'i>(keys: &'i Map<String, Value>, instance: &'i Value) -> Option<Vec<&'i Value>> {
    let items = instance.as_array()?;
    let key = |item: &'i Value| -> Vec<&'i Value> {
        keys.iter().map(|(field, default)| item.get(field).unwrap_or(default)).collect()
    };
    (1..items.len()).find(|at| items[..*at].iter().any(|item| key(item) == key(&items[*at]))).map(|at| key(&items[at]))
}

impl<'i> Keyword<'i> for ListMapKeys {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        let Some(values) = repeated(&self.0, instance) else { return Ok(()) };
        let fields: Vec<String> = self.0.keys().zip(values).map(|(field, value)| format!("{field} {value}")).collect();
        Err(ValidationError::custom(format!("has two items with {}", fields.join(" and "))))
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        repeated(&self.0, instance).is_none()
    }
}
