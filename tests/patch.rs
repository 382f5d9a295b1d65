//! `patch` blocks through the compiler: what they change, what they may not, and what is said of those that do nothing.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;

use serde_json::{Value, json};

use sliceform::base::diag::{Diag, Severity};
use sliceform::cli::pipeline::{self, Compiled};
use sliceform::cli::source::Values;
use sliceform::emit;
use sliceform::world::memory::Memory;

/// A stack with a training run and a pool; `slice` and `train` are what stands in their blocks beside the usual.
fn compile(slice: &str, train: &str) -> Compiled {
    let text = format!(
        r#"
stack "s" {{
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}}
cluster "c" {{
  project  = "demo"
  location = "us-east5-b"
}}
slice "v6e" {{
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "4x4"
  {slice}
}}
train "dpo" {{
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "i:1"
  train_loop_per_worker = "m:f"
  {train}
}}
"#
    );
    let files = Memory::with(&[("s.stack.hcl", &text)]);
    pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false)
}

fn problems(compiled: &Compiled) -> Vec<&Diag> {
    compiled.diags.iter().filter(|diag| diag.severity != Severity::Note).collect()
}

/// The one object of a kind, after a compilation without problems.
fn object(compiled: &Compiled, kind: &str) -> (String, Value) {
    assert_eq!(problems(compiled), Vec::<&Diag>::new());
    let manifest = compiled.manifests.iter().find(|manifest| manifest.object.kind == kind).unwrap();
    assert_eq!(emit::read(&manifest.path, &manifest.text).as_ref(), Some(&manifest.tree), "{}", manifest.text);
    (manifest.path.clone(), emit::fields(kind, &manifest.tree).clone())
}

#[test]
fn an_object_is_merged_and_operated_on_and_a_run_is_another_one() {
    let (plain, _) = object(&compile("", ""), "RayJob");
    let patches = r#"
  patch {
    target = "RayJob"
    merge = { spec = { suspend = true, rayClusterSpec = { workerGroupSpecs = [{ groupName = "v6e", minReplicas = 1 }] } } }
  }
  patch {
    target = "rayjob/dpo"
    json = [
      { op = "test", path = "/spec/suspend", value = true },
      { op = "remove", path = "/spec/submissionMode" },
      { op = "add", path = "/metadata/annotations/a~1b", value = "c" },
    ]
  }
  head {
    patch {
      merge = { spec = { containers = [{ name = "ray-head", workingDir = "/w" }], volumes = [{ name = "x", emptyDir = {} }] } }
    }
  }
  worker {
    patch {
      json = [{ op = "add", path = "/spec/schedulerName", value = "custom" }]
    }
  }"#;
    let (path, job) = object(&compile("", patches), "RayJob");
    assert_ne!(path, plain, "a patched run is another one");
    assert_eq!(object(&compile("", patches), "RayJob").0, path);
    assert_eq!((&job["spec"]["suspend"], &job["spec"]["submissionMode"]), (&json!(true), &Value::Null));
    assert_eq!(job["metadata"]["annotations"]["a/b"], "c");
    let cluster = &job["spec"]["rayClusterSpec"];
    let head = &cluster["headGroupSpec"]["template"]["spec"];
    assert_eq!((&head["containers"][0]["workingDir"], &head["containers"][0]["image"]), (&json!("/w"), &json!("i:1")));
    assert_eq!(head["volumes"].as_array().unwrap().len(), 2, "the driver's volume stays");
    assert_eq!(cluster["workerGroupSpecs"][0]["numOfHosts"], 4);
    assert_eq!(cluster["workerGroupSpecs"][0]["template"]["spec"]["schedulerName"], "custom");
}

#[test]
fn a_patched_pool_is_terraforms_json_and_keeps_its_order() {
    let patch = "lifecycle {\n    ignore_changes = [\"node_count\"]\n  }\n  patch {\n    merge = { node_config = { labels = { team = \"ml\" }, disk_type = null } }\n  }";
    let compiled = compile(patch, "");
    let (path, pool) = object(&compiled, "google_container_node_pool");
    assert_eq!(path, "gke/nodepool-v6e-4x4-0.tf.json");
    assert_eq!(
        (&pool["node_config"]["labels"]["team"], &pool["node_config"]["disk_type"]),
        (&json!("ml"), &Value::Null)
    );
    assert_eq!(pool["lifecycle"]["ignore_changes"], json!(["node_count"]));
    let text = &compiled.manifests.iter().find(|manifest| manifest.path == path).unwrap().text;
    assert!(text.starts_with("{\n  \"//\": \"slice.v6e of stack s: written by sliceform"), "{text}");
}

