//! Every stack that ships is sound, and becomes the files that are committed beside this test. To accept a change, read it, then run
//! `BLESS=1 cargo test --test stacks`.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test reads the repository")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sliceform::cli::pipeline::{self, Compiled};
use sliceform::cli::source::Values;
use sliceform::facts::edition::EDITIONS;
use sliceform::os::files::Disk;

fn stacks() -> Vec<PathBuf> {
    let entries = fs::read_dir("stacks").unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(".stack.hcl")).collect();
    found.sort();
    assert!(found.len() >= 2);
    found
}

fn compile(path: &Path) -> Compiled {
    pipeline::compile(&Disk, path, &Values::default(), false)
}

fn rendered(compiled: &Compiled) -> BTreeMap<String, String> {
    compiled.manifests.iter().map(|manifest| (manifest.path.clone(), manifest.text.clone())).collect()
}

fn committed(dir: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().filter_map(Result::ok) {
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(dir).unwrap().to_string_lossy().replace('\\', "/");
            found.insert(path, fs::read_to_string(entry.path()).unwrap());
        }
    }
    found
}

#[test]
fn every_stack_becomes_its_committed_files() {
    let mut wrong = Vec::new();
    for path in stacks() {
        let compiled = compile(&path);
        let problems: Vec<String> = compiled
            .diags
            .iter()
            .filter(|diag| diag.severity != sliceform::base::diag::Severity::Note)
            .map(|diag| diag.summary.clone())
            .collect();
        assert_eq!(problems, Vec::<String>::new(), "{}", path.display());
        let name = path.file_name().unwrap().to_string_lossy().replace(".stack.hcl", "");
        let dir = Path::new("tests/rendered").join(&name);
        let new = rendered(&compiled);
        if std::env::var_os("BLESS").is_some() {
            let _ = fs::remove_dir_all(&dir);
            for (file, text) in &new {
                fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
                fs::write(dir.join(file), text).unwrap();
            }
        }
        let old = committed(&dir);
        let paths = old.keys().chain(new.keys()).collect::<std::collections::BTreeSet<_>>();
        for file in paths.into_iter().filter(|file| old.get(*file) != new.get(*file)) {
            let (old, new) = (old.get(file).map_or("", String::as_str), new.get(file).map_or("", String::as_str));
            let diff = similar::TextDiff::from_lines(old, new);
            wrong.push(format!("{name}/{file}\n{}", diff.unified_diff().context_radius(2)));
        }
    }
    assert!(wrong.is_empty(), "{}\nBLESS=1 cargo test --test stacks accepts this", wrong.join("\n"));
}

/// Stacks that name an edition become what they became when it was new: those of the first are the files above, those of
/// a later one stand in a folder of its name.
#[test]
fn every_edition_emits_what_it_always_did() {
    if std::env::var_os("BLESS").is_some() {
        return; // The files are being written.
    }
    let dir = tempfile::tempdir().unwrap();
    let header = regex::Regex::new("(?m)^stack \"[^\"]+\" \\{$").unwrap();
    for edition in EDITIONS {
        let root = Path::new("tests/rendered");
        let root = if *edition == EDITIONS[0] { root.to_owned() } else { root.join(edition.name) };
        for path in stacks() {
            let copy = dir.path().join(path.file_name().unwrap());
            let text = fs::read_to_string(&path).unwrap();
            let pinned = header.replace(&text, format!("$0\n  edition = \"{}\"", edition.name));
            assert_ne!(pinned, text);
            fs::write(&copy, pinned.as_bytes()).unwrap();
            let values = path.to_str().unwrap().replace(".stack.hcl", ".vars.hcl");
            fs::copy(&values, dir.path().join(Path::new(&values).file_name().unwrap())).unwrap();
            let name = path.file_name().unwrap().to_string_lossy().replace(".stack.hcl", "");
            assert_eq!(rendered(&compile(&copy)), committed(&root.join(&name)), "{name} in edition {}", edition.name);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for path in stacks() {
        assert_eq!(rendered(&compile(&path)), rendered(&compile(&path)));
    }
}

/// A reader validates the folder as a whole: no stack that ships stands in another one's way.
#[test]
fn the_stacks_that_ship_stand_side_by_side() {
    let output = assert_cmd::Command::cargo_bin("sliceform").unwrap().args(["validate", "stacks"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
}
