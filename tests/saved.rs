//! Saved plans, through the binary: an apply carries out what was reviewed, and nothing else.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::{Value, json};
use sliceform::plan::saved::Saved;
use sliceform::view::{self, Style};

/// The park stack in a folder of its own, with a secret.
struct Park {
    dir: tempfile::TempDir,
}

const SECRET: &str = "hunter2-do-not-keep";

impl Park {
    fn new() -> Self {
        let park = Self { dir: tempfile::tempdir().unwrap() };
        for file in ["park.stack.hcl", "park.vars.hcl"] {
            fs::copy(Path::new("stacks").join(file), park.path(file)).unwrap();
        }
        park
    }

    /// With a sensitive variable that has no default.
    fn with_secret() -> Self {
        let park = Self::new();
        park.append("park.stack.hcl", "variable \"token\" {\n  type = string\n  sensitive = true\n}\n");
        park
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    fn append(&self, file: &str, more: &str) {
        fs::write(self.path(file), self.text(file) + more).unwrap();
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = self.text(file);
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }

    /// Changes what a saved plan says, and its digest with it.
    fn forge(&self, change: impl FnOnce(&mut Value)) {
        let mut tree: Value = serde_json::from_str(&self.text("p.plan")).unwrap();
        change(&mut tree);
        fs::write(self.path("p.plan"), sealed(tree)).unwrap();
    }

    fn output(&self, env: &[(&str, &str)], args: &[&str]) -> Output {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        command.current_dir(self.dir.path()).env_clear().envs(env.iter().copied()).args(args).output().unwrap()
    }

    /// Runs in an environment, expects a code, and gives standard output and standard error.
    fn says_in(&self, env: &[(&str, &str)], code: i32, args: &[&str]) -> (String, String) {
        let output = self.output(env, args);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
        (out, err)
    }

    fn says(&self, code: i32, args: &[&str]) -> (String, String) {
        self.says_in(&[], code, args)
    }

    /// Every rendered file with its bytes.
    fn rendered(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = walkdir::WalkDir::new(self.path("rendered")).into_iter().filter_map(Result::ok);
        let files = entries.filter(|entry| entry.file_type().is_file());
        files.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap())).collect()
    }
}

/// A saved plan's text with the digest that fits it.
fn sealed(mut tree: Value) -> String {
    tree.as_object_mut().unwrap().shift_remove("digest");
    let text = format!("{tree:#}\n");
    let rest = text.strip_prefix("{\n").unwrap();
    format!("{{\n  \"digest\": \"{}\",\n{rest}", sliceform::plan::inventory::digest(rest.as_bytes()))
}

#[test]
fn a_saved_plan_is_what_plan_shows_and_what_apply_does() {
    let park = Park::new();
    let (planned, err) = park.says(2, &["plan", "--detailed-exitcode", "--out", "p.plan"]);
    assert!(err.contains("sliceform apply p.plan"), "{err}");
    assert!(!park.path("rendered").exists());
    assert_eq!(park.says(0, &["show", "p.plan"]).0, planned);
    assert_eq!(park.says(0, &["show", "p.plan", "--full"]).0, park.says(0, &["plan", "--full"]).0);
    assert_eq!(park.says(0, &["show", "p.plan", "--json"]).0, park.says(0, &["plan", "--json"]).0);

    assert!(park.says(64, &["show", "p.plan", "--var", "project=x"]).1.contains("--var does not go"));

    // It was reviewed: no one is asked, though there is no terminal.
    let (out, _) = park.says(0, &["apply", "p.plan"]);
    assert!(out.contains("Done: 13 files"), "{out}");
    assert_eq!(park.says(0, &["plan", "--detailed-exitcode"]).0.lines().count(), 1);
    let (_, err) = park.says(4, &["apply", "p.plan"]);
    assert!(err.contains("has been carried out"), "{err}");

    // A plan with nothing to do goes over the old one, and does nothing.
    park.says(0, &["plan", "--detailed-exitcode", "--out", "p.plan"]);
    let before = park.rendered();
    assert!(park.says(0, &["apply", "p.plan"]).0.contains("No changes."));
    assert_eq!(park.rendered(), before);
}

#[test]
fn a_saved_plan_that_destroys_says_so_and_does() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    let (out, _) = park.says(3, &["plan", "--destroy", "--detailed-exitcode", "--out", "p.plan"]);
    assert!(out.contains("10 to destroy"), "{out}");
    let (_, err) = park.says(1, &["apply", "p.plan", "--auto-approve=create,update"]);
    assert!(err.contains("destroy"), "{err}");
    park.says(0, &["apply", "p.plan"]);
    assert!(!park.path("rendered/park").exists());
}

