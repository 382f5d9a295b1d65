//! `ignore_changes`: fields of an object that stay as they are in the directory, whatever the stack says.

use serde_json::Value;

use crate::plan::diff::LIST_KEYS;

/// A step of a path: `spec.workerGroupSpecs[v6e]."a.b/c"`.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Field(String),
    /// An element of the list, by its key or its index.
    Item(String),
}

/// Gives `after` the values that `before` has at `path`; true if that changed it. A path that leads nowhere keeps nothing.
pub fn keep(before: &Value, after: &mut Value, path: &str) -> bool {
    let steps = steps(path);
    let Some((last, way)) = steps.split_last() else { return false };
    let Some((before, parent)) = descend(before, after, way) else { return false };
    let old = child(before, last, way);
    match (last, parent) {
        (Step::Field(name), Value::Object(fields)) => match old {
            Some(old) if fields.get(name) == Some(old) => false,
            Some(old) => {
                fields.insert(name.clone(), old.clone());
                true
            }
            None => fields.shift_remove(name).is_some(),
        },
        (Step::Item(key), Value::Array(items)) => {
            let at = position(items, key, way);
            match (at, old) {
                (Some(at), Some(old)) if items[at] != *old => {
                    items[at] = old.clone();
                    true
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn steps(path: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let Some((name, after)) = quoted.split_once('"') else { return Vec::new() };
            steps.push(Step::Field(name.to_owned()));
            rest = after;
        } else if let Some(item) = rest.strip_prefix('[') {
            let Some((key, after)) = item.split_once(']') else { return Vec::new() };
            steps.push(Step::Item(key.to_owned()));
            rest = after;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(Step::Field(rest[..end].to_owned()));
            rest = &rest[end..];
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    steps
}

/// The same place in both trees.
fn descend<'b, 'a>(before: &'b Value, after: &'a mut Value, way: &[Step]) -> Option<(&'b Value, &'a mut Value)> {
    let (mut before, mut after) = (before, after);
    for (at, step) in way.iter().enumerate() {
        before = child(before, step, &way[..at])?;
        after = match (step, after) {
            (Step::Field(name), Value::Object(fields)) => fields.get_mut(name)?,
            (Step::Item(key), Value::Array(items)) => {
                let at = position(items, key, &way[..at])?;
                &mut items[at]
            }
            _ => return None,
        };
    }
    Some((before, after))
}

fn child<'v>(value: &'v Value, step: &Step, way: &[Step]) -> Option<&'v Value> {
    match (step, value) {
        (Step::Field(name), Value::Object(fields)) => fields.get(name),
        (Step::Item(key), Value::Array(items)) => items.get(position(items, key, way)?),
        _ => None,
    }
}

/// Where an element stands: lists of named things are asked for a name, others for an index.
fn position(items: &[Value], key: &str, way: &[Step]) -> Option<usize> {
    let list = way.iter().rev().find_map(|step| if let Step::Field(name) = step { Some(name.as_str()) } else { None });
    let field = LIST_KEYS.iter().find(|(known, _)| Some(*known) == list).map(|(_, field)| *field);
    let named = |item: &Value| field.is_some_and(|field| item.get(field).and_then(Value::as_str) == Some(key));
    items.iter().position(named).or_else(|| key.parse().ok().filter(|at| *at < items.len()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_kept_field_has_the_value_that_is_there() {
        let before = json!({"spec": {"suspend": true, "groups": [1, 2], "workerGroupSpecs": [
            {"groupName": "b", "replicas": 7}, {"groupName": "a", "replicas": 5}]},
            "metadata": {"annotations": {"a.b/c": "kept"}}});
        let after = json!({"spec": {"suspend": false, "groups": [3, 4], "workerGroupSpecs": [
            {"groupName": "a", "replicas": 1}]}, "metadata": {"annotations": {"a.b/c": "new", "d": "e"}}, "new": 1});
        let kept = |path: &str, pointer: &str| {
            let mut after = after.clone();
            let changed = keep(&before, &mut after, path);
            (changed, after.pointer(pointer).cloned())
        };
        assert_eq!(kept("spec.suspend", "/spec/suspend"), (true, Some(json!(true))));
        assert_eq!(
            kept("spec.workerGroupSpecs[a].replicas", "/spec/workerGroupSpecs/0/replicas"),
            (true, Some(json!(5)))
        );
        assert_eq!(kept("spec.groups[1]", "/spec/groups"), (true, Some(json!([3, 2]))));
        assert_eq!(kept("metadata.annotations", "/metadata/annotations"), (true, Some(json!({"a.b/c": "kept"}))));
        assert_eq!(kept("metadata.annotations.\"a.b/c\"", "/metadata/annotations/a.b~1c"), (true, Some(json!("kept"))));
        assert_eq!(kept("new", "/new"), (true, None), "what was not there stays away");
        for nowhere in
            ["", "spec.nothing.x", "spec.workerGroupSpecs[b].replicas", "\"x", "spec[0", "..", "spec.suspend.x"]
        {
            assert!(!kept(nowhere, "").0, "{nowhere}");
        }
    }
}
