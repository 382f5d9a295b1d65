//! `renamed_from` through the binary: the folder of the old name is taken over.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The park stack in a folder of its own, applied, and then called yard.
struct Yard {
    dir: tempfile::TempDir,
}

impl Yard {
    fn park() -> Self {
        let yard = Self { dir: tempfile::tempdir().unwrap() };
        for file in ["park.stack.hcl", "park.vars.hcl"] {
            fs::copy(PathBuf::from("stacks").join(file), yard.path(file)).unwrap();
        }
        yard
    }

    fn rename(&self) {
        for entry in fs::read_dir(self.dir.path()).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
            if let Some(rest) = name.strip_prefix("park.") {
                fs::rename(&entry, self.path(&format!("yard.{rest}"))).unwrap();
            }
        }
        self.edit("stack \"park\" {", "stack \"yard\" {\n  renamed_from = \"park\"");
    }

    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.path("yard.stack.hcl")).unwrap();
        assert!(text.contains(from), "no {from:?}");
        fs::write(self.path("yard.stack.hcl"), text.replace(from, to)).unwrap();
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("sliceform"));
        command.current_dir(self.dir.path()).env_clear().args(args);
        command
    }

    /// Standard output and error of a run that ends with `code`.
    fn says(&self, code: i32, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{text}");
        text
    }

    /// The files of the old folder and of the new one.
    fn files(&self) -> [usize; 2] {
        ["rendered/park", "rendered/yard"].map(|folder| {
            let all = walkdir::WalkDir::new(self.path(folder)).into_iter().filter_map(Result::ok);
            all.filter(|entry| entry.file_type().is_file()).count()
        })
    }
}