#[test]
#[cfg(unix)]
fn a_saved_plan_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let park = Park::new();
    fs::write(park.path("p.plan"), "").unwrap();
    park.says(0, &["plan", "--out", "p.plan"]);
    assert_eq!(fs::metadata(park.path("p.plan")).unwrap().permissions().mode() & 0o777, 0o600);
}

/// What may go wrong between plan and apply: its name, what is done, and what the refusal says.
type Tamper = (&'static str, fn(&Park), &'static str);

const TAMPERED: &[Tamper] = &[
    ("the stack has errors", |park| park.edit("park.stack.hcl", "\"4x4\"", "\"4x3\""), "unknown-topology"),
    (
        "a target that is not there",
        |park| park.forge(|plan| plan["targets"] = json!(["slice.gone"])),
        "There is no slice.gone",
    ),
    ("other targets", |park| park.forge(|plan| plan["targets"] = json!(["serve.chat"])), "the plan would keep it"),
    ("a replacement", |park| park.forge(|plan| plan["replaces"] = json!(["serve.chat"])), "an apply would replace it"),
    ("a byte is flipped", |park| park.edit("p.plan", "\"keep\"", "\"kfep\""), "damaged"),
    ("a byte is added", |park| park.append("p.plan", " "), "damaged"),
    (
        "a step is removed",
        |park| park.forge(|plan| drop(plan["steps"].as_array_mut().unwrap().remove(3))),
        "does not know of it",
    ),
    (
        "a step does something else",
        |park| park.forge(|plan| plan["steps"][3]["action"] = "delete".into()),
        "the plan says delete",
    ),
    (
        "a step tells a lie",
        |park| park.forge(|plan| plan["steps"][3]["unchanged"] = 7.into()),
        "what planning again does not",
    ),
    ("a change is hidden", |park| park.forge(hide), "what planning again does not"),
    (
        "steps change places",
        |park| park.forge(|plan| plan["steps"].as_array_mut().unwrap().swap(0, 1)),
        "another order",
    ),
    ("the sums are others", |park| park.forge(|plan| plan["totals"]["keep"] = 1.into()), "sums"),
    ("an output is another", |park| park.forge(|plan| plan["outputs"]["endpoint"] = "x".into()), "outputs"),
    ("the base is another", |park| park.forge(|plan| plan["base_digest"] = plan["source_digest"].clone()), "inventory"),
    ("another directory", |park| park.forge(|plan| plan["directory"] = "rendered/other".into()), "rendered/other"),
    ("another stack", |park| park.forge(|plan| plan["stack"] = "other".into()), "\"other\""),
    (
        "another stack file",
        |park| park.forge(|plan| plan["made_from"]["stack_file"] = "gone.stack.hcl".into()),
        "gone.stack.hcl",
    ),
    ("to destroy", |park| park.forge(|plan| plan["made_from"]["destroy"] = true.into()), "would delete it"),
    ("another Sliceform", |park| park.forge(|plan| plan["sliceform_version"] = "9.9.9".into()), "9.9.9"),
    ("another format", |park| park.forge(|plan| plan["format_version"] = "2.0".into()), "format \"2.0\""),
    ("another variable", |park| park.forge(|plan| plan["made_from"]["vars"] = json!(["project=evil"])), "\"evil\""),
    (
        "a variable changed",
        |park| park.edit("park.vars.hcl", "demo", "other"),
        "Variable \"project\" is \"other\"; the plan was made with \"demo\"",
    ),
    ("a variable came", |park| park.append("park.stack.hcl", "variable \"more\" { default = 1 }\n"), "\"more\" is new"),
    (
        "the stack changed",
        |park| park.edit("park.stack.hcl", "max_failures = 3", "max_failures = 4"),
        "(train.dpo): an apply would replace it",
    ),
    (
        "a file changed",
        |park| park.append("rendered/park/core/namespace-ml.yaml", "# mine\n"),
        "namespace-ml.yaml is not what it was",
    ),
    (
        "a file went",
        |park| fs::remove_file(park.path("rendered/park/core/namespace-ml.yaml")).unwrap(),
        "namespace-ml.yaml is not what it was",
    ),
    (
        "the inventory changed",
        |park| park.edit("rendered/park/.sliceform.json", "\"chips\": 32", "\"chips\": 16"),
        "inventory",
    ),
];

