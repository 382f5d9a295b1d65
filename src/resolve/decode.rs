//! Typed readers of a block's attributes: each gives the value with its place, or says what is wrong with it.

mod address;
mod head;

pub use head::object_name;

use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::base::suggest::{nearest, one_of};
use crate::eval::{self, Type, Value};
use crate::facts::version::Version;
use crate::parse::{Attr, Block};
use crate::resolve::instances::Instance;
use crate::resolve::scope::Context;
use crate::resolve::spec::BlockSpec;
use crate::resolve::stack::{Field, SecretKey};
use crate::resolve::{cron, quantity, text};

/// No stack has more of a thing: a slip of the pen must not fill the disk with node pools.
const MOST: u32 = 10_000;

/// A block that is being read.
pub struct Decoder<'a> {
    context: &'a Context<'a>,
    block: &'a Block,
    spec: &'static BlockSpec,
    path: String,
    /// Which instance is read, of a block that has several.
    instance: Option<Rc<Instance>>,
    /// Parts of it could not be read, so that what it lacks may have been there.
    broken: bool,
}

impl<'a> Decoder<'a> {
    /// A reader of `block`; `path` is what messages and cycles call it.
    pub fn new(context: &'a Context<'a>, block: &'a Block, spec: &'static BlockSpec, path: String) -> Self {
        Self { context, block, spec, path, instance: None, broken: block.broken }
    }

    /// The same for one instance of a block that has several.
    #[must_use]
    pub fn of_instance(self, instance: &Rc<Instance>) -> Self {
        Self { instance: Some(Rc::clone(instance)), ..self }
    }

    fn evaluated(&self, attr: &Attr) -> Value {
        self.context.value_in(&attr.expr, self.instance.as_ref(), || format!("{}.{}", self.path, *attr.name))
    }

    /// Where the block's first line stands.
    pub fn header(&self) -> Span {
        self.block.header
    }

    /// A value that was left out, at the block's place.
    pub fn default<T>(&self, value: T) -> Spanned<T> {
        Spanned::new(value, self.block.header)
    }

    /// The block's label.
    pub fn label(&self) -> Field<String> {
        self.block.labels.first().cloned()
    }

