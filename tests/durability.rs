//! Durability on the real disk: a process that is killed at any moment loses nothing, and no link leads out of the directory.
//! `KILLS=200 cargo test --test durability -- --nocapture` kills more often than every run of the tests does.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, clippy::panic, reason = "a test works on the real disk")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Kills in each run of the tests.
const KILLS: u64 = 16;

/// The park stack in a folder of its own.
struct Park {
    dir: tempfile::TempDir,
}

impl Park {
    fn new() -> Self {
        let park = Self { dir: tempfile::tempdir().unwrap() };
        fs::copy("stacks/park.vars.hcl", park.path("park.vars.hcl")).unwrap();
        park.set(1);
        park
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    /// Writes a version of the stack: each has other jobs, other labels, and every third lacks the training.
    fn set(&self, version: u64) {
        let text = fs::read_to_string("stacks/park.stack.hcl").unwrap();
        let name = "stack \"park\" {\n";
        assert!(text.contains("epochs = 1") && text.contains(name));
        let text = text.replace("epochs = 1", &format!("epochs = {}", version + 1));
        let text = text.replace(name, &format!("{name}  labels = {{ version = \"{version}\" }}\n"));
        fs::write(self.path("park.stack.hcl"), text).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("sliceform"));
        command.current_dir(self.dir.path()).env_clear().args(args);
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn succeeds(&self, args: &[&str]) {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn inventory(&self) -> Option<Value> {
        let text = fs::read_to_string(self.path("rendered/park/.sliceform.json")).ok()?;
        Some(serde_json::from_str(&text).unwrap_or_else(|why| panic!("a torn inventory: {why}\n{text}")))
    }

    /// An apply has begun to write.
    fn is_applying(&self) -> bool {
        let text = fs::read_to_string(self.path("rendered/park/.sliceform.json")).unwrap_or_default();
        text.contains("\"applying\": true")
    }

    /// The files in the directory, by path below it.
    fn files(&self) -> Vec<String> {
        let root = self.path("rendered/park");
        let entries = walkdir::WalkDir::new(&root).into_iter().filter_map(Result::ok);
        let files = entries.filter(|entry| !entry.file_type().is_dir());
        files.map(|entry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned()).collect()
    }

    /// Every file is listed, or is the directory's own, or is the reader's.
    fn every_file_has_an_owner(&self, round: u64) {
        let inventory = self.inventory();
        for file in self.files().iter().filter(|file| !is_temporary(file)) {
            let own = [".sliceform.json", ".sliceform.lock", "notes.txt", "core/notes.txt"].contains(&file.as_str());
            let listed = inventory.as_ref().is_some_and(|inventory| inventory["files"].get(file).is_some());
            assert!(own || listed, "round {round}: {file} has no owner");
        }
        for notes in ["rendered/park/notes.txt", "rendered/park/core/notes.txt"] {
            assert_eq!(fs::read_to_string(self.path(notes)).unwrap(), "mine", "round {round}");
        }
    }
}

fn is_temporary(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|end| end == "tmp")
}

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most.max(1)
    }
}

