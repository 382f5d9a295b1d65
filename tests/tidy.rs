//! The conventions that a compiler does not hold: who may use whom, sizes, names, and where facts may be compared.
#![expect(clippy::disallowed_methods, reason = "reads the project's own source")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::{Captures, Regex};

const MOST_LINES_IN_A_FUNCTION: usize = 100;
const USUAL_LINES_IN_A_FUNCTION: usize = 40;
const MOST_LINES_IN_A_FILE: usize = 700;
const USUAL_LINES_IN_A_FILE: usize = 400;

#[test]
fn modules_use_only_what_stands_above_them() {
    let order = modules(&read(&root().join("src/lib.rs")));
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let top = path.split('/').nth(1).unwrap_or_default();
        let Some(rank) = order.iter().position(|module| module == top) else { continue };
        let used = used_modules(&text);
        for below in order[rank + 1..].iter().filter(|module| used.contains(module)) {
            wrong.push(format!("{path}: {top} may not use {below}"));
        }
    }
    none(&wrong);
}

#[test]
fn every_module_is_a_folder_with_a_purpose() {
    let order = modules(&read(&root().join("src/lib.rs")));
    assert!(order.len() > 5, "found only {order:?}");
    let lost = order.iter().filter(|module| !root().join("src").join(module).join("mod.rs").is_file());
    none(&lost.map(|module| format!("src/{module}/mod.rs is missing")).collect::<Vec<_>>());
}

#[test]
fn every_file_says_what_it_is() {
    let silent = ["src", "tests", "benches"].into_iter().flat_map(sources).filter(|(_, text)| !says_what_it_is(text));
    none(&silent.map(|(path, _)| format!("{path} does not begin with //!")).collect::<Vec<_>>());
}

#[test]
fn functions_and_files_are_small() {
    let files = sources("src");
    let mut wrong = Vec::new();
    let mut function_sizes = Vec::new();
    for (path, text) in &files {
        for (name, lines) in functions(text) {
            function_sizes.push(lines);
            if lines > MOST_LINES_IN_A_FUNCTION {
                wrong.push(format!("{path}: {name} has {lines} lines"));
            }
        }
    }
    let file_sizes: Vec<usize> = files.iter().map(|(_, text)| text.lines().count()).collect();
    let too_long = files.iter().zip(&file_sizes).filter(|(_, lines)| **lines > MOST_LINES_IN_A_FILE);
    wrong.extend(too_long.map(|((path, _), lines)| format!("{path} has {lines} lines")));
    for (what, sizes, limit) in
        [("functions", function_sizes, USUAL_LINES_IN_A_FUNCTION), ("files", file_sizes, USUAL_LINES_IN_A_FILE)]
    {
        let size = ninth_decile(sizes);
        if size > limit {
            wrong.push(format!("a tenth of the {what} has {size} lines or more; at most {limit} are wanted"));
        }
    }
    none(&wrong);
}

#[test]
fn names_say_what_is_inside() {
    let wrong = sources("src").into_iter().filter(|(path, _)| is_pile(path));
    none(&wrong.map(|(path, _)| format!("{path}: name the noun")).collect::<Vec<_>>());
}

#[test]
fn paths_begin_at_the_crate() {
    let wrong = sources("src").into_iter().filter(|(_, text)| blanked(text, true).contains("super::super"));
    none(&wrong.map(|(path, _)| format!("{path} uses super::super; write crate::")).collect::<Vec<_>>());
}

#[test]
fn only_facts_compare_versions_and_accelerators() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        if !path.starts_with("src/facts/") && !path.ends_with("/tests.rs") {
            wrong
                .extend(comparisons(&text).into_iter().map(|found| format!("{path}: ask a fact instead of `{found}`")));
        }
    }
    none(&wrong);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Every Rust file below `folder`, by its path with slashes; none where there is no such folder.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = walkdir::WalkDir::new(root().join(folder))
        .into_iter()
        .filter_map(Result::ok)
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    paths.sort();
    let name = |path: &Path| path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
    paths.iter().map(|path| (name(path), read(path))).collect()
}

/// The modules that `lib.rs` lists, in order.
fn modules(lib: &str) -> Vec<String> {
    lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.split(';').next()).map(str::to_owned).collect()
}

