//! What differs between two trees: lists of named things are matched by their names, and equal quantities are equal.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::plan::Change;
use crate::resolve::quantity;

/// The keys that name the elements of a list, by the list's own name. Lists that are not here are matched by position.
pub(super) const LIST_KEYS: &[(&str, &str)] = &[
    ("containers", "name"),
    ("initContainers", "name"),
    ("env", "name"),
    ("volumes", "name"),
    ("volumeMounts", "mountPath"),
    ("ports", "name"),
    ("workerGroupSpecs", "groupName"),
    ("tolerations", "key"),
    ("imagePullSecrets", "name"),
    ("applications", "name"),
    ("deployments", "name"),
];

/// Fields that hold a document of their own as text.
const EMBEDDED_YAML: &[&str] = &["serveConfigV2", "runtimeEnvYAML"];

/// Fields whose values are quantities: `1` and `1000m` are the same.
const QUANTITIES: &[&str] = &["limits", "requests", "sizeLimit"];

/// The differences between two trees, in the order of the new one, then what is gone.
pub fn diff(before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    walk(&Place { path: String::new(), field: "", parent: "" }, before, after, &mut changes);
    changes
}

/// How many single values of `after` are not touched by `changes`, its differences from something.
pub fn unchanged(after: &Value, changes: &[Change]) -> usize {
    let changed: usize = changes.iter().filter_map(|change| change.after.as_ref()).map(leaves).sum();
    leaves(after).saturating_sub(changed)
}

fn leaves(value: &Value) -> usize {
    match value {
        Value::Object(fields) if !fields.is_empty() => fields.values().map(leaves).sum(),
        Value::Array(items) if !items.is_empty() => items.iter().map(leaves).sum(),
        _ => 1,
    }
}

/// Where the walk is.
struct Place<'a> {
    path: String,
    field: &'a str,
    parent: &'a str,
}

impl<'a> Place<'a> {
    fn child<'b>(&'b self, field: &'b str) -> Place<'b>
    where
        'a: 'b,
    {
        Place { path: join(&self.path, field), field, parent: self.field }
    }

    fn item(&self, key: &str) -> Place<'_> {
        Place { path: format!("{}[{key}]", self.path), field: self.field, parent: self.parent }
    }
}

/// `a.b`; a name that holds a dot or slash of its own stands in quotes, so that a path reads one way only.
fn join(path: &str, field: &str) -> String {
    let field = if field.contains(['.', '/', '[']) { format!("\"{field}\"") } else { field.to_owned() };
    if path.is_empty() { field } else { format!("{path}.{field}") }
}

fn walk(place: &Place<'_>, before: &Value, after: &Value, changes: &mut Vec<Change>) {
    match (before, after) {
        _ if equal(place, before, after) => {}
        (Value::Object(old), Value::Object(new)) => {
            for (field, value) in new {
                let child = place.child(field);
                match old.get(field) {
                    Some(known) => walk(&child, known, value, changes),
                    None => changes.push(added(child.path, value)),
                }
            }
            for (field, value) in old.iter().filter(|(field, _)| !new.contains_key(*field)) {
                changes.push(removed(join(&place.path, field), value));
            }
        }
        (Value::Array(old), Value::Array(new)) => walk_list(place, old, new, changes),
        (Value::String(old), Value::String(new)) if EMBEDDED_YAML.contains(&place.field) => {
            match (parsed(old), parsed(new)) {
                (Some(old), Some(new)) => walk(place, &old, &new, changes),
                _ => changes.push(changed(place, before, after)),
            }
        }
        _ => changes.push(changed(place, before, after)),
    }
}

fn parsed(text: &str) -> Option<Value> {
    serde_saphyr::from_str::<Value>(text).ok().filter(Value::is_object)
}

fn equal(place: &Place<'_>, before: &Value, after: &Value) -> bool {
    if before == after {
        return true;
    }
    let is_quantity = QUANTITIES.contains(&place.parent) || QUANTITIES.contains(&place.field);
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    is_quantity
        && text(before)
            .zip(text(after))
            .and_then(|(before, after)| Some(quantity::milli(&before)? == quantity::milli(&after)?))
            .unwrap_or(false)
}

fn walk_list(place: &Place<'_>, old: &[Value], new: &[Value], changes: &mut Vec<Change>) {
    let key = LIST_KEYS.iter().find(|(list, _)| *list == place.field).map(|(_, key)| *key);
    match key.and_then(|key| Some((by_key(old, key)?, by_key(new, key)?))) {
        Some((old_items, new_items)) => {
            for (name, value) in &new_items {
                let item = place.item(name);
                match old_items.iter().find(|(known, _)| known == name) {
                    Some((_, known)) => walk(&item, known, value, changes),
                    None => changes.push(added(item.path, value)),
                }
            }
            for (name, value) in old_items.iter().filter(|(name, _)| !new_items.iter().any(|(known, _)| known == name))
            {
                changes.push(removed(place.item(name).path, value));
            }
            if let Some((old_order, new_order)) = reordered(place.field, &old_items, &new_items) {
                let path = format!("{}[]", place.path);
                changes.push(Change { path, before: Some(old_order), after: Some(new_order), forces: false });
            }
        }
        None if scalars(old) && scalars(new) => changes.push(Change {
            path: place.path.clone(),
            before: Some(old.into()),
            after: Some(new.into()),
            forces: false,
        }),
        None => {
            for (index, value) in new.iter().enumerate() {
                let item = place.item(&index.to_string());
                match old.get(index) {
                    Some(known) => walk(&item, known, value, changes),
                    None => changes.push(added(item.path, value)),
                }
            }
            for (index, value) in old.iter().enumerate().skip(new.len()) {
                changes.push(removed(place.item(&index.to_string()).path, value));
            }
        }
    }
}

