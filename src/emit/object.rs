//! What all objects share: the marks of ownership, the first line of a file, its path.

use serde_json::{Map, Value};

use crate::base::addr::Addr;
use crate::emit::hcl::{self, Block, Expr};
use crate::emit::target::Context;
use crate::emit::tree::Tree;
use crate::emit::{Executor, Manifest, ObjectId, yaml};
use crate::lower::intent::Intent;
use crate::lower::intent::pod::Meta;

/// A Kubernetes object that is still to be written.
pub struct Kubernetes<'a> {
    /// The folder of its target.
    pub folder: &'a str,
    /// `ray.io/v1`.
    pub api_version: &'a str,
    /// `RayJob`.
    pub kind: &'a str,
    /// Name, place and the stack's own labels.
    pub meta: &'a Meta,
    /// What follows `metadata`.
    pub body: Tree,
}

impl Kubernetes<'_> {
    /// The object as the manifest of `intent`.
    pub fn manifest(self, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
        self.manifest_with(&Map::new(), intent, ctx)
    }

    /// The same, with more in its metadata.
    pub fn manifest_with(self, more: &Map<String, Value>, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
        let metadata = metadata(self.meta, intent, ctx);
        let metadata = more.iter().fold(metadata, |metadata, (name, value)| metadata.with(name, value.clone()));
        let mut tree =
            Tree::new().with("apiVersion", self.api_version).with("kind", self.kind).with("metadata", metadata);
        if let Value::Object(fields) = Value::from(self.body) {
            tree = fields.into_iter().fold(tree, |tree, (key, value)| tree.with(&key, value));
        }
        let tree = Value::from(tree);
        let path = format!("{}/{}-{}.yaml", self.folder, self.kind.to_lowercase(), self.meta.name);
        let text = yaml::write(&tree).map_err(|why| format!("{path}: {why}"))?;
        Ok(Manifest {
            addr: intent.addr.clone(),
            object: ObjectId {
                api_version: self.api_version.to_owned(),
                kind: self.kind.to_owned(),
                namespace: Some(self.meta.namespace.clone()).filter(|namespace| !namespace.is_empty()),
                name: self.meta.name.clone(),
            },
            executor: Executor::Gitops,
            text: format!("{}\n{text}", first_line(&intent.addr.to_string(), ctx.stack)),
            path,
            tree,
            lifecycle: intent.lifecycle.clone(),
            depends_on: intent.depends_on.clone(),
        })
    }
}

/// The marks of ownership stand on the object alone, never in a pod template: they must not roll a service.
fn metadata(meta: &Meta, intent: &Intent, ctx: &Context) -> Tree {
    let mut labels = meta.labels.clone();
    labels.insert("app.kubernetes.io/managed-by".to_owned(), "sliceform".to_owned());
    labels.insert("sliceform.dev/stack".to_owned(), ctx.stack.to_owned());
    let mut annotations = meta.annotations.clone();
    annotations.insert("sliceform.dev/address".to_owned(), intent.addr.to_string());
    if !intent.depends_on.is_empty() {
        let blocks: Vec<String> = intent.depends_on.iter().map(ToString::to_string).collect();
        annotations.insert("sliceform.dev/depends-on".to_owned(), blocks.join(", "));
    }
    let namespace = (!meta.namespace.is_empty()).then(|| meta.namespace.clone());
    Tree::new()
        .with("name", meta.name.clone())
        .some("namespace", namespace)
        .with("labels", crate::emit::tree::texts(&labels))
        .with("annotations", crate::emit::tree::texts(&annotations))
}

/// Terraform blocks as the manifest of `intent`: the resource `kind.name`, after what it looks up.
pub fn terraform(
    intent: &Intent,
    ctx: &Context,
    file: (&str, &str),
    resource: (&str, &str),
    blocks: &[Block],
) -> Manifest {
    let blocks: Vec<Block> = blocks.iter().map(|block| with_lifecycle(block, resource, intent, ctx)).collect();
    Manifest {
        addr: intent.addr.clone(),
        path: format!("gke/{}-{}.tf", file.0, file.1),
        object: ObjectId {
            api_version: "terraform".to_owned(),
            kind: resource.0.to_owned(),
            namespace: None,
            name: resource.1.to_owned(),
        },
        executor: Executor::Terraform,
        tree: hcl::tree(&blocks),
        text: format!("{}\n{}", first_line(&intent.addr.to_string(), ctx.stack), hcl::write(&blocks)),
        lifecycle: intent.lifecycle.clone(),
        depends_on: intent.depends_on.clone(),
    }
}

/// Where fields of Kubernetes objects begin: those of `ignore_changes` that Terraform has no use for.
const KUBERNETES_FIELDS: &[&str] = &["metadata", "spec", "data"];

/// The resource itself with Terraform's own means of order and protection.
fn with_lifecycle(block: &Block, resource: (&str, &str), intent: &Intent, ctx: &Context) -> Block {
    let block = block.clone();
    if !block.is("resource", &[resource.0, resource.1]) {
        return block;
    }
    let named = |addrs: &[Addr]| {
        let resources = addrs.iter().filter_map(|addr| ctx.resources?.get(addr)).flatten();
        resources.map(|resource| Expr::reference(resource.as_str())).collect::<Vec<_>>()
    };
    let filled = |list: Vec<Expr>| (!list.is_empty()).then_some(Expr::List(list));
    let lifecycle = &intent.lifecycle;
    let fields = lifecycle.ignore_changes.iter();
    let fields = fields.filter(|field| !KUBERNETES_FIELDS.contains(&field.split('.').next().unwrap_or_default()));
    let inner = Block::new("lifecycle", &[])
        .some("prevent_destroy", lifecycle.prevent_destroy.then_some(true))
        .some("ignore_changes", filled(fields.map(|field| Expr::reference(field.as_str())).collect()))
        .some("replace_triggered_by", filled(named(&lifecycle.replace_triggered_by)));
    let block = block.some("depends_on", filled(named(&intent.depends_on)));
    if inner.is_empty() { block } else { block.block([inner]) }
}

/// Which block of which stack to edit instead of the file. A key of an instance may hold any character: one that could
/// end a comment is left out.
pub fn first_line(address: &str, stack: &str) -> String {
    let line = format!("# {address} of stack {stack}: written by sliceform; edit the stack, not this file");
    line.chars().map(|c| if is_unsafe(c) { '?' } else { c }).collect()
}

fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}