#[test]
fn objects_come_along_when_a_stack_is_renamed() {
    let yard = Yard::park();
    yard.says(0, &["apply", "--auto-approve"]);
    let [files, _] = yard.files();
    yard.rename();
    let text = yard.says(2, &["plan", "--detailed-exitcode"]);
    assert!(text.contains("The folder rendered/park of the old name is taken over, and goes (13 files)."), "{text}");
    assert!(text.contains("RayService ml/chat comes to this folder, and stays as it is"), "{text}");
    assert!(text.contains("0 to add, 0 to change, 0 to replace, 0 to destroy, 10 moved."), "{text}");
    let text = yard.says(0, &["apply", "--auto-approve=update"]);
    assert!(text.contains("The folder was rendered/park: point what applies it"), "{text}");
    assert_eq!(yard.files(), [0, files]);
    assert!(!yard.path("rendered/park").exists());
    let service = fs::read_to_string(yard.path("rendered/yard/kuberay/rayservice-chat.yaml")).unwrap();
    assert!(service.contains("sliceform.dev/stack: yard"), "{service}");
    assert!(yard.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."), "harmless afterwards");
}

#[test]
fn what_changes_at_the_same_time_is_told_as_it_is() {
    let yard = Yard::park();
    yard.says(0, &["apply", "--auto-approve"]);
    yard.rename();
    yard.edit("max_model_len          = 8192", "max_model_len          = 4096");
    yard.edit("num_slices  = 2", "num_slices  = 1");
    yard.edit("slice   = slice.v6e\n  runtime", "slice   = slice.v6e\n  num_slices = 1\n  runtime");
    yard.edit("train \"dpo\" {", "train \"dpo\" {\n  enabled = false");
    let text = yard.says(3, &["plan", "--detailed-exitcode"]);
    assert!(text.contains("max_model_len = 8192 -> 4096"), "{text}");
    assert!(text.contains("0 to add, 1 to change, 0 to replace"), "{text}");
    yard.says(0, &["apply", "--auto-approve"]);
    assert!(!yard.path("rendered/park").exists());
    assert!(yard.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."));
}

#[test]
fn a_claim_keeps_its_class_and_loses_nothing() {
    let yard = Yard::park();
    let text = fs::read_to_string(yard.path("park.stack.hcl")).unwrap();
    let volume = "volume \"scratch\" {\n  size      = \"10Gi\"\n  disk_type = \"hyperdisk-balanced\"\n}\n";
    fs::write(yard.path("park.stack.hcl"), format!("{text}\n{volume}")).unwrap();
    yard.says(0, &["apply", "--auto-approve"]);
    yard.rename();
    assert!(yard.says(0, &["plan"]).contains("0 to add, 0 to change, 0 to replace, 0 to destroy, 12 moved."));
    yard.says(0, &["apply", "--auto-approve"]);
    yard.edit("  renamed_from = \"park\"\n", "");
    let text = yard.says(3, &["plan", "--detailed-exitcode"]);
    assert!(text.contains("what lies in it is lost"), "{text}");
}

#[test]
fn each_environment_has_its_own_old_folder() {
    let yard = Yard::park();
    for env in ["dev", "prod"] {
        fs::write(yard.path(&format!("park.{env}.vars.hcl")), "").unwrap();
        yard.says(0, &["apply", "--env", env, "--auto-approve"]);
    }
    yard.rename();
    assert!(yard.says(0, &["apply", "--env", "dev", "--auto-approve"]).contains("10 moved."));
    assert!(!yard.path("rendered/park/dev").exists() && yard.path("rendered/park/prod/kustomization.yaml").exists());
    yard.says(0, &["apply", "--env", "prod", "--auto-approve"]);
    assert!(!yard.path("rendered/park").exists());
}

#[test]
fn what_cannot_be_meant_is_one_error() {
    let yard = Yard::park();
    yard.says(0, &["apply", "--auto-approve"]);
    yard.rename();
    let text = yard.says(1, &["plan", "--target", "serve.chat"]);
    assert!(text.contains("it is planned as a whole"), "{text}");
    fs::copy("stacks/park.stack.hcl", yard.path("park.stack.hcl")).unwrap();
    let text = yard.says(1, &["plan", "yard.stack.hcl"]);
    assert!(text.contains("The stack \"park\" is still there"), "{text}");
    fs::remove_file(yard.path("park.stack.hcl")).unwrap();
    yard.edit("renamed_from = \"park\"", "renamed_from = \"yard\"");
    assert!(yard.says(1, &["plan"]).contains("error[renamed-from]"));
    yard.edit("renamed_from = \"yard\"", "renamed_from = \"Old Park\"");
    assert!(yard.says(1, &["plan"]).contains("is not a DNS label"));
    // A folder that never was, or is gone, is nothing to take over.
    yard.edit("renamed_from = \"Old Park\"", "renamed_from = \"meadow\"");
    assert!(yard.says(0, &["plan"]).contains("10 to add"));
}

#[test]
#[cfg(unix)]
fn killed_at_any_moment_the_next_apply_finishes() {
    let (mut killed, mut delay) = (0_u32, 0);
    for _ in 0..24 {
        if killed == 6 {
            break;
        }
        let yard = Yard::park();
        yard.says(0, &["apply", "--auto-approve"]);
        let [files, _] = yard.files();
        yard.rename();
        let mut apply = yard.command(&["apply", "--auto-approve"]);
        let mut child = apply.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        while !yard.path("rendered/yard/.sliceform.json").exists()
            && child.try_wait().unwrap().is_none()
            && Instant::now() < deadline
        {}
        std::thread::sleep(Duration::from_micros(delay));
        delay = (delay + 1700) % 12_000;
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().code().is_none());
        let text = yard.says(0, &["plan"]);
        assert!(text.contains("No changes.") || text.contains("0 to destroy"), "{text}");
        yard.says(0, &["apply", "--auto-approve"]);
        assert_eq!(yard.files(), [0, files], "after {delay} us");
        assert_eq!(yard.command(&["plan", "--detailed-exitcode"]).output().unwrap().status.code(), Some(0));
    }
    assert!(killed > 0, "the process was always faster");
}
