//! Terraform's JSON syntax, for resources that a `patch` has changed.

use serde_json::{Map, Value};

/// The end of such a file's name.
pub const SUFFIX: &str = ".tf.json";

/// The key that Terraform takes for a comment.
const COMMENT: &str = "//";

/// Arguments that take references as plain text, and no template.
const REFERENCES: &[&str] = &["depends_on", "from", "ignore_changes", "replace_triggered_by", "to"];

/// The tree as JSON syntax has it: `"${a.b}"` is `"a.b"` where only a reference may stand.
pub fn plain(mut tree: Value) -> Value {
    strip(&mut tree, false);
    tree
}

fn strip(value: &mut Value, reference: bool) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                strip(inner, REFERENCES.contains(&name.as_str()));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, reference)),
        Value::String(text) if reference => {
            if let Some(inner) = text.strip_prefix("${").and_then(|text| text.strip_suffix('}')) {
                *text = inner.to_owned();
            }
        }
        _ => {}
    }
}

/// The text of a file, with a comment first.
///
/// # Errors
/// The tree is no object.
pub fn write(tree: &Value, comment: &str) -> Result<String, String> {
    let Value::Object(fields) = tree else { return Err("it is no object".to_owned()) };
    let mut file = Map::new();
    file.insert(COMMENT.to_owned(), comment.into());
    file.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
    Ok(format!("{:#}\n", Value::Object(file)))
}

/// The tree of a file that was written earlier.
pub fn read(text: &str) -> Option<Value> {
    let mut tree: Value = serde_json::from_str(text).ok()?;
    tree.as_object_mut()?.shift_remove(COMMENT);
    Some(tree)
}
