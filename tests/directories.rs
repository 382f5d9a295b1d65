//! Directories beside each other: whose they are, what is left behind, where links lead.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    /// A stack with one bucket's worth of content: a ConfigMap in a namespace.
    fn stack(&self, name: &str, more: &str, namespace: &str) {
        let text = format!(
            "stack \"{name}\" {{\n  namespace = \"{namespace}\"\n{more}}}\n\ncluster \"c\" {{\n  project  = \"demo\"\n  location = \"us-east5\"\n}}\n\nmanifest \"m\" {{\n  object = {{ apiVersion = \"v1\", kind = \"ConfigMap\", metadata = {{ name = \"shared\" }}, data = {{}} }}\n}}\n"
        );
        fs::write(self.path(&format!("{name}.stack.hcl")), text).unwrap();
    }

    fn says(&self, code: i32, args: &[&str]) -> String {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(self.0.path()).env_clear().args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{text}");
        // Messages are wrapped to the width of a screen.
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn apply(&self, args: &[&str]) {
        self.says(0, &[&["apply", "--auto-approve"], args].concat());
    }
}

#[test]
fn a_folder_whose_stack_is_gone_is_told_and_destroyed() {
    let folder = Folder::new();
    folder.stack("old", "", "a");
    folder.stack("new", "", "b");
    folder.apply(&["old.stack.hcl"]);
    folder.apply(&["new.stack.hcl"]);
    assert!(!folder.says(0, &["validate"]).contains("orphaned"));
    let refused = folder.says(1, &["destroy", "rendered/old", "--auto-approve"]);
    assert!(
        refused.contains("belongs to a stack") && refused.contains("sliceform destroy ./old.stack.hcl")
            || refused.contains("sliceform destroy old.stack.hcl"),
        "{refused}"
    );
    fs::remove_file(folder.path("old.stack.hcl")).unwrap();
    for command in [&["validate"][..], &["plan", "new.stack.hcl"]] {
        let said = folder.says(0, command);
        assert!(
            said.contains("No stack owns rendered/old any more") && said.contains("sliceform destroy rendered/old"),
            "{said}"
        );
    }
    assert!(folder.says(1, &["validate", "--strict"]).contains("error[orphaned-directory]"));
    // The one that takes it over does not hear of it.
    folder.stack("new", "  renamed_from = \"old\"\n", "b");
    assert!(!folder.says(0, &["validate"]).contains("orphaned"));
    folder.stack("new", "", "b");
    folder.says(0, &["destroy", "rendered/old", "--auto-approve"]);
    assert!(!folder.path("rendered/old/kustomization.yaml").exists() && folder.path("rendered/new").exists());
    assert!(!folder.says(0, &["validate"]).contains("orphaned"));
}

#[test]
fn what_environments_leave_behind_is_told() {
    let folder = Folder::new();
    folder.stack("s", "", "a");
    folder.apply(&["s.stack.hcl"]);
    fs::write(folder.path("s.dev.vars.hcl"), "").unwrap();
    let said = folder.says(0, &["validate"]);
    assert!(said.contains("No stack owns rendered/s any more") && said.contains("has environments now"), "{said}");
    folder.says(0, &["destroy", "rendered/s", "--auto-approve"]);
    folder.apply(&["s.stack.hcl"]);
    fs::rename(folder.path("s.dev.vars.hcl"), folder.path("s.prod.vars.hcl")).unwrap();
    let said = folder.says(0, &["validate"]);
    assert!(said.contains("No stack owns rendered/s/dev any more"), "{said}");
    folder.says(0, &["destroy", "rendered/s/dev", "--auto-approve"]);
    assert!(!folder.says(0, &["validate"]).contains("orphaned"));
}

#[test]
fn folders_in_each_other_and_objects_of_two_stacks_are_refused() {
    let folder = Folder::new();
    folder.stack("outer", "", "a");
    folder.stack("inner", "  deploy \"directory\" {\n    path = \"rendered/outer\"\n  }\n", "b");
    let said = folder.says(1, &["validate"]);
    assert!(said.contains("Two stacks would own the same files"), "{said}");
    folder.apply(&["outer.stack.hcl"]);
    let said = folder.says(1, &["plan", "inner.stack.hcl"]);
    assert!(said.contains("rendered/outer belongs to outer"), "{said}");
    assert!(!folder.path("rendered/outer/inner").exists());
    // The same object of one cluster; in another namespace it is another one.
    folder.stack("inner", "", "a");
    let said = folder.says(1, &["validate"]);
    assert!(said.contains("ConfigMap \"shared\" in the namespace a") && said.contains("outer"), "{said}");
    folder.stack("inner", "", "b");
    folder.says(0, &["validate"]);
    // A node pool has one name in its cluster, whatever Terraform calls it in each folder.
    let slice = |name: &str, slice: &str| {
        let path = folder.path(&format!("{name}.stack.hcl"));
        let text = fs::read_to_string(&path).unwrap();
        let (accelerator, zone) = ("accelerator = \"v6e\"\n  topology = \"2x2\"", "zone = \"us-east5-b\"");
        let block = format!("\nslice \"{slice}\" {{\n  cluster = cluster.c\n  {accelerator}\n  {zone}\n}}\n");
        fs::write(path, text + &block).unwrap();
    };
    slice("outer", "train");
    slice("inner", "serve");
    folder.says(0, &["validate"]);
    slice("inner", "train");
    let said = folder.says(1, &["validate"]);
    assert!(said.contains("google_container_node_pool \"train-v6e-2x2") && said.contains("it exists"), "{said}");
}

