//! Readers of objects inside an attribute, such as `empty_dir = { medium = "memory" }`: a key that nothing reads is an error.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::base::suggest::{did_you_mean, nearest, one_of};
use crate::eval::{self, Type, Value};
use crate::resolve::decode::Decoder;
use crate::resolve::stack::Field;

/// An object that is being read.
pub struct Object<'d, 'a> {
    decoder: &'d Decoder<'a>,
    attr: &'d str,
    entries: &'d BTreeMap<Arc<str>, Value>,
    span: Span,
}

impl Decoder<'_> {
    /// An object with some of `keys`.
    pub fn object<T>(&self, name: &str, keys: &[&str], read: impl FnOnce(&Object<'_, '_>) -> T) -> Field<T> {
        let value = self.value(name)?;
        self.read_object(name, &value.value, value.span, keys, read).map(|read| Spanned::new(read, value.span))
    }

    /// A list of objects with some of `keys`.
    pub fn objects<T>(&self, name: &str, keys: &[&str], read: impl Fn(&Object<'_, '_>) -> T) -> Vec<T> {
        let Some(value) = self.value(name) else { return Vec::new() };
        let Some(items) = value.items() else {
            self.report(
                Diag::error("type", format!("`{name}` takes a list of objects"))
                    .at(value.span, format!("this is {}", value.what()))
                    .help(format!("Write `{name} = [{{ … }}]`, with {}.", keys.join(", "))),
            );
            return Vec::new();
        };
        items.iter().filter_map(|item| self.read_object(name, item, value.span, keys, &read)).collect()
    }

    fn read_object<T>(
        &self,
        attr: &str,
        value: &Value,
        span: Span,
        keys: &[&str],
        read: impl FnOnce(&Object<'_, '_>) -> T,
    ) -> Option<T> {
        if value.is_unknown() {
            return None;
        }
        let Some(entries) = value.entries() else {
            self.report(
                Diag::error("type", format!("`{attr}` takes an object"))
                    .at(span, format!("this is {}", value.what()))
                    .help(format!("Write `{{ … }}`, with {}.", keys.join(", "))),
            );
            return None;
        };
        for key in entries.keys().filter(|key| !keys.contains(&key.as_ref())) {
            let near = did_you_mean(key, keys.iter().copied());
            self.report(
                Diag::error("unknown-attribute", format!("`{attr}` has no key {key:?}"))
                    .at(span, format!("holds {key:?}"))
                    .help(format!("Its keys: {}.{near}", keys.join(", "))),
            );
        }
        Some(read(&Object { decoder: self, attr, entries, span }))
    }
}

impl Object<'_, '_> {
    /// The value of a key; none where it is absent, null or not known.
    fn value(&self, key: &str) -> Option<&Value> {
        self.entries.get(key).filter(|value| !value.is_null() && !value.is_unknown())
    }

    /// Says what is wrong with a key.
    pub fn wrong(&self, key: &str, wanted: &str) {
        self.decoder.report(
            Diag::error("type", format!("`{key}` of `{}` takes {wanted}", self.attr)).at(self.span, "not that"),
        );
    }

    /// Whether the key has a value.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// A text that `fits`; numbers and truth values convert as in Terraform.
    pub fn text(&self, key: &str, wanted: &str, fits: impl FnOnce(&str) -> bool) -> Option<String> {
        let value = self.value(key)?;
        let text = eval::convert(value, &Type::String).ok().and_then(|text| text.as_str().map(str::to_owned));
        let text = text.filter(|text| fits(text));
        if text.is_none() {
            self.wrong(key, wanted);
        }
        text
    }

    /// A whole number that is not negative.
    pub fn number(&self, key: &str) -> Option<u64> {
        let value = self.value(key)?;
        let number = eval::convert(value, &Type::Number).ok().and_then(|number| number.as_u64());
        if number.is_none() {
            self.wrong(key, "a whole number");
        }
        number
    }

    /// One of some words.
    pub fn choice<T: Clone>(&self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let value = self.value(key)?;
        let text = value.as_str().unwrap_or_default();
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, choice)| choice.clone());
        if found.is_none() {
            let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let diag = Diag::error("type", format!("`{key}` of `{}` takes {}", self.attr, one_of(&names)))
                .at(self.span, if text.is_empty() { "not that".to_owned() } else { format!("this is {text:?}") });
            // A word of another system differs by its capitals and marks: `NoSchedule`.
            let plain = |word: &str| word.replace('_', "").to_lowercase();
            let same = names.iter().copied().find(|name| plain(name) == plain(text));
            let near = same.or_else(|| nearest(text, names.iter().copied()));
            self.decoder.report(match near {
                Some(near) => diag.help(format!("Did you mean \"{near}\"?")),
                None => diag,
            });
        }
        found
    }
}
