//! The inventory of a rendered directory: which files are ours, and what they held when we wrote them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::plan::Object;

/// The inventory's file in the directory.
pub const FILE: &str = ".sliceform.json";

/// Version of the inventory's form.
pub const FORMAT_VERSION: &str = "1.0";

/// An inventory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inventory {
    /// Version of this form.
    pub format_version: String,
    /// The stack that owns the directory; `NAME/ENV` where it has environments.
    pub stack: String,
    /// An apply has begun and not ended: the files are those before it and those after it.
    pub applying: bool,
    /// TPU chips that the stack declared.
    pub chips: u64,
    /// The files, by path below the directory.
    pub files: BTreeMap<String, Entry>,
}

/// A file of an inventory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The block that it comes from.
    pub address: String,
    /// The object in it; none for the directory's own files.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<Object>,
    /// Digest of its bytes.
    pub digest: String,
}

impl Inventory {
    /// Its text: one line a file, so that git merges it.
    pub fn text(&self) -> String {
        let files: Vec<String> =
            self.files.iter().map(|(path, entry)| format!("{}: {}", line(path), line(entry))).collect();
        format!(
            "{{\n\"format_version\": {},\n\"stack\": {},\n\"applying\": {},\n\"chips\": {},\n\"files\": {{\n{}\n}}\n}}\n",
            line(&self.format_version),
            line(&self.stack),
            self.applying,
            self.chips,
            files.join(",\n")
        )
    }

    /// Reads an inventory, or says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            format!("it is no JSON ({error}); after a merge, keep one line for each file and a comma between lines")
        })?;
        let version = value.get("format_version").and_then(Value::as_str).unwrap_or_default();
        if version.split('.').next() != FORMAT_VERSION.split('.').next() {
            return Err(format!("it has format {version:?}; this Sliceform reads {FORMAT_VERSION}"));
        }
        serde_json::from_value(value).map_err(|error| error.to_string())
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// `sha256:…` of some bytes.
pub fn digest(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inventory_has_a_line_a_file_and_reads_back() {
        let entry = Entry { address: "train.dpo".into(), object: None, digest: digest(b"x") };
        let files = BTreeMap::from([("b.yaml".to_owned(), entry.clone()), ("a.yaml".to_owned(), entry)]);
        let inventory =
            Inventory { format_version: FORMAT_VERSION.into(), stack: "park".into(), applying: true, chips: 32, files };
        let text = inventory.text();
        assert_eq!(text.lines().filter(|line| line.contains(".yaml")).count(), 2);
        assert_eq!(Inventory::read(&text), Ok(inventory));
        assert!(Inventory::read(&text.replace("1.0", "2.0")).unwrap_err().contains("format"));
        assert!(Inventory::read("<<<<<<<").unwrap_err().contains("merge"));
    }
}
