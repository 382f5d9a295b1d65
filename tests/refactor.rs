//! Refactoring a stack: editions, and blocks that move.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::world::memory::Memory;

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

    fn append(&self, text: &str) {
        let old = fs::read_to_string(self.path("park.stack.hcl")).unwrap();
        fs::write(self.path("park.stack.hcl"), format!("{old}\n{text}\n")).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path("rendered/park").join(file)).unwrap()
    }

    /// The plan as programs read it.
    fn plan(&self) -> Value {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.current_dir(self.dir.path()).env_clear().args(["plan", "--json"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let plan = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(against_the_schema(&plan), Vec::<String>::new());
        plan
    }

    /// The plan's steps that do something to an object: action, address, where it moved from, file.
    fn steps(&self) -> Vec<String> {
        let plan = self.plan();
        let text = |step: &Value, key: &str| step[key].as_str().unwrap_or("-").to_owned();
        let line = |step: &Value| ["action", "address", "moved_from", "file"].map(|key| text(step, key)).join(" ");
        let steps = plan["steps"].as_array().unwrap().iter();
        let mut lines: Vec<String> =
            steps.filter(|step| step["action"] != "keep" && !step["object"].is_null()).map(line).collect();
        lines.sort();
        lines
    }

    /// Renames blocks wherever they stand.
    fn rename(&self, blocks: &[(&str, &str, &str)]) {
        for (kind, from, to) in blocks {
            self.edit(&format!("{kind} \"{from}\" {{"), &format!("{kind} \"{to}\" {{"));
            let text = fs::read_to_string(self.path("park.stack.hcl")).unwrap();
            let text = text.replace(&format!("{kind}.{from}"), &format!("{kind}.{to}"));
            fs::write(self.path("park.stack.hcl"), text).unwrap();
            self.append(&format!("moved {{\n  from = {kind}.{from}\n  to   = {kind}.{to}\n}}"));
        }
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

/// What of a plan is not as its schema says.
fn against_the_schema(plan: &Value) -> Vec<String> {
    let read = |file: &str| serde_json::from_str::<Value>(&fs::read_to_string(file).unwrap()).unwrap();
    let (mut schema, others) = (read("schemas/plan.schema.json"), read("schemas/diagnostics.schema.json"));
    schema["properties"]["diagnostics"]["items"]["$ref"] = "#/$defs/diagnostic".into();
    for (name, part) in others["$defs"].as_object().unwrap() {
        schema["$defs"][name] = part.clone();
    }
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator.iter_errors(plan).map(|error| format!("{}: {error}", error.instance_path())).collect()
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

/// The errors of a small stack with this in it: summary, and the words at the place.
fn faults(more: &str) -> Vec<String> {
    let stack = r#"
stack "s" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
bucket "b" {
  name = "demo"
}
bucket "many" {
  for_each = toset(["x", "y"])
  name     = "demo-${each.key}"
}
bucket "counted" {
  count = 2
  name  = "demo-${count.index}"
}
"#;
    let text = format!("{stack}{more}");
    let files = Memory::with(&[("s.stack.hcl", text.as_str())]);
    let compiled = pipeline::compile(&files, &PathBuf::from("s.stack.hcl"), &Values::default(), false);
    let errors = compiled.diags.iter().filter(|diag| diag.severity.name() == "error");
    errors.map(|diag| format!("{}: {}", diag.summary, diag.primary.as_ref().map_or("", |label| &label.text))).collect()
}

fn moved(from: &str, to: &str) -> String {
    format!("moved {{\n  from = {from}\n  to = {to}\n}}\n")
}

#[test]
fn each_move_that_cannot_be_meant_is_one_error() {
    let of = |moves: &[(&str, &str)]| faults(&moves.iter().map(|(from, to)| moved(from, to)).collect::<String>());
    insta::assert_debug_snapshot!(
        [
            of(&[("bucket.b", "bucket.many")]),
            of(&[("bucket.old", "bucket.bb")]),
            of(&[("bucket.old", "bucket.b"), ("bucket.old", "bucket.many")]),
            of(&[("bucket.old", "bucket.b"), ("bucket.older", "bucket.b")]),
            of(&[("bucket.p", "bucket.q"), ("bucket.q", "bucket.p")]),
            of(&[("slice.old", "bucket.b")]),
            of(&[("bucket.b", "bucket.b")]),
            of(&[("bucket.old", "bucket.b[\"x\"]")]),
            of(&[("bucket.old", "bucket.many[0]")]),
            of(&[("bucket.old", "bucket.counted[\"x\"]")]),
            of(&[("bucket.many[\"x\"]", "bucket.b")]),
            of(&[("\"bucket.old\"", "bucket.b")]),
            of(&[("bukket.old", "bucket.b")]),
            of(&[("bucket.old.x", "var.b")]),
        ],
        @r#"
        [
            [
                "bucket.b has moved, and is still there: still declared",
            ],
            [
                "There is no bucket \"bb\" to move to: not declared in this stack",
            ],
            [
                "bucket.old moves to two places: again here",
            ],
            [
                "Two blocks move to bucket.b: again here",
            ],
            [
                "Moves that lead back to where they began: closes the circle",
            ],
            [
                "A block cannot become one of another type: a bucket",
            ],
            [
                "A block that moves to where it is: the same address",
            ],
            [
                "bucket.b[\"x\"] is no address of bucket.b: no such instance",
            ],
            [
                "bucket.many[0] is no address of bucket.many: no such instance",
            ],
            [
                "bucket.counted[\"x\"] is no address of bucket.counted: no such instance",
            ],
            [
                "bucket.many[\"x\"] has moved, and is still there: still declared",
            ],
            [
                "`from` takes the address of a block: not one",
            ],
            [
                "No block has the type \"bukket\": not a block type",
            ],
            [
                "`from` takes the address of a block: not one",
                "No block has the type \"var\": not a block type",
            ],
        ]
        "#
    );
    let many: Vec<String> = (0..=100).map(|at| format!("bucket.old{at}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|from| (from.as_str(), "bucket.b")).collect();
    assert_eq!(of(&many), ["More than 100 `moved` blocks: one too many"]);
    // What Terraform takes: chains in any order, instances in and out, an instance that a variable has taken away.
    assert_eq!(of(&[("bucket.two", "bucket.b"), ("bucket.one", "bucket.two")]), Vec::<String>::new());
    assert_eq!(of(&[("bucket.many", "bucket.many[\"x\"]"), ("bucket.b[0]", "bucket.b")]), Vec::<String>::new());
    assert_eq!(of(&[("bucket.old", "bucket.many[\"gone\"]")]), Vec::<String>::new());
}

#[test]
fn a_renamed_block_that_keeps_its_names_is_a_move_and_nothing_else() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    park.rename(&[
        ("slice", "v6e", "pool"),
        ("serve", "chat", "talk"),
        ("train", "dpo", "tune"),
        ("cluster", "tpu", "main"),
    ]);
    for (block, name) in
        [("slice \"pool\"", "v6e"), ("serve \"talk\"", "chat"), ("train \"tune\"", "dpo"), ("cluster \"main\"", "tpu")]
    {
        park.edit(&format!("{block} {{"), &format!("{block} {{\n  name = \"{name}\""));
    }
    insta::assert_snapshot!(park.steps().join("\n"), @r"
    move cluster.main cluster.tpu gke/cluster-tpu.tf
    move serve.talk serve.chat kuberay/rayservice-chat.yaml
    move slice.pool slice.v6e gke/nodepool-v6e-4x4-0.tf
    move slice.pool slice.v6e gke/nodepool-v6e-4x4-1.tf
    move train.tune train.dpo core/configmap-dpo-driver-v4khwb.yaml
    move train.tune train.dpo kuberay/rayjob-dpo-9g5pfz.yaml
    ");
    let text = park.says(0, &["plan"]);
    assert!(text.contains("RayService ml/chat has moved from serve.chat, and stays as it is"), "{text}");
    assert!(text.contains("0 to add, 0 to change, 0 to replace, 0 to destroy, 6 moved."), "{text}");
    assert!(!text.contains("restart") && !text.contains("impact"), "{text}");
    park.says(0, &["apply", "--auto-approve=update"]);
    // Applied, the blocks do no harm; Terraform keeps its own until they go.
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."));
    let cluster = park.read("gke/cluster-tpu.tf");
    assert!(
        cluster
            .ends_with("\nmoved {\n  from = google_container_cluster.tpu\n  to   = google_container_cluster.main\n}\n"),
        "{cluster}"
    );
    assert!(!park.read("gke/nodepool-v6e-4x4-0.tf").contains("moved"), "its resource has the name that it had");
}

#[test]
fn a_rename_that_changes_a_name_is_one_replacement_that_says_how_to_keep_it() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    park.rename(&[("slice", "v6e", "pool"), ("serve", "chat", "talk")]);
    insta::assert_snapshot!(park.steps().join("\n"), @r"
    replace serve.talk serve.chat kuberay/rayservice-talk.yaml
    replace slice.pool slice.v6e gke/nodepool-pool-v6e-4x4-0.tf
    replace slice.pool slice.v6e gke/nodepool-pool-v6e-4x4-1.tf
    replace train.dpo - kuberay/rayjob-dpo-8gmvww.yaml
    ");
    let text = park.says(3, &["plan", "--detailed-exitcode"]);
    assert!(
        text.contains("named after the block, which was serve.chat: `name = \"chat\"` in serve.talk keeps it"),
        "{text}"
    );
    assert!(text.contains("0 to add, 0 to change, 4 to replace, 0 to destroy."), "{text}");
    let plan = park.plan();
    let step = plan["steps"].as_array().unwrap().iter().find(|step| step["address"] == "serve.talk").unwrap();
    assert_eq!((&step["keep_name"], &step["impact"]["class"]), (&"chat".into(), &"replace".into()));
    park.says(0, &["apply", "--auto-approve"]);
    assert!(!park.path("rendered/park/kuberay/rayservice-chat.yaml").exists());
    let pool = park.read("gke/nodepool-pool-v6e-4x4-1.tf");
    assert!(
        pool.contains(
            "  from = google_container_node_pool.v6e_4x4_1\n  to   = google_container_node_pool.pool_v6e_4x4_1\n"
        ),
        "{pool}"
    );
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."));
}

#[test]
fn chains_and_grants_of_renamed_blocks_are_told_to_terraform_hop_by_hop() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    park.rename(&[("bucket", "data", "shelf"), ("service_account", "trainer", "runner")]);
    park.edit("from = bucket.data\n  to   = bucket.shelf", "from = bucket.data\n  to   = bucket.store");
    park.append("moved {\n  from = bucket.store\n  to   = bucket.shelf\n}");
    park.edit("service_account \"runner\" {}", "service_account \"runner\" {\n  name = \"trainer\"\n}");
    insta::assert_snapshot!(park.steps().join("\n"), @r"
    move bucket.shelf bucket.data gke/iam-shelf-trainer-legacybucketreader.tf
    move bucket.shelf bucket.data gke/iam-shelf-trainer-objectadmin.tf
    move service_account.runner service_account.trainer core/serviceaccount-trainer.yaml
    ");
    park.says(0, &["apply", "--auto-approve"]);
    let grant = park.read("gke/iam-shelf-trainer-objectadmin.tf");
    let moves: Vec<&str> = grant.lines().filter(|line| line.contains("= google_storage_bucket_iam_member.")).collect();
    insta::assert_snapshot!(moves.join("\n"), @r"
    from = google_storage_bucket_iam_member.data_trainer_objectadmin
    to   = google_storage_bucket_iam_member.store_trainer_objectadmin
    from = google_storage_bucket_iam_member.store_trainer_objectadmin
    to   = google_storage_bucket_iam_member.shelf_trainer_objectadmin
    ");
}

#[test]
fn one_becomes_an_instance_and_back_again() {
    let park = Park::new();
    park.edit("num_slices  = 2", "num_slices  = 2\n  name        = \"v6e\"");
    park.says(0, &["apply", "--auto-approve"]);
    park.edit("slice \"v6e\" {", "slice \"v6e\" {\n  for_each = toset([\"a\"])");
    park.edit("= slice.v6e\n", "= slice.v6e[\"a\"]\n");
    park.append("moved {\n  from = slice.v6e\n  to   = slice.v6e[\"a\"]\n}");
    insta::assert_snapshot!(park.steps().join("\n"), @r#"
    move slice.v6e["a"] slice.v6e gke/nodepool-v6e-4x4-0.tf
    move slice.v6e["a"] slice.v6e gke/nodepool-v6e-4x4-1.tf
    "#);
    park.says(0, &["apply", "--auto-approve"]);
    park.edit("\n  for_each = toset([\"a\"])", "");
    park.edit("= slice.v6e[\"a\"]\n", "= slice.v6e\n");
    park.edit("  from = slice.v6e\n  to   = slice.v6e\n", "  from = slice.v6e[\"a\"]\n  to   = slice.v6e\n");
    insta::assert_snapshot!(park.steps().join("\n"), @r#"
    move slice.v6e slice.v6e["a"] gke/nodepool-v6e-4x4-0.tf
    move slice.v6e slice.v6e["a"] gke/nodepool-v6e-4x4-1.tf
    "#);
}

#[test]
fn protection_follows_a_move() {
    let park = Park::new();
    park.edit("serve \"chat\" {", "serve \"chat\" {\n  lifecycle {\n    prevent_destroy = true\n  }");
    park.says(0, &["apply", "--auto-approve"]);
    park.rename(&[("serve", "chat", "talk")]);
    let text = park.says(1, &["plan"]);
    assert!(text.contains("error[prevent-destroy]") && text.contains("serve.talk"), "{text}");
    assert!(text.contains("`name = \"chat\"`"), "{text}");
    park.edit("serve \"talk\" {", "serve \"talk\" {\n  name = \"chat\"");
    assert!(park.says(0, &["plan"]).contains("1 moved"));
}

#[test]
fn a_part_of_the_stack_has_what_moved_into_it() {
    let park = Park::new();
    park.says(0, &["apply", "--auto-approve"]);
    park.rename(&[("serve", "chat", "talk"), ("train", "dpo", "tune")]);
    park.edit("serve \"talk\" {", "serve \"talk\" {\n  name = \"chat\"");
    let text = park.says(0, &["plan", "--target", "serve.talk"]);
    assert!(text.contains("0 to destroy, 1 moved.") && !text.contains("train.dpo"), "{text}");
}

fn removed(from: &str, destroy: &str) -> String {
    format!("removed {{\n  from = {from}\n  lifecycle {{\n    destroy = {destroy}\n  }}\n}}\n")
}

impl Park {
    /// Takes a block out, to its closing brace at the start of a line.
    fn cut(&self, block: &str) {
        let text = fs::read_to_string(self.path("park.stack.hcl")).unwrap();
        let start = text.find(&format!("{block} {{")).unwrap();
        let end = start + text[start..].find("\n}\n").unwrap() + 3;
        fs::write(self.path("park.stack.hcl"), format!("{}{}", &text[..start], &text[end..])).unwrap();
    }

    /// The stack with its service let go, and its slice called otherwise.
    fn without_chat_and_v6e(destroy: &str) -> Self {
        let park = Self::new();
        park.says(0, &["apply", "--auto-approve"]);
        park.cut("serve \"chat\"");
        park.cut("output \"endpoint\"");
        park.edit("slice \"v6e\"", "slice \"n\"");
        park.edit("slice.v6e", "slice.n");
        park.append(&(removed("serve.chat", destroy) + &removed("slice.v6e", destroy)));
        park
    }
}

#[test]
fn what_is_let_go_stays_where_it_is_and_terraform_is_told() {
    let park = Park::without_chat_and_v6e("false");
    insta::assert_snapshot!(park.steps().join("\n"), @r"
    create slice.n - gke/nodepool-n-v6e-4x4-0.tf
    create slice.n - gke/nodepool-n-v6e-4x4-1.tf
    forget serve.chat - kuberay/rayservice-chat.yaml
    forget slice.v6e - gke/nodepool-v6e-4x4-0.tf
    forget slice.v6e - gke/nodepool-v6e-4x4-1.tf
    replace train.dpo - kuberay/rayjob-dpo-mnfqfw.yaml
    ");
    let text = park.says(0, &["apply", "--auto-approve"]);
    assert!(text.contains("0 to destroy, 3 forgotten."), "{text}");
    let keep = "  kubectl annotate -n ml rayservice chat argocd.argoproj.io/sync-options=Prune=false kustomize.toolkit.fluxcd.io/prune=disabled\n";
    assert!(text.contains(keep), "{text}");
    assert!(!park.path("rendered/park/kuberay/rayservice-chat.yaml").exists());
    insta::assert_snapshot!(park.read("gke/nodepool-v6e-4x4-1.tf"), @r"
    # slice.v6e of stack park: written by sliceform; edit the stack, not this file
    removed {
      from = google_container_node_pool.v6e_4x4_1

      lifecycle {
        destroy = false
      }
    }
    ");
    // Terraform is told until the stack says no more of it.
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."));
    park.cut("removed");
    park.cut("removed");
    let text = park.says(2, &["plan", "--detailed-exitcode"]);
    assert!(text.contains("Also removed: gke/nodepool-v6e-4x4-0.tf, gke/nodepool-v6e-4x4-1.tf"), "{text}");
    assert!(text.contains("0 to destroy."), "{text}");
    // A block that has the file again begins anew.
    park.edit("slice \"n\"", "slice \"v6e\"");
    park.edit("slice.n", "slice.v6e");
    assert!(park.steps().contains(&"create slice.v6e - gke/nodepool-v6e-4x4-0.tf".to_owned()), "{:?}", park.steps());
}

#[test]
fn what_is_removed_is_destroyed_unless_its_block_says_otherwise() {
    let park = Park::without_chat_and_v6e("true");
    let text = park.says(3, &["plan", "--detailed-exitcode"]);
    assert!(text.contains("RayService ml/chat will be destroyed, as its `removed` block says"), "{text}");
    assert!(text.contains("3 to destroy."), "{text}");
    park.says(0, &["apply", "--auto-approve"]);
    assert!(!park.path("rendered/park/gke/nodepool-v6e-4x4-0.tf").exists());
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."), "harmless afterwards");
    park.says(0, &["destroy", "--auto-approve"]);
    assert!(!park.path("rendered/park").exists());
}

#[test]
fn each_removal_that_cannot_be_meant_is_one_error() {
    let both = |text: &str| faults(&(text.to_owned() + &removed("bucket.old", "false")));
    insta::assert_debug_snapshot!(
        [
            faults(&removed("bucket.b", "false")),
            faults(&removed("bucket.many", "false")),
            faults(&removed("bucket.many[\"x\"]", "false")),
            both(&removed("bucket.old", "true")),
            both(&moved("bucket.old", "bucket.b")),
            faults(&removed("wagon.old", "false")),
            faults(&removed("bucket.old", "\"perhaps\"")),
        ],
        @r#"
        [
            [
                "bucket.b is removed, and is still there: still declared",
            ],
            [
                "bucket.many is removed, and is still there: still declared",
            ],
            [
                "bucket.many[\"x\"] is removed, and is still there: still declared",
            ],
            [
                "bucket.old is removed twice: again here",
            ],
            [
                "bucket.old is removed, and has moved: removed here",
            ],
            [
                "No block has the type \"wagon\": not a block type",
            ],
            [
                "`destroy` takes true or false: this is a string",
            ],
        ]
        "#
    );
    assert_eq!(faults(&removed("bucket.many[\"gone\"]", "false")), Vec::<String>::new());
    assert_eq!(both(&moved("bucket.older", "bucket.old")), Vec::<String>::new(), "moved, and then removed");
}

fn import(to: &str, id: &str) -> String {
    format!("import {{\n  to = {to}\n  id = \"{id}\"\n}}\n")
}

#[test]
fn a_file_that_is_there_is_taken_over_where_the_stack_says_so() {
    let other = Park::new();
    other.says(0, &["apply", "--auto-approve"]);
    let park = Park::new();
    let file = park.path("rendered/park/kuberay/rayservice-chat.yaml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let by_hand = other.read("kuberay/rayservice-chat.yaml").replace("max_model_len: 8192", "max_model_len: 4096");
    fs::write(&file, &by_hand).unwrap();
    let refused = park.says(1, &["plan"]);
    assert!(refused.contains("take it over with an `import` block"), "{refused}");
    for id in ["kuberay/rayservice-chat.yaml", "RayService/chat"] {
        fs::write(park.path("park.stack.hcl"), fs::read_to_string("stacks/park.stack.hcl").unwrap()).unwrap();
        park.append(&import("serve.chat", id));
        assert!(park.steps().contains(&"import serve.chat - kuberay/rayservice-chat.yaml".to_owned()));
    }
    let text = park.says(0, &["plan"]);
    assert!(
        text.contains("RayService ml/chat is there, and will be Sliceform's, as its `import` block says"),
        "{text}"
    );
    assert!(text.contains("max_model_len = 4096 -> 8192"), "{text}");
    assert!(text.contains("9 to add, 1 to change, 0 to replace, 0 to destroy."), "{text}");
    fs::write(&file, by_hand.replace("  name: chat\n", "  name: talk\n")).unwrap();
    let text = park.says(1, &["plan"]);
    assert!(text.contains("It holds RayService ml/talk, and is to hold RayService chat."), "{text}");
    fs::write(&file, &by_hand).unwrap();
    park.says(0, &["apply", "--auto-approve"]);
    assert_eq!(park.read("kuberay/rayservice-chat.yaml"), other.read("kuberay/rayservice-chat.yaml"));
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."), "harmless afterwards");
}

#[test]
fn terraforms_import_blocks_are_written_for_the_root_module() {
    let park = Park::new();
    park.append(&import("cluster.tpu", "projects/demo/locations/us-east5/clusters/tpu"));
    park.append("import {\n  for_each = toset([\"0\", \"1\"])\n  to = slice.v6e\n  id = \"demo/us-east5/tpu/v6e-4x4-${each.key}\"\n}");
    let text = park.says(0, &["plan"]);
    assert!(text.contains("google_container_cluster.tpu will be taken over by Terraform"), "{text}");
    assert!(text.contains("7 to add, 0 to change"), "{text}");
    park.says(0, &["apply", "--auto-approve"]);
    insta::assert_snapshot!(park.read("gke/imports.tf.example"), @r#"
    # stack.park of stack park: written by sliceform; edit the stack, not this file
    # Terraform takes import blocks in its root module only: copy them there. NAME is what that calls this folder.
    import {
      to = module.NAME.google_container_cluster.tpu
      id = "projects/demo/locations/us-east5/clusters/tpu"
    }

    import {
      to = module.NAME.google_container_node_pool.v6e_4x4_0
      id = "demo/us-east5/tpu/v6e-4x4-0"
    }

    import {
      to = module.NAME.google_container_node_pool.v6e_4x4_1
      id = "demo/us-east5/tpu/v6e-4x4-1"
    }
    "#);
    assert!(park.says(0, &["plan", "--detailed-exitcode"]).contains("No changes."), "harmless afterwards");
}

#[test]
fn each_import_that_cannot_be_meant_is_one_error() {
    let cluster = "cluster \"c\" {\n  project = \"demo\"\n  location = \"us-east5\"\n  manage = true\n}\n";
    insta::assert_debug_snapshot!(
        [
            faults(&import("bucket.none", "x")),
            faults(&import("bucket.many", "demo-x")),
            faults(&import("bucket.many[\"z\"]", "demo-x")),
            faults(&import("bucket.b", "demo")),
            faults(&(cluster.to_owned() + &import("cluster.c", "c"))),
            faults(&(cluster.to_owned() + &import("cluster.c", "us-east5/d"))),
            faults(&(cluster.to_owned() + &import("cluster.c", "us-east5/c") + &import("cluster.c", "us-east5/c"))),
        ],
        @r#"
        [
            [
                "There is no bucket.none to import to: not declared",
            ],
            [
                "There is no bucket.many to import to: not declared",
            ],
            [
                "There is no bucket.many[\"z\"] to import to: not declared",
            ],
            [
                "\"demo\" is nothing that bucket.b makes: makes nothing that could be imported",
            ],
            [
                "\"c\" is nothing that cluster.c makes: no such object",
            ],
            [
                "\"us-east5/d\" is nothing that cluster.c makes: no such object",
            ],
            [
                "The same import twice: \"us-east5/c\" is imported to cluster.c already",
            ],
        ]
        "#
    );
    assert_eq!(faults(&(cluster.to_owned() + &import("cluster.c", "us-east5/c"))), Vec::<String>::new());
}
