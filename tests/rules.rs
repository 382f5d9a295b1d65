//! The catalogue of rules: its order and its prose, and every example in the prose compiled.
#![expect(clippy::disallowed_methods, reason = "reads the project's own source")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use regex::Regex;

use sliceform::base::diag::{Diag, Diags, Severity};
use sliceform::base::span::SourceMap;
use sliceform::check::{self, rule::Rule, rules::RULES};
use sliceform::cli::source::Values;
use sliceform::cli::{explain, pipeline};
use sliceform::view::{self, Style};
use sliceform::world::memory::Memory;

const SECTIONS: [&str; 5] = ["What", "Why", "Bad", "Good", "Source"];

/// What an example may name without declaring it: blocks that have nothing to do with its rule.
const BASE: &[(&str, &str)] = &[
    ("cluster", "project = \"demo\"\n  location = \"us-east5-b\""),
    ("slice", "cluster = cluster.tpu\n  accelerator = \"v6e\"\n  topology = \"4x4\""),
    ("nodes", "cluster = cluster.tpu\n  machine_type = \"a3-highgpu-8g\""),
    ("bucket", "name = \"demo-data\""),
    ("secret", "keys = [\"token\"]"),
    ("service_account", ""),
];

const STACK: &str = "stack \"example\" {\n  ray_version = \"2.60.0\"\n  kuberay_version = \"1.6.2\"\n}\n";

#[test]
fn rules_are_sorted_and_have_names_of_their_own() {
    let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert!(names.is_sorted(), "{names:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    let kebab = Regex::new("^[a-z][a-z0-9]*(-[a-z0-9]+)*$").unwrap();
    assert!(names.iter().all(|name| kebab.is_match(name)));
    assert!(RULES.iter().all(|rule| check::find(rule.name).is_some_and(|found| found.name == rule.name)));
}

#[test]
fn each_rule_is_the_file_of_its_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/check/rules");
    let files: BTreeSet<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "mod.rs" && name != "subject")
        .collect();
    let rules: BTreeSet<String> = RULES.iter().map(|rule| format!("{}.rs", rule.name.replace('-', "_"))).collect();
    assert_eq!(files, rules);
}

#[test]
fn the_prose_of_every_rule_has_its_sections_in_order() {
    for rule in RULES {
        let headings: Vec<&str> = rule.docs.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(headings, SECTIONS, "{}", rule.name);
        assert!(SECTIONS.iter().all(|section| part(rule, section).len() > 20), "{}", rule.name);
        assert!(!examples(rule, "Bad").is_empty() && !examples(rule, "Good").is_empty(), "{}", rule.name);
        assert!(rule.docs.lines().all(|line| line.chars().count() <= 140), "{}", rule.name);
        assert!(!rule.summary.ends_with('.') && rule.summary.chars().count() <= 72, "{}", rule.name);
    }
}

