//! The pods of emitted objects, wherever in them a pod's template stands.

use serde_json::{Map, Value};

use crate::emit::{Executor, Manifest};

/// The template of a pod in an object.
pub struct Pod<'a> {
    /// The object.
    pub manifest: &'a Manifest,
    /// `PodSpec`.
    pub spec: &'a Map<String, Value>,
}

/// A container of such a pod, init containers included.
pub struct Container<'a> {
    /// The object.
    pub manifest: &'a Manifest,
    /// `Container`.
    pub fields: &'a Map<String, Value>,
}

/// Every pod of every Kubernetes object, in order.
pub fn pods(manifests: &[Manifest]) -> Vec<Pod<'_>> {
    let mut found = Vec::new();
    for manifest in manifests.iter().filter(|manifest| manifest.executor == Executor::Gitops) {
        collect(manifest, &manifest.tree, &mut found);
    }
    found
}

/// Every container of every pod.
pub fn containers(manifests: &[Manifest]) -> Vec<Container<'_>> {
    pods(manifests).iter().flat_map(Pod::containers).collect()
}

/// What has `containers` is a pod's specification; nothing in one is another.
fn collect<'a>(manifest: &'a Manifest, value: &'a Value, found: &mut Vec<Pod<'a>>) {
    match value {
        Value::Object(fields) if is_spec(fields) => found.push(Pod { manifest, spec: fields }),
        Value::Object(fields) => fields.values().for_each(|value| collect(manifest, value, found)),
        Value::Array(items) => items.iter().for_each(|item| collect(manifest, item, found)),
        _ => (),
    }
}

fn is_spec(fields: &Map<String, Value>) -> bool {
    let containers = fields.get("containers").and_then(Value::as_array);
    containers.is_some_and(|items| items.iter().any(|item| item.get("image").is_some_and(Value::is_string)))
}

impl<'a> Pod<'a> {
    /// Its containers, those that run first included.
    pub fn containers(&self) -> Vec<Container<'a>> {
        let of = |name: &str| self.spec.get(name).and_then(Value::as_array).into_iter().flatten();
        let fields = of("initContainers").chain(of("containers")).filter_map(Value::as_object);
        fields.map(|fields| Container { manifest: self.manifest, fields }).collect()
    }
}

impl<'a> Container<'a> {
    /// A text of it.
    pub fn text(&self, name: &str) -> &'a str {
        text(self.fields, name)
    }

    /// A list of objects of it: `env`, `volumeMounts`.
    pub fn objects(&self, name: &str) -> impl Iterator<Item = &'a Map<String, Value>> {
        self.fields.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
    }

    /// `container "a" of the RayJob "dpo"`.
    pub fn place(&self) -> String {
        format!(
            "container {:?} of the {} {:?}",
            self.text("name"),
            self.manifest.object.kind,
            self.manifest.object.name
        )
    }
}

/// A text of an object; nothing where it has none.
pub fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> &'a str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}
