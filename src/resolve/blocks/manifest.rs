//! `manifest`: a Kubernetes object as it is, for what no block makes.

use serde_json::{Map, Value};

use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::eval::functions;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::RawManifest;

/// The `manifest` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "manifest",
    label: Label::Name,
    times: Times::Any,
    doc: "A Kubernetes object as it is, planned and written with the rest: for what no block makes.",
    attrs: &[
        &[
            optional("object", "object", "The object: apiVersion, kind, metadata.name and the rest. This, or `file`."),
            optional("file", "path", "A YAML file with one object, below the stack's root."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Fields of an object that the cluster writes, not the reader.
const OF_THE_CLUSTER: &[&str] = &["creationTimestamp", "generation", "managedFields", "resourceVersion", "uid"];

/// Reads a `manifest` block.
pub fn decode(block: &Decoder<'_>) -> RawManifest {
    let object = object(block).and_then(|object| sound(block, object));
    RawManifest { head: block.head(), object }
}

fn object(block: &Decoder<'_>) -> Option<Spanned<Value>> {
    match (block.attr_span("object"), block.attr_span("file")) {
        (Some(_), None) => block.json("object"),
        (None, Some(span)) => {
            let path = block.word("file")?;
            let read = block.read_file(&path).and_then(|text| functions::read_yaml(&text)?.to_json());
            match read {
                Ok(value) => Some(Spanned::new(value, path.span)),
                Err(why) => {
                    let diag = Diag::error("manifest", "The manifest can't be read").at(span, why);
                    block.report(diag.help("It is a YAML file with one object, below the stack's root."));
                    None
                }
            }
        }
        (Some(object), Some(file)) => {
            let diag = Diag::error("conflicting-attributes", "`object` and `file` exclude each other");
            block.report(diag.at(object, "this").also(file, "and this").help("Keep one of them."));
            None
        }
        (None, None) => {
            let diag =
                Diag::error("missing-attribute", "`object` or `file` is missing").at(block.header(), "no object");
            block.report(diag.help("Write `object = { apiVersion = …, kind = …, metadata = { name = … } }`."));
            None
        }
    }
}

/// The object, where it is one that a stack can own.
fn sound(block: &Decoder<'_>, object: Spanned<Value>) -> Option<Spanned<Map<String, Value>>> {
    let span = object.span;
    let faults = faults(&object.value, span);
    let good = faults.is_empty();
    for diag in faults {
        block.report(diag);
    }
    match object.value {
        Value::Object(fields) if good => Some(Spanned::new(fields, span)),
        _ => None,
    }
}

/// A DNS subdomain: what the API server takes for a name, and every disk for a file's.
fn is_name(text: &str) -> bool {
    let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    text.len() <= 253
        && text.chars().all(|c| edge(c) || matches!(c, '-' | '.'))
        && text.starts_with(edge)
        && text.ends_with(edge)
        && !text.contains("..")
}

fn faults(object: &Value, span: Span) -> Vec<Diag> {
    let fault = |label: String| Diag::error("manifest", "Not an object that a stack can own").at(span, label);
    let Value::Object(fields) = object else {
        return vec![fault("not an object".to_owned()).help("It has apiVersion, kind and metadata.")];
    };
    let mut found = Vec::new();
    for name in ["/apiVersion", "/kind", "/metadata/name"] {
        let value = object.pointer(name).and_then(Value::as_str);
        if value.is_none_or(str::is_empty) {
            let name = name.trim_start_matches('/').replace('/', ".");
            found.push(fault(format!("it has no {name}")).help(format!("Add {name}.")));
        }
    }
    let text = |name: &str| object.pointer(name).and_then(Value::as_str).unwrap_or_default();
    let legal = |text: &str, marks: &[char]| text.chars().all(|c| c.is_ascii_alphanumeric() || marks.contains(&c));
    let namespace = text("/metadata/namespace");
    if !text("/metadata/name").is_empty() && !is_name(text("/metadata/name")) {
        found.push(
            fault("metadata.name is no name".to_owned()).help("Lower-case letters, digits, `-` and `.`; at most 253."),
        );
    }
    if !namespace.is_empty() && !is_name(namespace) {
        found.push(fault("metadata.namespace is no name".to_owned()).help("Lower-case letters, digits and `-`."));
    }
    if !legal(text("/kind"), &[]) || !legal(text("/apiVersion"), &['.', '/', '-']) {
        found.push(fault("not an apiVersion and a kind".to_owned()).help("Such as `apps/v1` and `Deployment`."));
    }
    let kind = fields.get("kind").and_then(Value::as_str).unwrap_or_default();
    if kind == "List" || (kind.ends_with("List") && fields.contains_key("items")) {
        found
            .push(fault(format!("a {kind}")).help("Write one `manifest` block for each item; `for_each` repeats one."));
    }
    if kind == "Secret" && ["data", "stringData"].iter().any(|name| fields.contains_key(*name)) {
        let diag = fault("a Secret with values".to_owned());
        found.push(
            diag.help(
                "Values of secrets never enter a stack: make it beside the stack, and name it in a `secret` block.",
            ),
        );
    }
    if fields.contains_key("status") {
        found.push(fault("it has a status".to_owned()).help("The cluster writes the status: take it out."));
    }
    let metadata = object.get("metadata").and_then(Value::as_object);
    if metadata.is_some_and(|metadata| metadata.contains_key("generateName")) {
        let diag = fault("it has metadata.generateName".to_owned());
        found.push(diag.help("An object that is planned has a name of its own: write metadata.name."));
    }
    for name in OF_THE_CLUSTER.iter().filter(|name| metadata.is_some_and(|metadata| metadata.contains_key(**name))) {
        found.push(fault(format!("it has metadata.{name}")).help("The cluster writes it: take it out."));
    }
    found
}
