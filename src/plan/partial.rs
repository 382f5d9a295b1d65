//! A plan for a part of a stack. What is not in the part stays as it is on the disk and in the inventory, and what is
//! written holds together: a file that others need comes or stays with them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::base::addr::Addr;
use crate::emit;
use crate::plan::Object;
use crate::plan::inventory::Entry;
use crate::plan::prior::{Prior, Standing};
use crate::plan::steps::{Desired, Goal};

/// What a plan is for.
#[derive(Clone, Debug)]
pub struct Part {
    /// The blocks asked for, as they were asked for.
    pub targets: Vec<Addr>,
    /// These blocks, and all that goes with them.
    pub blocks: BTreeSet<Addr>,
}

/// A file outside the part that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// What the inventory says of it.
    pub before: Entry,
    /// What it says afterwards; none where an apply that was cut short had listed it and it is not there.
    pub after: Option<Entry>,
}

/// Whether a target names a block: itself, or one of its instances.
pub fn is_named(target: &Addr, block: &Addr) -> bool {
    target == block || (target.key.is_none() && *target == block.block())
}

/// An object that another one may need: kind and name.
type Name = (String, String);

fn name_of(object: &Object) -> Name {
    (object.kind.clone(), object.name.clone())
}

impl Goal {
    /// Narrows the goal to a part of the stack. What a file in the part needs comes too. A file that goes although a file
    /// outside the part needs it stays, and is given back with the one that needs it; where everything in the part is to
    /// go, that one goes as well.
    pub fn narrow(&mut self, part: &Part, prior: &Prior) -> Vec<(String, String)> {
        // What the part has moved from elsewhere is the part's.
        let history = self.history.clone();
        let inside = |address: &str| {
            let owner = history.owner(address);
            let address = owner.as_deref().unwrap_or(address);
            address.parse().is_ok_and(|addr: Addr| part.blocks.contains(&addr))
        };
        let chosen = if self.emptied { BTreeSet::new() } else { self.chosen(&inside) };
        // A block of the stack may have another name than when its file was written; the stack's counts.
        let whole = std::mem::take(&mut self.files);
        let goes = |path: &str, entry: &Entry| match whole.get(path) {
            Some(file) => self.emptied && inside(&file.address),
            None => inside(&entry.address),
        };
        let listed = prior.inventory.iter().flat_map(|inventory| &inventory.files);
        let listed = listed.filter(|(path, entry)| entry.object.is_some() && !chosen.contains(*path));
        let (mut going, mut staying): (BTreeMap<&str, &Entry>, BTreeMap<&str, &Entry>) =
            listed.map(|(path, entry)| (path.as_str(), entry)).partition(|(path, entry)| goes(path, entry));
        self.files = whole.into_iter().filter(|(path, _)| chosen.contains(path)).collect();
        let needs = if going.is_empty() { BTreeMap::new() } else { needs(staying.keys().copied(), prior) };
        let mut retained = Vec::new();
        while let Some((lost, by)) = torn(&going, &staying, &needs, &self.files) {
            if self.emptied {
                going.extend(staying.remove_entry(by));
            } else {
                staying.extend(going.remove_entry(lost));
                retained.push((lost.to_owned(), by.to_owned()));
            }
        }
        let applying = prior.inventory.as_ref().is_some_and(|inventory| inventory.applying);
        self.kept =
            staying.into_iter().map(|(path, entry)| (path.to_owned(), kept(path, entry, prior, applying))).collect();
        self.targets.clone_from(&part.targets);
        self.add_own_files(prior);
        retained
    }

    /// The files of the part, and those that they need.
    fn chosen(&self, inside: &dyn Fn(&str) -> bool) -> BTreeSet<String> {
        let objects = self.files.iter().filter_map(|(path, file)| Some((name_of(file.object.as_ref()?), path)));
        let by_name: BTreeMap<Name, &String> = objects.collect();
        let first = self.files.values().filter(|file| file.object.is_some() && inside(&file.address));
        let mut open: Vec<&Desired> = first.collect();
        let mut chosen: BTreeSet<String> = open.iter().map(|file| file.path.clone()).collect();
        while let Some(file) = open.pop() {
            for path in needed(&file.tree, &file.text).iter().filter_map(|name| by_name.get(name)) {
                if chosen.insert((*path).clone()) {
                    open.extend(self.files.get(*path));
                }
            }
        }
        chosen
    }
}