    fn attr(&self, name: &str) -> Option<&'a Attr> {
        self.block.body.attrs.iter().find(|attr| attr.name.value == name)
    }

    /// Whether an attribute was written under a name that only misses this one by a slip: that was told already.
    pub fn misspells(&self, name: &str) -> bool {
        let names = || self.spec.attrs().map(|attr| attr.name);
        let strangers = self.block.body.attrs.iter().filter(|attr| self.spec.attr(&attr.name).is_none());
        strangers.into_iter().any(|attr| nearest(&attr.name, names()) == Some(name))
    }

    /// Whether the attribute stands in the block.
    pub fn has(&self, name: &str) -> bool {
        self.attr(name).is_some()
    }

    /// Where the attribute stands.
    pub fn attr_span(&self, name: &str) -> Option<Span> {
        self.attr(name).map(|attr| attr.span)
    }

    /// Takes a problem in.
    pub fn report(&self, diag: Diag) {
        self.context.report(diag);
    }

    /// The value of an attribute; none where it was left out, is null, or could not be read.
    pub fn value(&self, name: &str) -> Field<Value> {
        let attr = self.attr(name)?;
        let value = self.evaluated(attr);
        if value.has_sensitive() {
            self.report(
                Diag::error("sensitive", "A sensitive value may not leave the stack")
                    .at(attr.expr.span, "this value is sensitive")
                    .detail("It would be written to a manifest, where anyone who reads the repository or the cluster can see it.")
                    .help("Keep it in a Kubernetes Secret and refer to its key: `secret_env = { NAME = secret.X.KEY }`."),
            );
            return None;
        }
        if value.is_null() && self.spec.attr(name).is_some_and(|attr| attr.required) {
            self.report(
                Diag::error("missing-attribute", format!("`{name}` is null"))
                    .at(attr.expr.span, "null is as good as left out")
                    .detail("This block needs a value here."),
            );
        }
        (!value.is_unknown() && !value.is_null()).then(|| Spanned::new(value, attr.expr.span))
    }

    /// Evaluates an attribute for its errors alone.
    pub fn evaluate<T>(&self, name: &str) -> Option<T> {
        let attr = self.attr(name)?;
        self.evaluated(attr);
        None
    }

    fn wrong_type(&self, name: &str, span: Span, wanted: &str, value: &Value) {
        self.report(
            Diag::error("type", format!("`{name}` takes {wanted}"))
                .at(span, format!("this is {}", value.what()))
                .detail(self.spec.attr(name).map_or(String::new(), |attr| attr.doc.to_owned())),
        );
    }

    /// Reads an attribute with `read`, or says that it takes `wanted`.
    fn typed<T>(&self, name: &str, wanted: &str, read: impl FnOnce(&Value) -> Option<T>) -> Field<T> {
        let value = self.value(name)?;
        let read = read(&value);
        if read.is_none() {
            self.wrong_type(name, value.span, wanted, &value);
        }
        read.map(|read| Spanned::new(read, value.span))
    }

    /// A string; numbers and truth values convert as in Terraform.
    pub fn string(&self, name: &str) -> Field<String> {
        self.typed(name, "a string", to_text)
    }

    /// A name, path or reference: not empty, no blanks, nothing invisible.
    pub fn word(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        if text::is_word(&text) {
            return Some(text);
        }
        let what = if text.is_empty() { "empty" } else { "holds blanks or invisible characters" };
        self.report(Diag::error("type", format!("`{name}` takes one word")).at(text.span, what));
        None
    }

    /// Whether an attribute was written, and is not null.
    pub fn is_given(&self, name: &str) -> bool {
        self.attr(name).is_some_and(|attr| !self.evaluated(attr).is_null())
    }

    /// A name that Kubernetes takes as a DNS label.
    pub fn dns_label(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        if is_dns_label(&text) {
            return Some(text);
        }
        self.report(
            Diag::error("illegal-name", format!("`{name}` is not a DNS label"))
                .at(text.span, "not a legal name")
                .detail("Kubernetes takes at most 63 lower-case letters, digits and `-`, and a letter or digit at both ends."),
        );
        None
    }

    /// A name that Kubernetes takes as a DNS subdomain: labels with dots between them.
    pub fn dns_subdomain(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        if text.len() <= 253 && text.split('.').all(is_dns_label) {
            return Some(text);
        }
        self.report(
            Diag::error("illegal-name", format!("`{name}` is not a DNS subdomain"))
                .at(text.span, "not a legal name")
                .detail("Kubernetes takes at most 253 lower-case letters, digits, `-` and `.`, and a letter or digit around each dot."),
        );
        None
    }

    /// A path below a volume.
    pub fn sub_path(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        if text::is_word(&text) && !text.starts_with('/') && !text.split('/').any(|part| part == "..") {
            return Some(text);
        }
        self.report(
            Diag::error("type", format!("`{name}` takes a path below the volume"))
                .at(text.span, "not such a path")
                .help("Write it without `/` at the start and without `..`."),
        );
        None
    }

    /// An absolute path in a container.
    pub fn absolute_path(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        if text.starts_with('/')
            && text::is_word(&text)
            && !text.split('/').any(|part| part == "..")
            && !text.contains(':')
        {
            return Some(text);
        }
        self.report(
            Diag::error("type", format!("`{name}` takes an absolute path"))
                .at(text.span, "not an absolute path")
                .help("Start it with `/`; `..` and `:` may not stand in it."),
        );
        None
    }

    /// A folder below the stack's own, no part of it hidden.
    pub fn relative_path(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        let plain = |part: &str| !part.starts_with('.') && text::is_word(part) && !part.contains([':', '\\']);
        if text.trim_end_matches('/').split('/').all(plain) {
            return Some(text.map(|path| path.trim_end_matches('/').to_owned()));
        }
        self.report(
            Diag::error("type", format!("`{name}` takes a folder below the stack's own"))
                .at(text.span, "not such a folder")
                .help("Write a relative path without `..` and without hidden parts, such as \"rendered\"."),
        );
        None
    }

    /// `module:function`, as Python names them.
    pub fn module_function(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        let word = |w: &str| {
            w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if text.split_once(':').is_some_and(|(module, function)| module.split('.').all(word) && word(function)) {
            return Some(text);
        }
        self.report(
            Diag::error("type", format!("`{name}` takes a Python function as `module:function`"))
                .at(text.span, "not of that form")
                .help("For `def train(config)` in recipes/dpo.py write \"recipes.dpo:train\"."),
        );
        None
    }

    /// A whole number in the range of `T`.
    pub fn integer<T: TryFrom<i64>>(&self, name: &str) -> Field<T> {
        self.typed(name, "a whole number", |value| to_integer(value).and_then(|number| T::try_from(number).ok()))
    }

    /// A port that a server may listen on, and that Ray's head does not use itself.
    pub fn port(&self, name: &str) -> Field<u32> {
        const RAY: &[u32] = &[6379, 8080, 8265, 10001];
        let port = self.integer::<u32>(name)?;
        let wrong = match port.value {
            0 | 65536.. => "ports are 1 to 65535",
            taken if RAY.contains(&taken) => "Ray's head uses this port itself",
            _ => return Some(port),
        };
        self.report(Diag::error("type", format!("`{name}` is not a port that can be served on")).at(port.span, wrong));
        None
    }

    /// A whole number from 1 on, `default` where it was left out.
    pub fn count(&self, name: &str, default: u32) -> Spanned<u32> {
        match self.integer::<u32>(name) {
            Some(number) if (1..=MOST).contains(&number.value) => number,
            Some(number) => {
                let label = if number.value == 0 { "too few" } else { "too many" };
                self.report(Diag::error("type", format!("`{name}` is 1 to {MOST}")).at(number.span, label));
                number.map(|number| number.clamp(1, MOST))
            }
            None => self.default(default),
        }
    }

    /// A truth value.
    pub fn boolean(&self, name: &str) -> Field<bool> {
        self.typed(name, "true or false", to_bool)
    }

    /// A truth value, `default` where it was left out.
    pub fn flag(&self, name: &str, default: bool) -> bool {
        self.boolean(name).map_or(default, |flag| flag.value)
    }

    /// One of some words.
    pub fn choice<T: Clone>(&self, name: &str, words: &[(&str, T)]) -> Field<T> {
        let text = self.string(name)?;
        if let Some((_, choice)) = words.iter().find(|(word, _)| *word == text.value) {
            return Some(Spanned::new(choice.clone(), text.span));
        }
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let diag = Diag::error("type", format!("`{name}` takes {}", one_of(&names))).at(text.span, "none of these");
        self.report(match nearest(&text, names.iter().copied()) {
            Some(near) => diag.help(format!("Did you mean \"{near}\"?")).fix(text.span, format!("\"{near}\"")),
            None => diag,
        });
        None
    }

    /// A version.
    pub fn version(&self, name: &str) -> Field<Version> {
        let text = self.string(name)?;
        match text.value.parse::<Version>() {
            Ok(version) => Some(Spanned::new(version, text.span)),
            Err(why) => {
                self.report(Diag::error("type", format!("`{name}` takes a version")).at(text.span, why.to_string()));
                None
            }
        }
    }

    /// A duration such as `90s` or `72h`, in seconds.
    pub fn duration(&self, name: &str) -> Field<u64> {
        let text = self.string(name)?;
        // Kubernetes counts seconds in 32 bits, and refuses none.
        let seconds =
            quantity::seconds(&text).filter(|seconds| (1..=u64::from(i32::MAX.unsigned_abs())).contains(seconds));
        if seconds.is_none() {
            self.report(
                Diag::error("type", format!("`{name}` takes a duration"))
                    .at(text.span, "not a duration")
                    .help("Write a number and a unit, such as \"90s\", \"30m\", \"72h\" or \"7d\"."),
            );
        }
        seconds.map(|seconds| Spanned::new(seconds, text.span))
    }

    /// A cron schedule.
    pub fn schedule(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        let Some(why) = cron::fault(&text) else { return Some(text) };
        self.report(
            Diag::error("type", format!("`{name}` takes a cron schedule"))
                .at(text.span, why)
                .help("Write minute, hour, day, month and weekday, such as \"0 3 * * *\", or \"@daily\"."),
        );
        None
    }

    /// The name of a time zone.
    pub fn time_zone(&self, name: &str) -> Field<String> {
        let text = self.string(name);
        self.check(
            name,
            text,
            |zone| cron::is_time_zone(zone),
            "the name of a time zone, such as \"Europe/Berlin\" or \"UTC\"",
        )
    }

    /// A Kubernetes quantity, or a word of its own (the caller's) such as `memory`.
    pub fn quantity(&self, name: &str) -> Field<String> {
        let text = self.string(name)?;
        let word = name == "cache" && matches!(text.value.as_str(), "off" | "memory");
        if word || quantity::is_quantity(&text) {
            return Some(text);
        }
        self.report(
            Diag::error("type", format!("`{name}` takes a Kubernetes quantity"))
                .at(text.span, "not a quantity")
                .help("Write a number, or a string such as \"500m\", \"16Gi\" or \"200G\"."),
        );
        None
    }

    /// A reference to a block of `kind`.
    pub fn reference(&self, name: &str, kind: &str) -> Field<Addr> {
        let value = self.value(name)?;
        match value.as_block() {
            Some(addr) if addr.kind == kind => {
                let instance = self.instance.as_ref().map(|instance| &instance.key);
                self.context.refer(addr, value.span, instance);
                Some(Spanned::new(addr.clone(), value.span))
            }
            Some(addr) => {
                self.report(
                    Diag::error("reference", format!("`{name}` takes a {kind}"))
                        .at(value.span, format!("this is a {}", addr.kind))
                        .help(format!("Write `{kind}.NAME`.")),
                );
                None
            }
            None => {
                self.report(
                    Diag::error("reference", format!("`{name}` takes a {kind}"))
                        .at(value.span, format!("this is {}", value.what()))
                        .help(format!("Refer to the block, without quotes: `{kind}.NAME`.")),
                );
                None
            }
        }
    }

    /// A list of references to blocks of one of `kinds`.
    pub fn references(&self, name: &str, kinds: &[&str]) -> Vec<Spanned<Addr>> {
        let Some(value) = self.value(name) else { return Vec::new() };
        let wanted = || format!("{}.NAME", kinds.join(".NAME or "));
        let Some(items) = value.items() else {
            self.wrong_type(name, value.span, &format!("a list of {}", wanted()), &value);
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items.iter().filter(|item| !item.is_unknown()) {
            match item.as_block() {
                Some(addr) if kinds.contains(&addr.kind.as_str()) => found.push(Spanned::new(addr.clone(), value.span)),
                _ => self.report(
                    Diag::error("reference", format!("`{name}` takes references"))
                        .at(
                            value.span,
                            item.as_block()
                                .map_or_else(|| format!("holds {}", item.what()), |addr| format!("holds {addr}")),
                        )
                        .help(format!("It takes {}, without quotes.", wanted())),
                ),
            }
        }
        found
    }

    /// A list of strings.
    pub fn strings(&self, name: &str) -> Vec<Spanned<String>> {
        let read = |value: &Value| value.items()?.iter().map(to_text).collect::<Option<Vec<String>>>();
        let list = self.typed(name, "a list of strings", read);
        list.map_or_else(Vec::new, |list| list.value.into_iter().map(|item| Spanned::new(item, list.span)).collect())
    }

    /// A map of strings; numbers and truth values convert as in Terraform.
    pub fn string_map(&self, name: &str) -> BTreeMap<String, Spanned<String>> {
        let Some(value) = self.value(name) else { return BTreeMap::new() };
        let Some(entries) = value.entries() else {
            self.wrong_type(name, value.span, "a map of strings", &value);
            return BTreeMap::new();
        };
        let mut map = BTreeMap::new();
        for (key, item) in entries {
            match to_text(item) {
                Some(text) => {
                    map.insert(key.to_string(), Spanned::new(text, value.span));
                }
                None if item.is_unknown() => {}
                None => self.report(not_text(name, key, item, value.span)),
            }
        }
        map
    }

    /// A map of keys of secrets.
    pub fn secret_map(&self, name: &str) -> BTreeMap<String, Spanned<SecretKey>> {
        let Some(value) = self.value(name) else { return BTreeMap::new() };
        let Some(entries) = value.entries() else {
            self.wrong_type(name, value.span, "a map of secret keys", &value);
            return BTreeMap::new();
        };
        let mut map = BTreeMap::new();
        for (key, item) in entries {
            if !text::is_env_name(key) {
                self.report(
                    Diag::error("type", format!("`{name}` holds a name that Kubernetes refuses"))
                        .at(value.span, format!("the name {key:?}"))
                        .help("It takes the name of an environment variable."),
                );
            } else if let Some(reference) = item.as_secret() {
                let secret = SecretKey { secret: reference.block.clone(), key: reference.key.clone() };
                map.insert(key.to_string(), Spanned::new(secret, value.span));
            } else if !item.is_unknown() {
                self.report(
                    Diag::error("type", format!("`{name}` takes keys of secrets"))
                        .at(value.span, format!("{key:?} is {}", item.what()))
                        .detail("Values of secrets never enter a stack.")
                        .help(format!(
                            "Declare `secret \"NAME\" {{ keys = [\"KEY\"] }}` and write `{key} = secret.NAME.KEY`."
                        )),
                );
            }
        }
        map
    }

    /// Any value that JSON can hold.
    pub fn json(&self, name: &str) -> Field<serde_json::Value> {
        let value = self.value(name)?;
        self.to_json(name, &value)
    }

    fn to_json(&self, name: &str, value: &Spanned<Value>) -> Field<serde_json::Value> {
        match value.to_json() {
            Ok(json) => Some(Spanned::new(json, value.span)),
            Err(why) => {
                self.report(Diag::error("type", format!("`{name}` cannot be written as JSON")).at(value.span, why));
                None
            }
        }
    }

    /// Attributes that the block's own table does not list, in the order of the file.
    pub fn open_attributes(&self) -> IndexMap<String, Spanned<serde_json::Value>> {
        let open = self.block.body.attrs.iter().filter(|attr| self.spec.attr(&attr.name).is_none());
        open.filter_map(|attr| {
            let value = self.value(&attr.name)?;
            let json = self.to_json(&attr.name, &value)?;
            // The place is the whole attribute: messages about engine arguments point at name and value.
            Some((attr.name.value.clone(), Spanned::new(json.value, attr.span)))
        })
        .collect()
    }

    /// Takes an attribute for wrong unless `fits` says otherwise.
    pub fn check<T>(&self, name: &str, field: Field<T>, fits: impl Fn(&T) -> bool, wanted: &str) -> Field<T> {
        match field {
            Some(value) if !fits(&value.value) => {
                let diag = Diag::error("type", format!("`{name}` takes {wanted}")).at(value.span, "not that");
                self.report(diag);
                None
            }
            field => field,
        }
    }

    /// The text of a file below the stack's root.
    pub fn read_file(&self, path: &str) -> Result<String, String> {
        eval::Scope::read_file(self.context, path)
    }

    /// The namespace that the stack's own objects go to.
    pub fn stack_namespace(&self) -> String {
        self.context.stack_namespace()
    }

    /// The inner blocks of a type, in the order of the file.
    pub fn blocks(&self, name: &str) -> Vec<Decoder<'a>> {
        let Some(spec) = self.spec.block(name) else { return Vec::new() };
        let inner = self.block.body.blocks.iter().filter(|block| block.kind.value == name);
        inner
            .map(|block| {
                let path = format!("{}.{name}", self.path);
                let instance = self.instance.clone();
                Decoder {
                    broken: self.broken || block.broken,
                    instance,
                    ..Decoder::new(self.context, block, spec, path)
                }
            })
            .collect()
    }

    /// The inner block of a type that may stand once.
    pub fn block(&self, name: &str) -> Option<Decoder<'a>> {
        self.blocks(name).into_iter().next()
    }

    /// Says that one of `names` is needed, or that two of them exclude each other.
    pub fn exactly_one_of(&self, names: &[&str]) {
        let given: Vec<&Attr> = names.iter().filter_map(|name| self.attr(name)).collect();
        match given.as_slice() {
            [] if self.broken => {}
            [] => self.report(
                Diag::error("missing-attribute", format!("One of {} is missing", one_of(names)))
                    .at(self.block.header, "this block needs one of them"),
            ),
            [_] => {}
            [first, second, ..] => self.report(
                Diag::error(
                    "conflicting-attributes",
                    format!("`{}` and `{}` exclude each other", *first.name, *second.name),
                )
                .at(second.name.span, "and this")
                .also(first.name.span, "this")
                .help("Keep one of them."),
            ),
        }
    }

    /// Says that an attribute is needed here, though not everywhere.
    pub fn need(&self, name: &str, why: &str) {
        if !self.has(name) && !self.broken {
            self.report(
                Diag::error("missing-attribute", format!("`{name}` is missing"))
                    .at(self.block.header, format!("needs `{name}`: {why}")),
            );
        }
    }

    /// Says which attributes do not belong to this kind of block.
    pub fn only(&self, names: &[&str]) {
        for attr in &self.block.body.attrs {
            if self.spec.attr(&attr.name).is_some() && !names.contains(&attr.name.value.as_str()) {
                let kind = self.label().map_or_else(String::new, |label| label.value);
                self.report(
                    Diag::error("unknown-attribute", format!("`{}` is not an attribute of {kind:?}", *attr.name))
                        .at(attr.name.span, "belongs to another kind")
                        .help(format!("Attributes here: {}.", names.join(", "))),
                );
            }
        }
    }

    /// Says that an inner block is needed.
    pub fn missing_block(&self, name: &str, what: &str) {
        if self.broken {
            return;
        }
        self.report(
            Diag::error("missing-block", format!("`{name}` is missing"))
                .at(self.block.header, "this block needs one")
                .help(format!("Say {what}.")),
        );
    }
}

/// What to say of an item that is no text.
fn not_text(name: &str, key: &str, item: &Value, span: Span) -> Diag {
    let diag =
        Diag::error("type", format!("`{name}` takes a map of strings")).at(span, format!("{key:?} is {}", item.what()));
    if item.as_secret().is_some() {
        return diag.help(format!("Move {key} to `secret_env`: it becomes a reference to the Secret's key."));
    }
    diag
}

/// Whether Kubernetes takes the text as a DNS label (RFC 1123).
pub fn is_dns_label(text: &str) -> bool {
    let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    (1..=63).contains(&text.len())
        && text.chars().all(|c| edge(c) || c == '-')
        && text.starts_with(edge)
        && text.ends_with(edge)
}

/// A string, number or truth value as Terraform's `tostring` gives it.
fn to_text(value: &Value) -> Option<String> {
    eval::convert(value, &Type::String).ok()?.as_str().map(str::to_owned)
}

fn to_bool(value: &Value) -> Option<bool> {
    eval::convert(value, &Type::Bool).ok()?.as_bool()
}

fn to_integer(value: &Value) -> Option<i64> {
    eval::convert(value, &Type::Number).ok()?.as_number()?.to_i64()
}
