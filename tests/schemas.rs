//! `schemas/stack.schema.json`: the stack language as a JSON Schema, made from the tables that the decoder uses. To accept a
//! change, read it, then run `BLESS=1 cargo test --test schemas`.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test reads the repository")]

use std::fs;

use serde_json::{Map, Value, json};

use sliceform::resolve::blocks::{ADDRESSED, TOP};
use sliceform::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times};

/// A value of any kind: what an expression becomes is known only when it is evaluated.
fn expression(doc: &str, takes: &str) -> Value {
    json!({ "description": doc, "$comment": takes })
}

/// A body, as HCL's own JSON syntax writes it.
fn body(spec: &BlockSpec) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for attr in spec.attrs() {
        properties.insert(attr.name.to_owned(), expression(attr.doc, attr.takes));
        if attr.required {
            required.push(attr.name);
        }
    }
    for inner in spec.blocks {
        properties.insert(inner.name.to_owned(), labelled(inner));
    }
    let mut schema =
        json!({ "type": "object", "properties": properties, "additionalProperties": spec.open != Open::No });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// Blocks of one type: `{ LABEL: body }` where there is a label, several as a list.
fn labelled(spec: &BlockSpec) -> Value {
    let body = body(spec);
    let one = match spec.label {
        Label::None => body,
        Label::Name => json!({ "type": "object", "additionalProperties": body }),
        Label::OneOf(words) => {
            json!({ "type": "object", "propertyNames": { "enum": words }, "additionalProperties": body })
        }
    };
    let mut schema = match (spec.label, spec.times) {
        (Label::None, Times::Any) => json!({ "anyOf": [one.clone(), { "type": "array", "items": one }] }),
        _ => one,
    };
    schema["description"] = spec.doc.into();
    schema
}

#[test]
fn the_schema_of_the_language_is_the_decoders_tables() {
    let blocks: Map<String, Value> = TOP.iter().map(|spec| (spec.name.to_owned(), labelled(spec))).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sliceform stack, in HCL's JSON syntax",
        "type": "object",
        "properties": blocks,
        "additionalProperties": false,
        "required": ["stack"],
    });
    assert!(jsonschema::validator_for(&schema).is_ok());
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("BLESS").is_some() {
        fs::write("schemas/stack.schema.json", &text).unwrap();
    }
    let committed = fs::read_to_string("schemas/stack.schema.json").unwrap_or_default();
    assert!(committed == text, "schemas/stack.schema.json is not current: BLESS=1 cargo test --test schemas");
}

#[test]
fn the_tables_name_nothing_twice_and_say_what_each_thing_is() {
    fn check(spec: &BlockSpec) {
        let mut names: Vec<&str> =
            spec.attrs().map(|attr| attr.name).chain(spec.blocks.iter().map(|block| block.name)).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}: {names:?}", spec.name);
        assert!(spec.attrs().all(|attr| attr.doc.ends_with('.') && !attr.takes.is_empty()), "{}", spec.name);
        spec.blocks.iter().for_each(|inner| check(inner));
    }
    for spec in TOP {
        check(spec);
    }
}

/// A block's part of the reference, and those of the blocks in it.
fn page(spec: &BlockSpec, path: &str, out: &mut String) {
    use std::fmt::Write as _;
    let label = match spec.label {
        Label::None => String::new(),
        Label::Name => " \"NAME\"".to_owned(),
        Label::OneOf(words) => format!(" \"{}\"", words.join("\" | \"")),
    };
    let level = "#".repeat(2 + path.matches(" > ").count());
    write!(out, "{level} {path}\n\n`{}{label} {{ }}` — {}\n\n", spec.name, spec.doc).unwrap();
    if spec.attrs().next().is_some() {
        out.push_str("| attribute | takes | meaning |\n|---|---|---|\n");
        for attr in spec.attrs() {
            let needed = if attr.required { " (required)" } else { "" };
            writeln!(out, "| `{}`{needed} | {} | {} |", attr.name, attr.takes, attr.doc).unwrap();
        }
        out.push('\n');
    }
    for inner in spec.blocks {
        page(inner, &format!("{path} > {}", inner.name), out);
    }
}

#[test]
fn the_block_reference_is_the_decoders_tables() {
    let mut text = String::from(
        "# Blocks of a stack\n\nMade from the tables that the compiler reads stacks with (`BLESS=1 cargo test --test schemas`).\n\n",
    );
    for spec in TOP {
        page(spec, spec.name, &mut text);
    }
    let text = text.trim_end().to_owned() + "\n";
    if std::env::var_os("BLESS").is_some() {
        fs::write("docs/blocks.md", &text).unwrap();
    }
    let committed = fs::read_to_string("docs/blocks.md").unwrap_or_default();
    assert!(committed == text, "docs/blocks.md is not current: BLESS=1 cargo test --test schemas");
}

#[test]
fn every_block_with_an_address_takes_what_all_of_them_take() {
    for spec in ADDRESSED {
        for attr in META {
            assert!(spec.attr(attr.name).is_some(), "`{}` does not take `{}`", spec.name, attr.name);
        }
        assert!(spec.block(LIFECYCLE.name).is_some(), "`{}` does not take `lifecycle`", spec.name);
    }
}

/// The schema of plans, with that of diagnostics in it.
fn plan_schema() -> jsonschema::Validator {
    let read = |file: &str| serde_json::from_str::<Value>(&fs::read_to_string(file).unwrap()).unwrap();
    let (mut schema, others) = (read("schemas/plan.schema.json"), read("schemas/diagnostics.schema.json"));
    schema["properties"]["diagnostics"]["items"]["$ref"] = "#/$defs/diagnostic".into();
    schema["$defs"].as_object_mut().unwrap().extend(others["$defs"].as_object().unwrap().clone());
    jsonschema::draft202012::new(&schema).unwrap()
}

#[test]
fn plans_are_what_their_schema_says_printed_and_saved() {
    let schema = plan_schema();
    let dir = tempfile::tempdir().unwrap();
    let stack = fs::read_to_string("stacks/park.stack.hcl").unwrap();
    let secret = "variable \"token\" {\n  default = \"x\"\n  sensitive = true\n}\n";
    fs::write(dir.path().join("park.stack.hcl"), stack + secret).unwrap();
    fs::copy("stacks/park.vars.hcl", dir.path().join("park.vars.hcl")).unwrap();
    let run = |args: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("sliceform").unwrap();
        let run = command.current_dir(dir.path()).env_clear().env("SLICEFORM_VAR_project", "x").args(args).assert();
        String::from_utf8(run.success().get_output().stdout.clone()).unwrap()
    };
    let valid = |text: &str| {
        let tree: Value = serde_json::from_str(text).unwrap();
        let faults: Vec<String> =
            schema.iter_errors(&tree).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert_eq!(faults, [""; 0]);
        tree
    };
    for args in [&["plan"][..], &["plan", "--destroy"]] {
        valid(&run(&[args, &["--json"]].concat()));
        run(&[args, &["--out", "p.plan", "--var", "project=y"]].concat());
        let saved = valid(&fs::read_to_string(dir.path().join("p.plan")).unwrap());
        assert!(saved["made_from"]["salt"].is_string() && saved["digest"].is_string());
        valid(&run(&["show", "p.plan", "--json"]));
        run(&["apply", "--auto-approve"]);
    }
}
