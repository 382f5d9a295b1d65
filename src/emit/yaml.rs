//! YAML as every reader takes it, of version 1.1 or 1.2: scripts stay readable, and no text turns into anything else.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

/// The text of `tree`, with its keys in their order.
pub fn write(tree: &Value) -> Result<String, String> {
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false, compact_list_indent: true };
    serde_saphyr::to_string_with_options(&Node(tree), options).map_err(|error| error.to_string())
}

/// The tree of one document.
pub fn read(text: &str) -> Result<Value, String> {
    serde_saphyr::from_str(text).map_err(|error| error.to_string())
}

/// A value that writes long texts as blocks where that is safe.
struct Node<'a>(&'a Value);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => number.serialize(serializer),
            Value::String(text) if survives_as_block(text) => serde_saphyr::LitStr(text).serialize(serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| list.serialize_element(&Node(item)))?;
                list.end()
            }
            Value::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                fields.iter().try_for_each(|(key, value)| map.serialize_entry(key, &Node(value)))?;
                map.end()
            }
        }
    }
}

/// Whether a block scalar gives every reader this text back: libyaml trips over a leading tab, blanks at line ends get
/// lost, more than one newline at the end needs a mark that not all write, and some characters may not stand bare. A line
/// that starts with `::` would be a command to the CI system in whose log `render` shows it.
fn survives_as_block(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n', '\t'])
        && !text.ends_with("\n\n")
        && !text.lines().any(|line| line.ends_with([' ', '\t']) || line.trim_start().starts_with("::"))
        && !text
            .chars()
            .any(|c| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}') || c.is_control() && c != '\n')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_script_stays_readable_and_a_word_stays_a_word() {
        let tree = json!({
            "script": "set -e\n\npython train.py\n",
            "words": ["yes", "no", "on", "off", "y", "null", "~", "1e3", "0x1", "012", "0o7", "12:30", "1_000", "2026-01-02", ".inf",
                "1.0", "true", "", " x", "a: b", "- a", "# c", "=", "<<", "!t", "&a", "*a", "%d", "@a", "`a", "{}", "[]", "x\ty"],
            "yes": 1, "on": true, "1": null, "empty": {}, "none": [],
        });
        let text = write(&tree).unwrap();
        assert_eq!(read(&text).unwrap(), tree);
        insta::assert_snapshot!(text);
    }

    /// Pieces that YAML gives a meaning, mixed at random.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("\n".to_owned()),
            Just(" ".to_owned()),
            Just("\t".to_owned()),
            Just(": ".to_owned()),
            Just("- ".to_owned()),
            Just(" #".to_owned()),
            Just("\r".to_owned()),
            Just("'".to_owned()),
            Just("\"".to_owned()),
            Just("\\".to_owned()),
            Just("---".to_owned()),
            Just("...".to_owned()),
            Just("yes".to_owned()),
            Just("0x1".to_owned()),
            Just("1e3".to_owned()),
            Just("\u{85}\u{2028}\u{feff}".to_owned()),
            any::<char>().prop_map(String::from),
            "[a-z0-9:._-]{0,6}",
            "[ -~]{0,100}",
        ];
        prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-1.0e6..1.0e6_f64).prop_map(Value::from),
            prop_oneof![Just(1.0), Just(1e-5), Just(1e16), Just(1.5e300), Just(-0.25)].prop_map(Value::from),
            hostile().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((hostile(), inner), 0..5)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn every_tree_reads_back_as_it_was(tree in tree()) {
            let text = write(&tree).unwrap();
            let back = read(&text);
            prop_assert_eq!(back.as_ref(), Ok(&tree), "{}", text);
        }
    }
}
