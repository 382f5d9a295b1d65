//! The binary as people run it: commands, exit codes, and what lands on the disk.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

/// A folder of its own for one test, with the park stack in it.
struct Sandbox {
    dir: tempfile::TempDir,
}

impl Sandbox {
    fn park() -> Self {
        let sandbox = Self { dir: tempfile::tempdir().unwrap() };
        for file in ["park.stack.hcl", "park.vars.hcl"] {
            fs::copy(Path::new("stacks").join(file), sandbox.path(file)).unwrap();
        }
        sandbox
    }

    fn path(&self, file: &str) -> PathBuf {
        self.dir.path().join(file)
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file} has no {from:?}");
        fs::write(self.path(file), text.replace(from, to)).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        command.current_dir(self.dir.path()).env_clear().args(args).output().unwrap()
    }

    /// Runs and gives the exit code.
    fn code(&self, args: &[&str]) -> i32 {
        self.run(args).status.code().unwrap()
    }

    /// Runs, expects a code, and gives standard output and standard error.
    fn says(&self, code: i32, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
        (out, err)
    }
}

/// The rules of the errors that validate finds, in order.
fn errors(sandbox: &Sandbox) -> Vec<String> {
    let (out, _) = sandbox.says(1, &["validate", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let list = report["diagnostics"].as_array().unwrap().iter();
    list.filter(|diag| diag["severity"] == "error").map(|diag| diag["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_misspelt_zone_is_one_error() {
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "  zone        = \"us-east5-b\"", "  zoone       = \"us-east5-b\"");
    assert_eq!(errors(&park), ["unknown-attribute"]);
}

#[test]
fn plan_apply_plan_drift_destroy() {
    let park = Sandbox::park();
    assert_eq!(park.code(&["plan", "--detailed-exitcode"]), 2);
    let (out, _) = park.says(0, &["apply", "--auto-approve"]);
    assert!(out.contains("Plan: 10 to add, 0 to change, 0 to replace, 0 to destroy. Chips: 0 -> 32."), "{out}");
    let (out, _) = park.says(0, &["plan", "--detailed-exitcode"]);
    assert!(out.contains("No changes."), "{out}");

    let service = "rendered/park/kuberay/rayservice-chat.yaml";
    park.edit(service, "numOfHosts: 4", "numOfHosts: 3");
    let (out, _) = park.says(2, &["plan", "--detailed-exitcode"]);
    assert!(out.contains("changed the file by hand") && out.contains("numOfHosts"), "{out}");
    assert!(park.says(0, &["show"]).0.contains("changed by hand"));
    park.says(0, &["apply", "--auto-approve"]);
    assert_eq!(park.code(&["plan", "--detailed-exitcode"]), 0);

    // A job runs once: another configuration is another job, and the old one goes.
    park.edit("park.stack.hcl", "epochs = 1", "epochs = 2");
    let (out, _) = park.says(3, &["plan", "--detailed-exitcode"]);
    assert!(out.contains("2 to replace"), "{out}");
    let (_, err) = park.says(1, &["apply", "--auto-approve=create,update"]);
    assert!(err.contains("replace"), "{err}");
    park.says(0, &["apply", "--auto-approve"]);

    fs::write(park.path("rendered/park/notes.txt"), "mine").unwrap();
    park.says(0, &["destroy", "--auto-approve"]);
    let left: Vec<String> = fs::read_dir(park.path("rendered/park"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, ["notes.txt"]);
}

#[test]
fn without_a_terminal_nothing_is_asked_and_nothing_is_written() {
    let park = Sandbox::park();
    let (_, err) = park.says(64, &["apply"]);
    assert!(err.contains("--auto-approve"), "{err}");
    assert!(!park.path("rendered").exists());
}

#[test]
fn five_faults_in_one_file_are_five_errors_in_one_run() {
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "topology    = \"4x4\"", "topology    = \"4x3\"");
    park.edit("park.stack.hcl", "epochs = 1", "epochs = upperr(\"1\")");
    park.edit("park.stack.hcl", "keys = [", "keyz = [");
    park.edit("park.stack.hcl", "bucket = bucket.data #", "bucket = bucket.dta #");
    fs::remove_file(park.path("park.vars.hcl")).unwrap();
    assert_eq!(errors(&park), ["variable", "unknown-topology", "unknown-attribute", "function", "reference"]);
}

#[test]
fn each_mistake_of_the_mission_is_one_error() {
    for (from, to, rule) in [
        ("topology    = \"4x4\"", "topology    = \"4x3\"", "unknown-topology"),
        ("accelerator = \"v6e\"", "accelerator = \"v6f\"", "unknown-accelerator"),
        ("max_failures = 3", "max_failurez = 3", "unknown-attribute"),
        ("slice   = slice.v6e", "slice   = slice.v5e", "reference"),
        ("tensor_parallel_size   = 16", "tensor_parallel_size   = 8", "parallelism-product"),
        ("framework             = \"pytorch\"", "framework = \"pytorch\"\n  num_workers = 8", "worker-not-one-device"),
        ("framework             = \"pytorch\"", "framework = \"pytorch\"\n  num_slices = 2", "torch-multi-slice"),
        ("ray_version      = \"2.60.0\"", "ray_version = null", "unpinned-version"),
        ("ray_version      = \"2.60.0\"", "ray_version = \"two\"", "type"),
        ("runtime = \"ray\"", "runtime = \"ray\"\n  port = 70000", "type"),
        ("runtime = \"ray\"", "runtime = \"ray\"\n  env = { \"A B\" = \"x\" }", "type"),
        ("runtime = \"ray\"", "runtime = \"ray\"\n  labels = { team = \"a b\" }", "type"),
        ("mount \"data\"", "mount \"driver\"", "illegal-name"),
        ("num_slices  = 2 ", "num_slices = 4294967295 ", "type"),
        ("topology    = \"4x4\"", "topology = null", "missing-attribute"),
        ("path = \"rendered\"", "path = \"../rendered\"", "type"),
        ("tensor_parallel_size   = 16", "tensor_parallel_size = true", "type"),
        ("zone        = \"us-east5-b\"", "", "pool-without-zone"),
        ("zone        = \"us-east5-b\"", "zone = \"us-east5-b\\u202e\"", "type"),
    ] {
        let park = Sandbox::park();
        park.edit("park.stack.hcl", from, to);
        assert_eq!(errors(&park), [rule], "{to}");
    }
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "\"2.60.0\"\n  kuberay", "\"2.59.0\"\n  kuberay");
    park.edit("park.stack.hcl", "framework             = \"pytorch\"", "framework = \"pytorch\"\n  num_slices = 2");
    assert_eq!(errors(&park), ["torch-multi-slice"]);
}

#[test]
fn values_of_variables_have_an_order() {
    let park = Sandbox::park();
    let project = |args: &[&str], env: Option<&str>| {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        command.current_dir(park.dir.path()).env_clear();
        if let Some(value) = env {
            command.env("SLICEFORM_VAR_project", value);
        }
        let output = command.args(["render"]).args(args).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.split("us-docker.pkg.dev/").nth(1).unwrap().split('/').next().unwrap().to_owned()
    };
    fs::write(park.path("other.hcl"), "project = \"from-file\"\n").unwrap();
    assert_eq!(project(&[], None), "demo");
    assert_eq!(project(&[], Some("from-env")), "from-env");
    assert_eq!(project(&["--var-file", "other.hcl"], Some("from-env")), "from-file");
    assert_eq!(project(&["--var-file", "other.hcl", "--var", "project=from-option"], Some("from-env")), "from-option");
    let (_, err) = park.says(1, &["validate", "--var", "projct=x"]);
    assert!(err.contains("Did you mean \"project\"?"), "{err}");
}

#[test]
fn the_command_line_has_its_own_exit_code_and_words() {
    let park = Sandbox::park();
    assert_eq!(park.code(&["plna"]), 64);
    assert_eq!(park.code(&["plan", "--bogus"]), 64);
    assert_eq!(park.code(&["--help"]), 0);
    assert!(park.says(0, &["version"]).0.starts_with("sliceform "));
    assert!(park.says(0, &["explain", "torch-multi-slice"]).0.contains("## Why"));
    assert!(park.says(0, &["explain", "train.dpo"]).0.contains("16 workers"));
    let (_, err) = park.says(1, &["explain", "torch-multislice"]);
    assert!(err.contains("torch-multi-slice"), "{err}");
    assert!(park.says(0, &["catalog", "topologies", "v6e"]).0.contains("ct6e-standard-4t"));
    assert!(park.says(0, &["completions", "bash"]).0.contains("sliceform"));
    park.says(1, &["validate", "nothing-here"]);
}

#[test]
fn machines_read_json_alone_on_standard_output() {
    let park = Sandbox::park();
    for args in [
        &["validate", "--json"][..],
        &["render", "--json"],
        &["plan", "--json"],
        &["show", "--json"],
        &["catalog", "models", "--json"],
        &["version", "--json"],
    ] {
        let (out, err) = park.says(0, args);
        let value: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{out}"));
        assert!(value["format_version"].is_string(), "{args:?}");
        assert_eq!(err, "", "{args:?}");
        assert!(!out.contains('\u{1b}'));
    }
}

#[test]
fn hostile_files_are_one_error_each_and_no_crash() {
    let park = Sandbox::park();
    let deep = format!("locals {{\n  x = {}1{}\n}}\n", "[".repeat(100_000), "]".repeat(100_000));
    let doubling: String = (1..200).map(|i| format!("  l{i} = [local.l{}, local.l{}]\n", i - 1, i - 1)).collect();
    for (name, text) in [
        ("deep", deep.into_bytes()),
        ("nul", b"stack \"nul\" {}\n\0".to_vec()),
        ("latin", b"stack \"latin\" { namespace = \"\xff\" }\n".to_vec()),
        ("range", b"stack \"range\" {}\nlocals {\n  x = range(1000000000)\n}\n".to_vec()),
        ("doubling", format!("stack \"doubling\" {{}}\nlocals {{\n  l0 = [1]\n{doubling}}}\n").into_bytes()),
        ("cycle", b"stack \"cycle\" {}\nlocals {\n  a = local.b\n  b = local.a\n}\n".to_vec()),
        ("empty", Vec::new()),
    ] {
        let file = format!("{name}.stack.hcl");
        fs::write(park.path(&file), text).unwrap();
        let started = std::time::Instant::now();
        let (_, err) = park.says(1, &["validate", &file]);
        assert!(err.contains("error["), "{name}: {err}");
        assert!(err.len() < 20_000, "{name}: {} bytes of errors", err.len());
        assert!(started.elapsed().as_secs() < 30, "{name} took {:?}", started.elapsed());
    }
    fs::create_dir(park.path("folder.stack.hcl")).unwrap();
    park.says(1, &["validate", "folder.stack.hcl"]);
}

#[test]
fn a_stack_reads_below_its_root_only() {
    let park = Sandbox::park();
    fs::create_dir(park.path("stack")).unwrap();
    fs::write(park.path("outside.txt"), "secret").unwrap();
    fs::write(park.path("stack/.hidden"), "secret").unwrap();
    fs::write(park.path("stack/inside.txt"), "fine").unwrap();
    for (path, works) in [("inside.txt", true), ("../outside.txt", false), (".hidden", false), ("/etc/hostname", false)]
    {
        let text = format!("stack \"s\" {{}}\noutput \"x\" {{\n  value = file(\"{path}\")\n}}\n");
        fs::write(park.path("stack/s.stack.hcl"), text).unwrap();
        let (out, err) = park.says(i32::from(!works), &["validate", "stack"]);
        assert!(!out.contains("secret") && !err.contains("secret"), "{path}");
    }
}

#[test]
fn a_sensitive_value_is_in_no_output() {
    let park = Sandbox::park();
    let secret = "s3cr3t-value";
    for (declaration, given) in [
        ("type = number\n  sensitive = true", true),
        ("type = list(string)\n  sensitive = true", true),
        (
            "type = string\n  sensitive = true\n  validation {\n    condition = false\n    error_message = \"bad ${var.tok}\"\n  }",
            true,
        ),
        (
            "type = string\n  sensitive = true\n  validation {\n    condition = var.tok\n    error_message = \"x\"\n  }",
            true,
        ),
        ("type = string", false),
    ] {
        let text = fs::read_to_string("stacks/park.stack.hcl").unwrap();
        fs::write(park.path("park.stack.hcl"), format!("{text}\nvariable \"tok\" {{\n  {declaration}\n}}\n")).unwrap();
        let value = format!("tok={secret}");
        let misspelt = format!("tokn={secret}");
        let args = ["plan", "--var", if given { &value } else { &misspelt }];
        let (out, err) = park.says(1, &args);
        assert!(!out.contains(secret) && !err.contains(secret), "{declaration}\n{out}{err}");
        fs::write(park.path("park.vars.hcl"), format!("project = [1]\ntok = \"{secret}\"\n")).unwrap();
        let (out, err) = park.says(1, &["validate", "--json"]);
        let (_, human) = park.says(1, &["validate"]);
        assert!(![out, err, human].iter().any(|text| text.contains(secret)), "{declaration}");
        fs::write(park.path("park.vars.hcl"), "project = \"demo\"\n").unwrap();
    }
}

#[test]
fn each_environment_has_its_own_values_and_its_own_directory() {
    let park = Sandbox::park();
    fs::write(park.path("park.dev.vars.hcl"), "project = \"demo-dev\"\n").unwrap();
    fs::write(park.path("park.prod.vars.hcl"), "").unwrap();
    let (out, _) = park.says(0, &["validate"]);
    assert!(out.contains("park.stack.hcl (dev): valid") && out.contains("park.stack.hcl (prod): valid"), "{out}");
    let (out, _) = park.says(0, &["render"]);
    assert!(out.contains("# dev/kuberay/") && out.contains("# prod/kuberay/"), "{out}");
    assert!(out.contains("docker.pkg.dev/demo-dev/") && out.contains("docker.pkg.dev/demo/"), "{out}");
    let (_, err) = park.says(1, &["plan"]);
    assert!(err.contains("dev, prod") && err.contains("--env"), "{err}");
    let (_, err) = park.says(1, &["plan", "--env", "pord"]);
    assert!(err.contains("Did you mean \"prod\"?"), "{err}");

    park.says(0, &["apply", "--env", "dev", "--auto-approve"]);
    assert!(park.path("rendered/park/dev/kustomization.yaml").exists());
    assert!(!park.path("rendered/park/prod").exists());
    assert_eq!(park.code(&["plan", "--env", "dev", "--detailed-exitcode"]), 0);
    assert_eq!(park.code(&["plan", "--env", "prod", "--detailed-exitcode"]), 2);
    // The order: file of the environment, then option.
    let args = ["plan", "--env", "dev", "--detailed-exitcode", "--var", "project=other"];
    assert_ne!(park.code(&args), 0);
    // Where there is only one, it need not be named.
    fs::remove_file(park.path("park.prod.vars.hcl")).unwrap();
    assert_eq!(park.code(&["plan", "--detailed-exitcode"]), 0);
    park.says(0, &["destroy", "--auto-approve"]);
    assert!(!park.path("rendered/park/dev").exists());

    fs::write(park.path("park.a_b.vars.hcl"), "").unwrap();
    let (_, err) = park.says(1, &["validate"]);
    assert!(err.contains("no name of an environment"), "{err}");
}

#[test]
fn validate_mends_what_has_one_answer_and_shows_it_before() {
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "accelerator = \"v6e\"", "acelerator = \"v6e\" # trillium");
    park.edit("park.stack.hcl", "  framework ", "  num_workers = 8\n  framework ");
    let before = fs::read_to_string(park.path("park.stack.hcl")).unwrap();
    let (out, _) = park.says(1, &["validate", "--fix", "--dry-run"]);
    assert!(out.contains("-  acelerator = \"v6e\" # trillium\n+  accelerator = \"v6e\" # trillium\n"), "{out}");
    assert_eq!(fs::read_to_string(park.path("park.stack.hcl")).unwrap(), before);
    // The number of workers is wrong only once the slice is known: the second fault stands behind the first.
    let (out, _) = park.says(0, &["validate", "--fix"]);
    assert!(out.contains("park.stack.hcl: mended in 2 places\npark.stack.hcl: valid"), "{out}");
    let after = fs::read_to_string(park.path("park.stack.hcl")).unwrap();
    assert_eq!(after, before.replace("acelerator", "accelerator").replace("num_workers = 8", "num_workers = 16"));
    assert_eq!(park.says(0, &["validate", "--fix"]).0.lines().count(), 1);
}

#[test]
fn validate_speaks_to_code_scanning_and_to_workflows() {
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "topology    = \"4x4\"", "topology    = \"4x3\"");
    let (out, err) = park.says(1, &["validate", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&out).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!((result["ruleId"].as_str(), err.as_str()), (Some("unknown-topology"), ""));
    let (out, _) = park.says(1, &["validate", "--format", "github"]);
    assert!(out.starts_with("::error file=park.stack.hcl,line="), "{out}");
    // Environments share their stack: what is wrong in both is told once.
    for env in ["dev", "prod"] {
        fs::write(park.path(&format!("park.{env}.vars.hcl")), "").unwrap();
    }
    assert_eq!(park.says(1, &["validate", "--format", "github"]).0.matches("::error").count(), 1);
    park.says(1, &["validate", "--format", "sarif", "nothing-here"]);
}

#[test]
fn a_baseline_passes_over_what_an_old_repository_has_and_nothing_else() {
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "  framework ", "  num_workers = 8\n  framework ");
    let (_, err) = park.says(1, &["validate", "--baseline", "known.json"]);
    assert!(err.contains("--update-baseline"), "{err}");
    let (out, _) = park.says(0, &["validate", "--baseline", "known.json", "--update-baseline"]);
    assert!(out.contains("1 known problem of the baseline not shown\npark.stack.hcl: no new problems"), "{out}");
    // Lines move: the problem stays known. Another one, or the same with another value, is new.
    park.edit("park.stack.hcl", "stack \"park\"", "\n\nstack \"park\"");
    park.says(0, &["validate", "--baseline", "known.json"]);
    park.edit("park.stack.hcl", "num_workers = 8", "num_workers = 4");
    let (out, err) = park.says(1, &["validate", "--baseline", "known.json"]);
    assert!(
        err.contains("worker-not-one-device") && out.contains("1 problem of the baseline no longer found"),
        "{out}{err}"
    );
    // What can't be read is never known.
    park.edit("park.stack.hcl", "num_workers = 4", "num_workers = ");
    park.says(1, &["validate", "--baseline", "known.json", "--update-baseline"]);
    fs::write(park.path("known.json"), "{}").unwrap();
    let (_, err) = park.says(1, &["validate", "--baseline", "known.json"]);
    assert!(err.contains("is no baseline"), "{err}");
}

