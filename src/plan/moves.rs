//! Objects that another block has now, or that have another name: what was there is found again under what it is called
//! today, so that a rename is no end and no beginning.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::base::addr::Addr;
use crate::emit::imports;
use crate::emit::moved::Renamed;
use crate::lower::name;
use crate::plan::{Action, Because, Change, Class, Executor, Impact, Object, Step};
use crate::resolve::decode::object_name;
use crate::resolve::stack::Past;

/// What became of the blocks and objects that a stack once had.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// What the stack says of it.
    pub past: Past,
    /// Objects that had another name before the stack's moves.
    pub renamed: Vec<Renamed>,
    /// Blocks whose objects are named after them.
    pub unnamed: BTreeSet<Addr>,
    /// Terraform's resources among the renamed, `kind.name` before and now.
    resources: BTreeMap<String, String>,
}

/// Fields of every object that only say whose it is.
const MARKS: &[&str] = &["metadata.annotations.\"sliceform.dev/address\"", "metadata.labels.\"sliceform.dev/stack\""];

/// Whether a change is no more than another owner's mark.
pub fn is_mark(change: &Change) -> bool {
    MARKS.contains(&change.path.as_str())
}

impl History {
    /// What the stack says of its past, and what became of its objects.
    pub fn new(past: Past, renamed: Vec<Renamed>, unnamed: BTreeSet<Addr>) -> Self {
        let terraform = renamed.iter().filter(|renamed| renamed.from.api_version == "terraform");
        let resources = terraform
            .map(|Renamed { from, to }| (format!("{}.{}", from.kind, from.name), format!("{}.{}", to.kind, to.name)))
            .collect();
        Self { past, renamed, unnamed, resources }
    }

    /// The address that the owner of an object has now, where that is another one.
    pub fn owner(&self, address: &str) -> Option<String> {
        let before: Addr = address.parse().ok().filter(|_| !self.past.moved.is_empty())?;
        let now = self.past.now(&before);
        (now != before).then(|| now.to_string())
    }

    /// The `name` that would keep the name of an object whose block moved.
    fn keeping_name(&self, step: &Step, old: &Object) -> Option<String> {
        let before: Addr = step.moved_from.as_ref()?.parse().ok()?;
        let now: Addr = step.address.parse().ok()?;
        let name = object_name(&before);
        (self.unnamed.contains(&now) && old.name.starts_with(&name)).then_some(name)
    }

    /// A Terraform file with the names that other resources have now, so that a reference to one that moved is no
    /// difference. `own` are the file's own names before and now.
    pub fn follow_references(&self, tree: &mut Value, own: Option<(&str, &str)>) {
        if !self.resources.is_empty() {
            follow(tree, &self.resources, own);
        }
    }
}

fn follow(value: &mut Value, resources: &BTreeMap<String, String>, own: Option<(&str, &str)>) {
    match value {
        Value::String(text) if text.contains("${") => *text = followed(text, resources, own),
        Value::Array(items) => items.iter_mut().for_each(|item| follow(item, resources, own)),
        Value::Object(fields) => fields.values_mut().for_each(|field| follow(field, resources, own)),
        _ => {}
    }
}

/// The text with other names in its references.
fn followed(text: &str, resources: &BTreeMap<String, String>, own: Option<(&str, &str)>) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(&other_word(word, resources, own).unwrap_or_else(|| word.to_owned()));
        let next = after.find(is_word).unwrap_or(after.len());
        out.push_str(&after[..next]);
        rest = &after[next..];
    }
    out
}

/// `google_container_cluster.tpu.name` under the cluster's name of today; `data.google_project.x` beside its own resource.
fn other_word(word: &str, resources: &BTreeMap<String, String>, own: Option<(&str, &str)>) -> Option<String> {
    let mut parts = word.split('.');
    let (kind, name) = (parts.next()?, parts.next()?);
    if kind == "data" {
        let (before, now) = own?;
        let (data, rest) = (name, word.splitn(4, '.').nth(3)?);
        return (parts.next()? == before).then(|| format!("data.{data}.{now}.{rest}"));
    }
    let head = format!("{kind}.{name}");
    Some(format!("{}{}", resources.get(&head)?, &word[head.len()..]))
}

/// The kind and name of an object by which it is known over its renames: a name's hash counts for nothing.
type Key = (String, Option<String>, String);

fn key(kind: &str, namespace: Option<&String>, name: &str) -> Key {
    (kind.to_owned(), namespace.cloned(), name::without_suffix(name).unwrap_or(name).to_owned())
}