#[test]
fn git_must_see_what_is_rendered() {
    let folder = Folder::new();
    fs::create_dir(folder.path(".git")).unwrap();
    folder.stack("s", "", "a");
    assert!(!folder.says(0, &["validate"]).contains("Git ignores"));
    fs::write(folder.path(".gitignore"), "rendered/\n").unwrap();
    assert!(folder.says(0, &["validate"]).contains("Git ignores rendered/s"));
    folder.apply(&["s.stack.hcl"]);
    assert!(folder.says(0, &["plan", "s.stack.hcl"]).contains("Git ignores rendered/s"));
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_out_of_the_folder() {
    let (folder, elsewhere) = (Folder::new(), Folder::new());
    folder.stack("s", "", "a");
    let link = |at: &str| std::os::unix::fs::symlink(elsewhere.0.path(), folder.path(at)).unwrap();
    link("rendered");
    let said = folder.says(1, &["apply", "--auto-approve", "s.stack.hcl"]);
    assert!(said.contains("rendered is a link"), "{said}");
    fs::remove_file(folder.path("rendered")).unwrap();
    fs::create_dir(folder.path("rendered")).unwrap();
    link("rendered/s");
    folder.says(1, &["apply", "--auto-approve", "s.stack.hcl"]);
    fs::remove_file(folder.path("rendered/s")).unwrap();
    fs::create_dir(folder.path("rendered/s")).unwrap();
    link("rendered/s/core");
    folder.says(1, &["apply", "--auto-approve", "s.stack.hcl"]);
    assert_eq!(fs::read_dir(elsewhere.0.path()).unwrap().count(), 0);
    assert!(Path::new(&folder.path("rendered/s")).exists());
}

#[test]
fn a_folder_of_a_stack_that_is_there_is_destroyed_by_its_stack_alone() {
    let folder = Folder::new();
    fs::create_dir(folder.path("a")).unwrap();
    folder.stack("deep", "  deploy \"directory\" {\n    path = \"a/out\"\n  }\n", "a");
    folder.apply(&["deep.stack.hcl"]);
    folder.stack("leaf", "  deploy \"directory\" {\n    path = \"out\"\n  }\n", "b");
    fs::rename(folder.path("leaf.stack.hcl"), folder.path("a/leaf.stack.hcl")).unwrap();
    folder.apply(&["a/leaf.stack.hcl"]);
    assert!(!folder.says(0, &["validate"]).contains("orphaned"));
    let whole = folder.path("a/out/deep/");
    for args in [
        &["destroy", "a/out/deep"][..],
        &["destroy", "./a/../a/out/deep/"],
        &["destroy", whole.to_str().unwrap()],
        &["--chdir", "a/out", "destroy", "deep"],
        &["--chdir", "a/out/deep", "destroy", "."],
    ] {
        let said = folder.says(1, &[args, &["--auto-approve"]].concat());
        assert!(said.contains("belongs to a stack") && said.contains("deep.stack.hcl"), "{said}");
    }
    assert!(folder.path("a/out/deep/kustomization.yaml").exists());
}

#[cfg(unix)]
#[test]
fn what_is_left_behind_is_not_destroyed_through_a_link() {
    for (from, to) in [("rendered", "rendered"), ("rendered/old", "rendered/old")] {
        let (folder, elsewhere) = (Folder::new(), Folder::new());
        folder.stack("old", "", "a");
        folder.apply(&["old.stack.hcl"]);
        fs::remove_file(folder.path("old.stack.hcl")).unwrap();
        fs::rename(folder.path(from), elsewhere.path("moved")).unwrap();
        std::os::unix::fs::symlink(elsewhere.path("moved"), folder.path(to)).unwrap();
        for dir in ["rendered/old", "rendered/old/"] {
            assert!(folder.says(1, &["destroy", dir, "--auto-approve"]).contains("is a link"));
        }
        let kept = if from == "rendered" { "moved/old/kustomization.yaml" } else { "moved/kustomization.yaml" };
        assert!(elsewhere.path(kept).exists());
    }
}