/// The orders before and after, where named items that stay have changed places: no field differs, yet Kubernetes and
/// `KubeRay` compare lists in order and restart what they hold.
fn reordered(field: &str, old: &[(String, &Value)], new: &[(String, &Value)]) -> Option<(Value, Value)> {
    let names = |items: &[(String, &Value)], others: &[(String, &Value)]| -> Vec<String> {
        let others: BTreeSet<&String> = others.iter().map(|(name, _)| name).collect();
        items.iter().map(|(name, _)| name).filter(|name| others.contains(name)).cloned().collect()
    };
    let (before, after) = (names(old, new), names(new, old));
    // Only a worker group that comes last leaves the others where they are.
    let appended = field != "workerGroupSpecs" || new.iter().zip(&after).all(|((name, _), stays)| name == stays);
    (before != after || !appended).then(|| {
        let all = |items: &[(String, &Value)]| items.iter().map(|(name, _)| name.clone()).collect::<Value>();
        (all(old), all(new))
    })
}

fn scalars(items: &[Value]) -> bool {
    items.iter().all(|item| !item.is_object() && !item.is_array())
}

/// The items with their names, in order; none where an item has no name or two have the same.
fn by_key<'a>(items: &'a [Value], key: &str) -> Option<Vec<(String, &'a Value)>> {
    let mut seen = BTreeSet::new();
    let mut named = Vec::with_capacity(items.len());
    for item in items {
        let name = match item.get(key)? {
            Value::String(name) => name.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        if !seen.insert(name.clone()) {
            return None;
        }
        named.push((name, item));
    }
    Some(named)
}

fn added(path: String, value: &Value) -> Change {
    Change { path, before: None, after: Some(value.clone()), forces: false }
}

fn removed(path: String, value: &Value) -> Change {
    Change { path, before: Some(value.clone()), after: None, forces: false }
}

fn changed(place: &Place<'_>, before: &Value, after: &Value) -> Change {
    Change { path: place.path.clone(), before: Some(before.clone()), after: Some(after.clone()), forces: false }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
    fn paths(before: Value, after: Value) -> Vec<String> {
        let sign = |change: &Change| match (&change.before, &change.after) {
            (None, _) => "+",
            (_, None) => "-",
            _ => "~",
        };
        diff(&before, &after).iter().map(|change| format!("{} {}", sign(change), change.path)).collect()
    }

    #[test]
    fn named_things_are_matched_by_name_and_a_new_order_is_one_change() {
        let pod = |names: &[&str]| json!({"containers": names.iter().map(|n| json!({"name": n, "image": "a"})).collect::<Vec<_>>()});
        assert_eq!(paths(pod(&["a", "b"]), pod(&["b", "a"])), ["~ containers[]"]);
        assert_eq!(paths(pod(&["a", "b"]), pod(&["c", "a", "b"])), ["+ containers[c]"]);
        let groups = |names: &[&str]| json!({"workerGroupSpecs": names.iter().map(|n| json!({"groupName": n})).collect::<Vec<_>>()});
        assert_eq!(paths(groups(&["a"]), groups(&["a", "b"])), ["+ workerGroupSpecs[b]"]);
        assert_eq!(paths(groups(&["a"]), groups(&["b", "a"])), ["+ workerGroupSpecs[b]", "~ workerGroupSpecs[]"]);
        assert_eq!(paths(pod(&["a", "b"]), pod(&["b", "c"])), ["+ containers[c]", "- containers[a]"]);
        let group = |n: u64| json!({"spec": {"workerGroupSpecs": [{"groupName": "v6e", "replicas": n}]}});
        assert_eq!(paths(group(1), group(2)), ["~ spec.workerGroupSpecs[v6e].replicas"]);
    }

    #[test]
    fn quantities_are_compared_by_value_and_only_where_they_are_quantities() {
        let limits = |cpu: Value| json!({"resources": {"limits": {"cpu": cpu}}});
        assert_eq!(paths(limits(json!("1")), limits(json!("1000m"))), Vec::<String>::new());
        assert_eq!(paths(limits(json!("1Gi")), limits(json!("1024Mi"))), Vec::<String>::new());
        assert_eq!(paths(limits(json!("1")), limits(json!("2"))), ["~ resources.limits.cpu"]);
        assert_eq!(paths(json!({"a": "1"}), json!({"a": "1000m"})), ["~ a"]);
    }

    #[test]
    fn embedded_documents_are_compared_as_structure() {
        let service =
            |tp: u64| json!({"spec": {"serveConfigV2": format!("applications:\n- name: llm\n  args: {{tp: {tp}}}\n")}});
        assert_eq!(paths(service(8), service(16)), ["~ spec.serveConfigV2.applications[llm].args.tp"]);
        assert_eq!(paths(json!({"a": {"sliceform.dev/x": "1"}}), json!({"a": {}})), ["- a.\"sliceform.dev/x\""]);
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[a-c]{0,3}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("name|env|a|b", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_tree_does_not_differ_from_itself_and_differs_from_another(a in tree(), b in tree()) {
            prop_assert!(diff(&a, &a).is_empty());
            prop_assert_eq!(diff(&a, &b).len(), diff(&a, &b).len());
            if diff(&a, &b).is_empty() {
                prop_assert!(diff(&b, &a).is_empty());
            }
        }
    }
}
