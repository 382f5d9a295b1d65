//! The examples are whole repositories: their stacks are sound, and what is rendered beside them is current.

#![expect(clippy::disallowed_methods, reason = "a test works on the real disk")]

use assert_cmd::Command;

#[test]
fn every_example_is_rendered_as_its_stack_says() {
    for example in ["examples/one-slice"] {
        let copy = tempfile::tempdir().unwrap();
        for entry in walkdir::WalkDir::new(example).into_iter().map(Result::unwrap) {
            let target = copy.path().join(entry.path().strip_prefix(example).unwrap());
            if entry.file_type().is_dir() {
                std::fs::create_dir_all(&target).unwrap();
            } else {
                std::fs::copy(entry.path(), &target).unwrap();
            }
        }
        let mut plan = Command::cargo_bin("sliceform").unwrap();
        let plan =
            plan.current_dir(copy.path()).env_clear().args(["plan", ".", "--detailed-exitcode"]).output().unwrap();
        let text = String::from_utf8_lossy(&plan.stdout).into_owned() + &String::from_utf8_lossy(&plan.stderr);
        assert_eq!(plan.status.code(), Some(0), "{example} is not current: run sliceform apply {example}\n{text}");
    }
}