#[test]
fn a_bad_example_breaks_its_rule_and_no_other() {
    let mut wrong = Vec::new();
    for rule in RULES {
        for text in examples(rule, "Bad") {
            let compiled = compile(&text);
            let fired: BTreeSet<&str> = grave(&compiled.diags, rule.name).collect();
            if fired != BTreeSet::from([rule.name]) {
                wrong.push(format!("{}: {fired:?}\n{}", rule.name, shown(&compiled)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_good_example_breaks_none_and_becomes_legal_objects() {
    let mut wrong = Vec::new();
    for rule in RULES {
        for text in examples(rule, "Good") {
            let compiled = compile(&text);
            let fired: Vec<&str> = grave(&compiled.diags, rule.name).collect();
            if !fired.is_empty() {
                wrong.push(format!("{}: {fired:?}\n{}", rule.name, shown(&compiled)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_message_says_why_and_what_to_do_at_a_place() {
    for rule in RULES {
        for text in examples(rule, "Bad") {
            let compiled = compile(&text);
            for diag in compiled.diags.iter().filter(|diag| diag.rule == rule.name) {
                let sentence = |text: &Option<String>| text.as_ref().is_some_and(|text| text.ends_with('.'));
                assert!(sentence(&diag.detail) && sentence(&diag.help), "{}: {diag:#?}", rule.name);
                let place = diag.primary.as_ref().unwrap();
                assert!(!compiled.map.text(place.span).is_empty(), "{}", rule.name);
            }
        }
    }
}

/// A fix that does not mend is worse than none.
#[test]
fn a_fix_mends_its_fault() {
    let mut fixes = 0;
    for rule in RULES {
        for text in examples(rule, "Bad") {
            let compiled = compile(&text);
            let mut edits: Vec<_> =
                compiled.diags.iter().filter(|diag| diag.rule == rule.name).flat_map(|diag| diag.fix.clone()).collect();
            if edits.is_empty() {
                continue;
            }
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
            let mut mended = compiled.text.clone();
            for edit in edits {
                mended.replace_range(edit.span.range(), &edit.text);
            }
            let again = compile_whole(&mended);
            let fired: Vec<&str> = grave(&again.diags, rule.name).collect();
            assert!(fired.is_empty(), "{}: {fired:?}\n{mended}\n{}", rule.name, shown(&again));
            fixes += 1;
        }
    }
    assert!(fixes > 10, "only {fixes} fixes were tried");
}

const TORCH: &str = "framework = \"pytorch\"\nslice = slice.x\nimage = \"i:1\"\ntrain_loop_per_worker = \"a:b\"\n";
const CHAT: &str = "runtime = \"ray\"\nslice = slice.x\nimage = \"i:1\"\n";

/// The rules that a stack breaks: a slice, a training run and an application, with these attributes more.
fn fired(ray: &str, slice: &str, train: &str, model: &str) -> Vec<&'static str> {
    let model = if model.is_empty() {
        String::new()
    } else {
        format!("serve \"s\" {{\n{CHAT}model \"m\" {{\n{model}\n}}\n}}\n")
    };
    let train = if train.is_empty() { String::new() } else { format!("train \"t\" {{\n{TORCH}{train}\n}}\n") };
    let compiled = compile(&format!(
        "stack \"example\" {{\nray_version = \"{ray}\"\nkuberay_version = \"1.6.2\"\n}}\nslice \"x\" {{\ncluster = cluster.tpu\n{slice}\n}}\n{train}{model}"
    ));
    compiled.diags.iter().filter(|diag| diag.severity != Severity::Note).map(|diag| diag.rule).collect()
}

#[test]
fn one_cause_is_told_once() {
    const V6E: &str = "accelerator = \"v6e\"\ntopology = \"4x4\"";
    let two = format!("{V6E}\nnum_slices = 2");
    let qwen = "source = \"Qwen/Qwen3-30B-A3B\"\ntensor_parallel_size = 16";
    let faulty = "accelerator = \"v6e\"\ntopology = \"4x3\"\nnum_slices = 2";
    let mesh = "parallelism {\nstrategy = \"ddp\"\naxis \"data\" {\nsize = 8\n}\n}";
    assert_eq!(fired("2.60.0", V6E, "", qwen), [""; 0]);
    assert_eq!(fired("2.60.0", &two, "", ""), [""; 0]);
    // What hangs on a faulty slice stays silent.
    assert_eq!(
        fired("2.60.0", faulty, "num_workers = 3", "source = \"Qwen/Qwen3-14B\"\ntensor_parallel_size = 7"),
        ["unknown-topology"]
    );
    // A mesh that fits the wrong number of workers is wrong with it.
    assert_eq!(fired("2.60.0", V6E, &format!("num_workers = 8\n{mesh}"), ""), ["worker-not-one-device"]);
    assert_eq!(fired("2.60.0", V6E, mesh, ""), ["mesh-not-devices"]);
    // Several slices: neither the workers, nor the Ray that trains on the CPU, nor the slices taken are told beside.
    assert_eq!(fired("2.59.0", &two, &format!("num_slices = 2\nnum_workers = 3\n{mesh}"), ""), ["torch-multi-slice"]);
    assert_eq!(fired("2.57.0", &two, "num_slices = 2", ""), ["torch-multi-slice"]);
    assert_eq!(fired("2.59.0", V6E, "num_slices = 2\nmulti_slice = true", ""), ["torch-multi-slice"]);
    // Sizes that must change anyway are not also told to divide badly.
    assert_eq!(
        fired("2.60.0", V6E, "", "source = \"Qwen/Qwen3-14B\"\ntensor_parallel_size = 12"),
        ["parallelism-product"]
    );
    assert_eq!(
        fired("2.60.0", V6E, "", "source = \"microsoft/phi-4\"\ntensor_parallel_size = 16"),
        ["indivisible-heads"]
    );
    assert_eq!(
        fired("2.55.0", V6E, "", "source = \"microsoft/phi-4\"\ntensor_parallel_size = 3"),
        ["llm-serves-on-cpu"]
    );
    // Turns, and room for the second cluster of an upgrade.
    assert_eq!(fired("2.60.0", &format!("{V6E}\nshare = true"), "name = \"a\"", qwen), [""; 0]);
    assert_eq!(fired("2.60.0", V6E, "name = \"a\"", qwen), ["chips-overbooked"]);
    assert_eq!(fired("2.60.0", &two, "", qwen), [""; 0]);
    // Chips of two devices count twice.
    let ironwood = "accelerator = \"tpu7x\"\ntopology = \"2x2x1\"";
    assert_eq!(fired("2.60.0", ironwood, "num_workers = 8", ""), [""; 0]);
    assert_eq!(fired("2.60.0", ironwood, "num_workers = 4", ""), ["worker-not-one-device"]);
    assert_eq!(
        fired("2.60.0", ironwood, "", "source = \"Qwen/Qwen3-8B\"\ntensor_parallel_size = 4"),
        ["parallelism-product"]
    );
    // Facts that are not there make no rule guess.
    assert_eq!(fired("2.50.0", &two, "num_slices = 2", ""), ["version-below-facts"]);
    assert_eq!(
        fired("2.60.0", V6E, "", "source = \"me/mine\"\ntensor_parallel_size = 16\nmax_model_len = 9999999"),
        [""; 0]
    );
}

/// Shapes of public manifests that run: whatever a rule says, it may not say it of these.
#[test]
fn shapes_that_run_in_public_are_legal() {
    for (accelerator, topology, chips_per_host) in [
        ("v6e", "4x4", None),
        ("v6e", "2x4", Some(8)),
        ("v6e", "2x4", Some(4)),
        ("v4", "2x2x2", None),
        ("v5e", "4x4", None),
        ("tpu7x", "2x2x1", None),
        ("tpu7x", "2x2x2", None),
        ("tpu7x", "4x4x8", None),
    ] {
        let chips = chips_per_host.map_or_else(String::new, |chips| format!("chips_per_host = {chips}"));
        let compiled = compile(&format!(
            "slice \"x\" {{\ncluster = cluster.tpu\naccelerator = \"{accelerator}\"\ntopology = \"{topology}\"\n{chips}\n}}\n"
        ));
        assert!(compiled.diags.is_empty(), "{}", shown(&compiled));
    }
}

/// Neither a message nor the lines of the stack around it show a secret.
#[test]
fn a_secret_is_not_shown() {
    let rule = check::find("secret-in-plain-text").unwrap();
    for text in examples(rule, "Bad") {
        let compiled =
            compile(&text.replace("  framework ", "  # hf_EXAMPLEaBcDeFgHiJkLmNoPqRsTuVwXyZ0123\n  framework "));
        let shown = shown(&compiled);
        assert!(shown.contains("****"), "{shown}");
        assert!(!shown.contains("EXAMPLEaBc") && !shown.contains("0123456789abcdef"), "{shown}");
    }
}

/// Every message of every bad example, so that a change of words is seen.
#[test]
fn messages() {
    let mut text = String::new();
    for rule in RULES {
        for example in examples(rule, "Bad") {
            let compiled = compile(&example);
            for diag in compiled.diags.iter().filter(|diag| diag.rule == rule.name) {
                let place = diag.primary.as_ref().unwrap();
                let lines = [
                    format!("{}[{}]: {}", diag.severity.name(), diag.rule, diag.summary),
                    format!(
                        "at      {} -- {}",
                        compiled.map.text(place.span).lines().next().unwrap_or_default(),
                        place.text
                    ),
                    format!("why     {}", diag.detail.as_deref().unwrap_or_default()),
                    format!("source  {}", diag.source.as_deref().unwrap_or_default()),
                    format!("help    {}", diag.help.as_deref().unwrap_or_default()),
                    format!(
                        "fix     {}",
                        diag.fix.iter().map(|edit| edit.text.escape_debug().to_string()).collect::<Vec<_>>().join(", ")
                    ),
                ];
                text += &lines.map(|line| format!("{}\n", line.trim_end())).concat();
                text.push('\n');
            }
        }
    }
    insta::assert_snapshot!(text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_number_makes_a_rule_panic(
        (slices, taken, workers) in (number(), number(), number()),
        (axis, tensor, pipeline, data) in (number(), number(), number(), number()),
        (replicas, length, cpu) in (number(), number(), number()),
        framework in 0..2,
        shape in 0..4usize,
    ) {
        let framework = if framework == 0 { "pytorch" } else { "jax" };
        let (accelerator, topology) = [("v6e", "4x4"), ("v6e", "1x1"), ("tpu7x", "2x2x1"), ("v5p", "16x16x24")][shape];
        compile(&format!(
            "slice \"x\" {{\ncluster = cluster.tpu\naccelerator = \"{accelerator}\"\ntopology = \"{topology}\"\nnum_slices = {slices}\n}}
            train \"t\" {{\nframework = \"{framework}\"\nslice = slice.x\nnum_slices = {taken}\nnum_workers = {workers}\nimage = \"i:1\"
            train_loop_per_worker = \"a:b\"\nworker {{\ncpu = {cpu}\n}}
            parallelism {{\nstrategy = \"fsdp2\"\naxis \"a\" {{\nsize = {axis}\n}}\naxis \"b\" {{\nsize = {workers}\n}}\n}}\n}}
            serve \"s\" {{\nruntime = \"ray\"\nslice = slice.x\nnum_slices = {taken}\nimage = \"i:1\"\nmodel \"m\" {{\nsource = \"Qwen/Qwen3-14B\"
            replicas = {replicas}\ntensor_parallel_size = {tensor}\npipeline_parallel_size = {pipeline}\ndata_parallel_size = {data}
            max_model_len = {length}\nenable_expert_parallel = true\n}}\n}}\n"
        ));
    }
}

/// The ends of the range, what is usual, and anything.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), Just(1), Just(2), Just(16), Just(u32::MAX), any::<u32>()]
}

struct Compiled {
    text: String,
    map: SourceMap,
    diags: Diags,
}

/// Compiles an example, with what it names and does not declare.
fn compile(example: &str) -> Compiled {
    compile_whole(&completed(example))
}

fn compile_whole(text: &str) -> Compiled {
    let files = Memory::with(&[("example.stack.hcl", text)]);
    let pipeline::Compiled { map, diags, .. } =
        pipeline::compile(&files, Path::new("example.stack.hcl"), &Values::default(), false);
    let rules = |diag: &&Diag| check::find(diag.rule).is_some() || diag.severity != Severity::Note;
    Compiled { text: text.to_owned(), map, diags: diags.iter().filter(rules).cloned().collect() }
}

/// The example before the blocks that it leaves out.
fn completed(example: &str) -> String {
    let mut text = example.to_owned();
    if !text.lines().any(|line| line.starts_with("stack ")) {
        text.push('\n');
        text.push_str(STACK);
    }
    let reference = Regex::new(r"\b(cluster|slice|nodes|bucket|secret|service_account)\.(\w+)").unwrap();
    let mut missing = true;
    while missing {
        missing = false;
        let names: BTreeSet<(String, String)> = reference
            .captures_iter(&without_comments(&text))
            .map(|found| (found[1].to_owned(), found[2].to_owned()))
            .collect();
        for (kind, name) in names {
            let header = format!("{kind} \"{name}\" {{");
            if !text.contains(&header) {
                let (_, attributes) = BASE.iter().find(|(known, _)| *known == kind).unwrap();
                text = format!("{text}\n{header}\n  {attributes}\n}}\n");
                missing = true;
            }
        }
    }
    text
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split(" #").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The rules that errors and warnings name, and `own` whatever its severity.
fn grave<'a>(diags: &'a Diags, own: &'a str) -> impl Iterator<Item = &'a str> {
    diags.iter().filter(move |diag| diag.severity != Severity::Note || diag.rule == own).map(|diag| diag.rule)
}

fn shown(compiled: &Compiled) -> String {
    view::human::diags(&compiled.diags, &compiled.map, Style::PLAIN)
}

/// The text below a heading of a rule's prose.
fn part<'a>(rule: &'a Rule, section: &str) -> &'a str {
    let heading = format!("## {section}\n");
    let (_, rest) = rule.docs.split_once(&heading).unwrap_or_else(|| panic!("{} has no {section}", rule.name));
    rest.split("\n## ").next().unwrap_or_default().trim()
}

/// The stacks in a section.
fn examples(rule: &Rule, section: &str) -> Vec<String> {
    let fence = Regex::new(r"(?s)```hcl\n(.*?)```").unwrap();
    fence.captures_iter(part(rule, section)).map(|found| found[1].to_owned()).collect()
}

#[test]
fn the_readme_lists_every_rule_once() {
    let readme = fs::read_to_string("README.md").unwrap();
    let (_, table) = readme.split_once("| group | rules |").unwrap();
    let table = table.split("\n\n").next().unwrap();
    let mut listed: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
    listed.sort_unstable();
    let rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(listed, rules);
}

/// What no rule looks for: a section a source, a line a fault, with its reason; and every rule that a reason names exists.
#[test]
fn what_no_rule_looks_for_has_a_reason() {
    let text = fs::read_to_string("docs/rules-not-built.md").unwrap();
    let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let known = ["gke.md", "Kubernetes", "kuberay.md", "peers.md", "vllm.md", "ray.md"];
    assert!(sections.iter().all(|section| known.contains(section)), "{sections:?}");
    assert_eq!(sections.iter().collect::<BTreeSet<_>>().len(), sections.len(), "{sections:?}");
    let stage = Regex::new(r"^(illegal|indivisible|malformed|unknown|unused|flex-start)-[a-z-]+$").unwrap();
    let (mut faults, mut head) = (BTreeSet::new(), 0);
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if matches!(cells.as_slice(), ["fault", "why no rule"]) || line == "|---|---|" {
            head += 1;
            continue;
        }
        assert!(matches!(cells.as_slice(), [fault, why] if !fault.is_empty() && why.ends_with('.')), "{line}");
        assert!(faults.insert(cells[0]), "twice: {line}");
        let named = line.split('`').skip(1).step_by(2);
        let missing: Vec<&str> = named.filter(|name| stage.is_match(name) && check::find(name).is_none()).collect();
        assert!(missing.is_empty(), "no rule {missing:?}: {line}");
    }
    assert_eq!(head, 2 * sections.len());
}

/// `docs/rules`: a page a rule, as `explain` prints it, and a list of them. `BLESS=1 cargo test --test rules` writes it.
#[test]
fn the_rule_reference_is_what_explain_prints() {
    let folder = Path::new("docs/rules");
    let mut pages: BTreeMap<String, String> =
        RULES.iter().map(|rule| (format!("{}.md", rule.name), explain::page(rule))).collect();
    let lines: String = RULES
        .iter()
        .map(|rule| format!("| [`{0}`]({0}.md) | {1} | {2} |\n", rule.name, rule.severity.name(), rule.summary))
        .collect();
    let intro = "# Rules\n\nWritten by the tests from the rules themselves; `sliceform explain RULE` prints the same.\n\
         [What no rule looks for](../rules-not-built.md), and why.\n\n";
    pages.insert("README.md".to_owned(), format!("{intro}| rule | severity | what it finds |\n|---|---|---|\n{lines}"));
    if std::env::var_os("BLESS").is_some() {
        drop(fs::remove_dir_all(folder));
        fs::create_dir_all(folder).unwrap();
        for (name, text) in &pages {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let written: Vec<String> = {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    assert_eq!(written, pages.keys().cloned().collect::<Vec<_>>(), "BLESS=1 cargo test --test rules writes docs/rules");
    for (name, text) in pages {
        assert!(
            fs::read_to_string(folder.join(&name)).unwrap() == text,
            "{name}: BLESS=1 cargo test --test rules writes it"
        );
    }
}
