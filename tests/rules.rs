//! The catalogue of rules: its order and its prose, and every example in the prose compiled.
#![expect(clippy::disallowed_methods, reason = "reads the project's own source")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;

use sliceform::base::diag::{Diags, Severity};
use sliceform::base::span::SourceMap;
use sliceform::check::{self, rule::Rule, rules::RULES};
use sliceform::emit;
use sliceform::lower;
use sliceform::parse;
use sliceform::resolve::variables::Inputs;
use sliceform::resolve::{self, Reader, Source, stack::Stack};
use sliceform::view::{self, Style};

const SECTIONS: [&str; 5] = ["What", "Why", "Bad", "Good", "Source"];

/// What an example may name without declaring it: blocks that have nothing to do with its rule.
const BASE: &[(&str, &str)] = &[
    ("cluster", "project = \"demo\"\n  location = \"us-east5\""),
    ("slice", "cluster = cluster.tpu\n  accelerator = \"v6e\"\n  topology = \"4x4\""),
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
            let faults = objects(&compiled.stack);
            if !fired.is_empty() || faults.has_errors() {
                let faults = view::human::diags(&faults, &compiled.map, Style::PLAIN);
                wrong.push(format!("{}: {fired:?}\n{}{faults}", rule.name, shown(&compiled)));
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

struct Compiled {
    text: String,
    map: SourceMap,
    stack: Stack,
    diags: Diags,
}

/// Compiles an example, with what it names and does not declare.
fn compile(example: &str) -> Compiled {
    compile_whole(&completed(example))
}

fn compile_whole(text: &str) -> Compiled {
    let mut map = SourceMap::default();
    let file = map.add("example.stack.hcl", text);
    let (body, mut diags) = parse::parse(file, text);
    let inputs = Inputs::default();
    let source = Source { file, body: &body, name: "example", inputs: &inputs, reader: &NoFiles };
    let (stack, found) = resolve::resolve(&source);
    diags.append(found);
    diags.append(check::stack(&stack));
    diags.sort();
    Compiled { text: text.to_owned(), map, stack, diags }
}

/// The example before the blocks that it leaves out.
fn completed(example: &str) -> String {
    let mut text = example.to_owned();
    if !text.lines().any(|line| line.starts_with("stack ")) {
        text += &format!("\n{STACK}");
    }
    let named = Regex::new(r"\b(cluster|slice|bucket|secret|service_account)\.(\w+)").unwrap();
    let mut missing = true;
    while missing {
        missing = false;
        let names: BTreeSet<(String, String)> = named
            .captures_iter(&without_comments(&text))
            .map(|found| (found[1].to_owned(), found[2].to_owned()))
            .collect();
        for (kind, name) in names {
            let header = format!("{kind} \"{name}\" {{");
            if !text.contains(&header) {
                let (_, attributes) = BASE.iter().find(|(known, _)| *known == kind).unwrap();
                text += &format!("\n{header}\n  {attributes}\n}}\n");
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

/// What is wrong with the objects that a stack becomes.
fn objects(stack: &Stack) -> Diags {
    let intents = lower::lower(stack);
    match emit::emit(&intents, &emit::Context { stack: &stack.name.value }) {
        Err(faults) => faults,
        Ok(manifests) => {
            let kuberay = stack.settings.kuberay_version.as_ref().unwrap().value.to_string();
            check::schema::check(&manifests, &kuberay)
        }
    }
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

struct NoFiles;

impl Reader for NoFiles {
    fn read(&self, path: &str) -> Result<String, String> {
        Err(format!("{path:?} cannot be read here"))
    }

    fn exists(&self, _: &str) -> Result<bool, String> {
        Ok(false)
    }

    fn list(&self, _: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }
}