#[test]
fn a_stack_says_how_bad_a_rule_is() {
    let park = Sandbox::park();
    park.edit("park.stack.hcl", "  framework ", "  num_workers = 8\n  framework ");
    let rules = |park: &Sandbox, text: &str| {
        park.edit("park.stack.hcl", "  namespace ", &format!("  rules {{\n    {text}\n  }}\n  namespace "));
    };
    rules(&park, "worker-not-one-device = \"warning\"");
    let (_, err) = park.says(0, &["validate"]);
    assert!(err.contains("warning[worker-not-one-device]"), "{err}");
    park.says(1, &["validate", "--strict"]);
    park.edit("park.stack.hcl", "\"warning\"", "\"off\"");
    let (out, _) = park.says(0, &["validate", "--strict"]);
    assert!(out.contains("valid"), "{out}");
    park.edit("park.stack.hcl", "worker-not-one-device = \"off\"", "worker-not-one-devise = \"off\"");
    let (_, err) = park.says(1, &["validate"]);
    assert!(err.contains("Did you mean `worker-not-one-device`?"), "{err}");
    park.edit("park.stack.hcl", "worker-not-one-devise = \"off\"", "worker-not-one-device = \"quiet\"");
    assert_eq!(errors(&park), ["type", "worker-not-one-device"]);
}
