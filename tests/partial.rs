//! Plans for a part of a stack, through the binary: what is written holds together, and the rest stays as it is.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use regex::Regex;
use serde_json::Value;

/// A stack in which blocks need each other in every way: by attribute, through a local value, by `depends_on`, and as
/// instances; one ConfigMap is for two jobs.
const STACK: &str = r#"
stack "s" {
  ray_version      = "2.60.0"
  kuberay_version  = "1.6.2"
  namespace        = "ml"
  create_namespace = true
}

cluster "c" {
  project  = "demo"
  location = "us-east5"
  version  = "1.35"
  manage   = true
}

locals {
  store = { runs = "gs://${bucket.b.name}/runs" }
  runs  = local.store.runs
}

slice "s" {
  for_each    = { a = "4x4", b = "4x8" }
  cluster     = cluster.c
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = each.value
}

bucket "b" {
  name = "demo-b"
}

service_account "team" {}

config_files "prompts" {
  files = { "a.txt" = "one" }
}

train "x" {
  for_each              = { a = 1, b = 2 }
  slice                 = slice.s[each.key]
  framework             = "jax"
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train"
  service_account       = service_account.team
  storage_path          = local.runs
  mount "prompts" {
    config_files = config_files.prompts
    path         = "/prompts"
  }
}

ray_cluster "free" {
  image      = "example/ray:1"
  depends_on = [bucket.b]
}
"#;

/// The blocks that make something.
const TARGETS: &[&str] = &[
    "cluster.c",
    "slice.s",
    "slice.s[\"a\"]",
    "bucket.b",
    "service_account.team",
    "config_files.prompts",
    "train.x",
    "train.x[\"a\"]",
    "train.x[\"b\"]",
    "ray_cluster.free",
    "stack.s",
];

struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = Self { dir: tempfile::tempdir().unwrap() };
        folder.write(STACK);
        folder
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn write(&self, stack: &str) {
        fs::write(self.path("s.stack.hcl"), stack).unwrap();
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }

    fn says(&self, code: i32, args: &[&str]) -> (String, String) {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(self.dir.path()).env_clear().args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
        (out, err)
    }

    /// The exit code alone.
    fn says_any(&self, args: &[&str]) -> i32 {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        command.current_dir(self.dir.path()).env_clear().args(args).output().unwrap().status.code().unwrap()
    }

    fn apply(&self, more: &[&str]) -> String {
        self.says(0, &[&["apply", "--auto-approve"], more].concat()).0
    }

    fn inventory(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path("rendered/s/.sliceform.json")).unwrap()).unwrap()
    }

    /// Every rendered file with its text; not the inventory and the lock.
    fn files(&self) -> BTreeMap<String, String> {
        let root = self.path("rendered/s");
        let entries = walkdir::WalkDir::new(&root).into_iter().filter_map(Result::ok);
        let files = entries.filter(|entry| entry.file_type().is_file());
        files
            .map(|entry| {
                let name = entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                (name, fs::read_to_string(entry.path()).unwrap())
            })
            .filter(|(name, _)| !name.starts_with(".sliceform"))
            .collect()
    }

    /// What a controller and Terraform would need of the folder.
    fn holds_together(&self, what: &str) {
        let files = self.files();
        if files.is_empty() {
            assert!(!self.path("rendered/s").exists(), "{what}");
            return;
        }
        let ends = |name: &str, end: &str| name.ends_with(end) && name.contains('/');
        let yaml: BTreeSet<String> = files.keys().filter(|name| ends(name, ".yaml")).cloned().collect();
        let listed = files["kustomization.yaml"].lines().filter_map(|line| line.strip_prefix("- ").map(str::to_owned));
        assert_eq!(listed.collect::<BTreeSet<_>>(), yaml, "{what}: kustomization.yaml");
        let inventory = self.inventory();
        let owned: BTreeSet<&str> = inventory["files"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(owned, files.keys().map(String::as_str).collect(), "{what}: the inventory");
        assert_eq!(inventory["applying"], false, "{what}");

        let all: String = files.values().map(String::as_str).collect();
        let resource = Regex::new(r"\b(google_\w+)\.(\w+)\.").unwrap();
        for found in resource.captures_iter(&all) {
            let declared = format!("\"{}\" \"{}\"", &found[1], &found[2]);
            assert!(all.contains(&declared), "{what}: nothing declares {declared}");
        }
        for (field, kind) in [("serviceAccountName: ", "serviceaccount"), ("configMap:\n *name: ", "configmap")] {
            for found in Regex::new(&format!("{field}(\\S+)")).unwrap().captures_iter(&all) {
                let file = format!("core/{kind}-{}.yaml", &found[1]);
                assert!(yaml.contains(&file), "{what}: {file} is missing");
            }
        }
        if !yaml.is_empty() {
            assert!(yaml.contains("core/namespace-ml.yaml"), "{what}: no namespace");
        }
    }
}

