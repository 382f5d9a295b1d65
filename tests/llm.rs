//! Public deployments of models, and faults that people reported: what runs is accepted, what doesn't is refused by the right
//! rule. Each stack of `tests/cases/llm` says in its first lines what is expected, and who saw it.
#![expect(clippy::disallowed_methods, reason = "a test reads the repository")]

use std::collections::BTreeSet;
use std::fs;

use sliceform::base::diag::Severity;
use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::os::files::Disk;

#[test]
fn what_was_seen_is_what_is_said() {
    let mut wrong = Vec::new();
    let mut files: Vec<_> = fs::read_dir("tests/cases/llm").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 30, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let mut lines = text.lines();
        let expected = lines.next().and_then(|line| line.strip_prefix("# expect: ")).unwrap().to_owned();
        assert!(
            lines.next().is_some_and(|line| line.len() > 5 && line.starts_with("# ")),
            "{}: no source",
            file.display()
        );
        let compiled = pipeline::compile(&Disk, &file, &Values::default(), false);
        let said = compiled.diags.iter().filter(|diag| diag.severity != Severity::Note);
        let said: BTreeSet<&str> = said.map(|diag| diag.rule).collect();
        let wanted: BTreeSet<&str> = [expected.as_str()].into_iter().filter(|rule| *rule != "ok").collect();
        if said != wanted {
            wrong.push(format!("{}: {said:?}, not {expected}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
