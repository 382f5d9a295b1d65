//! `upgrade`, through the binary: what opens and closes, what would change, what to write.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;

use assert_cmd::Command;
use serde_json::Value;

/// A stack of two slices; `more` goes into the train block and `top` beside the blocks.
fn stack(ray: &str, train: &str, top: &str) -> String {
    format!(
        r#"stack "s" {{
  ray_version     = {ray}
  kuberay_version = "1.6.2"
}}
cluster "c" {{
  project  = "demo"
  location = "us-east5"
  version  = "1.34"
  manage   = true
}}
slice "v6e" {{
  cluster     = cluster.c
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}}
train "t" {{
  slice                 = slice.v6e
  image                 = "demo/ray:2.59.0"
  train_loop_per_worker = "m:f"
  storage_path          = "gs://demo/runs"
{train}}}
{top}"#
    )
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(text: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.0.path().join("s.stack.hcl"), text).unwrap();
        folder
    }

    fn run(&self, code: i32, args: &[&str]) -> String {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(self.0.path()).env_clear().arg("upgrade").args(args).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{text}{err}");
        if text.is_empty() { err } else { text }
    }

    /// The document, which is what the schema says.
    fn json(&self, code: i32, args: &[&str]) -> Value {
        let tree: Value = serde_json::from_str(&self.run(code, &[args, &["--json"]].concat())).unwrap();
        let schema = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(name).unwrap()).unwrap() };
        let registry = ["diagnostics.schema.json", "plan.schema.json"].into_iter().fold(
            jsonschema::Registry::new(),
            |registry, name| {
                registry.add(format!("json-schema:///{name}"), schema(&format!("schemas/{name}"))).unwrap()
            },
        );
        let registry = registry.prepare().unwrap();
        let options = jsonschema::draft202012::options().with_registry(&registry);
        let validator = options.build(&schema("schemas/upgrade.schema.json")).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&tree).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert_eq!(faults, [""; 0]);
        tree
    }
}

fn rules(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|diag| diag["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_rule_that_a_release_mends_closes_and_opens_the_other_way() {
    let torch = "  framework = \"pytorch\"\n";
    let folder = Folder::with(&stack("\"2.57.0\"", torch, ""));
    let tree = folder.json(0, &["--to", "ray=2.60.0"]);
    assert_eq!((rules(&tree["closes"]), rules(&tree["opens"])), (vec!["torch-trains-on-cpu"], vec![]), "{tree:#}");
    assert_eq!(tree["plan"], Value::Null, "the stack has errors as it is");
    let fact = tree["facts"].as_array().unwrap().iter().find(|fact| fact["name"] == "torch_multi_slice").unwrap();
    assert_eq!((&fact["from"], &fact["to"]), (&"Silent".into(), &"Megascale".into()));
    assert!(fact["source"].as_str().unwrap().contains("train/torch/config.py"));
    assert!(folder.run(0, &["--to", "ray=2.60.0"]).contains("The stack has errors as it is"));

    let folder = Folder::with(&stack("\"2.60.0\"", torch, ""));
    let tree = folder.json(1, &["--to", "ray=2.57.0"]);
    assert_eq!((rules(&tree["closes"]), rules(&tree["opens"])), (vec![], vec!["torch-trains-on-cpu"]), "{tree:#}");
    let text = folder.run(1, &["--to", "ray=2.57.0"]);
    assert!(text.contains("once the errors are mended"), "{text}");
}

#[test]
fn what_is_wrong_with_either_is_told() {
    let folder = Folder::with(&stack("\"2.59.0\"", "  framework = \"jax\"\n  num_slices = 3\n", ""));
    let tree = folder.json(1, &["--to", "ray=2.60.0"]);
    assert_eq!((rules(&tree["opens"]), rules(&tree["remains"])), (vec![], vec!["chips-overbooked"]), "{tree:#}");
    assert!(folder.run(1, &["--to", "ray=2.60.0"]).contains("Wrong with either:"));
}

#[test]
fn what_the_manifests_would_change_is_a_plan_and_nothing_is_written() {
    let folder = Folder::with(&stack("\"2.59.0\"", "  framework = \"jax\"\n  num_slices = 2\n", ""));
    let text = folder.run(0, &["--to", "ray=2.60.0"]);
    for words in [
        "Ray 2.59.0 -> 2.60.0",
        "No rule opens.",
        "~ rayVersion = \"2.59.0\" -> \"2.60.0\"",
        "1 to replace",
        "ray_version = \"2.60.0\" in place of \"2.59.0\"",
        "images carry their own version",
        "demo/ray:2.59.0",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let text = folder.run(0, &["--to", "kuberay=1.7.0"]);
    assert!(text.contains("No manifest changes") && !text.contains("images carry"), "{text}");
    let tree = folder.json(0, &["--to", "ray=2.59.0"]);
    assert_eq!((tree["plan"]["totals"]["change"].as_u64(), tree["edits"].as_array().unwrap().len()), (Some(0), 0));
    assert_eq!(fs::read_dir(folder.0.path()).unwrap().count(), 1);
}

#[test]
fn every_place_that_names_a_version_is_told() {
    let top = "variable \"ray\" {\n  type    = string\n  default = \"2.59.0\"\n}\n";
    let own = "  framework = \"jax\"\n  num_slices = 2\n  ray_version = \"2.58.0\"\n";
    let folder = Folder::with(&stack("var.ray", own, top));
    let tree = folder.json(0, &["--to", "ray=2.60.0", "--to", "gke=1.35", "--to", "vllm=0.32.0"]);
    let edits: Vec<String> = tree["edits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let text = |key: &str| edit[key].as_str().unwrap_or("nothing").to_owned();
            format!("{} {} {} -> {}", text("block"), text("attribute"), text("from"), text("to"))
        })
        .collect();
    assert_eq!(
        edits,
        [
            "stack.s ray_version var.ray -> 2.60.0",
            "train.t ray_version \"2.58.0\" -> 2.60.0",
            "cluster.c version \"1.34\" -> 1.35",
            "stack.s vllm_version nothing -> 0.32.0",
        ]
    );
    assert_eq!(tree["moves"][0]["from"], serde_json::json!(["2.58.0", "2.59.0"]));
    let manifest = tree["plan"]["steps"].to_string();
    assert!(manifest.contains("1.35") && manifest.contains("2.60.0"), "{manifest}");
}

#[test]
fn what_cannot_be_is_one_error() {
    let folder = Folder::with(&stack("\"2.59.0\"", "  framework = \"jax\"\n  num_slices = 2\n", ""));
    for (args, words) in [
        (&["--to", "rey=2.60.0"][..], "ray, kuberay, vllm or gke"),
        (&["--to", "ray=two"], "not a version"),
        (&[], "--to"),
    ] {
        assert!(folder.run(64, args).contains(words), "{args:?}");
    }
    assert!(folder.run(1, &["none.stack.hcl", "--to", "ray=2.60.0"]).contains("none.stack.hcl"));
    fs::write(folder.0.path().join("s.stack.hcl"), "stack {").unwrap();
    assert!(folder.run(1, &["--to", "ray=2.60.0"]).contains("error["));
}