/// What becomes of a file that stays. While an apply that was cut short is not finished, its files are those before it or
/// after it: what is on the disk counts.
fn kept(path: &str, entry: &Entry, prior: &Prior, applying: bool) -> Kept {
    let after = match (applying, prior.digest(path)) {
        (false, _) => Some(entry.clone()),
        (true, Some(digest)) => Some(Entry { digest: digest.to_owned(), ..entry.clone() }),
        (true, None) => None,
    };
    Kept { before: entry.clone(), after }
}

/// What files on the disk need.
fn needs<'a>(paths: impl Iterator<Item = &'a str>, prior: &Prior) -> BTreeMap<&'a str, BTreeSet<Name>> {
    let of_file = |path: &'a str| {
        let Some(Standing::File { bytes, .. }) = prior.files.get(path) else { return None };
        let text = String::from_utf8_lossy(bytes);
        Some((path, needed(&emit::read(path, &text)?, &text)))
    };
    paths.filter_map(of_file).collect()
}

/// A file that goes, and one that stays and needs it.
fn torn<'a>(
    going: &BTreeMap<&'a str, &Entry>,
    staying: &BTreeMap<&'a str, &Entry>,
    needs: &BTreeMap<&'a str, BTreeSet<Name>>,
    coming: &BTreeMap<String, Desired>,
) -> Option<(&'a str, &'a str)> {
    let mut gone: BTreeMap<Name, &'a str> =
        going.iter().filter_map(|(path, entry)| Some((name_of(entry.object.as_ref()?), *path))).collect();
    for object in coming.values().filter_map(|file| file.object.as_ref()) {
        gone.remove(&name_of(object));
    }
    staying.keys().find_map(|path| {
        let lost = needs.get(path)?.iter().find_map(|name| gone.get(name))?;
        Some((*lost, *path))
    })
}

/// Fields of Kubernetes objects that name another object, with its kind. Below some of them stands the field that holds
/// the name.
const FIELDS: &[(&str, &str, &str)] = &[
    ("serviceAccountName", "", "ServiceAccount"),
    ("resourceClaimTemplateName", "", "ResourceClaimTemplate"),
    ("storageClassName", "", "StorageClass"),
    ("namespace", "", "Namespace"),
    ("configMap", "name", "ConfigMap"),
    ("configMapRef", "name", "ConfigMap"),
    ("configMapKeyRef", "name", "ConfigMap"),
    ("persistentVolumeClaim", "claimName", "PersistentVolumeClaim"),
];

/// The objects that a file names.
fn needed(tree: &Value, text: &str) -> BTreeSet<Name> {
    let mut found = BTreeSet::new();
    in_fields(tree, &mut found);
    // Terraform's references stand in the text as `google_container_cluster.tpu.name`.
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || "_-.".contains(c))) {
        if let (true, Some((kind, rest))) = (word.starts_with("google_"), word.split_once('.')) {
            found.insert((kind.to_owned(), rest.split('.').next().unwrap_or(rest).to_owned()));
        }
    }
    found
}

fn in_fields(tree: &Value, found: &mut BTreeSet<Name>) {
    match tree {
        Value::Object(fields) => {
            for (key, value) in fields {
                for (_, below, kind) in FIELDS.iter().filter(|(field, ..)| field == key) {
                    let name = if below.is_empty() { Some(value) } else { value.get(below) };
                    found.extend(name.and_then(Value::as_str).map(|name| ((*kind).to_owned(), name.to_owned())));
                }
                in_fields(value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| in_fields(item, found)),
        _ => {}
    }
}