/// Removes what a step would change.
fn hide(plan: &mut Value) {
    let step = plan["steps"].as_array_mut().unwrap().iter_mut().find(|step| step["action"] == "update").unwrap();
    step["changes"] = json!([]);
}

#[test]
fn what_is_not_as_the_plan_says_is_refused_by_name_and_changes_nothing() {
    for (name, tamper, says) in TAMPERED {
        let park = Park::new();
        park.says(0, &["apply", "--auto-approve"]);
        park.edit("park.stack.hcl", "max_model_len          = 8192", "max_model_len          = 4096");
        park.says(0, &["plan", "--out", "p.plan"]);
        tamper(&park);
        let before = park.rendered();
        let (_, err) = park.says(4, &["apply", "p.plan"]);
        let flat = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(says), "{name}: {err}");
        assert!(park.rendered() == before, "{name}: the directory has changed");
    }
}

#[test]
fn values_go_with_the_plan_and_others_are_refused() {
    let park = Park::new();
    park.edit("park.vars.hcl", "project", "# project");
    fs::write(park.path("more.hcl"), "project = \"file\"\n").unwrap();
    let env = |value: &'static str| [("SLICEFORM_VAR_project", value)];
    park.says_in(&env("one"), 0, &["plan", "--out", "p.plan"]);
    for (environment, args) in
        [(&env("two")[..], &[][..]), (&[], &["--var", "project=two"]), (&env("one"), &["--var", "project=two"])]
    {
        let args = [&["apply", "p.plan"], args].concat();
        let (_, err) = park.says_in(environment, 4, &args);
        assert!(err.contains("Variable \"project\" is \"two\""), "{err}");
    }
    for option in [&["--env", "prod"], &["--var-file", "more.hcl"]] {
        let (_, err) = park.says(64, &[&["apply", "p.plan"][..], option].concat());
        assert!(err.contains(option[0]), "{err}");
    }
    assert!(!park.path("rendered").exists());
    // The environment of the plan need not be there: the plan has kept it.
    park.says(0, &["apply", "p.plan", "--var", "project=one"]);
    park.says(0, &["plan", "--out", "p.plan", "--var-file", "more.hcl"]);
    fs::write(park.path("more.hcl"), "project = \"edited\"\n").unwrap();
    assert!(park.says(4, &["apply", "p.plan"]).1.contains("\"edited\""));
    fs::write(park.path("more.hcl"), "project = \"file\"\n").unwrap();
    park.says(0, &["apply", "p.plan"]);
}

#[test]
fn a_saved_plan_is_for_one_environment() {
    let park = Park::new();
    for env in ["dev", "prod"] {
        fs::write(park.path(&format!("park.{env}.vars.hcl")), format!("project = \"{env}\"\n")).unwrap();
    }
    park.says(0, &["plan", "--env", "prod", "--out", "p.plan"]);
    let (out, _) = park.says(0, &["show", "p.plan"]);
    assert!(out.contains("rendered/park/prod"), "{out}");
    let right = park.text("p.plan");
    park.forge(|plan| plan["made_from"]["env"] = "dev".into());
    park.says(4, &["apply", "p.plan"]);
    park.forge(|plan| plan["made_from"]["env"] = "stage".into());
    park.says(4, &["apply", "p.plan"]);
    assert!(!park.path("rendered").exists());
    fs::write(park.path("p.plan"), right).unwrap();
    park.says(0, &["apply", "p.plan"]);
    assert!(park.path("rendered/park/prod/kustomization.yaml").exists() && !park.path("rendered/park/dev").exists());
}

#[test]
fn a_secret_stays_out_of_the_plan_and_must_be_given_again() {
    let park = Park::with_secret();
    let given = format!("token={SECRET}");
    let env = [("SLICEFORM_VAR_token", SECRET)];
    park.says(0, &["plan", "--out", "p.plan", "--var", &given]);
    let first = park.text("p.plan");
    park.says_in(&env, 0, &["plan", "--out", "p.plan"]);
    for text in [&first, &park.text("p.plan")] {
        assert!(!text.contains(SECRET));
        let plan: Value = serde_json::from_str(text).unwrap();
        assert!(plan["made_from"]["variables"]["token"]["digest"].as_str().unwrap().starts_with("sha256:"));
    }
    // Each file has its own salt: two files do not tell that they hold the same secret.
    let digest = |text: &str| serde_json::from_str::<Value>(text).unwrap()["made_from"]["variables"]["token"].clone();
    assert_ne!(digest(&first), digest(&park.text("p.plan")));

    let (_, err) = park.says(4, &["apply", "p.plan"]);
    assert!(err.contains("--var token=VALUE"), "{err}");
    let (_, err) = park.says(4, &["apply", "p.plan", "--var", "token=another"]);
    assert!(err.contains("\"token\" is sensitive") && !err.contains("another\""), "{err}");
    assert!(!park.path("rendered").exists());
    park.says_in(&env, 0, &["apply", "p.plan"]);
}

