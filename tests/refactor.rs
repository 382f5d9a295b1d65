//! Refactoring a stack through the binary: editions.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

/// The park stack in a folder of its own.
struct Park {
    dir: tempfile::TempDir,
}

impl Park {
    fn new() -> Self {
        let park = Self { dir: tempfile::tempdir().unwrap() };
        for file in ["park.stack.hcl", "park.vars.hcl"] {
            fs::copy(PathBuf::from("stacks").join(file), park.path(file)).unwrap();
        }
        park
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.path("park.stack.hcl")).unwrap();
        assert!(text.contains(from), "no {from:?}");
        fs::write(self.path("park.stack.hcl"), text.replace(from, to)).unwrap();
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

#[test]
fn a_stack_may_pin_its_edition() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    park.edit("stack \"park\" {\n", "stack \"park\" {\n  edition = \"2026\"\n");
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."));
    park.edit("\"2026\"", "\"2025\"");
    let text = park.says(1, &["plan"]);
    assert!(text.contains("error[edition]") && text.contains("\"2026\""), "{text}");
    assert!(park.says(0, &["version"]).contains("editions: 2026"));
    assert!(park.says(0, &["catalog", "versions", "edition"]).contains("2026"));
}
