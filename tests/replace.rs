//! `--replace`, through the binary: what a folder cannot say is said to the reader, or refused.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use assert_cmd::Command;
use serde_json::Value;

/// The park stack, applied, in a folder of its own.
struct Park {
    dir: tempfile::TempDir,
}

impl Park {
    fn new() -> Self {
        let park = Self { dir: tempfile::tempdir().unwrap() };
        for file in ["park.stack.hcl", "park.vars.hcl"] {
            fs::copy(Path::new("stacks").join(file), park.path(file)).unwrap();
        }
        park.says(0, &["apply", "--auto-approve"]);
        park
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }

    /// Standard output, and both without line breaks.
    fn says(&self, code: i32, args: &[&str]) -> (String, String) {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(self.dir.path()).env_clear().args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
        let flat = format!("{out} {err}").split_whitespace().collect::<Vec<_>>().join(" ");
        (out, flat)
    }

    /// When each object's file was written last.
    fn written(&self) -> BTreeMap<PathBuf, SystemTime> {
        let entries = walkdir::WalkDir::new(self.path("rendered")).min_depth(3).into_iter().filter_map(Result::ok);
        entries.map(|entry| (entry.path().to_owned(), entry.metadata().unwrap().modified().unwrap())).collect()
    }
}

const BOTH: [&str; 4] = ["--replace", "serve.chat", "--replace", "slice.v6e"];

#[test]
fn what_keeps_its_name_is_replaced_by_a_command_that_the_plan_names() {
    let park = Park::new();
    let (out, _) = park.says(3, &[&["plan", "--detailed-exitcode"][..], &BOTH].concat());
    for says in [
        "will be replaced: that was asked for",
        "# to be run by you: kubectl delete rayservice chat --namespace ml",
        "# to be run by you: terraform apply -replace=module.NAME.google_container_node_pool.v6e_4x4_0",
        "Plan: 0 to add, 0 to change, 3 to replace, 0 to destroy.",
    ] {
        assert!(out.contains(says), "{says}: {out}");
    }
    let (json, _) = park.says(0, &[&["plan", "--json"][..], &BOTH].concat());
    let plan: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(plan["replaces"], serde_json::json!(["serve.chat", "slice.v6e"]));
    let step = plan["steps"].as_array().unwrap().iter().find(|step| step["address"] == "serve.chat").unwrap();
    assert_eq!((&step["action"], &step["because"]["reason"]), (&"replace".into(), &"requested".into()));
    assert_eq!(step["before_digest"], step["after_digest"]);

    let (_, flat) = park.says(1, &[&["apply", "--auto-approve=create,update"][..], &BOTH].concat());
    assert!(flat.contains("The plan would replace something"), "{flat}");
    let before = park.written();
    let (_, flat) = park.says(0, &[&["apply", "--auto-approve"][..], &BOTH].concat());
    for says in [
        "Done: 0 files",
        "run terraform apply -replace=module.NAME.google_container_node_pool.v6e_4x4_0 -replace=module.NAME.google_container_node_pool.v6e_4x4_1 (NAME: what the call is named)",
        "To replace, run, and apply the folder again unless a controller does: kubectl delete rayservice chat --namespace ml",
    ] {
        assert!(flat.contains(says), "{says}: {flat}");
    }
    assert!(!flat.contains("commit the folder") && !flat.contains("left the folder"), "{flat}");
    assert!(park.written() == before, "nothing was to be written");
    park.says(0, &["plan", "--detailed-exitcode"]);
}

#[test]
fn a_replacement_of_what_changes_too_writes_it() {
    let park = Park::new();
    park.edit("park.stack.hcl", "max_model_len          = 8192", "max_model_len          = 4096");
    let (out, _) = park.says(0, &["plan", "--replace", "serve.chat"]);
    assert!(out.contains("-/+ serve.chat") && out.contains("4096"), "{out}");
    let (_, flat) = park.says(0, &["apply", "--auto-approve", "--replace", "serve.chat"]);
    assert!(flat.contains("Done: 1 file ") && flat.contains("run after that"), "{flat}");
    let service = "rendered/park/kuberay/rayservice-chat.yaml";
    assert!(fs::read_to_string(park.path(service)).unwrap().contains("4096"));

    park.edit(service, "4096", "1024");
    let (out, _) = park.says(0, &["plan", "--replace", "serve.chat"]);
    assert!(out.contains("what someone changed in the file by hand goes"), "{out}");
}

#[test]
fn a_job_that_runs_once_is_told_of_run() {
    let park = Park::new();
    let (_, flat) = park.says(1, &["plan", "--replace", "train.dpo"]);
    assert!(flat.contains("Give train \"dpo\" a `run` that it has not had, such as run = \"2\""), "{flat}");
    park.edit("park.stack.hcl", "train \"dpo\" {\n", "train \"dpo\" {\n  run = \"2\"\n");
    let (out, _) = park.says(0, &["plan", "--replace", "train.dpo"]);
    assert!(out.contains("1 to replace"), "{out}");
    let (_, flat) = park.says(0, &["apply", "--auto-approve", "--replace", "train.dpo"]);
    assert!(flat.contains("1 object left the folder"), "{flat}");
    // It has run that: the next run has another name again.
    park.says(1, &["plan", "--replace", "train.dpo"]);
}

#[test]
fn what_cannot_be_replaced_is_refused() {
    let park = Park::new();
    for (args, says) in [
        (&["--replace", "secret.hf"][..], "Nothing of secret.hf is replaced on request"),
        (&["--replace", "stack.park"], "Nothing of stack.park is replaced on request"),
        (&["--replace", "serve.cht"], "Did you mean \"serve.chat\"?"),
        (&["--replace", "serve.chat", "--target", "cluster.tpu"], "Nothing of serve.chat is replaced on request"),
    ] {
        let (_, flat) = park.says(1, &[&["plan"], args].concat());
        assert!(flat.contains(says), "{args:?}: {flat}");
    }
    park.says(64, &["plan", "--destroy", "--replace", "serve.chat"]);
    park.says(64, &["destroy", "--replace", "serve.chat"]);
    park.says(64, &["plan", "--replace", "serve"]);
    park.edit(
        "park.stack.hcl",
        "serve \"chat\" {\n",
        "serve \"chat\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n",
    );
    let (_, flat) = park.says(1, &["plan", "--replace", "serve.chat"]);
    assert!(flat.contains("It would be replaced"), "{flat}");
}

#[test]
fn a_saved_plan_keeps_what_shall_be_replaced() {
    let park = Park::new();
    park.says(0, &[&["plan", "--out", "p.plan"][..], &BOTH].concat());
    let (_, flat) = park.says(64, &["apply", "p.plan", "--replace", "serve.chat"]);
    assert!(flat.contains("--replace does not go with a saved plan"), "{flat}");
    assert!(park.says(0, &["show", "p.plan"]).0.contains("3 to replace"));
    let (_, flat) = park.says(0, &["apply", "p.plan"]);
    assert!(flat.contains("kubectl delete rayservice chat --namespace ml"), "{flat}");
}

#[test]
fn what_does_not_exist_yet_is_only_created() {
    let park = Park::new();
    park.says(0, &["destroy", "--auto-approve"]);
    let (out, _) = park.says(0, &["plan", "--replace", "serve.chat", "--replace", "train.dpo"]);
    assert!(out.contains("Plan: 10 to add, 0 to change, 0 to replace"), "{out}");
}