#[test]
fn a_plan_goes_only_where_it_harms_nothing() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    fs::write(park.path("notes.txt"), "mine").unwrap();
    fs::create_dir(park.path("folder")).unwrap();
    let before = park.rendered();
    for (out, says) in [
        ("notes.txt", "no plan"),
        ("park.stack.hcl", "stack"),
        ("new.stack.hcl", "stack"),
        ("new.vars.hcl", "variables"),
        ("folder", "no place for a file"),
        ("..", "no place for a file"),
        ("nowhere/p.plan", "folder"),
        ("rendered/p.plan", "manifests"),
        ("rendered/park/p.plan", "manifests"),
        ("rendered/park/gke/p.plan", "manifests"),
        ("folder/../rendered/park/p.plan", "manifests"),
    ] {
        let (_, err) = park.says(1, &["plan", "--out", out]);
        assert!(err.contains("Cannot write the plan") && err.contains(says), "{out}: {err}");
    }
    assert_eq!(park.text("notes.txt"), "mine");
    assert_eq!(park.rendered(), before);
    // A plan, were it damaged or of another version, may go.
    park.says(0, &["plan", "--out", "p.plan"]);
    park.edit("p.plan", "\"1.0\"", "\"3.0\"");
    park.says(0, &["plan", "--out", "p.plan"]);
    // A stack with errors leaves the old plan.
    let old = park.text("p.plan");
    park.edit("park.stack.hcl", "\"4x4\"", "\"4x3\"");
    park.says(1, &["plan", "--out", "p.plan"]);
    assert_eq!(park.text("p.plan"), old);
}

#[test]
#[cfg(unix)]
fn a_plan_goes_through_no_link() {
    let park = Park::new();
    fs::write(park.path("notes.txt"), "mine").unwrap();
    std::os::unix::fs::symlink(park.path("notes.txt"), park.path("link")).unwrap();
    assert!(park.says(1, &["plan", "--out", "link"]).1.contains("no place for a file"));
    assert_eq!(park.text("notes.txt"), "mine");
}

#[test]
fn what_is_no_plan_is_told_apart() {
    let park = Park::new();
    let (printed, _) = park.says(0, &["plan", "--json"]);
    fs::write(park.path("printed.json"), printed).unwrap();
    fs::write(park.path("notes.txt"), "mine").unwrap();
    fs::write(park.path("empty"), "").unwrap();
    fs::write(park.path("bytes"), [0xff, 0xfe, 0]).unwrap();
    for (file, says) in
        [("printed.json", "printed"), ("notes.txt", "neither"), ("empty", "neither"), ("bytes", "neither")]
    {
        for command in ["apply", "show"] {
            let (out, err) = park.says(1, &[command, file]);
            assert!(out.is_empty() && err.contains(says), "{command} {file}: {out}{err}");
        }
    }
    let (_, err) = park.says(1, &["destroy", "notes.txt", "--auto-approve"]);
    assert!(err.contains("not a stack file"), "{err}");
}

#[test]
fn chdir_is_as_if_started_there() {
    let park = Park::new();
    let inside = park.dir.path().to_str().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(elsewhere.path()).env_clear().args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    fs::write(park.path("more.hcl"), "project = \"more\"\n").unwrap();
    let there = park.output(&[], &["plan", "--var-file", "more.hcl"]);
    for args in [
        &["--chdir", inside, "plan", "--var-file", "more.hcl"][..],
        &["plan", "--chdir", inside, "--var-file", "more.hcl"],
    ] {
        let (code, out, err) = run(args);
        assert_eq!((code, out.as_bytes(), err.as_bytes()), (Some(0), &*there.stdout, &*there.stderr));
    }
    assert_eq!(run(&["--chdir", inside, "plan", "--out", "p.plan"]).0, Some(0));
    // What a plan names is found from where it was made.
    let (code, _, err) = run(&["apply", park.path("p.plan").to_str().unwrap()]);
    assert!(code == Some(4) && err.contains("--chdir"), "{err}");
    assert_eq!(run(&["apply", "p.plan", "--chdir", inside]).0, Some(0));
    assert!(park.path("rendered/park/kustomization.yaml").exists());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    let wrong = park.path("more.hcl");
    for wrong in ["nowhere", wrong.to_str().unwrap()] {
        let (code, _, err) = run(&["--chdir", wrong, "plan"]);
        assert!(code == Some(1) && err.contains("--chdir"), "{err}");
    }
}