/// The stack after edits of every kind.
fn edited() -> String {
    let text = STACK.replace("\"one\"", "\"two\"").replace("example/ray:1", "example/ray:2");
    let text = text.replace("demo-b", "demo-c").replace("a = \"4x4\"", "a = \"8x8\"");
    text.replace("service_account       = service_account.team\n", "").replace("service_account \"team\" {}", "")
}

/// What a directory holds where the whole stack was applied at once.
fn whole(stack: &str) -> BTreeMap<String, String> {
    let folder = Folder::new();
    folder.write(stack);
    folder.apply(&[]);
    folder.holds_together("the whole");
    folder.files()
}

#[test]
fn each_block_comes_with_what_it_needs_and_the_rest_comes_later() {
    let whole = whole(STACK);
    for target in TARGETS {
        let folder = Folder::new();
        let (out, err) = folder.says(0, &["plan", "--target", target]);
        assert!(err.contains("part of the stack"), "{err}");
        assert!(out.contains("only for"), "{out}");
        folder.apply(&["--target", target]);
        folder.holds_together(target);
        let files = folder.files();
        let own = |name: &str| name == "kustomization.yaml";
        assert!(files.iter().all(|(name, text)| own(name) || whole[name] == *text), "{target}");
        assert!(files.len() < whole.len(), "{target}");
        assert_eq!(folder.says(0, &["plan", "--target", target, "--detailed-exitcode"]).0.lines().count(), 1);
        folder.says(2, &["plan", "--detailed-exitcode"]);
        folder.apply(&[]);
        assert_eq!(folder.files(), whole, "{target}");
    }
}

#[test]
fn each_part_of_a_change_leaves_a_directory_that_holds_together() {
    let after = whole(&edited());
    for target in TARGETS {
        let folder = Folder::new();
        folder.apply(&[]);
        folder.write(&edited());
        folder.apply(&["--target", target]);
        folder.holds_together(target);
        folder.apply(&[]);
        assert_eq!(folder.files(), after, "{target}");
    }
    // One after the other, in any order, they add up.
    let folder = Folder::new();
    folder.apply(&[]);
    folder.write(&edited());
    for target in TARGETS.iter().rev() {
        folder.apply(&["--target", target]);
        folder.holds_together(target);
    }
    folder.apply(&[]);
    assert_eq!(folder.files(), after);
}

#[test]
fn a_part_is_what_it_needs_and_no_more() {
    let planned = |target: &str| -> BTreeSet<String> {
        let folder = Folder::new();
        let plan: Value = serde_json::from_str(&folder.says(0, &["plan", "--json", "--target", target]).0).unwrap();
        assert_eq!(plan["targets"][0], target);
        let steps = plan["steps"].as_array().unwrap().iter().filter(|step| !step["object"].is_null());
        steps.map(|step| step["address"].as_str().unwrap().to_owned()).collect()
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let train = ["bucket.b", "cluster.c", "config_files.prompts", "service_account.team", "stack.s"];
    assert_eq!(planned("train.x[\"a\"]"), set(&[&train[..], &["slice.s[\"a\"]", "train.x[\"a\"]"]].concat()));
    let both = ["slice.s[\"a\"]", "slice.s[\"b\"]", "train.x[\"a\"]", "train.x[\"b\"]"];
    assert_eq!(planned("train.x"), set(&[&train[..], &both].concat()));
    assert_eq!(planned("slice.s[\"b\"]"), set(&["cluster.c", "slice.s[\"b\"]"]));
    assert_eq!(planned("config_files.prompts"), set(&["config_files.prompts", "stack.s"]));
    assert!(planned("ray_cluster.free").contains("bucket.b"));
}

#[test]
fn what_others_still_need_stays_until_they_change_too() {
    let folder = Folder::new();
    folder.apply(&[]);
    folder.write(&STACK.replace("\"one\"", "\"two\""));
    let old: Vec<String> = folder.files().into_keys().filter(|name| name.contains("configmap-prompts")).collect();
    let (_, err) = folder.says(0, &["apply", "--auto-approve", "--target", "train.x[\"a\"]"]);
    let flat = err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains(&format!("{} stays: kuberay/rayjob-x-b", old[0])), "{err}");
    folder.holds_together("the other job");
    assert_eq!(folder.files().keys().filter(|name| name.contains("configmap-prompts")).count(), 2);
    folder.apply(&["--target", "train.x[\"b\"]"]);
    folder.holds_together("both jobs");
    assert_eq!(folder.files().keys().filter(|name| name.contains("configmap-prompts")).count(), 1);
}