#[test]
fn a_kill_at_a_random_moment_loses_nothing_and_the_next_apply_finishes() {
    let kills: u64 = std::env::var("KILLS").ok().map_or(KILLS, |kills| kills.parse().unwrap());
    let park = Park::new();
    fs::create_dir_all(park.path("rendered/park/core")).unwrap();
    for notes in ["rendered/park/notes.txt", "rendered/park/core/notes.txt"] {
        fs::write(park.path(notes), "mine").unwrap();
    }
    let started = Instant::now();
    park.succeeds(&["apply", "--auto-approve"]);
    let usual = started.elapsed();
    let mut dice = Dice(0x5eed);
    let (mut killed, mut writing) = (0, 0);
    for round in 0.. {
        park.set(round + 2);
        // Every fourth is a destroy.
        let command = if round % 4 == 3 { "destroy" } else { "apply" };
        let mut child = park.start(&[command, "--auto-approve"]);
        if round % 2 == 0 {
            // Anywhere from the start to the end.
            std::thread::sleep(usual * u32::try_from(dice.below(120)).unwrap() / 100);
        } else {
            // While it writes.
            let deadline = Instant::now() + 20 * usual;
            while !park.is_applying() && child.try_wait().unwrap().is_none() && Instant::now() < deadline {}
            std::thread::sleep(Duration::from_micros(dice.below(8000)));
        }
        child.kill().unwrap();
        let code = child.wait().unwrap().code();
        killed += u64::from(code.is_none());
        writing += u64::from(code.is_none() && park.is_applying());
        park.every_file_has_an_owner(round);
        park.succeeds(&["apply", "--auto-approve"]);
        park.every_file_has_an_owner(round);
        let left: Vec<String> = park.files().into_iter().filter(|file| is_temporary(file)).collect();
        assert_eq!(left, [""; 0], "round {round}");
        assert_eq!(park.run(&["plan", "--detailed-exitcode"]).status.code(), Some(0), "round {round}");
        if killed == kills {
            println!("{killed} kills, {writing} of them while files were written, in {} rounds", round + 1);
            break;
        }
        assert!(round < 20 * kills, "{killed} kills in {round} rounds: the process is always faster");
    }
    assert!(writing > 0, "no kill hit an apply while it wrote");
    park.succeeds(&["destroy", "--auto-approve"]);
    let mut left = park.files();
    left.sort();
    assert_eq!(left, ["core/notes.txt", "notes.txt"]);
}

#[test]
fn no_link_leads_out_of_the_directory() {
    // What becomes a link, and where a write or a removal through it would land.
    for (place, victim) in [
        ("rendered/park/kuberay", "kuberay/rayservice-chat.yaml"),
        ("rendered/park/core", "core/new.yaml"),
        ("rendered/park/kuberay/rayservice-chat.yaml", "victim.yaml"),
        ("rendered/park/kustomization.yaml", "victim.yaml"),
        ("rendered/park/.sliceform.json", "victim.json"),
        ("rendered/park", "victim.yaml"),
    ] {
        let park = Park::new();
        park.succeeds(&["apply", "--auto-approve"]);
        let outside = park.path("outside");
        let place = park.path(place);
        if place.is_dir() {
            fs::rename(&place, &outside).unwrap();
            symlink(&outside, &place).unwrap();
        } else {
            fs::create_dir(&outside).unwrap();
            fs::rename(&place, outside.join(victim)).unwrap();
            symlink(outside.join(victim), &place).unwrap();
        }
        let before = snapshot(&outside);
        for version in [1, 2] {
            park.set(version);
            for command in ["apply", "destroy"] {
                let output = park.run(&[command, "--auto-approve"]);
                let err = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(output.status.code(), Some(1), "{} {command}: {err}", place.display());
                assert!(err.contains("error[directory]"), "{}: {err}", place.display());
            }
        }
        assert_eq!(snapshot(&outside), before, "{}", place.display());
    }
}

fn snapshot(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().filter_map(Result::ok);
    entries.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap_or_default())).collect()
}

#[test]
fn a_lock_is_free_once_its_process_is_gone() {
    let park = Park::new();
    park.succeeds(&["apply", "--auto-approve"]);
    // What a killed process leaves: the file with its words, and no lock on it.
    fs::write(park.path("rendered/park/.sliceform.lock"), "ada@host, process 1").unwrap();
    park.set(2);
    park.succeeds(&["apply", "--auto-approve"]);

    let held = fs::OpenOptions::new().write(true).open(park.path("rendered/park/.sliceform.lock")).unwrap();
    held.lock().unwrap();
    fs::write(park.path("rendered/park/.sliceform.lock"), "ada@host, process 7").unwrap();
    park.set(3);
    let output = park.run(&["apply", "--auto-approve"]);
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{err}");
    assert!(err.contains("ada@host, process 7"), "{err}");
}
