//! The part of a schema that an object can touch. Compiling a kind whole costs milliseconds, most of them for fields that
//! no object has; what is left out here says nothing about the object, so both schemas accept the same.

use serde_json::{Map, Value};

use crate::check::schema::store::Defs;

/// The schema for these values, definitions put in their places.
pub(super) fn prune(schema: &Value, defs: &Defs, values: &[&Value]) -> Value {
    let Value::Object(fields) = resolve(schema, defs) else { return schema.clone() };
    let mut pruned = Map::new();
    for (keyword, rule) in fields {
        let rule = match (keyword.as_str(), rule) {
            ("properties", Value::Object(properties)) => {
                let touched = properties.iter().filter_map(|(name, rule)| {
                    let inner: Vec<&Value> = values.iter().filter_map(|value| value.get(name)).collect();
                    (!inner.is_empty()).then(|| (name.clone(), prune(rule, defs, &inner)))
                });
                Value::Object(touched.collect())
            }
            ("additionalProperties", Value::Object(_)) => {
                let known = |name: &String| fields.get("properties").is_some_and(|known| known.get(name).is_some());
                let objects = values.iter().filter_map(|value| value.as_object());
                let inner: Vec<&Value> =
                    objects.flatten().filter(|(name, _)| !known(name)).map(|(_, value)| value).collect();
                prune(rule, defs, &inner)
            }
            ("items", Value::Object(_)) => {
                let inner: Vec<&Value> = values.iter().filter_map(|value| value.as_array()).flatten().collect();
                prune(rule, defs, &inner)
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(options)) => {
                options.iter().map(|option| prune(option, defs, values)).collect()
            }
            ("not", Value::Object(_)) => prune(rule, defs, values),
            ("propertyNames", Value::Object(_)) => prune(rule, defs, &[]),
            _ => rule.clone(),
        };
        pruned.insert(keyword.clone(), rule);
    }
    Value::Object(pruned)
}

/// A schema, or the definition that it refers to.
fn resolve<'a>(schema: &'a Value, defs: &'a Defs) -> &'a Value {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
    match name.and_then(|name| defs.get(name)) {
        Some(def) => resolve(def, defs),
        None => schema,
    }
}
