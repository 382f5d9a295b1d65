//! `model` blocks: dimensions that the catalogue lacks, and the rules that they feed.

use std::path::Path;

use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::world::memory::Memory;

const CONFIG: &str = r#"{"architectures": ["InHouse"], "num_hidden_layers": 80, "hidden_size": 8192,
  "num_attention_heads": 40, "num_key_value_heads": 8, "max_position_embeddings": 32768}"#;

/// Rule and detail of everything that is found.
fn found(model: &str, served: &str) -> Vec<String> {
    let text = format!(
        r#"
stack "s" {{
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}}

cluster "c" {{
  project  = "demo"
  location = "us-east5"
}}

slice "v6e" {{
  cluster     = cluster.c
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}}

{model}

serve "chat" {{
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {{
    source               = "example/in-house-70b"
    tensor_parallel_size = 16
    {served}
  }}
}}
"#
    );
    let files = Memory::with(&[("s.stack.hcl", text.as_str()), ("models/config.json", CONFIG)]);
    let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
    let line = |diag: &sliceform::base::diag::Diag| {
        let label = diag.primary.as_ref().map_or("", |label| label.text.as_str());
        format!("{}: {label} / {}", diag.rule, diag.detail.as_deref().unwrap_or_default())
    };
    compiled.diags.iter().filter(|diag| diag.rule != "note").map(line).collect()
}

#[test]
fn an_unknown_model_is_checked_by_what_the_stack_says_of_it() {
    let unchecked = found("", "");
    assert!(unchecked[0].starts_with("unknown-model"), "{unchecked:?}");
    for block in [
        "model \"in_house\" {\n  config = \"models/config.json\"\n}",
        "model \"in_house\" {\n  layers = 80\n  heads = 40\n  kv_heads = 8\n}",
    ] {
        let told = found(block, "facts = model.in_house");
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].starts_with("indivisible-heads") && told[0].contains("40"), "{told:?}");
    }
    let wins = found(
        "model \"in_house\" {\n  config = \"models/config.json\"\n  heads = 64\n  context = 4096\n}",
        "facts = model.in_house\n    max_model_len = 8192",
    );
    assert_eq!(wins.len(), 1, "{wins:?}");
    assert!(wins[0].starts_with("longer-than-context"), "{wins:?}");
}

#[test]
fn a_configuration_that_cannot_be_read_is_one_error() {
    for (block, why) in [
        ("config = \"models/none.json\"", "models/none.json"),
        ("config = \"s.stack.hcl\"", "it is no JSON"),
        ("heads = 8", "needs `layers`"),
        ("layers = 8\n  heads = 0", "not that"),
    ] {
        let told = found(&format!("model \"m\" {{\n  {block}\n}}"), "facts = model.m");
        assert_eq!(told.len(), 1, "{block}: {told:?}");
        assert!(told[0].contains(why), "{block}: {told:?}");
    }
    let told = found("", "facts = \"x\"");
    assert!(told.iter().any(|line| line.contains("this is a string")), "{told:?}");
}
