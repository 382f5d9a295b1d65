//! Tests of the evaluator: expressions with what `terraform console` 1.11.4 says about each, and our own rules.

use super::*;
use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::{FileId, Spanned};
use crate::parse::parse_expr;
use std::fmt::Write;

/// A small stack: two variables, a local, blocks, a secret, and files.
pub(super) struct Stack {
    pub(super) budget: Budget,
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

pub(super) fn run(text: &str) -> Result<Value, String> {
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
        let lines: String = items.iter().map(|item| format!("{pad}  {},\n", printed(item, indent + 2))).collect();
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
