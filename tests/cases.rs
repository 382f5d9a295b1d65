//! Public manifests written as stacks. Each folder of `tests/cases` has a stack and `differences.txt`: what differs from the
//! public manifest, what stands there and here, and why. The manifests themselves are not part of this repository.
//!
//! `cargo test` holds the stacks to what the lists say of our side. With the manifests in a folder of your own,
//! `ORIGINALS=FOLDER cargo test --test cases -- --ignored` also finds every field that differs and is not listed.
#![expect(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used, reason = "a test reads the repository")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use sliceform::cli::pipeline;
use sliceform::cli::source::{STACK_SUFFIX, Values};
use sliceform::emit;
use sliceform::os::files::Disk;

/// What stands where there is nothing.
const ABSENT: &str = "(none)";

/// A line of a list: a field, what the public manifest has there, and what we have.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    path: String,
    theirs: String,
    ours: String,
}

/// The list of a case: the public manifest's file, its fields that differ, the kinds of objects that only we have.
struct List {
    original: String,
    lines: Vec<Line>,
    more: BTreeSet<String>,
}

/// Reasons stand at the start of a line, and what they are the reason for below them, indented.
fn list(folder: &Path) -> List {
    let text = fs::read_to_string(folder.join("differences.txt")).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let original = first.strip_prefix("Against ").unwrap_or_else(|| panic!("{first}")).trim_end_matches('.').to_owned();
    let (mut lines, mut more, mut reason) = (Vec::new(), BTreeSet::new(), "");
    for line in rest.lines().filter(|line| !line.is_empty()) {
        let Some(entry) = line.strip_prefix("  ") else {
            reason = line;
            continue;
        };
        assert!(reason.len() > 15, "{}: no reason for {entry}", folder.display());
        if let Some(kind) = entry.strip_prefix("+ ") {
            more.insert(kind.to_owned());
            continue;
        }
        let (path, values) = entry.split_once(": ").unwrap_or_else(|| panic!("{entry}"));
        let (theirs, ours) = values.split_once(" -> ").unwrap_or_else(|| panic!("{entry}"));
        lines.push(Line { path: path.to_owned(), theirs: theirs.to_owned(), ours: ours.to_owned() });
    }
    List { original, lines, more }
}

/// What names the items of a list, where they have names.
const NAMES: &[(&str, &str)] = &[
    ("/containers", "name"),
    ("/env", "name"),
    ("/initContainers", "name"),
    ("/ports", "name"),
    ("/resourceClaims", "name"),
    ("/tolerations", "key"),
    ("/volumeMounts", "mountPath"),
    ("/volumes", "name"),
    ("/workerGroupSpecs", "groupName"),
];

/// Every leaf by its path. A text of several lines that is YAML is read as such.
fn leaves(value: &Value, path: &str, out: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| leaves(inner, &format!("{path}/{key}"), out)),
        Value::Array(items) => {
            let key = NAMES.iter().find(|(list, _)| path.ends_with(list)).map(|(_, key)| *key);
            for (index, inner) in items.iter().enumerate() {
                let name = key.and_then(|key| inner.get(key)?.as_str()).map(|name| name.replace('/', "|"));
                leaves(inner, &format!("{path}/{}", name.unwrap_or_else(|| index.to_string())), out);
            }
        }
        Value::String(text) if text.contains('\n') && path.ends_with("V2") || path.ends_with("YAML") => {
            leaves(&emit::read("config.yaml", value.as_str().unwrap()).unwrap(), path, out);
        }
        Value::String(text) => drop(out.insert(path.to_owned(), text.replace('\n', "\\n"))),
        other => drop(out.insert(path.to_owned(), other.to_string())),
    }
}

/// What a volume is called says nothing: each mount gets its volume's content, and volumes that are mounted go.
fn inline_volumes(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(inline_volumes),
        Value::Object(fields) => {
            fields.values_mut().for_each(inline_volumes);
            if fields.contains_key("containers") {
                inline_pod(fields);
            }
        }
        _ => {}
    }
}

fn inline_pod(pod: &mut Map<String, Value>) {
    let volumes = pod.remove("volumes").and_then(|list| list.as_array().cloned()).unwrap_or_default();
    let mut content: BTreeMap<String, Value> = BTreeMap::new();
    for mut volume in volumes {
        let name = volume.as_object_mut().unwrap().remove("name").unwrap();
        content.insert(name.as_str().unwrap().to_owned(), volume);
    }
    let mut used = BTreeSet::new();
    for list in ["containers", "initContainers"] {
        let containers = pod.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
        for mount in containers.filter_map(|container| container.get_mut("volumeMounts")?.as_array_mut()).flatten() {
            let mount = mount.as_object_mut().unwrap();
            if let Some(name) = mount.get("name").and_then(Value::as_str).map(str::to_owned)
                && let Some(volume) = content.get(&name)
            {
                mount.remove("name");
                mount.insert("volume".to_owned(), volume.clone());
                used.insert(name);
            }
        }
    }
    let left: Vec<Value> = content
        .into_iter()
        .filter(|(name, _)| !used.contains(name))
        .map(|(name, mut volume)| {
            volume.as_object_mut().unwrap().insert("name".to_owned(), name.into());
            volume
        })
        .collect();
    if !left.is_empty() {
        pod.insert("volumes".to_owned(), left.into());
    }
}

