//! Tests of reading files: what is read, and what is said about what can't be.

use super::*;
use crate::base::diag::Diag;
use crate::base::span::SourceMap;
use proptest::prelude::*;

fn read(text: &str) -> (Body, String) {
    let mut map = SourceMap::default();
    let file = map.add("a", text);
    let (body, diags) = parse(file, text);
    let line = |diag: &Diag| {
        let label = diag.primary.as_ref().unwrap();
        let place = |span| map.position(span).trim_start_matches("a:").to_owned();
        let also = diag.related.iter().map(|also| format!(" ({} {})", place(also.span), also.text));
        let also = also.collect::<Vec<_>>().concat();
        format!("{} {:?} {}: {}{also}\n", place(label.span), map.text(label.span), diag.summary, label.text)
    };
    (body, diags.iter().map(line).collect())
}

fn faults(text: &str) -> String {
    read(text).1
}

#[test]
fn each_slip_is_told_at_its_place_with_what_was_expected() {
    let rows = [
        ("a", "1:1 \"a\" An attribute or block is incomplete: expected `=` or `{` after it\n"),
        ("a =", "1:3 \"=\" A value is missing: expected a value, found the end of the line\n"),
        ("a {", "1:3 \"{\" The bracket is not closed: no `}` closes it\n"),
        ("1 = 2\n", "1:1 \"1\" A name is due here: found `1`\n"),
        ("\"a\" = 2\n", "1:1 \"\\\"a\\\"\" A name is due here: found `\"a\"`\n"),
        ("a.b = 2\n", "1:2 \".\" An attribute or block is incomplete: expected `=` or `{`, found `.`\n"),
        ("a = b c\n", "1:7 \"c\" The line goes on after its value: expected a new line, found `c`\n"),
        ("a \"b\"\n{\n}\n", "1:1 \"a \\\"b\\\"\" The block has no brace: expected `=` or `{` on this line\n"),
        ("a \"b\n{\n}\n", "1:3 \"\\\"b\" The string is not closed: no `\"` on this line closes it\n"),
        (
            "a { b = 1, c = 2 }\n",
            "1:10 \",\" The block on one line holds too much: expected `}` or a new line, found `,`\n",
        ),
        ("a = (1 + [2)\nb = 1\n", "1:12 \")\" The wrong bracket closes: `)` where `]` is due (1:10 opened here)\n"),
        ("a = \"${x\"\nb = 1\n", "1:5 \"\\\"${x\\\"\" The string is not closed: no `\"` on this line closes it\n"),
        ("a = \"%{ if x }\"\n", "1:6 \"%{ if x }\" A template directive is out of place: unknown, or not closed\n"),
        (
            "a = <<EOT x\nEOT\n",
            "1:5 \"<<EOT\" The heredoc has no proper start: a marker and then a new line must follow\n",
        ),
        ("a = {\n  b = 1\n  b = 2\n}\n", "3:3 \"b\" The key is there twice: expected another key, found `b`\n"),
        (
            "a = \"\\q\"\n",
            "1:6 \"\\\\q\" The escape is unknown: expected \\n, \\r, \\t, \\\", \\\\, \\uXXXX or \\UXXXXXXXX, found `\\q`\n",
        ),
        ("a {\n  } }\n", "2:5 \"}\" A bracket closes nothing: no open bracket matches this `}`\n"),
        ("a = \"\\é\n", "1:5 \"\\\"\\\\é\" The string is not closed: no `\"` on this line closes it\n"),
        ("if é", "1:1 \"if é\" The block has no brace: expected `=` or `{` on this line\n"),
        ("a = @\n", "1:5 \"@\" A value is missing: expected a value, found `@`\n"),
    ];
    for (text, expected) in rows {
        assert_eq!(faults(text), expected, "{text:?}");
    }
}

#[test]
fn a_block_full_of_slips_tells_them_all() {
    let text = "a {\n  b 1\n  c = \n  d = 1 2\n  e: 3\n  f = 'x'\n  g = [1 2]\n  h = {a 1}\n  i = {a = 1 b = 2}\n  \
                j = f(1 2)\n  k = true ? 1\n  l = x.\n  m = 1 +\n  n = \"\\q\"\n  o = [for x of y : x]\n  \
                p = { for k in x : k }\n  r = 1;\n  s = \"x\n  good = 1\n}\nnext = 1\n";
    let (body, told) = read(text);
    let lines: Vec<&str> = told.lines().map(|line| line.split(':').next().unwrap()).collect();
    let expected: Vec<String> = (2..=18).map(|line| line.to_string()).collect();
    assert_eq!(lines, expected, "{told}");
    let block = &body.blocks[0];
    assert!(block.broken && block.body.attr("good").is_some() && block.body.attrs.len() == 1);
    assert!(body.attr("next").is_some());
}