#[test]
fn a_block_that_the_stack_lost_can_be_a_target() {
    let folder = Folder::new();
    folder.apply(&[]);
    let (before, after) = STACK.split_once("ray_cluster \"free\"").unwrap();
    assert!(after.trim_end().ends_with('}'));
    folder.write(&before.replace("\"one\"", "\"two\""));
    let out = folder.apply(&["--target", "ray_cluster.free"]);
    assert!(out.contains("0 to add, 0 to change, 0 to replace, 1 to destroy"), "{out}");
    folder.holds_together("the cluster is gone");
    let (out, _) = folder.says(3, &["plan", "--detailed-exitcode"]);
    assert!(out.contains("3 to replace, 2 to destroy") && !out.contains("RayCluster"), "{out}");
}

#[test]
fn a_block_of_another_name_keeps_its_object() {
    let folder = Folder::new();
    folder.write(&STACK.replace("ray_cluster \"free\" {", "ray_cluster \"free\" {\n  name = \"fixed\""));
    folder.apply(&[]);
    let before = folder.files();
    folder.edit("s.stack.hcl", "ray_cluster \"free\"", "ray_cluster \"liberty\"");
    // The directory still knows the old name; the object is the new block's.
    for target in ["ray_cluster.free", "ray_cluster.liberty", "ray_cluster.free"] {
        if folder.says_any(&["plan", "--target", target]) == 0 {
            folder.apply(&["--target", target]);
        }
        folder.holds_together(target);
        assert_eq!(folder.files().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{target}");
    }
    folder.edit("s.stack.hcl", "ray_cluster \"liberty\"", "ray_cluster \"third\"");
    folder.says(0, &["destroy", "--auto-approve", "--target", "ray_cluster.third"]);
    folder.holds_together("by its new name");
    assert!(!folder.files().keys().any(|name| name.contains("raycluster")));
}

#[test]
fn what_moved_moves_as_a_whole() {
    let folder = Folder::new();
    folder.apply(&[]);
    let moved = STACK.replace("cluster \"c\"", "cluster \"d\"").replace("= cluster.c\n", "= cluster.d\n")
        + "moved {\n  from = cluster.c\n  to   = cluster.d\n}\n";
    folder.write(&moved);
    let before = folder.files();
    for target in ["cluster.d", "slice.s[\"a\"]"] {
        let (_, err) = folder.says(1, &["apply", "--auto-approve", "--target", target]);
        let flat = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("Add --target 'slice.s["), "{target}: {err}");
    }
    folder.says(1, &["plan", "--target", "cluster.c"]);
    assert_eq!(folder.files(), before);
    folder.apply(&["--target", "slice.s"]);
    folder.holds_together("the slices, with their cluster");
    folder.apply(&[]);
    assert_eq!(folder.files(), whole(&moved));
}

#[test]
fn hand_edits_outside_of_the_part_stay_as_they_are() {
    let folder = Folder::new();
    folder.apply(&[]);
    let edited = "rendered/s/core/serviceaccount-team.yaml";
    folder.edit(edited, "kind: ServiceAccount", "kind: ServiceAccount # mine");
    fs::remove_file(folder.path("rendered/s/kuberay/raycluster-free.yaml")).unwrap();
    folder.edit("s.stack.hcl", "topology    = each.value", "topology    = each.value\n  labels = { team = \"x\" }");
    let (_, err) = folder.says(0, &["apply", "--auto-approve", "--target", "slice.s"]);
    assert!(err.contains("Add --target 'ray_cluster.free'"), "{err}");
    assert!(fs::read_to_string(folder.path(edited)).unwrap().contains("# mine"));
    // What someone removed is not listed for the controller, which would fail on it, and is not forgotten.
    let list = fs::read_to_string(folder.path("rendered/s/kustomization.yaml")).unwrap();
    assert!(list.contains("serviceaccount-team") && !list.contains("raycluster-free"), "{list}");
    let (out, _) = folder.says(0, &["plan"]);
    assert!(out.contains("someone removed the file") && out.contains("someone changed the file by hand"), "{out}");
    folder.apply(&[]);
    folder.holds_together("the whole again");
}