/// The leaves of objects, below their kind.
fn of_objects(objects: impl Iterator<Item = Value>) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut found = BTreeMap::new();
    for mut object in objects {
        inline_volumes(&mut object);
        let kind = object["kind"].as_str().unwrap().to_owned();
        let mut fields = BTreeMap::new();
        leaves(&object, &kind, &mut fields);
        assert!(found.insert(kind, fields).is_none(), "two objects of a kind");
    }
    found
}

/// The folders of cases, each with its stack.
fn cases() -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for folder in fs::read_dir("tests/cases").unwrap().map(|entry| entry.unwrap().path()) {
        if folder.join("differences.txt").exists() {
            let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            let stack = files.into_iter().find(|path| path.to_str().unwrap().ends_with(STACK_SUFFIX)).unwrap();
            found.push((folder, stack));
        }
    }
    found.sort();
    assert!(found.len() >= 2);
    found
}

/// The Kubernetes objects of a case's stack.
fn ours(stack: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let compiled = pipeline::compile(&Disk, stack, &Values::default(), false);
    let errors: Vec<_> = compiled.diags.iter().filter(|diag| diag.severity.name() == "error").collect();
    assert!(errors.is_empty(), "{}: {errors:#?}", stack.display());
    let kubernetes = compiled
        .manifests
        .iter()
        .filter(|manifest| Path::new(&manifest.path).extension().is_some_and(|end| end == "yaml"));
    of_objects(kubernetes.map(|manifest| manifest.tree.clone()))
}

fn leaf<'a>(objects: &'a BTreeMap<String, BTreeMap<String, String>>, path: &str) -> &'a str {
    let kind = path.split('/').next().unwrap_or_default();
    objects.get(kind).and_then(|fields| fields.get(path)).map_or(ABSENT, String::as_str)
}

#[test]
fn what_a_case_says_of_our_side_is_so() {
    let mut wrong = Vec::new();
    for (folder, stack) in cases() {
        let (list, ours) = (list(&folder), ours(&stack));
        for line in &list.lines {
            let found = leaf(&ours, &line.path);
            if found != line.ours {
                wrong.push(format!("{} {}: {found}, not {}", folder.display(), line.path, line.ours));
            }
        }
        for kind in list.more.iter().filter(|kind| !ours.contains_key(*kind)) {
            wrong.push(format!("{}: there is no {kind}", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The documents of a YAML file.
fn documents(text: &str) -> Vec<Value> {
    let parts = text.split("\n---").map(|part| part.trim_start_matches("---"));
    let has_content = |part: &&str| part.lines().any(|line| !line.is_empty() && !line.starts_with('#'));
    parts.filter(has_content).map(|part| emit::read("original.yaml", part).unwrap()).collect()
}

/// Whether a value of a public manifest is a place to fill in: `${KSA_NAME}`.
fn is_open(value: &str) -> bool {
    value.contains("${") || value.starts_with('$')
}

#[test]
#[ignore = "needs the public manifests: ORIGINALS=FOLDER"]
fn every_difference_is_listed() {
    let originals = PathBuf::from(std::env::var_os("ORIGINALS").unwrap());
    let mut wrong = Vec::new();
    for (folder, stack) in cases() {
        let (list, ours) = (list(&folder), ours(&stack));
        let text = fs::read_to_string(originals.join(&list.original)).unwrap();
        let theirs = of_objects(documents(&text).into_iter());
        let more: BTreeSet<String> = ours.keys().filter(|kind| !theirs.contains_key(*kind)).cloned().collect();
        if more != list.more {
            wrong.push(format!("{}: only ours has {more:?}", folder.display()));
        }
        let ours: BTreeMap<_, _> = ours.into_iter().filter(|(kind, _)| !more.contains(kind)).collect();
        let paths: BTreeSet<&String> = theirs.values().chain(ours.values()).flat_map(BTreeMap::keys).collect();
        for path in paths {
            let (their, our) = (leaf(&theirs, path), leaf(&ours, path));
            let told = list.lines.iter().find(|line| line.path == *path);
            let same = their == our || (is_open(their) && our != ABSENT);
            match told {
                None if !same => wrong.push(format!("{}\n  {path}: {their} -> {our}", folder.display())),
                Some(line) if same => wrong.push(format!("{}: {} does not differ", folder.display(), line.path)),
                Some(line) if line.theirs != their => {
                    wrong.push(format!("{} {path}: theirs is {their}, not {}", folder.display(), line.theirs));
                }
                _ => {}
            }
        }
        for line in
            list.lines.iter().filter(|line| leaf(&theirs, &line.path) == ABSENT && leaf(&ours, &line.path) == ABSENT)
        {
            wrong.push(format!("{}: {} is nowhere", folder.display(), line.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
