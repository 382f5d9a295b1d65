//! Public manifests written as stacks: every field that differs stands in the case's `differences.txt`, with its reason.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test reads the repository")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::emit;
use sliceform::os::files::Disk;

/// Every leaf by its path; items of a list by their name, where they have one.
fn leaves(value: &Value, path: &str, out: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, inner)| leaves(inner, &format!("{path}/{key}"), out)),
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                let named = ["/env", "/ports", "/containers"].iter().any(|list| path.ends_with(list));
                let name = inner.get("name").and_then(Value::as_str).filter(|_| named);
                let name = name.map_or_else(|| index.to_string(), str::to_owned);
                leaves(inner, &format!("{path}/{name}"), out);
            }
        }
        Value::String(text) if text.contains('\n') => {
            leaves(&emit::read("config.yaml", text).unwrap(), path, out);
        }
        other => drop(out.insert(path.to_owned(), other.to_string().trim_matches('"').to_owned())),
    }
}

fn compare(folder: &str, stack: &str) {
    let folder = Path::new("tests/cases").join(folder);
    let compiled = pipeline::compile(&Disk, &folder.join(stack), &Values::default(), false);
    assert!(!compiled.diags.has_errors());
    let original = emit::read("original.yaml", &fs::read_to_string(folder.join("original.yaml")).unwrap()).unwrap();
    let own = compiled.manifests.iter().find(|manifest| manifest.tree["kind"] == original["kind"]).unwrap();
    let (mut theirs, mut ours) = (BTreeMap::new(), BTreeMap::new());
    leaves(&original, "", &mut theirs);
    leaves(&own.tree, "", &mut ours);
    let paths: std::collections::BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    let differ = paths.into_iter().filter(|path| theirs.get(*path) != ours.get(*path));
    let found: Vec<&str> = differ.map(String::as_str).collect();
    let text = fs::read_to_string(folder.join("differences.txt")).unwrap();
    let told: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix('/')?.split(": ").next()).collect();
    let found: Vec<&str> = found.iter().map(|path| path.trim_start_matches('/')).collect();
    assert_eq!(found, told, "{}", folder.display());
}

#[test]
fn a_head_with_gpus_is_the_public_one() {
    compare("26-head-with-gpus", "verl.stack.hcl");
}

#[test]
fn a_model_on_gpus_is_the_public_one() {
    compare("27-llm-on-gpus", "llm.stack.hcl");
}