#[test]
#[cfg(unix)]
fn a_kill_while_a_plan_is_saved_leaves_the_old_one_or_the_new_one() {
    let park = Park::new();
    park.says(0, &["plan", "--out", "p.plan"]);
    for round in 0..24_u64 {
        park.says(0, &["plan", "--out", "old.plan"]);
        fs::copy(park.path("old.plan"), park.path("p.plan")).unwrap();
        let old = fs::read(park.path("p.plan")).unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("sliceform"));
        command.current_dir(park.dir.path()).env_clear().stdout(std::process::Stdio::null());
        let project = format!("project=p{round}");
        command.stderr(std::process::Stdio::null()).args(["plan", "--out", "p.plan", "--var", &project]);
        let mut child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(8 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(park.path("p.plan")).unwrap();
        assert!(now == old || Saved::read(&now).is_ok(), "round {round}: the plan is torn");
    }
}

/// A saved plan as its writer made it.
fn sample() -> String {
    let park = Park::with_secret();
    park.says(0, &["apply", "--auto-approve", "--var", "token=x"]);
    park.edit("park.stack.hcl", "epochs = 1", "epochs = 2");
    park.edit("park.stack.hcl", "8192", "4096");
    park.says(0, &["plan", "--out", "p.plan", "--var", "token=x"]);
    park.text("p.plan")
}

#[test]
fn every_flipped_byte_is_found() {
    let text = sample();
    assert!(Saved::read(text.as_bytes()).is_ok());
    for at in (0..text.len()).step_by(text.len() / 400) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(Saved::read(&bytes).is_err(), "byte {at}");
    }
    for length in (0..text.len()).step_by(text.len() / 50) {
        assert!(Saved::read(&text.as_bytes()[..length]).is_err(), "length {length}");
    }
}

/// Values that a plan does not expect.
fn junk() -> Vec<Value> {
    let deep = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let wide: serde_json::Map<String, Value> = (0..300).map(|n| (format!("key{n}"), json!(n))).collect();
    vec![
        Value::Null,
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("\u{1b}[31m\u{202e}\n::error::x\r\u{0}"),
        json!("x".repeat(70_000)),
        json!(["\u{9b}"]),
        json!({ "\u{1b}]0;x\u{7}": "\u{7}" }),
        json!({ "k".repeat(70_000): [1, {}] }),
        deep,
        wide.into(),
    ]
}

/// The pointers of every value in a tree, a few of each list.
fn pointers(tree: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match tree {
        Value::Object(fields) => {
            for (name, value) in fields {
                pointers(value, &format!("{here}/{}", name.replace('~', "~0").replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (at, value) in items.iter().enumerate() {
                pointers(value, &format!("{here}/{at}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn whatever_a_plan_holds_is_shown_without_harm() {
    let tree: Value = serde_json::from_str(&sample()).unwrap();
    let mut places = Vec::new();
    pointers(&tree, "", &mut places);
    places.retain(|place| !place.is_empty());
    let (mut shown, junk) = (0, junk());
    for (at, place) in places.iter().enumerate() {
        let mut forged = tree.clone();
        *forged.pointer_mut(place).unwrap() = junk[at % junk.len()].clone();
        let Ok(saved) = Saved::read(sealed(forged).as_bytes()) else { continue };
        shown += 1;
        for full in [false, true] {
            let out = view::plan_human::plan(&saved.plan, full, Style::PLAIN);
            let json = view::plan_json::document(&saved.plan, saved.diagnostics.clone());
            for text in [&out, &json] {
                let harmful = text.chars().find(|c| *c != '\n' && view::sanitize::shown(*c).is_some());
                assert_eq!(harmful, None, "{place}");
            }
            assert!(!out.lines().any(|line| line.trim_start().starts_with("::")), "{place}");
        }
    }
    assert!(shown > 20, "only {shown} of {} were plans", places.len());
}