/// The first names after each `crate::`, those of `crate::{a::X, b::{Y, Z}}` too; comments and strings do not count.
fn used_modules(text: &str) -> Vec<String> {
    let code = blanked(text, true);
    let mut used = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let Some(group) = rest.trim_start().strip_prefix('{') else {
            used.push(first_name(rest));
            continue;
        };
        let (mut depth, mut start) = (1, 0);
        for (at, c) in group.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 || (c == ',' && depth == 1) {
                used.push(first_name(&group[start..at]));
                start = at + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    used
}

fn first_name(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn says_what_it_is(text: &str) -> bool {
    text.lines().next().and_then(|line| line.strip_prefix("//! ")).is_some_and(|sentence| sentence.len() > 15)
}

/// Whether a file or one of its folders is named for being a pile.
fn is_pile(path: &str) -> bool {
    let pile = |part: &str| matches!(part.trim_end_matches(".rs"), "util" | "utils" | "common" | "misc" | "helpers");
    path.split('/').any(pile)
}

/// Every function of a text and how many lines it takes, from `fn` to its closing brace.
fn functions(text: &str) -> Vec<(String, usize)> {
    let code = blanked(text, true);
    let start = Regex::new(r"\bfn\s+(\w+)").unwrap();
    let mut found = Vec::new();
    for header in start.captures_iter(&code) {
        let from = header.get(0).unwrap().start();
        let (mut braces, mut others) = (0, 0);
        for (at, c) in code[from..].char_indices() {
            match c {
                '(' | '[' => others += 1,
                ')' | ']' => others -= 1,
                '{' => braces += 1,
                '}' => braces -= 1,
                ';' if braces == 0 && others == 0 => break, // a signature without a body
                _ => continue,
            }
            if c == '}' && braces == 0 {
                found.push((header[1].to_owned(), code[from..from + at].matches('\n').count() + 1));
                break;
            }
        }
    }
    found
}

/// The size that nine tenths do not exceed.
fn ninth_decile(mut sizes: Vec<usize>) -> usize {
    sizes.sort_unstable();
    sizes.get((sizes.len() * 9).div_ceil(10).saturating_sub(1)).copied().unwrap_or(0)
}

/// What looks like a comparison with the literal of a version, an accelerator or a machine.
static COMPARISON: LazyLock<Regex> = LazyLock::new(|| {
    let version = r"v?\d+\.\d+(?:\.\d+)*(?:-[\w.]+)?";
    let tpu = r"v[3-9][a-z]{0,9}(?:-\d+)?|tpu[-_]?v?\d[\w-]*|ct\d[\w-]*|trillium|ironwood";
    let gpu =
        r"(?:nvidia[-_])?(?:g?b[23]00|h[12]00|a100|v100|p100|l40?s?|t4|p4)(?:[-_][\w-]+)?|(?:a[2-4]|g[24])-[\w-]+";
    let name = format!(r#""(?i:{version}|{tpu}|{gpu})""#);
    let tests = [
        format!(r"[!=]=\s*&?{name}"),
        format!(r"{name}(?:\.\w+\(\))?\s*(?:[!=]=|=>|\|\s|if\s)"),
        format!(r"\b(?:starts_with|ends_with|contains|eq|eq_ignore_ascii_case)\(\s*&?{name}"),
        format!(r"matches!\([^;{{}}]*?{name}"),
        format!(r"{name}[^;{{}}\]]*\]\s*\.contains\("),
        r#"(?:[<>=!]=|[<>])\s*(?:\(\s*\d+\s*,\s*\d+\s*[,)]|&?Version::\w+\(\s*"?\d)"#.to_owned(),
    ];
    Regex::new(&tests.join("|")).unwrap()
});

/// The places where code, tests aside, compares facts that only a table should know.
fn comparisons(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = blanked(code, false);
    let found = COMPARISON.find_iter(&code);
    found.map(|found| found.as_str().split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// A comment, a raw string, a string or a character; a lifetime is none of these.
static LITERAL: LazyLock<Regex> = LazyLock::new(|| {
    let literal = r#"(?xs) (?<comment> //[^\n]* | /\*.*?\*/ )
        | \b[bc]?r\#\#".*?"\#\# | \b[bc]?r\#".*?"\# | \b[bc]?r"[^"]*"
        | "(?:\\.|[^"\\])*" | '(?:\\.[^']*|[^'\\])' "#;
    Regex::new(literal).unwrap()
});

/// The text with its comments blanked and, if `strings`, its string and character literals too. Every line stays
/// where it is.
fn blanked(text: &str, strings: bool) -> String {
    let blank = |text: &str| text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
    let stand_in = |found: &Captures<'_>| {
        if strings || found.name("comment").is_some() { blank(&found[0]) } else { found[0].to_owned() }
    };
    LITERAL.replace_all(text, stand_in).into_owned()
}

/// Each check above fails when it should.
mod the_checks {
    use super::*;

    #[test]
    fn modules_in_order() {
        let lib = "/// First.\npub mod a;\n\n// pub mod no;\npub mod b;\nmod hidden;\n";
        assert_eq!(modules(lib), ["a", "b"]);
        assert_eq!(used_modules("use crate::view::Style;"), ["view"]);
        assert_eq!(used_modules("use crate::{base::diag::{Diag, Label}, cli::Run};"), ["base", "cli"]);
        assert_eq!(used_modules("fn f() { let x = crate::os::now(); }"), ["os"]);
        assert_eq!(used_modules("// crate::os\n/* crate::cli */ let s = \"crate::view\"; // crate::plan"), [""; 0]);
    }

    #[test]
    fn a_first_line_with_a_sentence() {
        assert!(says_what_it_is("//! What this file is for.\n"));
        for silent in ["", "use x;\n", "//!\n//! Late.\n", "/// An item's words.\n", "//! Short.\n"] {
            assert!(!says_what_it_is(silent), "{silent:?}");
        }
    }

    #[test]
    fn sizes() {
        let text = "fn one() {}\nimpl X {\n    fn three(x: [u8; 2]) {\n        \"}\"; '}'; // }\n    }\n}\ntrait T {\n    fn none();\n}\n";
        assert_eq!(functions(text), [("one".to_owned(), 1), ("three".to_owned(), 3)]);
        let long = format!("fn long<'a>(x: &'a str) {{\n{}}}\n", "x;\n".repeat(99));
        assert_eq!(functions(&long), [("long".to_owned(), 101)]);
        assert_eq!(functions("fn raw() {\n r#\"\n{ \" {\n\"#;\n}\n"), [("raw".to_owned(), 5)]);
        assert_eq!(ninth_decile((1..=10).collect()), 9);
        assert_eq!(ninth_decile(vec![7]), 7);
        assert_eq!(ninth_decile(Vec::new()), 0);
    }

    #[test]
    fn piles() {
        for pile in ["src/util.rs", "src/a/common/mod.rs", "src/plan/misc.rs", "src/helpers/x.rs"] {
            assert!(is_pile(pile), "{pile}");
        }
        assert!(!is_pile("src/plan/common_names.rs"));
    }

    #[test]
    fn comparisons_of_facts() {
        for bad in [
            "if chip.name == \"v6e\" {}",
            "if name != \"tpu7x\" {}",
            "match name {\n    \"v5litepod\" => 1,\n    \"tpu-v5p-slice\"\n    | \"ct6e-standard-4t\" => 2,\n}",
            "matches!(chip, \"nvidia-h100-80gb\")",
            "machine.starts_with(\"a3-highgpu-8g\")",
            "[\"v4\", \"v5p\"].contains(&name)",
            "if \"2.60\" == version {}",
            "if version >= (2, 60) {}",
            "if version < Version::new(2, 60, 0) {}",
        ] {
            assert!(!comparisons(bad).is_empty(), "{bad}");
        }
        for good in [
            "let wanted = \"v6e\";",
            "if chip.multi_host && ray.has_label_selectors {}",
            "// == \"v6e\"",
            "if kind == \"v1\" || group == \"ray.io/v1\" || key == \"topology\" {}",
            "#[cfg(test)]\nmod tests { assert!(name == \"v6e\"); }",
            "help(\"use v6e\", 4)",
            "let pair = (2, 60);",
        ] {
            assert_eq!(comparisons(good), [""; 0], "{good}");
        }
    }
}
