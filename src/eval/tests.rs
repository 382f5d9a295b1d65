//! Tests of the evaluator: expressions with what `terraform console` 1.11.4 says about each, and our own rules.

use super::*;
use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::{FileId, Spanned};
use crate::parse::parse_expr;
use std::fmt::Write;

/// A small stack: two variables, a local, blocks, a secret, and files.
struct Stack {
    budget: Budget,
}

impl Scope for Stack {
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        let next_name = next.map_or("", |next| next.value.as_str());
        let value = match (root.value.as_str(), next_name) {
            ("var", "list") => Value::list(vec![Value::string("a"), Value::string("b")]),
            ("var", "secret") => Value::string("hunter2").marked(true),
            ("var", "secrets") => Value::list(vec![Value::string("a"), Value::string("b")]).marked(true),
            ("local", "broken") => Value::unknown(),
            ("slice", name @ ("v6e" | "v5e")) => Value::block(Addr::new("slice", name)),
            ("secret", "hf") => Value::block(Addr::new("secret", "hf")),
            _ => return Err(Box::new(Diag::error("reference", "There is no such name").at(root.span, "unknown"))),
        };
        Ok((value, true))
    }

    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        match (block.kind.as_str(), name.value.as_str()) {
            ("slice", "chips") => Ok(Value::number(16u32)),
            ("secret", key) => Ok(Value::secret(block.clone(), key)),
            _ => Err(Box::new(Diag::error("reference", "There is no such attribute").at(name.span, "unknown"))),
        }
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        match path {
            "a.txt" => Ok("hello\n".into()),
            "t.tpl" => Ok("%{ for x in xs ~}\n- ${x}\n%{ endfor ~}\n".into()),
            "bad.tpl" => Ok("a\n${nope}\n".into()),
            "loop.tpl" => Ok("${templatefile(\"loop.tpl\", {})}".into()),
            _ => Err(format!("there is no file {path}")),
        }
    }

    fn file_exists(&self, path: &str) -> Result<bool, String> {
        Ok(path == "a.txt")
    }

    fn list_files(&self, _: &str) -> Result<Vec<String>, String> {
        Ok(vec!["a.yaml".into(), "d/b.yaml".into(), "d/c.txt".into()])
    }

    fn budget(&self) -> &Budget {
        &self.budget
    }
}

fn run(text: &str) -> Result<Value, String> {
    let stack = Stack { budget: Budget::default() };
    let told = |diags: crate::base::diag::Diags| {
        let label = |diag: &Diag| diag.primary.as_ref().map_or(String::new(), |label| label.text.clone());
        diags.iter().map(|diag| format!("{}: {}", diag.summary, label(diag))).collect::<Vec<_>>().join("; ")
    };
    let parsed = parse_expr(FileId(0), text).map_err(told)?;
    expr(&parsed, &stack).map_err(told)
}

/// A value as `terraform console` prints it, but for the type of a null.
fn printed(value: &Value, indent: usize) -> String {
    if value.sensitive {
        return "(sensitive value)".into();
    }
    let pad = " ".repeat(indent);
    let listed = |open: &str, items: &[Value], close: &str| {
        if items.is_empty() {
            return format!("{open}{close}");
        }
        let lines = items.iter().map(|item| format!("{pad}  {},\n", printed(item, indent + 2)));
        let lines = lines.collect::<Vec<_>>().concat();
        format!("{open}\n{lines}{pad}{close}")
    };
    match &value.data {
        Data::Null => "null".into(),
        Data::Bool(value) => value.to_string(),
        Data::Number(number) => number.to_string(),
        Data::String(text) if text.contains('\n') && indent == 0 => format!("<<EOT\n{text}\nEOT"),
        Data::String(text) if text.contains('\n') => {
            format!("<<-EOT\n{pad}{}\n{pad}EOT", text.replace('\n', &format!("\n{pad}")))
        }
        Data::String(text) => {
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
            format!("\"{}\"", text.replace('\u{200d}', "\\u200d"))
        }
        Data::List(items) => listed("tolist([", items, "])"),
        Data::Set(items) => listed("toset([", items, "])"),
        Data::Tuple(items) => listed("[", items, "]"),
        Data::Map(table) | Data::Object(table) => {
            let (open, close) = if matches!(value.data, Data::Map(_)) { ("tomap({", "})") } else { ("{", "}") };
            let mut lines = String::new();
            for (key, value) in table.iter() {
                let _ = writeln!(lines, "{pad}  {:?} = {}", &**key, printed(value, indent + 2));
            }
            if lines.is_empty() { format!("{open}{close}") } else { format!("{open}\n{lines}{pad}{close}") }
        }
        _ => value.what().into(),
    }
}

