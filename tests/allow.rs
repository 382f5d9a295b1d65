//! `# allow` comments: what they silence, and what is said of one that silences nothing.

use std::path::Path;

use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::world::memory::Memory;

/// The rules of warnings and errors, with the label at the place.
fn found(text: &str) -> Vec<String> {
    let files = Memory::with(&[("s.stack.hcl", text)]);
    let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
    let diags = compiled.diags.iter().filter(|diag| diag.severity.name() != "note");
    diags.map(|diag| format!("{} {}", diag.rule, diag.primary.as_ref().map_or("", |label| &label.text))).collect()
}

fn stack(above_slice: &str, above_topology: &str) -> String {
    format!(
        "stack \"s\" {{\n  ray_version = \"2.60.0\"\n  kuberay_version = \"1.6.2\"\n}}\n\
         cluster \"c\" {{\n  project = \"p\"\n  location = \"us-central1-c\"\n}}\n\
         {above_slice}\nslice \"v6e\" {{\n  cluster = cluster.c\n  accelerator = \"v6e\"\n\
         {above_topology}\n  topology = \"2x4\"\n}}\n"
    )
}

#[test]
fn a_rule_is_silent_below_its_comment_and_nowhere_else() {
    let plain = found(&stack("", ""));
    assert_eq!(plain.len(), 1, "{plain:?}");
    assert!(plain[0].starts_with("ambiguous-hosts"), "{plain:?}");
    let allow = "# allow: ambiguous-hosts -- two hosts are meant";
    assert_eq!(found(&stack(allow, "")), Vec::<String>::new(), "the whole block");
    assert_eq!(found(&stack("", allow)), Vec::<String>::new(), "one attribute");
    assert_eq!(found(&stack(&format!("{allow}\n// why, at length"), "")), Vec::<String>::new());
    assert_eq!(found(&stack(&format!("{allow}\n"), "")).len(), 2, "a blank line parts them");
}

#[test]
fn a_comment_that_does_nothing_says_so() {
    let label = |above: &str| {
        let all = found(&stack(above, ""));
        all.into_iter().find(|line| line.starts_with(sliceform::check::allow::RULE)).unwrap_or_default()
    };
    assert_eq!(label("# allow: ambiguous-hosts"), "useless-allow without a reason it has no effect");
    assert_eq!(label("# allow: ambiguous-host -- x"), "useless-allow no rule has this name");
    assert_eq!(label("# allow: unused-slice -- x"), "useless-allow the rule finds nothing here");
    assert_eq!(label("# allow: unused-slice -- x\n\n"), "useless-allow no block or attribute below it");
    assert_eq!(label("locals {\n  a = <<EOT\n# allow: unused-slice -- x\nEOT\n}"), "", "no comment");
}

/// Rules about objects look at what patches leave, and only where there are objects.
#[test]
fn a_rule_about_objects_is_silent_below_its_comment_too() {
    let text = |above: &str, topology: &str| {
        format!(
            "stack \"s\" {{\n  ray_version = \"2.60.0\"\n  kuberay_version = \"1.6.2\"\n}}\n\
             cluster \"c\" {{\n  project = \"p\"\n  location = \"us-central1-b\"\n}}\n\
             slice \"v6e\" {{\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"{topology}\"\n}}\n\
             {above}\ntrain \"t\" {{\n  framework = \"jax\"\n  slice = slice.v6e\n  image = \"example/train:1\"\n\
             train_loop_per_worker = \"a:b\"\n  worker {{\n    patch {{\n      merge = {{ spec = {{ containers = [\n\
             {{ name = \"ray-worker\", image = \"example/train:latest\" }}] }} }}\n    }}\n  }}\n}}\n"
        )
    };
    let allow = "# allow: unpinned-image -- it is built an hour before";
    assert_eq!(found(&text("", "4x4")), ["unpinned-image the tag `latest`"]);
    assert_eq!(found(&text(allow, "4x4")), Vec::<String>::new());
    // Without objects nobody knows whether the comment is needed.
    let broken = found(&text(allow, "4x3"));
    assert!(broken.len() == 1 && broken[0].starts_with("unknown-topology"), "{broken:?}");
}
