//! JSON Patch (RFC 6902): one operation at a time, with a reason where it can't be done.

use serde_json::Value;

use crate::base::suggest::nearest;
use crate::resolve::stack::Operation;

/// The deepest place that a pointer may name.
const MAX_DEPTH: usize = 64;

/// The most values of a copy: copies of copies double what is there.
const MAX_COPY: usize = 10_000;

/// How many values there are, up to a little more than `most`.
fn count(value: &Value, most: usize) -> usize {
    let mut sum = 1;
    let mut add = |inner: &Value| {
        sum += if sum > most { 0 } else { count(inner, most - sum.min(most)) };
    };
    match value {
        Value::Object(fields) => fields.values().for_each(&mut add),
        Value::Array(items) => items.iter().for_each(&mut add),
        _ => {}
    }
    sum
}

/// Carries out one operation.
///
/// # Errors
/// In words: what is not there, and what is near it.
pub fn apply(tree: &mut Value, operation: &Operation) -> Result<(), String> {
    match operation {
        Operation::Add { path, value } => add(tree, path, value.clone()),
        Operation::Remove { path } => remove(tree, path).map(drop),
        Operation::Replace { path, value } => {
            *place(tree, path)? = value.clone();
            Ok(())
        }
        Operation::Move { from, path } => {
            if path.starts_with(&format!("{from}/")) {
                return Err(format!("{from} can't be moved into itself"));
            }
            let value = remove(tree, from)?;
            add(tree, path, value)
        }
        Operation::Copy { from, path } => {
            let value = place(tree, from)?;
            if count(value, MAX_COPY) > MAX_COPY {
                return Err(format!("{from} has more than {MAX_COPY} values: too many for a copy"));
            }
            let value = value.clone();
            add(tree, path, value)
        }
        Operation::Test { path, value } => {
            let found = place(tree, path)?;
            if found == value { Ok(()) } else { Err(format!("at {path} is {}, not {}", short(found), short(value))) }
        }
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The steps of a JSON Pointer.
fn steps(path: &str) -> Result<Vec<String>, String> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let Some(rest) = path.strip_prefix('/') else { return Err(format!("the path {path:?} does not begin with /")) };
    let steps: Vec<String> = rest.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
    if steps.len() > MAX_DEPTH {
        return Err(format!("the path has more than {MAX_DEPTH} steps"));
    }
    Ok(steps)
}

/// The number of an item, as RFC 6901 writes it: without sign or leading zeros.
fn index(step: &str) -> Option<usize> {
    let plain = step == "0" || (!step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit()));
    if plain { step.parse().ok() } else { None }
}

fn child<'a>(value: &'a mut Value, step: &str, done: &str) -> Result<&'a mut Value, String> {
    match value {
        Value::Object(fields) => {
            if fields.contains_key(step) {
                return fields.get_mut(step).ok_or_else(String::new);
            }
            let near = nearest(step, fields.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
            Err(format!("there is no {step} in {}{near}", at(done)))
        }
        Value::Array(items) => {
            let count = items.len();
            let item = index(step).and_then(|at| items.get_mut(at));
            item.ok_or_else(|| format!("{} has {count} items: there is no {step}", at(done)))
        }
        _ => Err(format!("{} has nothing in it", at(done))),
    }
}

fn at(path: &str) -> &str {
    if path.is_empty() { "the object" } else { path }
}

fn walk<'a>(tree: &'a mut Value, steps: &[String]) -> Result<&'a mut Value, String> {
    let (mut value, mut done) = (tree, String::new());
    for step in steps {
        value = child(value, step, &done)?;
        done = format!("{done}/{step}");
    }
    Ok(value)
}

fn place<'a>(tree: &'a mut Value, path: &str) -> Result<&'a mut Value, String> {
    walk(tree, &steps(path)?)
}

fn add(tree: &mut Value, path: &str, value: Value) -> Result<(), String> {
    let steps = steps(path)?;
    let Some((last, above)) = steps.split_last() else {
        *tree = value;
        return Ok(());
    };
    match walk(tree, above)? {
        Value::Object(fields) => {
            fields.insert(last.clone(), value);
        }
        Value::Array(items) if last == "-" => items.push(value),
        Value::Array(items) => match index(last).filter(|at| *at <= items.len()) {
            Some(at) => items.insert(at, value),
            None => {
                return Err(format!("{} has {} items: nothing can stand at {last}", at(&path_of(above)), items.len()));
            }
        },
        _ => return Err(format!("{} can have nothing in it", at(&path_of(above)))),
    }
    Ok(())
}

