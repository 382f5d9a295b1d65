//! `depends_on` and `lifecycle` through the binary: order, protection, fields that stay, and what follows what.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

struct Park {
    dir: tempfile::TempDir,
}

impl Park {
    /// The park stack with more in two of its blocks.
    fn with(serve: &str, slice: &str) -> Self {
        let park = Self { dir: tempfile::tempdir().unwrap() };
        let text = fs::read_to_string("stacks/park.stack.hcl").unwrap();
        let text = text.replace("serve \"chat\" {\n", &format!("serve \"chat\" {{\n{serve}\n"));
        let text = text.replace("slice \"v6e\" {\n", &format!("slice \"v6e\" {{\n{slice}\n"));
        fs::write(park.path("park.stack.hcl"), text).unwrap();
        fs::copy("stacks/park.vars.hcl", park.path("park.vars.hcl")).unwrap();
        park
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path("rendered/park").join(file)).unwrap()
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(self.path(file), text.replace(from, to)).unwrap();
    }

    /// Standard output and error of a run that ends with `code`.
    fn says(&self, code: i32, args: &[&str]) -> String {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(self.dir.path()).env_clear().args(args).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{text}");
        text
    }
}

const SERVICE: &str = "kuberay/rayservice-chat.yaml";

#[test]
fn what_a_block_depends_on_comes_first_and_stands_on_its_objects() {
    let park = Park::with("  depends_on = [train.dpo]", "  depends_on = [cluster.tpu]");
    let plan = park.says(0, &["apply", "--auto-approve"]);
    let at = |text: &str| plan.find(text).unwrap();
    assert!(at("RayJob ml/dpo") < at("RayService ml/chat"), "{plan}");
    assert!(park.read(SERVICE).contains("    sliceform.dev/depends-on: train.dpo\n"));
    assert!(park.read("gke/nodepool-v6e-4x4-0.tf").contains("depends_on        = [google_container_cluster.tpu]\n"));
}

#[test]
fn blocks_that_come_before_each_other_are_one_error_with_the_chain() {
    let park = Park::with("", "  depends_on = [serve.chat]");
    let text = park.says(1, &["validate"]);
    assert!(text.contains("slice.v6e comes after serve.chat comes after slice.v6e."), "{text}");
    let park = Park::with("  depends_on = [\"train.dpo\"]", "");
    assert!(park.says(1, &["validate"]).contains("`depends_on = [train.dpo]`"), "strings are no blocks");
}

#[test]
fn a_protected_block_is_neither_replaced_nor_destroyed() {
    let park = Park::with("", "  lifecycle {\n    prevent_destroy = true\n  }");
    park.says(0, &["apply", "--auto-approve"]);
    assert!(park.read("gke/nodepool-v6e-4x4-0.tf").contains("    prevent_destroy = true\n"));
    park.edit("park.stack.hcl", "num_slices  = 2", "num_slices  = 3");
    park.says(0, &["plan"]);
    park.edit("park.stack.hcl", "num_slices  = 3", "num_slices  = 2");
    park.edit("park.stack.hcl", "capacity \"reservation\" {\n    name = \"ml-v6e\"\n  }", "capacity \"spot\" {}");
    let text = park.says(1, &["plan"]);
    assert!(text.contains("error[prevent-destroy]") && text.contains("can't change in place"), "{text}");
    park.edit("park.stack.hcl", "capacity \"spot\" {}", "capacity \"reservation\" {\n    name = \"ml-v6e\"\n  }");
    let before = park.read(SERVICE);
    let text = park.says(1, &["destroy", "--auto-approve"]);
    assert!(text.contains("error[prevent-destroy]"), "{text}");
    assert_eq!(park.read(SERVICE), before, "nothing was touched");
    park.edit("park.stack.hcl", "prevent_destroy = true", "prevent_destroy = false");
    park.says(0, &["destroy", "--auto-approve"]);
}

#[test]
fn an_ignored_field_stays_as_the_directory_has_it() {
    let ignore = "  lifecycle {\n    ignore_changes = [\"spec.rayClusterConfig.workerGroupSpecs[v6e].replicas\"]\n  }";
    let park = Park::with(ignore, "");
    park.says(0, &["apply", "--auto-approve"]);
    park.edit(&format!("rendered/park/{SERVICE}"), "  replicas: 1", "  replicas: 7");
    let text = park.says(0, &["plan"]);
    assert!(text.contains("No object changes"), "{text}");
    park.edit("park.stack.hcl", "max_model_len          = 8192", "max_model_len          = 4096");
    park.says(0, &["apply", "--auto-approve"]);
    let service = park.read(SERVICE);
    assert!(service.contains("  replicas: 7") && service.contains("max_model_len: 4096"), "{service}");
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."));
}

#[test]
fn what_a_trigger_changes_is_made_anew() {
    let park = Park::with("  lifecycle {\n    replace_triggered_by = [slice.v6e]\n  }", "");
    park.edit(
        "park.stack.hcl",
        "train \"dpo\" {",
        "train \"dpo\" {\n  lifecycle {\n    replace_triggered_by = [slice.v6e]\n  }",
    );
    park.says(0, &["apply", "--auto-approve"]);
    park.edit("park.stack.hcl", "num_slices  = 2", "num_slices  = 2\n  labels = { team = \"ml\" }");
    let text = park.says(0, &["plan"]);
    assert!(text.contains("serve.chat: RayService ml/chat must be replaced"), "{text}");
    assert!(text.contains("delete the RayService"), "{text}");
    assert!(text.contains("train.dpo: RayJob ml/dpo-"), "a run-once job gets another name: {text}");
}