/// `> expression`, and below it what comes out; `ERROR` for any error.
fn cases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n> ").filter_map(|case| case.trim_start_matches("> ").split_once('\n'))
}

#[test]
fn expressions_give_what_terraform_gives() {
    let mut wrong = String::new();
    for (text, expected) in cases(include_str!("cases.txt")) {
        let got = run(text).map_or_else(|why| format!("ERROR {why}"), |value| printed(&value, 0));
        let same = if expected.trim_end() == "ERROR" {
            got.starts_with("ERROR")
        } else {
            got.trim_end() == expected.trim_end()
        };
        if !same {
            let _ = writeln!(wrong, "> {text}\nexpected {expected}\n     got {got}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whole attributes, with line ends that matter: `␍` stands for a carriage return.
#[test]
fn heredocs_and_line_ends_give_what_terraform_gives() {
    let mut wrong = String::new();
    for case in include_str!("lines.txt").split("=====\n").filter(|case| !case.is_empty()) {
        let (text, expected) = case.split_once("-----\n").unwrap();
        let (body, diags) = crate::parse::parse(FileId(0), &format!("x = {}", text.replace('␍', "\r")));
        let stack = Stack { budget: Budget::default() };
        let got = match body.attrs.first() {
            Some(attr) if diags.is_empty() => {
                expr(&attr.expr, &stack).map_or("ERROR".into(), |value| printed(&value, 0))
            }
            _ => "ERROR".to_owned(),
        };
        if got.replace('\r', "␍") != expected.trim_end_matches('\n') {
            let _ = writeln!(wrong, "{text}-----\n{expected}but got\n{got}\n{diags:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Where we differ from Terraform, and why.
#[test]
fn what_differs_from_terraform_differs_on_purpose() {
    let rows = [
        // Decimal, not binary, arithmetic: no noise in the last digits.
        ("1.1 * 1.1", "1.21"),
        ("5 % 0.3", "0.2"),
        ("-0", "0"),
        // There is no infinity.
        ("1 / 0", "ERROR"),
        ("1 % 0", "ERROR"),
        ("log(0, 10)", "ERROR"),
        // The left side decides where it can, as from Terraform 1.12.
        ("false && null", "false"),
        ("true || null", "true"),
        ("null != null && null > 1", "false"),
        // A key that is there twice, an unknown function in a branch not taken: surely slips.
        ("{ a = 1, a = 2 }", "ERROR"),
        ("true ? 1 : nosuch(1)", "ERROR"),
        ("try(nosuch(), 1)", "ERROR"),
        ("yamldecode(\"{a: 1, a: 2}\")", "ERROR"),
        // What formats nothing is an error at once.
        ("format(\"%s\", null)", "ERROR"),
        // A mark can't be taken off.
        ("nonsensitive(sensitive(\"x\"))", "(sensitive value)"),
        // The same input gives the same bytes.
        ("timestamp()", "ERROR"),
        ("uuid()", "ERROR"),
    ];
    for (text, expected) in rows {
        let got = run(text).map_or_else(|_| "ERROR".to_owned(), |value| printed(&value, 0));
        assert_eq!(got, expected, "{text}");
    }
}

#[test]
fn type_constraints_convert_as_in_terraform() {
    let mut wrong = String::new();
    for (case, expected) in cases(include_str!("types.txt")) {
        let (ty, value) = case.split_once(" | ").unwrap();
        let stack = Stack { budget: Budget::default() };
        let ty = constraint(&parse_expr(FileId(0), ty).unwrap(), &stack);
        let got = ty.ok().and_then(|ty| convert(&run(value).unwrap(), &ty).ok());
        let got = got.map_or("ERROR".into(), |value| printed(&value, 0));
        if got != expected.trim_end() {
            let _ = writeln!(wrong, "> {case}\nexpected {expected}\n     got {got}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_mismatch_says_where_and_why_and_the_near_name() {
    let stack = Stack { budget: Budget::default() };
    let told = |ty: &str, value: &str| {
        let ty = constraint(&parse_expr(FileId(0), ty).unwrap(), &stack).unwrap();
        convert(&run(value).unwrap(), &ty).unwrap_err().to_string()
    };
    let object = "list(object({ chips = number, zone = optional(string) }))";
    assert_eq!(
        told(object, "[{ chipz = 1 }]"),
        r#"at [0]: the object has no attribute "chipz". Did you mean "chips"?"#
    );
    assert_eq!(told(object, "[{ chips = 1 }, { chips = [] }]"), "at [1].chips: a number is required, not a tuple");
    assert_eq!(told(object, "[{ zone = 1 }]"), r#"at [0]: the attribute "chips" is required"#);
    assert_eq!(
        told("map(bool)", r#"{ "a b" = "no" }"#),
        r#"at ["a b"]: a bool is required, and "no" is neither true nor false"#
    );
    assert_eq!(told("number", "sensitive(\"hunter2\")"), "a number is required, and the text is not one");
    assert!(told("string", "slice.v6e").contains("slice.v6e.name"));
    assert!(told("string", "secret.hf.token").contains("secret_env"));
}

#[test]
fn a_wrong_type_constraint_names_the_near_type() {
    let stack = Stack { budget: Budget::default() };
    let told = |text: &str| {
        let diags = constraint(&parse_expr(FileId(0), text).unwrap(), &stack).unwrap_err();
        let labels: Vec<String> = diags.iter().map(|diag| diag.primary.as_ref().unwrap().text.clone()).collect();
        labels.join("; ")
    };
    assert_eq!(told("strng"), r#"no type "strng". Did you mean "string"?"#);
    assert_eq!(
        told("object({ a = strin, b = lst(string) })"),
        r#"no type "strin". Did you mean "string"?; no type "lst". Did you mean "list"?"#
    );
    assert_eq!(told("\"string\""), "text, not a type");
    assert_eq!(told("optional(string)"), "not such a place");
}

#[test]
fn names_blocks_and_secrets_resolve() {
    assert_eq!(run("slice.v6e.chips * 2").unwrap(), Value::number(32u32));
    assert_eq!(run("slice.v6e").unwrap(), Value::block(Addr::new("slice", "v6e")));
    assert_eq!(run("slice.v6e == slice.v5e").unwrap(), Value::bool(false));
    assert_eq!(run("[for s in [slice.v6e, slice.v5e] : s.chips]").unwrap(), run("[16, 16]").unwrap());
    assert_eq!(run("tolist([slice.v6e])[0].chips").unwrap(), Value::number(16u32));
    assert_eq!(run("true ? slice.v6e : slice.v5e").unwrap(), run("slice.v6e").unwrap());
    assert_eq!(run("true ? slice.v6e : null").unwrap(), run("slice.v6e").unwrap());
    let key = Value::secret(Addr::new("secret", "hf"), "tls.crt");
    assert_eq!(run("secret.hf[\"tls.crt\"]").unwrap(), key);
    for text in [
        "\"${secret.hf.t}\"",
        "\"x${secret.hf.t}\"",
        "upper(secret.hf.t)",
        "secret.hf.t + 1",
        "jsonencode([secret.hf.t])",
        "yamlencode({a = secret.hf.t})",
    ] {
        match run(text) {
            Err(why) => assert!(why.contains("secret_env"), "{text}: {why}"),
            // A template that is nothing but the reference is the reference.
            Ok(value) => assert_eq!(text, "\"${secret.hf.t}\"", "{value:?}"),
        }
    }
    assert!(run("\"x-${slice.v6e}\"").unwrap_err().contains("slice.v6e.name"));
}

#[test]
fn what_failed_elsewhere_fails_silently_here() {
    for text in [
        "local.broken",
        "local.broken + 1",
        "upper(local.broken).x[0]",
        "[for x in local.broken : x]",
        "\"a${local.broken}\"",
        "try(local.broken, 1)",
        "can(local.broken)",
        "local.broken ? 1 : 2",
        "length([local.broken])",
        "{ (local.broken) = 1 }",
        "merge({}, local.broken)",
        "concat(local.broken...)",
        "[1, local.broken] == [1, 2]",
        "-local.broken",
        "local.broken[*].a",
        "[1][local.broken]",
    ] {
        assert!(run(text).unwrap_or_else(|why| panic!("{text}: {why}")).is_unknown(), "{text}");
    }
    assert!(run("[1, local.broken]").unwrap().has_unknown());
}

#[test]
fn independent_faults_are_reported_together_and_fixed_ones_even_under_try() {
    let why = run("[1 + [], upper(), nope.x, {}.a]").unwrap_err();
    for part in ["operand", "arguments is wrong", "no such name", "attribute is not there"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    assert!(run("try(nope.x, 1)").is_err() && run("can(nope.x)").is_err() && run("false ? nope.x : 1").is_err());
    assert_eq!(run("[for x in [1, 2, 3] : x.y]").unwrap_err().matches("no attributes").count(), 1);
    assert_eq!(run("indent(9223372036854775807, \"a\")").unwrap().as_str(), Some("a"));
    assert!(run("upperr(\"a\")").is_err());
}

#[test]
fn a_sensitive_mark_follows_the_value_everywhere() {
    let marked = [
        "var.secret",
        "\"a${var.secret}\"",
        "upper(var.secret)",
        "length(var.secret)",
        "sha256(var.secret)",
        "var.secret == \"x\"",
        "var.secret == \"x\" ? 1 : 2",
        "[for x in var.secrets : x]",
        "var.secrets[0]",
        "var.secrets[*]",
        "length(var.secrets)",
        "join(\",\", [var.secret])",
        "jsonencode({ a = var.secret })",
        "yamlencode([var.secret])",
        "nonsensitive(var.secret)",
        "coalesce(null, var.secret)",
        "lookup({ a = var.secret }, \"a\")",
        "{ a = var.secret }.a",
        "[var.secret][0]",
        "[1, 2][length(var.secret) > 3 ? 0 : 1]",
        "{ for x in var.secrets : x => 1 }",
        "{ (var.secret) = 1 }",
        "toset([var.secret])",
        "contains([var.secret], \"x\")",
        "!(var.secret == \"\")",
        "format(\"%s\", var.secret)",
        "base64encode(var.secret)",
        "split(\",\", var.secret)",
        "try(var.secret, 1)",
        "[for x in [1] : x if var.secret != \"\"]",
        "\"%{ if var.secret != \"\" }a%{ endif }\"",
        "\"%{ for x in var.secrets }a%{ endfor }\"",
        "tonumber(length(var.secret))",
        "one([var.secret])",
        "templatestring(\"$${x}\", { x = var.secret })",
        "regex(\"h\", var.secret)",
        "keys({ for x in var.secrets : x => 1 })",
        "distinct([var.secret, \"a\"])",
        "element([var.secret], 0)",
        "flatten([var.secrets])[0]",
        "concat(var.secrets, [\"a\"])",
        "range(length(var.secret))",
        "sort(var.secrets)",
        "zipmap(var.secrets, [1, 2])",
        "jsondecode(jsonencode({ a = var.secret })).a",
        "true || var.secret == \"\"",
        "parseint(\"1\", length(var.secret))",
        "setunion([var.secret])",
        "compact([var.secret])",
    ];
    for text in marked {
        assert!(run(text).unwrap_or_else(|why| panic!("{text}: {why}")).sensitive, "{text}");
    }
    // Inside a collection the mark stays on the element.
    for text in [
        "[var.secret, 1]",
        "{ a = var.secret }",
        "merge({ a = var.secret }, { b = 1 })",
        "[[var.secret]]",
        "values({ a = var.secret })",
        "tolist([var.secret])",
        "reverse([var.secret])",
    ] {
        let value = run(text).unwrap();
        assert!(value.has_sensitive() && !value.sensitive, "{text}");
    }
    for text in [
        "keys({ a = var.secret })",
        "{ a = var.secret, b = 1 }.b",
        "[1, var.secret][0]",
        "issensitive(var.secret)",
        "var.list",
        "merge({ a = var.secret }, { a = 1 }).a",
    ] {
        assert!(!run(text).unwrap().has_sensitive(), "{text}");
    }
}

#[test]
fn no_message_tells_a_sensitive_value() {
    for text in [
        "tonumber(var.secret)",
        "var.secret + 1",
        "{}[var.secret]",
        "[1][var.secret]",
        "parseint(var.secret, 10)",
        "jsondecode(var.secret)",
        "lookup({}, var.secret)",
        "tobool(var.secret)",
        "var.secret ? 1 : 2",
        "file(var.secret)",
        "{ for x in [var.secret, var.secret] : x => 1 }",
        "regex(var.secret, \"a\")",
        "format(\"%d\", var.secret)",
    ] {
        let why = run(text).unwrap_err();
        assert!(!why.contains("hunter2"), "{text}: {why}");
    }
}

#[test]
fn files_and_templates_are_read_through_the_scope() {
    assert_eq!(run("file(\"a.txt\")").unwrap().as_str(), Some("hello\n"));
    assert_eq!(run("[fileexists(\"a.txt\"), fileexists(\"b\")]").unwrap(), run("[true, false]").unwrap());
    assert_eq!(run("fileset(\".\", \"**/*.yaml\")").unwrap(), run("toset([\"a.yaml\", \"d/b.yaml\"])").unwrap());
    assert_eq!(run("templatefile(\"t.tpl\", { xs = [1, 2] })").unwrap().as_str(), Some("- 1\n- 2\n"));
    assert!(run("file(\"zz\")").unwrap_err().contains("there is no file zz"));
    assert!(run("templatefile(\"bad.tpl\", {})").unwrap_err().contains("bad.tpl:2:3"));
    assert!(run("templatefile(\"loop.tpl\", {})").unwrap_err().contains("can't call another"));
}

#[test]
fn a_value_becomes_json_unless_it_must_not_leave() {
    let json = |text: &str| run(text).unwrap().to_json();
    assert_eq!(
        json("{ b = [1, 2.5, null], a = { c = true } }").unwrap().to_string(),
        r#"{"a":{"c":true},"b":[1,2.5,null]}"#
    );
    assert_eq!(json("{ a = [1, var.secret] }").unwrap_err(), ".a[1]: the value is sensitive");
    assert!(json("{ a = secret.hf.k }").unwrap_err().starts_with(".a: secret.hf.k is a reference"));
    assert!(json("[1e30]").unwrap_err().contains("too large"));
}

#[test]
fn no_expression_takes_too_long_or_too_much() {
    let doubling = (0..40).fold("[1]".to_owned(), |inner, _| format!("[for x in [{inner}] : [x, x]]"));
    for text in [
        "range(1000000000)",
        "[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : 1]]]",
        "join(\"\", [for a in range(1000) : join(\"\", [for b in range(1000) : join(\"\", [for c in range(1000) : \"xxxx\"])])])",
        "setproduct(range(1000), range(1000), range(1000))",
        "1e999999999",
        "1e4000 * 1e4000",
        "pow(10, 300) * pow(10, 300) * 1e4000",
        "indent(1000000000, \"a\\nb\")",
        "format(\"%999999999d\", 1)",
        "regex(\"(a{1000}){1000}\", \"a\")",
        "replace(format(\"%4000d\", 1), \"\", format(\"%4000d\", 1))[0]",
        &doubling,
    ] {
        let started = std::time::Instant::now();
        // A twentieth of a run's budget, so that the test is quick without optimisation too.
        let stack = Stack { budget: Budget::new(scope::FUEL / 20) };
        let result = parse_expr(FileId(0), text).and_then(|parsed| expr(&parsed, &stack));
        assert!(result.is_err(), "{text}");
        assert!(started.elapsed().as_secs() < 20, "{text} took {:?}", started.elapsed());
    }
}

#[test]
fn a_value_that_doubles_with_each_local_ends_in_an_error() {
    let pair = parse_expr(FileId(0), "[x, x]").unwrap();
    let wrap = parse_expr(FileId(0), "[x]").unwrap();
    for (text, most) in [(&pair, 40), (&wrap, 300)] {
        let stack = Stack { budget: Budget::default() };
        let mut value = Value::string("x");
        let mut failed = None;
        for step in 0..most {
            match evaluate::with_variables(text, &stack, vec![("x".into(), value.clone())], false) {
                Ok(next) => value = next,
                Err(diags) => {
                    failed = Some((step, diags.iter().next().unwrap().summary.clone()));
                    break;
                }
            }
        }
        let (_, summary) = failed.expect("a limit");
        assert!(summary.contains("too large") || summary.contains("too deep"), "{summary}");
    }
}

#[test]
fn the_end_of_the_budget_is_told_once() {
    let stack = Stack { budget: Budget::new(50) };
    let parsed = parse_expr(FileId(0), "[for x in [1, 2, 3, 4, 5, 6, 7, 8, 9] : [x, x, x, x, x, x]]").unwrap();
    assert_eq!(expr(&parsed, &stack).unwrap_err().iter().count(), 1);
    assert!(expr(&parsed, &stack).unwrap().is_unknown());
}

#[test]
fn every_function_has_its_words_and_its_name_once() {
    let mut names: Vec<&str> = functions::all().map(|function| function.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(functions::all().all(|function| !function.doc.is_empty() && !function.params.is_empty()));
}

/// The deepest that is read is evaluated on half the stack that a main thread has.
#[test]
fn the_deepest_expression_that_is_read_leaves_room_on_the_stack() {
    let work = || {
        let mut evaluated = 0;
        for depth in [20, 30, 40, 50, 60, 61, 62, 63] {
            for (open, close) in [
                ("(1 + ", ")"),
                ("[", "]"),
                ("{ a = ", "}"),
                ("[for x in [1] : ", "]"),
                ("max(1, ", ")"),
                ("true ? ", " : 1"),
                ("\"a${", "}\""),
                ("!!", ""),
                ("{ for k, v in { a = 1 } : k => ", "}"),
                ("try(", ")"),
            ] {
                evaluated += usize::from(run(&format!("{}1{}", open.repeat(depth), close.repeat(depth))).is_ok());
            }
            // The longest chain inside the deepest brackets.
            let chain = format!("{}1{}{}", "(".repeat(depth), " + 1".repeat(120), ")".repeat(depth));
            evaluated += usize::from(run(&chain).is_ok());
        }
        assert!(evaluated > 50, "{evaluated}");
    };
    std::thread::Builder::new().stack_size(4 << 20).spawn(work).unwrap().join().unwrap();
}

mod never_panics {
    use super::*;
    use proptest::prelude::*;

    fn argument() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "null",
            "true",
            "0",
            "1",
            "-1",
            "2.5",
            "1e30",
            "-1e-30",
            "9223372036854775807",
            "-9223372036854775808",
            "1e4000",
            "\"\"",
            "\"a\"",
            "\"é👨‍👩‍👧\"",
            "\"a,b\\nc\"",
            "\"/a|(b)/\"",
            "\"%s %d %5.2f %q\"",
            "\"%-*[2]d\"",
            "\"{}\"",
            "\"- [a: 1\"",
            "\"12\"",
            "\"**/*.y[a\"",
            "\"\\\\\"",
            "[]",
            "[1, \"a\", null]",
            "[\"b\", \"a\"]",
            "[[1], [2, [3]]]",
            "{}",
            "{ a = 1, b = \"x\" }",
            "{ a = [\"x\"] }",
            "tolist([3, 1])",
            "toset([\"x\", \"y\"])",
            "tomap({ a = \"b\" })",
            "slice.v6e",
            "secret.hf.k",
            "var.secret",
            "local.broken",
            "\"t.tpl\"",
            "{ xs = [1] }",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_function_on_any_arguments(
            which in 0usize..10_000,
            args in prop::collection::vec(argument(), 0..4),
            expand in any::<bool>(),
        ) {
            let names: Vec<&str> = functions::all().map(|function| function.name).collect();
            let expand = if expand && !args.is_empty() { "..." } else { "" };
            let text = format!("{}({}{expand})", names[which % names.len()], args.join(", "));
            let first = run(&text);
            if let Ok(value) = &first {
                prop_assert!(!text.contains("var.secret") || text.starts_with("issensitive") || value.has_sensitive()
                    || value.is_unknown() || text.contains("local.broken") || keeps_only_part(&text), "{text}: {value:?}");
            }
            prop_assert_eq!(first, run(&text), "{} differs from run to run", text);
        }

        #[test]
        fn an_expression_of_any_parts(parts in prop::collection::vec(prop::sample::select(vec![
            "1", "\"a\"", "[1, 2]", "{ a = 1 }", "null", "true", "+", "-", "*", "/", "%", "==", "!=", "<", "&&", "||", "!", "? 1 :", "(", ")",
            "[0]", ".a", "[*]", ".*", "[for x in", ": x]", "{for k, v in", ": k => v...}", "if true", "var.list", "slice.v6e", "upper(", ",",
            "\"${", "}\"", "try(", "var.secret", "1e400", "local.broken",
        ]), 1..12)) {
            let _ = run(&parts.join(" "));
        }
    }

    /// Functions that may give back a part that is not sensitive.
    fn keeps_only_part(text: &str) -> bool {
        let name = text.split('(').next().unwrap_or("");
        functions::all().any(|function| function.name == name && function.marks == functions::Marks::Elements)
            || name == "try"
    }
}