fn path_of(steps: &[String]) -> String {
    steps.iter().map(|step| format!("/{step}")).collect()
}

fn remove(tree: &mut Value, path: &str) -> Result<Value, String> {
    let steps = steps(path)?;
    let Some((last, above)) = steps.split_last() else { return Err("the whole object can't be taken out".to_owned()) };
    let parent = walk(tree, above)?;
    child(parent, last, &path_of(above))?;
    match parent {
        Value::Object(fields) => fields.shift_remove(last).ok_or_else(String::new),
        Value::Array(items) => index(last).map(|at| items.remove(at)).ok_or_else(String::new),
        _ => Err(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn run(mut tree: Value, operation: &Operation) -> Result<Value, String> {
        apply(&mut tree, operation).map(|()| tree)
    }

    /// The examples of RFC 6902, appendix A, that have one operation.
    #[test]
    fn the_examples_of_the_standard() {
        let add = |path: &str, value| Operation::Add { path: path.into(), value };
        assert_eq!(run(json!({"foo": "bar"}), &add("/baz", json!("qux"))), Ok(json!({"foo": "bar", "baz": "qux"})));
        assert_eq!(run(json!({"foo": ["a", "b"]}), &add("/foo/1", json!("q"))), Ok(json!({"foo": ["a", "q", "b"]})));
        assert_eq!(run(json!({"foo": ["a"]}), &add("/foo/-", json!(["b"]))), Ok(json!({"foo": ["a", ["b"]]})));
        assert!(run(json!({"foo": "bar"}), &add("/baz/bat", json!(1))).is_err());
        assert!(run(json!({"foo": ["a"]}), &add("/foo/01", json!(1))).is_err());
        let gone = run(json!({"foo": ["a", "b", "c"]}), &Operation::Remove { path: "/foo/1".into() });
        assert_eq!(gone, Ok(json!({"foo": ["a", "c"]})));
        let moved = Operation::Move { from: "/foo/waldo".into(), path: "/qux/thud".into() };
        let tree = json!({"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}});
        assert_eq!(run(tree, &moved), Ok(json!({"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}})));
        let test = |path: &str, value| Operation::Test { path: path.into(), value };
        assert!(run(json!({"/": 9, "~1": 10}), &test("/~01", json!(10))).is_ok());
        assert_eq!(run(json!({"/": 9}), &test("/~1", json!("9"))), Err("at /~1 is 9, not \"9\"".to_owned()));
    }

    #[test]
    fn what_is_not_there_is_named_with_what_is_near() {
        let replace = |path: &str| Operation::Replace { path: path.into(), value: json!(1) };
        let tree = || json!({"spec": {"suspend": true, "items": [1]}});
        assert_eq!(
            run(tree(), &replace("/spec/suspand")),
            Err("there is no suspand in /spec; did you mean suspend?".to_owned())
        );
        assert_eq!(run(tree(), &replace("/spec/items/7")), Err("/spec/items has 1 items: there is no 7".to_owned()));
        assert!(run(tree(), &Operation::Remove { path: String::new() }).is_err());
        assert!(run(tree(), &Operation::Move { from: "/spec".into(), path: "/spec/items".into() }).is_err());
    }

    proptest! {
        #[test]
        fn no_path_makes_it_panic(path in "(/[a-z~0-9-]{0,4}){0,4}|.*", from in "(/[a-z0-9-]{0,2}){0,3}") {
            let tree = || json!({"a": [1, {"b": [2, 3]}], "0": {"-": 4}});
            for operation in [
                Operation::Add { path: path.clone(), value: json!(1) },
                Operation::Remove { path: path.clone() },
                Operation::Move { from: from.clone(), path: path.clone() },
                Operation::Copy { from, path: path.clone() },
                Operation::Test { path, value: json!(4) },
            ] {
                let _ = run(tree(), &operation);
            }
        }
    }
}
