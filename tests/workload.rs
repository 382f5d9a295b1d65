//! What all workloads share, through the binary: pods with everything in them, and what a slip in them is told.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// What a command prints (`render` its objects, `validate` its messages), for a stack of `tests/pods` with some of its text replaced.
fn run(command: &str, stack: &str, edits: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    for entry in fs::read_dir("tests/pods").unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), dir.path().join(entry.file_name())).unwrap();
    }
    let file = Path::new(dir.path()).join(format!("{stack}.stack.hcl"));
    let mut text = fs::read_to_string(&file).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{stack} has no {from:?}");
        text = text.replace(from, to);
    }
    fs::write(&file, text).unwrap();
    let mut sliceform = Command::cargo_bin("sliceform").unwrap();
    sliceform.current_dir(dir.path()).env_clear().args([command, &format!("{stack}.stack.hcl")]);
    let output = sliceform.output().unwrap();
    let text = String::from_utf8(if command == "render" { output.stdout } else { output.stderr }).unwrap();
    assert!(!text.trim().is_empty(), "{command} {stack} prints nothing");
    text
}

/// The object of a kind, out of everything that `render` prints.
fn rendered<'a>(all: &'a str, kind: &str) -> &'a str {
    let found = all.split("\n---\n").find(|object| object.contains(&format!("\nkind: {kind}\n")));
    found.unwrap_or_default()
}

#[test]
fn pods_have_all_that_their_blocks_say() {
    let all = run("render", "pods", &[]);
    insta::assert_snapshot!(rendered(&all, "RayJob"));
}

#[test]
fn a_slip_in_a_pod_is_told_where_it_stands() {
    let edits = [
        ("\"metadata.name\"", "\"metadata.nam\""),
        ("[secret.proxy]", "[bucket.data]"),
        ("medium = \"disk\"", "medium = \"memroy\"\n      sze = 1"),
        ("mount \"scratch\" {}", "mount \"scrath\" {}"),
        ("effect = \"no_schedule\"", "effect = \"NoSchedule\", valeu = 1"),
        ("container \"metrics\"", "container \"ray-head\""),
        ("metrics = 9100", "metrics_port = 9100"),
        ("size   = \"100Gi\"", "size   = \"plenty\""),
    ];
    insta::assert_snapshot!(run("validate", "pods", &edits));
}

#[test]
fn volumes_and_files_become_claims_and_config_maps_that_pods_name() {
    let all = run("render", "storage", &[]);
    let kinds = ["StorageClass", "PersistentVolumeClaim", "ConfigMap", "RayCluster"];
    insta::assert_snapshot!(kinds.map(|kind| rendered(&all, kind)).join("\n---\n"));
    let other = run("render", "storage", &[("1e-5", "2e-5")]);
    assert_ne!(rendered(&all, "ConfigMap"), rendered(&other, "ConfigMap"));
    assert_ne!(rendered(&all, "RayCluster"), rendered(&other, "RayCluster"), "pods follow other content");
}

#[test]
fn a_slip_in_storage_is_told_where_it_stands() {
    let big = format!("\"{}\"", "x".repeat((1 << 20) + 1));
    let edits = [
        ("claim = \"models-ro\"", "claim = \"models-ro\"\n  size = \"1Gi\""),
        ("hyperdisk-balanced", "hyperdisk-balance"),
        ("\"dpo.yaml\"", "\"../dpo.yaml\""),
        ("manage = false", "manage = false\n  files = {}"),
        ("config_files = config_files.recipes", "config_files = volume.notes"),
    ];
    insta::assert_snapshot!(run("validate", "storage", &edits));
    let told = run("validate", "storage", &[("\"lr: 1e-5\\n\"", &big)]);
    assert!(told.contains("at most 1 MiB"), "{}", &told[..told.len().min(2000)]);
}