/// For each coming object that is an object which goes, under another name: the indices of both steps, coming first.
pub fn pairs(steps: &[Step], history: &History) -> Vec<(usize, usize)> {
    let mut comings: BTreeMap<Key, usize> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        if let (Action::Create, Because::NotInPrior, Some(object)) = (step.action, &step.because, &step.object) {
            comings.insert(key(&object.kind, object.namespace.as_ref(), &object.name), index);
        }
    }
    let of = |object: &crate::emit::ObjectId| key(&object.kind, object.namespace.as_ref(), &object.name);
    let now: BTreeMap<Key, Key> = history.renamed.iter().map(|renamed| (of(&renamed.from), of(&renamed.to))).collect();
    let mut pairs = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let (Action::Delete, Some(object)) = (step.action, &step.object) else { continue };
        let renamed = now.get(&key(&object.kind, object.namespace.as_ref(), &object.name));
        if let Some(coming) = renamed.and_then(|key| comings.remove(key)) {
            pairs.push((coming, index));
        }
    }
    pairs
}

/// What a cloud resource is known by: with another one it is another resource.
const IDENTITY: &[&str] = &["name", "account_id"];

/// Makes the step of an object that comes, compared with the object that it was, one of a rename. Terraform's resources
/// have a name of their own and one in the cloud: only another one in the cloud makes them anew.
pub fn rename(step: &mut Step, old: &Step, history: &History) {
    step.moved_from = old.moved_from.clone().or_else(|| step.moved_from.clone());
    step.old_file = Some(old.file.clone());
    for change in step.changes.iter_mut().filter(|change| IDENTITY.contains(&change.path.as_str())) {
        change.forces = true;
    }
    let forced = step.changes.iter().find(|change| change.forces).map(|change| change.path.clone());
    (step.action, step.because) = match (step.executor, forced) {
        (Executor::Terraform, None) if step.changes.is_empty() => (Action::Move, Because::Moved),
        (Executor::Terraform, None) => (Action::Update, Because::Changed(step.changes[0].path.clone())),
        (_, Some(path)) if step.executor == Executor::Terraform => (Action::Replace, Because::Immutable(path)),
        _ => (Action::Replace, Because::Immutable("metadata.name".to_owned())),
    };
    if step.action == Action::Replace {
        step.impact = Some(replaced(step));
        step.keep_name = old.object.as_ref().and_then(|object| history.keeping_name(step, object));
    }
}

/// What becomes of a resource that Terraform takes over.
pub fn taken_over(id: &str) -> Impact {
    Impact {
        class: Class::None,
        text: format!(
            "Terraform takes {id} over, once the import block in {} stands in its root module",
            imports::FILE
        ),
        source: Some("Terraform: import blocks are only allowed in the root module".to_owned()),
    }
}

/// What it does that an object goes on under another name: nothing does.
fn replaced(step: &Step) -> Impact {
    let known = step.impact.clone().filter(|impact| impact.class == Class::Replace);
    let source = match step.executor {
        Executor::Terraform => "Google Cloud: a resource is known by its name",
        Executor::Gitops | Executor::Sliceform => "Kubernetes API: metadata.name is immutable",
    };
    known.unwrap_or_else(|| Impact {
        class: Class::Replace,
        text: "the object of the old name goes, with what runs or lies in it; one of the new name comes".to_owned(),
        source: Some(source.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::emit::ObjectId;

    fn renamed(kind: &str, from: &str, to: &str) -> Renamed {
        let object = |name: &str| ObjectId {
            api_version: "terraform".into(),
            kind: kind.into(),
            namespace: None,
            name: name.into(),
        };
        Renamed { from: object(from), to: object(to) }
    }

    #[test]
    fn references_follow_what_they_name_and_nothing_else_changes() {
        let history = History::new(Past::default(), vec![renamed("google_x", "a", "b")], BTreeSet::new());
        let mut tree = json!({
            "one": "${google_x.a.name}",
            "whole": ["${google_x.a}", "x ${google_x.a.id} y ${google_x.ab.id} ${google_y.a.id}"],
            "text": "google_x.a.name",
            "data": "${data.google_project.old.number}/${data.google_project.other.number}",
        });
        history.follow_references(&mut tree, Some(("old", "new")));
        assert_eq!(
            tree,
            json!({
                "one": "${google_x.b.name}",
                "whole": ["${google_x.b}", "x ${google_x.b.id} y ${google_x.ab.id} ${google_y.a.id}"],
                "text": "google_x.a.name",
                "data": "${data.google_project.new.number}/${data.google_project.other.number}",
            })
        );
    }
}
