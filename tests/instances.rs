//! `for_each`, `count` and `enabled`: which objects there are, what they are called, and what goes wrong.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;

use sliceform::cli::pipeline::{self, Compiled};
use sliceform::cli::source::Values;
use sliceform::world::memory::Memory;

const STACK: &str = r#"
stack "s" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}

cluster "c" {
  project  = "demo"
  location = "us-east5"
}

locals {
  shapes = {
    small     = { topology = "2x4", hosts = 8 }
    "Big One" = { topology = "4x4", hosts = null }
  }
}

slice "s" {
  for_each       = local.shapes
  cluster        = cluster.c
  zone           = "us-east5-b"
  accelerator    = "v6e"
  topology       = each.value.topology
  chips_per_host = each.value.hosts
  share          = true
}

bucket "b" {
  for_each = toset(["x", "y"])
  name     = "demo-${each.key}"
}
"#;

const TRAIN: &str = r#"
  framework             = "jax"
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train"
"#;

fn compile(more: &str) -> Compiled {
    let text = format!("{STACK}{more}");
    let files = Memory::with(&[("s.stack.hcl", text.as_str())]);
    pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false)
}

/// What is wrong: rule, summary, the words at the place, and the help.
fn faults(more: &str) -> Vec<String> {
    let compiled = compile(more);
    let errors = compiled.diags.iter().filter(|diag| diag.severity.name() == "error");
    errors
        .map(|diag| {
            let at = diag.primary.as_ref().map_or("", |label| label.text.as_str());
            let help = diag.help.as_deref().or(diag.detail.as_deref()).unwrap_or("");
            format!("{}: {} [{at}] {help}", diag.rule, diag.summary)
        })
        .collect()
}

fn objects(compiled: &Compiled) -> Vec<String> {
    let line = |manifest: &sliceform::emit::Manifest| {
        let name = manifest.object.name.rsplit_once('-').filter(|_| manifest.object.kind == "RayJob");
        let name = name.map_or(manifest.object.name.as_str(), |(name, _)| name);
        format!("{} {} {name}", manifest.addr, manifest.object.kind)
    };
    compiled.manifests.iter().map(line).filter(|line| !line.contains("ConfigMap")).collect()
}

fn output(compiled: &Compiled, name: &str) -> String {
    let outputs = &compiled.stack.as_ref().unwrap().outputs;
    outputs.iter().find(|output| output.name == name).unwrap().value.as_ref().unwrap().to_string()
}

#[test]
fn each_instance_is_a_block_of_its_own_with_a_name_and_an_address() {
    let compiled = compile(&format!(
        r#"
train "dpo" {{
  for_each     = local.shapes
  slice        = slice.s[each.key]
  storage_path = "gs://${{bucket.b[each.key == "small" ? "x" : "y"].name}}/runs"
  {TRAIN}
}}

train "again" {{
  count = 2
  slice = slice.s.small
  env   = {{ SEED = count.index }}
  {TRAIN}
}}

output "chips" {{
  value = {{ for key, slice in slice.s : key => slice.chips }}
}}

output "names" {{
  value = [train.again[*].name, [for run in train.dpo : run.num_workers], length(train.again), keys(slice.s)]
}}
"#
    ));
    assert!(!compiled.diags.has_errors(), "{:?}", compiled.diags);
    insta::assert_snapshot!(objects(&compiled).join("\n"));
    assert_eq!(output(&compiled, "chips"), r#"{"Big One":16,"small":8}"#);
    assert_eq!(output(&compiled, "names"), r#"[["again-0","again-1"],[4,1],2,["Big One","small"]]"#);
}

#[test]
fn a_bucket_is_granted_to_the_instance_that_names_it_and_to_no_other() {
    let compiled = compile(&format!(
        r#"
service_account "of" {{
  for_each               = toset(["x", "y"])
  google_service_account = "${{each.key}}@demo.iam.gserviceaccount.com"
}}

train "dpo" {{
  for_each        = toset(["x", "y"])
  slice           = slice.s["small"]
  storage_path    = "gs://${{bucket.b[each.key].name}}/runs"
  service_account = service_account.of[each.key]
  {TRAIN}
}}
"#
    ));
    let grants =
        objects(&compiled).into_iter().filter(|line| line.contains("bucket_iam") && line.contains("objectadmin"));
    let grants: Vec<String> = grants.collect();
    assert_eq!(
        grants,
        [
            "bucket.b[\"x\"] google_storage_bucket_iam_member b_x_of_x_objectadmin",
            "bucket.b[\"y\"] google_storage_bucket_iam_member b_y_of_y_objectadmin"
        ]
    );
}

#[test]
fn what_is_off_is_not_there_and_is_null() {
    let compiled = compile(&format!(
        r#"
train "dpo" {{
  enabled = false
  slice   = slice.s["small"]
  {TRAIN}
}}

train "some" {{
  for_each = local.shapes
  enabled  = each.value.hosts != null
  slice    = slice.s[each.key]
  {TRAIN}
}}

output "off" {{
  value = [train.dpo == null, keys(train.some), try(train.dpo.name, "none")]
}}
"#
    ));
    assert!(!compiled.diags.has_errors(), "{:?}", compiled.diags);
    assert_eq!(output(&compiled, "off"), r#"[true,["small"],"none"]"#);
    assert!(!objects(&compiled).iter().any(|line| line.contains("train.dpo")));
}

#[test]
fn what_goes_wrong_is_told_once() {
    let cases = [
        "bucket \"q\" {\n  for_each = [\"a\"]\n}",
        "bucket \"q\" {\n  for_each = 3\n}",
        "bucket \"q\" {\n  for_each = null\n}",
        "bucket \"q\" {\n  count = -1\n}",
        "bucket \"q\" {\n  count = 1.5\n}",
        "bucket \"q\" {\n  count = 100000000\n}",
        "bucket \"q\" {\n  count = 1\n  for_each = {}\n}",
        "bucket \"q\" {\n  enabled = \"perhaps\"\n}",
        "bucket \"q\" {\n  name = each.key\n}",
        "bucket \"q\" {\n  count = 2\n  name = \"x-${each.key}\"\n}",
        "bucket \"q\" {\n  for_each = { a = 1 }\n  name = \"x-${count.index}\"\n}",
        "bucket \"q\" {\n  for_each = { a = 1 }\n  name = \"x-${each.vale}\"\n}",
        "bucket \"q\" {\n  for_each = bucket.q\n}",
        "output \"o\" {\n  value = slice.s.chips\n}",
        "output \"o\" {\n  value = slice.s[\"smal\"].chips\n}",
        "output \"o\" {\n  value = cluster.c[0].name\n}",
        "variable \"v\" {\n  default = { a = 1 }\n  sensitive = true\n}\nbucket \"q\" {\n  for_each = var.v\n}",
        "bucket \"q\" {\n  for_each = { \"a b\" = 1, \"A-b\" = 2 }\n  manage = true\n  location = \"us\"\n}",
    ];
    let told: Vec<String> = cases.iter().map(|case| format!("{case}\n  -> {}", faults(case).join("\n  -> "))).collect();
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn a_fault_that_all_instances_share_is_one_error() {
    let found = faults(&format!(
        "train \"dpo\" {{\n  count = 50\n  slice = slice.s[\"small\"]\n  num_slices = \"many\"\n{TRAIN}\n}}"
    ));
    assert_eq!(found.len(), 1, "{found:?}");
}
