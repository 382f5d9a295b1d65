//! Intents to manifests; spelling only.

use serde_json::Value;

use crate::base::addr::Addr;
use crate::resolve::stack::Lifecycle;

mod core;
mod driver;
mod gke;
mod hcl;
pub mod imports;
mod json_patch;
mod kuberay;
pub mod moved;
mod object;
pub mod patch;
mod pod;
#[cfg(test)]
pub mod samples;
mod target;
mod terraform_json;
mod tree;
mod vllm;
mod yaml;

pub use target::{Context, TARGETS, Target, emit};

/// The tree of a file that was written earlier, as [`Manifest::tree`] holds it; none where the text can't be read, or
/// where no target writes such a file.
pub fn read(path: &str, text: &str) -> Option<Value> {
    match path.rsplit_once('.')?.1 {
        "yaml" => yaml::read(text).ok(),
        "tf" => hcl::read(text).ok(),
        "json" => terraform_json::read(text),
        _ => None,
    }
}

/// The text of a Kubernetes manifest with another tree in it: its first line stays.
pub fn with_tree(text: &str, tree: &Value) -> Option<String> {
    let first = text.lines().next()?;
    Some(format!("{first}\n{}", yaml::write(tree).ok()?))
}

/// The object's own fields in a file's tree: a Terraform resource without the blocks around it, a Kubernetes object as it is.
pub fn fields<'a>(kind: &str, tree: &'a Value) -> &'a Value {
    let resource = tree.get("resource").and_then(|kinds| kinds.get(kind)).and_then(Value::as_object);
    resource.and_then(|named| named.values().next()).unwrap_or(tree)
}

/// What the API server (or Terraform) calls an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    /// `ray.io/v1`, `v1`; `terraform` for a Terraform resource.
    pub api_version: String,
    /// `RayJob`; `google_container_node_pool` for a Terraform resource.
    pub kind: String,
    /// The namespace of a namespaced Kubernetes object.
    pub namespace: Option<String>,
    /// The object's name; a Terraform resource's local name.
    pub name: String,
}

/// Who carries a change of an object out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Executor {
    /// A `GitOps` controller or `kubectl apply`, from the directory that Sliceform writes.
    Gitops,
    /// `terraform apply`, from the folder that Sliceform writes.
    Terraform,
}

/// One object, ready to be written: one file of the rendered directory.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The block that it comes from.
    pub addr: Addr,
    /// Where it goes, below the rendered directory: `kuberay/rayjob-dpo.yaml`. `/` separates on every system.
    pub path: String,
    /// What it is called.
    pub object: ObjectId,
    /// Who applies it.
    pub executor: Executor,
    /// Its content as a tree: what diffs and the self-check read.
    pub tree: Value,
    /// Its content as the bytes of the file.
    pub text: String,
    /// How it may change.
    pub lifecycle: Lifecycle,
    /// The blocks whose objects come before it.
    pub depends_on: Vec<Addr>,
}
