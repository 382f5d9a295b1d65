//! The examples are whole repositories: their stacks are sound, and what is rendered beside them is current.

#![expect(clippy::disallowed_methods, reason = "a test works on the real disk")]

use assert_cmd::Command;

/// The examples, and the arguments that plan each of their stacks in each environment.
const EXAMPLES: &[(&str, &[&[&str]])] = &[
    ("examples/one-slice", &[&["."]]),
    (
        "examples/gitops",
        &[&["chat.stack.hcl", "--env", "dev"], &["chat.stack.hcl", "--env", "prod"], &["sweep.stack.hcl"]],
    ),
];

#[test]
fn every_example_is_rendered_as_its_stack_says() {
    for (example, plans) in EXAMPLES {
        let copy = tempfile::tempdir().unwrap();
        for entry in walkdir::WalkDir::new(example).into_iter().map(Result::unwrap) {
            let target = copy.path().join(entry.path().strip_prefix(example).unwrap());
            if entry.file_type().is_dir() {
                std::fs::create_dir_all(&target).unwrap();
            } else {
                std::fs::copy(entry.path(), &target).unwrap();
            }
        }
        let run = |args: &[&str]| {
            let mut command = Command::cargo_bin("sliceform").unwrap();
            let output = command.current_dir(copy.path()).env_clear().args(args).output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            (output.status.code(), text)
        };
        let (code, text) = run(&["validate", ".", "--strict"]);
        assert_eq!(code, Some(0), "{example}\n{text}");
        let stacks = text.lines().filter(|line| line.contains(": valid, ")).count();
        assert_eq!(stacks, plans.len(), "{example} has a stack or an environment that is not planned here\n{text}");
        for plan in *plans {
            let (code, text) = run(&[&["plan", "--detailed-exitcode"], *plan].concat());
            assert_eq!(code, Some(0), "{example} is not current: run sliceform apply there for {plan:?}\n{text}");
        }
    }
}
