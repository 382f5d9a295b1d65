//! The committed schemas: which file serves which API and version, parsed and compiled on first use.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::check::schema::accept::accepts;
use crate::check::schema::keywords;

/// The API version that manifests for Terraform carry.
pub(super) const TERRAFORM: &str = "terraform";

/// One file: the kinds of an API in one version of it. Nothing is parsed before a kind is asked for.
pub(super) struct Set {
    /// The first version that it holds for.
    pub(super) version: &'static str,
    text: &'static str,
    file: OnceLock<File>,
}

/// A file cut into its schemas, each parsed when it is first asked for: an object touches a few of hundreds.
struct File {
    kinds: BTreeMap<&'static str, Row>,
    defs: Defs,
}

/// A kind's schema as it stands in the file, and ready to use once asked for.
struct Row {
    schema: Lazy,
    ready: OnceLock<Option<Kind>>,
}

/// The definitions that kinds refer to, by name.
#[derive(Default)]
pub(super) struct Defs(BTreeMap<&'static str, Lazy>);

impl Defs {
    /// A definition by name.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).map(Lazy::value)
    }
}

/// A schema that is parsed once it is asked for.
struct Lazy {
    text: &'static str,
    value: OnceLock<Value>,
}

impl Lazy {
    fn value(&self) -> &Value {
        self.value.get_or_init(|| serde_json::from_str(self.text).unwrap_or_default())
    }
}

/// The schemas of one section of a file. The importer writes `"NAME":SCHEMA` a line, and tests hold it to that.
fn section(text: &'static str, name: &str) -> impl Iterator<Item = (&'static str, Lazy)> {
    let head = format!("\"{name}\":{{");
    let lines = text.lines().skip_while(move |line| !line.ends_with(&head)).skip(1);
    lines.take_while(|line| line.starts_with('"')).filter_map(|line| {
        let (name, schema) = line.strip_prefix('"')?.split_once("\":")?;
        Some((name, Lazy { text: schema.strip_suffix(',').unwrap_or(schema), value: OnceLock::new() }))
    })
}

/// One kind, ready to use.
pub(super) struct Kind {
    /// The kind's schema with the definitions that it reaches.
    pub(super) document: Value,
    /// The same, compiled.
    pub(super) validator: Validator,
}

macro_rules! set {
    ($version:literal, $file:literal) => {
        Set {
            version: $version,
            text: include_str!(concat!("../../../schemas/manifests/", $file)),
            file: OnceLock::new(),
        }
    };
}

/// The operator's own kinds, in the order of its versions.
static KUBERAY: [Set; 5] = [
    set!("1.4", "ray.io/1.4.json"),
    set!("1.5", "ray.io/1.5.json"),
    set!("1.5.1", "ray.io/1.5.1.json"),
    set!("1.6", "ray.io/1.6.json"),
    set!("1.7", "ray.io/1.7.json"),
];
static CORE: [Set; 1] = [set!("1.34", "core/1.34.json")];
static GOOGLE: [Set; 1] = [set!("7.46", "terraform/google.json")];

/// The files for an API version that hold for the operator's version `kuberay` and later ones, oldest first. Where all
/// are newer, all of them.
pub(super) fn sets(api_version: &str, kuberay: &str) -> &'static [Set] {
    match api_version {
        TERRAFORM => &GOOGLE,
        ray if ray.starts_with("ray.io/") => {
            let wanted = numbers(kuberay);
            let chosen = KUBERAY.iter().rposition(|set| numbers(set.version) <= wanted).unwrap_or(0);
            &KUBERAY[chosen..]
        }
        _ => &CORE,
    }
}

/// `v1.6.2-rc1` as `[1, 6, 2]`.
fn numbers(version: &str) -> Vec<u64> {
    let digits = |part: &str| part.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0);
    version.trim_start_matches('v').split('.').map(digits).collect()
}

impl Set {
    fn file(&self) -> &File {
        self.file.get_or_init(|| {
            let row = |(name, schema)| (name, Row { schema, ready: OnceLock::new() });
            File {
                kinds: section(self.text, "kinds").map(row).collect(),
                defs: Defs(section(self.text, "$defs").collect()),
            }
        })
    }

    /// The names of its kinds, as `apiVersion/kind`.
    pub(super) fn names(&self) -> impl Iterator<Item = &&'static str> {
        self.file().kinds.keys()
    }

    /// Whether a kind surely accepts an object: the cheap answer, in doubt no. None where the file lacks the kind.
    pub(super) fn accepts(&self, name: &str, tree: &Value) -> Option<bool> {
        let file = self.file();
        Some(accepts(file.kinds.get(name)?.schema.value(), &file.defs, tree))
    }

    /// A kind by name, compiled on first use. None where the file lacks it; that all compile is tested.
    pub(super) fn kind(&self, name: &str) -> Option<&Kind> {
        let file = self.file();
        let row = file.kinds.get(name)?;
        let compile = || {
            let document = standalone(row.schema.value(), &file.defs);
            let validator = keywords::options().build(&document).ok()?;
            Some(Kind { document, validator })
        };
        row.ready.get_or_init(compile).as_ref()
    }
}

#[cfg(test)]
impl Set {
    /// Every schema of the file.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &Value> {
        let file = self.file();
        file.kinds.values().map(|row| row.schema.value()).chain(file.defs.0.values().map(Lazy::value))
    }

    /// A part of a schema with the file's definitions, for the real validator.
    pub(super) fn standalone(&self, schema: &Value) -> Value {
        standalone(schema, &self.file().defs)
    }

    /// Whether a part of a schema accepts a value, by the cheap answer.
    pub(super) fn fits(&self, schema: &Value, value: &Value) -> bool {
        accepts(schema, &self.file().defs, value)
    }
}

/// A schema with those definitions that it reaches: what a validator has to compile.
fn standalone(schema: &Value, defs: &Defs) -> Value {
    let mut reached = Map::new();
    collect(schema, defs, &mut reached);
    let mut document = schema.clone();
    document["$defs"] = Value::Object(reached);
    document
}

fn collect(schema: &Value, defs: &Defs, reached: &mut Map<String, Value>) {
    match schema {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
            if let Some((name, def)) = name.and_then(|name| Some((name, defs.get(name)?)))
                && !reached.contains_key(name)
            {
                reached.insert(name.into(), def.clone());
                collect(def, defs, reached);
            }
            fields.values().for_each(|field| collect(field, defs, reached));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, defs, reached)),
        _ => {}
    }
}