/// What a patch takes out is part of it, and copies of copies end.
#[test]
fn a_null_counts_and_copies_do_not_grow_without_end() {
    let of = |field: &str| {
        let patch = format!("patch {{\n    target = \"RayJob\"\n    merge = {{ spec = {{ {field} = null }} }}\n  }}");
        object(&compile("", &patch), "RayJob").0
    };
    assert_ne!(of("submissionMode"), of("shutdownAfterJobFinishes"));
    let copies = "patch {\n    target = \"RayJob\"\n    json = [for i in range(60) : { op = \"copy\", from = \"/spec\", path = \"/spec/x${i}\" }]\n  }";
    assert!(refused("", copies, "patch").contains("too many for a copy"));
}

/// The first problem of a stack, which is one of `rule`: its summary, its label and its help.
fn refused(slice: &str, train: &str, rule: &str) -> String {
    let compiled = compile(slice, train);
    let diag = problems(&compiled).first().copied().unwrap();
    assert_eq!(diag.rule, rule, "{diag:?}");
    let label = diag.primary.as_ref().map_or("", |label| label.text.as_str());
    format!("{}: {label}. {}", diag.summary, diag.help.as_deref().unwrap_or_default())
}

#[test]
fn what_a_patch_may_not_and_cannot_is_said() {
    let job = |body: &str| format!("patch {{\n    target = \"RayJob\"\n    {body}\n  }}");
    let of = |body: &str| refused("", &job(body), "patch");
    let said = [
        of("merge = { metadata = { name = \"x\" } }"),
        of("merge = { metadata = { labels = null } }"),
        of("json = [{ op = \"replace\", path = \"/spec/suspand\", value = 1 }]"),
        of("json = [{ op = \"test\", path = \"/spec/submissionMode\", value = \"x\" }]"),
        of("merge = { spec = { submissionMode = \"K8sJobMode\" } }"),
        refused("", "patch {\n    target = \"RayService\"\n    merge = {}\n  }", "patch"),
        refused("", "patch {\n    merge = {}\n  }", "patch"),
    ];
    let said = regex::Regex::new("-[b-z2-9]{6}\\b").unwrap().replace_all(&said.join("\n"), "-XXXXXX").into_owned();
    insta::assert_snapshot!(said, @r#"
    A patch may not change what an object is: another name, place, kind or owner. Kind, name, namespace and the marks of ownership stay: set them by the block's attributes.
    A patch may not change what an object is: another name, place, kind or owner. Kind, name, namespace and the marks of ownership stay: set them by the block's attributes.
    A patch that does not apply: operation 0: there is no suspand in /spec. 
    A patch that does not apply: operation 0: at /spec/submissionMode is "K8sJobMode", not "x". 
    A patch that changes nothing: all of it is so already. Take it out: train.dpo is as it says without it.
    A patch of an object that the block does not become: not one of them. The block becomes: ConfigMap/dpo-XXXXXX-XXXXXX, RayJob/dpo-XXXXXX.
    A patch must say which object it is for: several objects. Write target = one of: ConfigMap/dpo-XXXXXX-XXXXXX, RayJob/dpo-XXXXXX.
    "#);
    // The schema is checked again, and a value that must stay secret is refused as everywhere.
    assert!(refused("", &job("merge = { spec = { suspend = \"yes\" } }"), "manifest-schema").contains("patch"));
    assert!(refused("patch {\n    merge = { nodepool = 1 }\n  }", "", "manifest-schema").contains("patch"));
    refused("", &job("json = [{ op = \"replase\", path = \"/a\", value = 1 }]"), "type");
    refused("", &job("json = {}"), "type");
    refused("", "patch {\n    target = \"RayJob\"\n  }", "conflicting-attributes");
}