#[test]
fn a_block_that_is_not_closed_hides_no_other() {
    let text = "a \"x\" {\n  b = 1\n\nc \"d\" {\n  e = [\n}\n\nf \"g\" {\n  h = <<EOT\n}\n\ni \"j\" {\n  k = 1\n}\n/* l\nm = 1\n";
    let (body, told) = read(text);
    assert_eq!(
        told,
        "1:7 \"{\" The bracket is not closed: no `}` closes it\n\
         6:1 \"}\" The wrong bracket closes: `}` where `]` is due (5:7 opened here)\n\
         9:7 \"<<EOT\" The heredoc is not closed: no line holds only EOT\n\
         15:1 \"/*\" The comment is not closed: no `*/` follows\n"
    );
    let blocks: Vec<(&str, &str, bool)> =
        body.blocks.iter().map(|block| (block.kind.as_str(), block.labels[0].as_str(), block.broken)).collect();
    assert_eq!(blocks, [("a", "x", true), ("c", "d", true), ("f", "g", true), ("i", "j", false)]);
    assert!(body.attr("m").is_some());
}

#[test]
fn an_attribute_is_there_once_in_a_body() {
    let told = faults("a = 1\na = 2\nb {\n  c {\n    d = 0\n  }\n  d = 1\n  d = 2\n}\n");
    assert_eq!(
        told,
        "2:1 \"a\" The attribute is there twice: a is set a second time (1:1 first here)\n\
         8:3 \"d\" The attribute is there twice: d is set a second time (7:3 first here)\n"
    );
}

#[test]
fn a_file_that_is_not_indented_reads_whole() {
    let text = "slice \"x\" {\ncapacity \"reservation\" {\nname = \"a\"\n}\nlist = [\n1,\n]\n}\n";
    let (body, told) = read(text);
    assert_eq!(told, "");
    assert_eq!(body.blocks[0].body.blocks[0].labels[0].value, "reservation");
    assert_eq!(body.blocks[0].body.attrs[0].name.value, "list");
}

