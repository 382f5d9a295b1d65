//! Addresses: `TYPE.NAME`, with `["key"]` or `[0]` for an instance. One spelling in stacks, plans, messages and options.

use std::fmt;
use std::str::FromStr;

/// Which instance of a block with `for_each` or `count`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// An instance of `count`.
    Index(u64),
    /// An instance of `for_each`.
    Name(String),
}

/// The address of a block, or of one instance of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Addr {
    /// The block's type: `slice`, `train`.
    pub kind: String,
    /// The block's name.
    pub name: String,
    /// The instance, where the block has several.
    pub key: Option<Key>,
}

impl Addr {
    /// `kind.name`.
    pub fn new(kind: impl Into<String>, name: impl Into<String>) -> Self {
        Self { kind: kind.into(), name: name.into(), key: None }
    }

    /// The instance `key` of this block.
    #[must_use]
    pub fn instance(&self, key: Key) -> Self {
        Self { key: Some(key), ..self.clone() }
    }

    /// The block that this is an instance of, or the block itself.
    #[must_use]
    pub fn block(&self) -> Self {
        Self { key: None, ..self.clone() }
    }
}

impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.kind, self.name)?;
        match &self.key {
            None => Ok(()),
            Some(Key::Index(index)) => write!(f, "[{index}]"),
            Some(Key::Name(key)) => write!(f, "[\"{}\"]", key.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    }
}

impl FromStr for Addr {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not an address: write TYPE.NAME, or TYPE.NAME[\"key\"] for an instance");
        let (path, key) = match text.split_once('[') {
            None => (text, None),
            Some((path, rest)) => (path, Some(parse_key(rest.strip_suffix(']').ok_or_else(wrong)?).ok_or_else(wrong)?)),
        };
        let (kind, name) = path.split_once('.').ok_or_else(wrong)?;
        let plain = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        if !plain(kind) || !plain(name) {
            return Err(wrong());
        }
        Ok(Self { kind: kind.into(), name: name.into(), key })
    }
}

fn parse_key(text: &str) -> Option<Key> {
    let Some(quoted) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.parse().ok().map(Key::Index);
    };
    let mut key = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => key.push(chars.next()?),
            '"' => return None,
            c => key.push(c),
        }
    }
    Some(Key::Name(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back_as_it_was_written() {
        for text in ["train.dpo", "slice.v6e[0]", r#"serve.chat["a.b"]"#, r#"serve.chat["a\"]\\b"]"#] {
            assert_eq!(text.parse::<Addr>().unwrap().to_string(), text);
        }
        for wrong in ["", "train", "train.", ".x", "a b.c", "train.dpo[", "train.dpo[x]", "train.dpo[\"x]", "a.b.c"] {
            assert!(wrong.parse::<Addr>().is_err(), "{wrong}");
        }
    }
}