#[test]
fn a_part_goes_with_what_needs_it() {
    let folder = Folder::new();
    folder.apply(&[]);
    let (out, err) = folder.says(0, &["destroy", "--auto-approve", "--target", "slice.s[\"a\"]"]);
    assert!(err.contains("what needs that: train.x[\"a\"]"), "{err}");
    assert!(out.contains("Chips: 48 -> 32."), "{out}");
    folder.holds_together("slice a is gone");
    let left = folder.files();
    assert!(left.keys().any(|name| name.contains("rayjob-x-b")) && !left.keys().any(|name| name.contains("x-a")));
    folder.apply(&[]);
    for target in TARGETS {
        folder.says(0, &["destroy", "--auto-approve", "--target", target]);
        folder.holds_together(target);
        folder.apply(&[]);
    }
    for target in TARGETS {
        folder.says(0, &["destroy", "--auto-approve", "--target", target]);
    }
    assert!(!folder.path("rendered/s").exists(), "all of it is gone");
}

#[test]
fn chips_count_what_is_there_and_what_comes() {
    let folder = Folder::new();
    assert!(folder.apply(&["--target", "slice.s[\"a\"]"]).contains("Chips: 0 -> 16."));
    assert!(folder.apply(&["--target", "train.x[\"a\"]"]).contains("Chips: 16."));
    assert!(folder.apply(&["--target", "train.x[\"b\"]"]).contains("Chips: 16 -> 48."));
    assert!(folder.apply(&["--target", "ray_cluster.free"]).contains("Chips: 48."));
    assert_eq!(folder.inventory()["chips"], 48);
}

#[test]
fn an_unknown_target_is_an_error_with_the_nearest() {
    let folder = Folder::new();
    for (target, says) in [
        ("trian.x", "Did you mean \"train.x"),
        ("train.x[\"c\"]", "There is no train.x[\"c\"]"),
        ("train.x[0]", "There is no train.x[0]"),
    ] {
        let (_, err) = folder.says(1, &["plan", "--target", target]);
        let flat = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(says), "{target}: {err}");
    }
    for wrong in ["train", "train.x.y", "", "train.x[a]"] {
        let (_, err) = folder.says(64, &["apply", "--auto-approve", "--target", wrong]);
        assert!(err.contains("--target"), "{wrong}: {err}");
    }
    assert!(!folder.path("rendered").exists());
}

#[test]
fn after_a_cut_short_apply_a_part_counts_what_is_on_the_disk() {
    let folder = Folder::new();
    folder.apply(&["--target", "train.x[\"a\"]"]);
    // As an apply of the whole leaves it that was killed: what comes is listed, some of it is there.
    let done = Folder::new();
    done.apply(&[]);
    let mut listed = done.inventory();
    listed["applying"] = true.into();
    listed["files"]["kustomization.yaml"] = folder.inventory()["files"]["kustomization.yaml"].clone();
    fs::write(folder.path("rendered/s/.sliceform.json"), listed.to_string()).unwrap();
    let written = "gke/nodepool-s-b-v6e-4x8-0.tf";
    fs::write(folder.path("rendered/s").join(written), &done.files()[written]).unwrap();
    folder.apply(&["--target", "bucket.b"]);
    folder.holds_together("the part");
    assert!(folder.files().contains_key(written));
    folder.apply(&[]);
    assert_eq!(folder.files(), done.files());
}

#[test]
fn a_saved_plan_for_a_part_is_for_that_part() {
    let folder = Folder::new();
    folder.says(0, &["plan", "--target", "cluster.c", "--out", "p.plan"]);
    assert!(folder.says(0, &["show", "p.plan"]).0.contains("only for cluster.c"));
    let (_, err) = folder.says(64, &["apply", "p.plan", "--target", "cluster.c"]);
    assert!(err.contains("--target does not go with a saved plan"), "{err}");
    let text = fs::read_to_string(folder.path("p.plan")).unwrap();
    let mut plan: Value = serde_json::from_str(&text).unwrap();
    plan.as_object_mut().unwrap().shift_remove("digest");
    for target in ["slice.s", "nothing"] {
        plan["targets"] = serde_json::json!([target]);
        let body = format!("{plan:#}\n");
        let rest = body.strip_prefix("{\n").unwrap();
        let digest = sliceform::plan::inventory::digest(rest.as_bytes());
        fs::write(folder.path("q.plan"), format!("{{\n  \"digest\": \"{digest}\",\n{rest}")).unwrap();
        folder.says(4, &["apply", "q.plan"]);
    }
    assert!(!folder.path("rendered").exists());
    folder.says(0, &["apply", "p.plan"]);
    assert_eq!(folder.files().len(), 4);
}