#[test]
fn places_are_those_of_the_whole_file() {
    let text = "# é\r\na = 1 // x\r\n\r\nb \"c\" d {\r\n  /* y */ e = f.g[0].h\r\n  i = -  1.50\r\n}\r\n";
    let mut map = SourceMap::default();
    let file = map.add("a", text);
    let (body, diags) = parse(file, text);
    assert!(diags.is_empty(), "{diags:?}");
    let block = &body.blocks[0];
    assert_eq!(map.text(block.header), "b \"c\" d");
    assert_eq!(map.text(block.labels[0].span), "\"c\"");
    assert_eq!(map.text(block.span), text[text.find("b \"c\"").unwrap()..].trim_end());
    assert!(map.text(block.body.span).trim().starts_with("/* y */"));
    let ExprKind::Traversal(base, steps) = &block.body.attrs[0].expr.kind else { panic!("a traversal") };
    assert_eq!(map.text(base.span), "f");
    assert_eq!(steps.iter().map(|step| map.text(step.span)).collect::<Vec<_>>(), [".g", "[0]", ".h"]);
    assert_eq!(block.body.attrs[1].expr.kind, ExprKind::Number("-1.50".into()));
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_line() {
    assert_eq!(decode(b"\xef\xbb\xbfa = 1\n").unwrap(), "a = 1\n");
    assert_eq!(decode(b"a\nb\xff\n").unwrap_err(), "line 2 is not UTF-8 text");
    assert!(decode(b"a\n\n\0").unwrap_err().starts_with("line 3 holds a NUL byte"));
    assert!(decode(&vec![b' '; 4 * 1024 * 1024 + 1]).unwrap_err().contains("the limit is 4194304"));
}

#[test]
fn an_expression_and_a_template_on_their_own() {
    let file = FileId(0);
    assert!(matches!(parse_expr(file, " [1,\n2] ").unwrap().kind, ExprKind::List(items) if items.len() == 2));
    for wrong in ["", "1 2", "[", "\"a", "a = 1", "}"] {
        assert!(parse_expr(file, wrong).is_err(), "{wrong:?}");
    }
    assert!(
        matches!(parse_template(file, "a \"${b}\"\n").unwrap().kind, ExprKind::Template(parts) if parts.len() == 3)
    );
    assert!(parse_template(file, "${").is_err());
}

#[test]
fn a_slip_from_another_language_gets_its_own_advice() {
    let rows = [
        ("a = 'x'\n", "double quotes"),
        ("a: 1\n", "instead of `:`"),
        ("a = 1;\n", "semicolon"),
        ("a = ${x}\n", "without it"),
        ("a = b and c\n", "&&"),
        ("a = \"x\" +\n  \"y\"\n", "parentheses"),
        ("a \"${x}\" {\n}\n", "for_each"),
        ("a = \"%{ if x }\"\n", "endif"),
        ("a = [\n  1\n  2\n]\n", "commas"),
    ];
    for (text, words) in rows {
        let (_, diags) = parse(FileId(0), text);
        let help: Vec<_> = diags.iter().filter_map(|diag| diag.help.clone()).collect();
        assert!(help.len() == 1 && help[0].contains(words), "{text:?}: {help:?}");
    }
}

/// On a thread with the stack that the program runs on.
fn with_room(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn hostile_files_end_in_an_error_soon() {
    with_room(|| {
        let keys = (0..100_000).map(|n| format!("k{n} = 1\n")).collect::<Vec<_>>().concat();
        let nested = |open: &str, close: &str| format!("a = {}1{}\n", open.repeat(100_000), close.repeat(100_000));
        let texts = [
            nested("(", ")"),
            nested("[", "]"),
            nested("{a=", "}"),
            nested("\"${", "}\""),
            nested("-", ""),
            nested("!", ""),
            nested("f(", ")"),
            nested("true ? 1 : ", ""),
            format!("a = 1{}\n", " + 1".repeat(100_000)),
            "a {\n".repeat(100_000),
            format!("a = {{\n{keys}}}\n"),
            "a = <<A\n${<<B\n".repeat(1000),
            "a = \"%{ if a }".repeat(1000),
        ];
        for text in texts {
            let started = std::time::Instant::now();
            let (_, diags) = parse(FileId(0), &text);
            assert!(diags.has_errors(), "{text:.40}");
            assert!(started.elapsed().as_secs() < 10, "{:.40} took {:?}", text, started.elapsed());
        }
        let (body, diags) = parse(FileId(0), &keys);
        assert!(diags.is_empty() && body.attrs.len() == 100_000);
    });
}

/// The deepest that is read leaves room on half the stack that a main thread has.
#[test]
fn the_deepest_expression_that_is_read_leaves_room_on_the_stack() {
    let work = || {
        let mut read = 0;
        for depth in [20, 30, 60, 61, 62, 63] {
            for (open, close) in [
                ("(1 + ", ")"),
                ("[", "]"),
                ("{ a = ", "}"),
                ("[for x in [1] : ", "]"),
                ("max(1, ", ")"),
                ("true ? ", " : 1"),
                ("\"${", "}\""),
                ("\"a${", "}\""),
                ("!", ""),
                ("-", ""),
                ("(-", ")"),
                ("{ for k, v in { a = 1 } : k => ", "}"),
                ("[1][", " - 1]"),
            ] {
                let text = format!("a = {}1{}\n", open.repeat(depth), close.repeat(depth));
                let (body, _) = parse(FileId(0), &text);
                read += body.attrs.len();
            }
        }
        assert!(read > 50, "{read}");
    };
    std::thread::Builder::new().stack_size(4 << 20).spawn(work).unwrap().join().unwrap();
}

fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "a",
        "b \"c\" ",
        "= ",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\n",
        "\n",
        " ",
        "\"",
        "${",
        "%{",
        "if ",
        "for ",
        "in ",
        ":",
        ",",
        ".",
        "*",
        "...",
        "<<E\n",
        "<<-E\n",
        "E\n",
        "#x",
        "/*",
        "*/",
        "//",
        "é",
        "1",
        "-",
        "?",
        "=>",
        "==",
        "\\",
        "\r\n",
        "~",
        "%{ endif }",
        "$${",
        "'",
        ";",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}

fn check_spans(body: &Body, len: usize) {
    for block in &body.blocks {
        assert!(block.span.range().end <= len && block.header.range().end <= len);
        check_spans(&block.body, len);
    }
    assert!(
        body.attrs.iter().all(|attr| attr.span.range().start <= attr.span.range().end && attr.span.range().end <= len)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_text_makes_the_reader_panic_or_lose_its_place(text in soup()) {
        let (body, diags) = parse(FileId(0), &text);
        check_spans(&body, text.len());
        for label in diags.iter().filter_map(|diag| diag.primary.as_ref()) {
            prop_assert!(text.get(label.span.range()).is_some(), "{label:?}");
        }
        let _ = parse_expr(FileId(0), &text);
        let _ = parse_template(FileId(0), &text);
    }

    #[test]
    fn a_broken_block_hides_no_other(broken in soup(), at in 0usize..5) {
        let good = |n: usize| format!("good \"g{n}\" {{\n  x = [\n    {n},\n  ]\n}}\n");
        // What the soup leaves open, these three end: nothing else could tell where it should have ended.
        let broken = format!("bad \"b\" {{\n  y = {}\n}}\n", broken.replace(['\n', '"', '*'], " ").replace("<<", ""));
        let text: String = (0..5).map(|n| if n == at { broken.clone() } else { good(n) }).collect();
        let (body, _) = parse(FileId(0), &text);
        let found = body.blocks.iter().filter(|block| block.kind.value == "good" && block.body.attrs.len() == 1).count();
        prop_assert_eq!(found, 4, "{}", text);
    }
}
