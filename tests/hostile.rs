//! Hostile input: what was given, and what it gave. The table below drives the real binary; `docs/hostile-input.md` is what
//! came out. To accept a change, read it, then run `BLESS=1 cargo test --test hostile`.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

/// How long one input may take: a second, and in a build without optimisation on a busy machine a multiple of it.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });

/// Most that is printed of one input's faults.
const MOST_OUTPUT: usize = 200_000;

/// What shall come out.
enum Gives {
    /// One error: its rule, and words of it.
    Error(&'static str, &'static str),
    /// So many problems and no more.
    Errors(usize),
    /// A valid stack.
    Valid,
}
use Gives::{Error, Errors, Valid};

/// An input: what it is, how it is made, what it gives.
struct Row(&'static str, fn(&Path), Gives);

/// The stack file of each input.
const FILE: &str = "s.stack.hcl";

const HUNDRED_THOUSAND: usize = 100_000;

#[rustfmt::skip]
fn table() -> Vec<Row> {
    vec![
        // Size and nesting.
        Row("100,000 nested lists", |d| local(d, &nested("[", "1", "]")), Error("syntax", "nesting is too deep")),
        Row("100,000 brackets that nothing closes", |d| local(d, &"[".repeat(HUNDRED_THOUSAND)), Error("syntax", "nesting is too deep")),
        Row("100,000 nested parentheses", |d| local(d, &nested("(", "1", ")")), Error("syntax", "nesting is too deep")),
        Row("100,000 nested calls", |d| local(d, &nested("abs(", "1", ")")), Error("syntax", "nesting is too deep")),
        Row("100,000 nested templates", |d| local(d, &nested("\"${", "1", "}\"")), Error("syntax", "nesting is too deep")),
        Row("100,000 nested `for`s", |d| local(d, &nested("[for a in [", "1", "]:a]")), Error("syntax", "nesting is too deep")),
        Row("100,000 blocks inside each other", |d| stack(d, &nested("a {\n", "", "}\n")), Errors(201)),
        Row("100,000 blocks in a row", |d| stack(d, &numbered("bucket \"b#\" {}\n")), Error("syntax", "holds too much")),
        Row("100,000 attributes in a block", |d| stack(d, &format!("locals {{\n{}}}\n", numbered("a# = 1\n"))), Error("syntax", "holds too much")),
        Row("100,000 operators", |d| local(d, &nested("1 + ", "1", "")), Error("syntax", "too long")),
        Row("100,000 `!`", |d| local(d, &nested("!", "true", "")), Error("syntax", "")),
        Row("100,000 conditions in each other", |d| local(d, &nested("true ? 1 : ", "1", "")), Error("syntax", "")),
        Row("100,000 indices of a value", |d| local(d, &format!("[1]{}", "[0]".repeat(HUNDRED_THOUSAND))), Error("type", "")),
        Row("30,000 lines that are no HCL", |d| stack(d, &format!("slice \"x\" {{\n{}}}\n", "=\n".repeat(30_000))), Errors(20)),
        Row("a file of 100 MB", |d| write(d, &vec![b'#'; 100_000_000]), Error("io", "larger than 4 MiB")),
        Row("a string of 1,000,000 characters", |d| stack(d, &format!("bucket \"b\" {{\n  name = \"{}\"\n}}\n", "a".repeat(1_000_000))), Error("illegal-object-name", "bucket")),
        Row("a name of 1,000,000 characters", |d| stack(d, &format!("bucket \"{}\" {{}}\n", "a".repeat(1_000_000))), Error("illegal-object-name", "")),
        Row("an unknown attribute of 1,000,000 characters", |d| stack(d, &format!("bucket \"b\" {{\n  {} = 1\n}}\n", "a".repeat(1_000_000))), Error("unknown-attribute", "")),
        Row("a reference of 1,000,000 characters", |d| local(d, &format!("local.{}", "a".repeat(1_000_000))), Error("reference", "")),
        // Bytes.
        Row("invalid UTF-8", |d| write(d, b"stack \"s\" {}\n\xff\n"), Error("syntax", "line 2 is not UTF-8 text")),
        Row("UTF-16", |d| write(d, b"\xff\xfes\0t\0a\0c\0k\0"), Error("syntax", "line 1 is not UTF-8 text")),
        Row("a NUL byte", |d| write(d, b"stack \"s\" {}\n\0"), Error("syntax", "line 2 holds a NUL byte")),
        Row("CRLF line ends and a byte order mark", |d| write(d, b"\xef\xbb\xbfstack \"s\" {\r\n}\r\nlocals {\r\n  x = <<EOT\r\na\r\nEOT\r\n}\r\n"), Valid),
        Row("an empty file", |d| write(d, b""), Error("missing-block", "no `stack` block")),
        // Work.
        Row("a range of a billion elements", |d| local(d, "range(1000000000)"), Error("function", "")),
        Row("a billion steps of `for`", |d| local(d, "[for a in range(1000): [for b in range(1000): [for c in range(1000): c]]]"), Error("type", "too large")),
        Row("200 locals that each double a list", |d| doubling(d, "[1]", "[P, P]"), Error("type", "too large")),
        Row("200 locals that each double a text", |d| doubling(d, "\"aa\"", "\"${P}${P}\""), Error("type", "too large")),
        Row("200 locals that each double by concat()", |d| doubling(d, "[1]", "concat(P, P)"), Error("type", "too large")),
        Row("200 locals that each double by format()", |d| doubling(d, "\"aa\"", "format(\"%s%s\", P, P)"), Error("type", "too large")),
        Row("200 locals that each double by jsonencode()", |d| doubling(d, "\"\\\"\"", "jsonencode([P, P])"), Error("type", "too large")),
        Row("200 locals that each grow by replace()", |d| doubling(d, "\"aa\"", "replace(P, \"a\", \"aaaaaaaa\")"), Error("function", "too large")),
        Row("a product of a billion tuples", |d| local(d, "setproduct(range(1000), range(1000), range(1000))"), Error("function", "")),
        Row("a field of a billion columns", |d| local(d, "format(\"%1000000000d\", 1)"), Error("function", "too wide")),
        Row("10 to the power of a billion", |d| local(d, "pow(10, 1000000000)"), Error("function", "")),
        Row("a regular expression that explodes", |d| local(d, "regex(\"(a{1000}){1000}{1000}\", \"a\")"), Error("function", "")),
        Row("YAML whose aliases explode", |d| local(d, "yamldecode(<<EOT\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f]\nEOT\n)"), Error("function", "")),
        Row("JSON of 100,000 nested lists", |d| local(d, &format!("jsondecode(\"{}\")", nested("[", "", "]"))), Error("function", "nested deeper")),
        Row("a cycle of locals", |d| stack(d, "locals {\n  a = local.b\n  b = local.a\n}\n"), Error("reference", "")),
        // Files.
        Row("a folder in the place of the file", |d| fs::create_dir(d.join(FILE)).unwrap(), Error("io", "No stack")),
        #[cfg(unix)]
        Row("a FIFO in the place of the file", |d| fifo(&d.join(FILE)), Error("io", "not a regular file")),
        #[cfg(unix)]
        Row("a link to /dev/zero in the place of the file", |d| link("/dev/zero", &d.join(FILE)), Error("io", "not a regular file")),
        #[cfg(unix)]
        Row("a link to itself in the place of the file", |d| link(FILE, &d.join(FILE)), Error("io", "")),
        #[cfg(unix)]
        Row("a FIFO in the place of the variables", |d| { stack(d, ""); fifo(&d.join("s.vars.hcl")); }, Error("io", "not a regular file")),
        #[cfg(unix)]
        Row("`file()` of a FIFO", |d| { fifo(&d.join("pipe")); local(d, "file(\"pipe\")"); }, Error("function", "not a regular file")),
        Row("`file()` of a folder", |d| { fs::create_dir(d.join("folder")).unwrap(); local(d, "file(\"folder\")"); }, Error("function", "is a directory")),
        Row("`file()` of `..` above the root", |d| { outside(d); local(d, "file(\"../outside.txt\")"); }, Error("function", "is outside")),
        Row("`file()` of an absolute path", |d| local(d, "file(\"/etc/passwd\")"), Error("function", "is outside")),
        #[cfg(unix)]
        Row("`file()` of a link that leads out", |d| { outside(d); link("../outside.txt", &d.join("inside.txt")); local(d, "file(\"inside.txt\")"); }, Error("function", "is outside")),
        #[cfg(unix)]
        Row("`file()` below a link that leads out", |d| { outside(d); link("..", &d.join("up")); local(d, "file(\"up/outside.txt\")"); }, Error("function", "is outside")),
        Row("`file()` of `.git/config`", |d| { git(d); local(d, "file(\".git/config\")"); }, Error("function", "is hidden")),
        #[cfg(unix)]
        Row("`file()` of a link into `.git`", |d| { git(d); link(".git/config", &d.join("config.txt")); local(d, "file(\"config.txt\")"); }, Error("function", "is hidden")),
        Row("`file()` of a file that git ignores", |d| { git(d); local(d, "file(\"ignored.txt\")"); }, Error("function", "git ignores")),
        Row("`file()` in a folder that git ignores", |d| { git(d); local(d, "file(\"build/secret.txt\")"); }, Error("function", "git ignores")),
        Row("`templatefile()` of a file that git ignores", |d| { git(d); local(d, "templatefile(\"ignored.txt\", {})"); }, Error("function", "git ignores")),
        Row("`fileset()` over ignored and hidden files", |d| { git(d); local(d, "[for f in fileset(\".\", \"**\"): file(f)]"); }, Valid),
        Row("`path` of the directory with `..`", |d| text(d, "stack \"s\" {\n  deploy \"directory\" {\n    path = \"../out\"\n  }\n}\n"), Error("type", "path")),
        // Characters.
        Row("escape sequences of a terminal in the text", |d| stack(d, "# \u{1b}]0;owned\u{7}\nbucket \"a\u{1b}[31m\" {}\n"), Error("illegal-object-name", "")),
        Row("escape sequences of a terminal in a value", |d| with(d, "env = { A = \"\\u001b[2J\\u009b31m\" }"), Error("type", "")),
        Row("bidirectional overrides in a name", |d| stack(d, "bucket \"a\u{202e}b\" {}\n"), Error("illegal-object-name", "")),
        Row("bidirectional overrides in a value", |d| with(d, "env = { A = \"a\u{202e}b\" }"), Error("type", "")),
        Row("bidirectional overrides in a comment", |d| stack(d, "# \u{202e}gnol\nlocals {\n  x = nope.x # \u{202e}\n}\n"), Error("reference", "")),
        Row("a command to the CI system in the text", |d| stack(d, "locals {\n::error::owned\n  x = 1\n}\n"), Error("syntax", "")),
        Row("a command to the CI system in a name", |d| stack(d, "bucket \"::error::owned\" {}\n"), Error("illegal-object-name", "")),
        Row("commands to the CI system in a value", |d| with(d, "env = { A = \"x\\n::error::owned\\n  ::stop-commands::x\\nx\", B = \"::add-mask::x\" }"), Valid),
        // Secrets: the value of a sensitive variable.
        Row("a secret in `env`", |d| secret(d, "env = { A = var.tok }"), Error("sensitive", "")),
        Row("a secret within a text", |d| secret(d, "env = { A = \"Bearer ${var.tok}\" }"), Error("sensitive", "")),
        Row("a secret's hash", |d| secret(d, "env = { A = sha256(var.tok) }"), Error("sensitive", "")),
        Row("a secret's length", |d| secret(d, "env = { A = length(var.tok) }"), Error("sensitive", "")),
        Row("a secret through `nonsensitive()`", |d| secret(d, "env = { A = nonsensitive(var.tok) }"), Error("sensitive", "")),
        Row("a secret as a key", |d| secret(d, "env = { (var.tok) = \"a\" }"), Error("sensitive", "")),
        Row("a secret through a `for`", |d| secret(d, "env = { A = join(\"\", [for c in [var.tok]: c]) }"), Error("sensitive", "")),
        Row("a secret through JSON", |d| secret(d, "env = { A = jsonencode({ a = var.tok }) }"), Error("sensitive", "")),
        Row("a secret in a condition", |d| secret(d, "env = { A = var.tok == \"x\" ? \"1\" : \"2\" }"), Error("sensitive", "")),
        Row("a secret as a name", |d| secret(d, "name = var.tok"), Error("sensitive", "")),
        Row("a secret as a number", |d| secret(d, "num_workers = var.tok"), Error("sensitive", "")),
        Row("a secret as a topology", |d| secret(d, "num_slices = tonumber(var.tok)"), Error("function", "")),
        Row("a secret as a path", |d| secret(d, "env = { A = file(var.tok) }"), Error("function", "")),
        Row("a secret as an index", |d| secret(d, "env = { A = { a = 1 }[var.tok] }"), Error("reference", "")),
        Row("a secret as a pattern", |d| secret(d, "env = { A = regex(\"[\", var.tok) }"), Error("function", "")),
        Row("a secret in an output", |d| { secret(d, ""); more(d, "output \"o\" {\n  value = var.tok\n}\n", "other"); }, Error("sensitive", "")),
        Row("a secret in a sensitive output", |d| { secret(d, ""); more(d, "output \"o\" {\n  sensitive = true\n  value = var.tok\n}\n", "other"); }, Valid),
        Row("a secret that nothing uses", |d| secret(d, "env = { A = \"x\" }"), Valid),
        Row("a secret of the wrong type", |d| { secret(d, ""); more(d, "variable \"n\" {\n  type = number\n  sensitive = true\n}\n", "n"); }, Error("type", "")),
        Row("a secret for a misspelt variable", |d| { secret(d, ""); more(d, "variable \"token\" {\n  default = \"\"\n}\n", "tokem"); }, Valid),
        Row("a secret that its validation refuses", |d| { secret(d, ""); more(d, "variable \"v\" {\n  sensitive = true\n  validation {\n    condition = var.v == \"\"\n    error_message = \"not ${var.v}\"\n  }\n}\n", "v"); }, Error("variable", "")),
        Row("a secret in a file of values that is no HCL", |d| { secret(d, ""); more(d, "", "= ["); }, Error("syntax", "")),
    ]
}

/// The park stack with this attribute in its training, and a sensitive variable `tok` whose value is the secret.
fn secret(dir: &Path, attr: &str) {
    with(dir, attr);
    more(dir, "variable \"tok\" {\n  sensitive = true\n}\n", "tok");
}

/// Adds blocks to the stack, and the secret as the value of a variable.
fn more(dir: &Path, blocks: &str, variable: &str) {
    let append = |file: &str, text: &str| {
        let path = dir.join(file);
        fs::write(&path, fs::read_to_string(&path).unwrap() + text).unwrap();
    };
    append(FILE, blocks);
    append("s.vars.hcl", &format!("{variable} = \"{SECRET}\"\n"));
}

fn write(dir: &Path, bytes: &[u8]) {
    fs::write(dir.join(FILE), bytes).unwrap();
}

fn text(dir: &Path, text: &str) {
    write(dir, text.as_bytes());
}

/// A stack with these blocks.
fn stack(dir: &Path, blocks: &str) {
    text(dir, &format!("stack \"s\" {{}}\n{blocks}"));
}

/// A stack with a local of this value.
fn local(dir: &Path, value: &str) {
    stack(dir, &format!("locals {{\n  x = {value}\n}}\n"));
}

/// The park stack with this attribute in its training.
fn with(dir: &Path, attr: &str) {
    let park = fs::read_to_string("stacks/park.stack.hcl").unwrap();
    let named = park.replace("stack \"park\"", "stack \"s\"");
    let train = "train \"dpo\" {\n";
    assert!(named.contains(train));
    text(dir, &named.replace(train, &format!("{train}  {attr}\n")));
    fs::copy("stacks/park.vars.hcl", dir.join("s.vars.hcl")).unwrap();
}

fn nested(open: &str, middle: &str, close: &str) -> String {
    format!("{}{middle}{}", open.repeat(HUNDRED_THOUSAND), close.repeat(HUNDRED_THOUSAND))
}

fn numbered(line: &str) -> String {
    (0..HUNDRED_THOUSAND).map(|number| line.replace('#', &number.to_string())).collect()
}

/// 200 locals, each made of the one before, which is `P`.
fn doubling(dir: &Path, first: &str, next: &str) {
    let line = |i: usize| format!("  l{i} = {}\n", next.replace('P', &format!("local.l{}", i - 1)));
    stack(dir, &format!("locals {{\n  l0 = {first}\n{}}}\n", (1..200).map(line).collect::<String>()));
}

fn outside(dir: &Path) {
    fs::write(dir.join("../outside.txt"), SECRET).unwrap();
}

/// A git work tree with hidden and ignored files, all secret.
fn git(dir: &Path) {
    for (path, text) in [
        (".git/config", SECRET),
        (".gitignore", "ignored.txt\n/build/\n"),
        ("ignored.txt", SECRET),
        ("build/secret.txt", SECRET),
        (".env", SECRET),
        ("plain.txt", "plain"),
    ] {
        fs::create_dir_all(dir.join(path).parent().unwrap()).unwrap();
        fs::write(dir.join(path), text).unwrap();
    }
}

#[cfg(unix)]
fn fifo(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

/// What no output may hold.
const SECRET: &str = "hunter2-s3cr3t";

/// Runs the binary with little memory, so that an input that eats it is seen.
fn run(dir: &Path, args: &[&str]) -> Output {
    let binary = assert_cmd::cargo::cargo_bin("sliceform");
    let mut command = if cfg!(target_os = "linux") {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 1500000 && exec \"$0\" \"$@\""]).arg(binary);
        shell
    } else {
        Command::new(binary)
    };
    command.current_dir(dir).env_clear().timeout(3 * LIMIT).args(args).output().unwrap()
}

/// What people and logs see holds no control or bidirectional character, no command to a CI system, no secret.
fn inert(text: &str) -> Result<(), String> {
    let bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    hold(!text.contains(bad), || format!("shows {:?}", text.chars().find(|c| bad(*c))))?;
    let command = text.lines().find(|line| line.trim_start().starts_with("::"));
    hold(command.is_none(), || format!("shows the command {command:?}"))?;
    hold(!text.contains(SECRET), || "shows the secret".to_owned())?;
    hold(text.len() < MOST_OUTPUT, || format!("shows {} bytes", text.len()))
}

fn hold(truth: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if truth { Ok(()) } else { Err(otherwise()) }
}

/// What a command printed, on either stream.
fn printed(output: &Output) -> String {
    String::from_utf8([output.stdout.as_slice(), output.stderr.as_slice()].concat()).unwrap()
}

/// Runs one input through every command, and gives what came out as a cell of the document.
fn outcome(Row(_, make, gives): &Row) -> Result<String, String> {
    let sandbox = tempfile::tempdir().unwrap();
    let dir = sandbox.path().join("root");
    fs::create_dir(&dir).unwrap();
    make(&dir);
    let started = Instant::now();
    let human = run(&dir, &["validate", FILE]);
    let took = started.elapsed();
    hold(took < LIMIT, || format!("took {took:?}"))?;
    inert(&printed(&human))?;
    let json = printed(&run(&dir, &["validate", "--json", FILE]));
    hold(!json.contains(SECRET), || "shows the secret as JSON".to_owned())?;
    let report: Value = serde_json::from_str(&json).map_err(|why| format!("{why}: {json}"))?;
    let list = report["diagnostics"].as_array().unwrap().iter();
    let errors: Vec<&Value> = list.filter(|diag| diag["severity"] == "error").collect();
    let first = errors.first().map_or(String::new(), |diag| words(diag));
    let first = first.replace(&*fs::canonicalize(&dir).unwrap().to_string_lossy(), "the root");
    let found = (human.status.code(), errors.len());
    match gives {
        Valid => {
            hold(found == (Some(0), 0), || format!("{found:?} {first}"))?;
            for args in [&["render"][..], &["plan"], &["plan", "--full"], &["apply", "--auto-approve"], &["show"]] {
                let output = run(&dir, args);
                inert(&printed(&output)).map_err(|why| format!("{args:?} {why}"))?;
                hold(output.status.success(), || format!("{args:?}: {}", printed(&output)))?;
            }
            for entry in walkdir::WalkDir::new(dir.join("rendered")).into_iter().filter_map(Result::ok) {
                let text = fs::read_to_string(entry.path()).unwrap_or_default();
                hold(!text.contains(SECRET), || format!("{} holds the secret", entry.path().display()))?;
            }
            Ok("valid; every output is inert".to_owned())
        }
        Error(rule, part) => {
            hold(found == (Some(1), 1), || format!("{found:?} {first}"))?;
            let fits = errors[0]["rule"] == *rule && errors[0].to_string().contains(part);
            hold(fits, || format!("is not {rule} {part:?}: {}", errors[0]))?;
            Ok(first)
        }
        Errors(count) => {
            hold(found == (Some(1), *count), || format!("{found:?} {first}"))?;
            Ok(format!("{count} errors, the first: {first}"))
        }
    }
}

/// An error in a cell: rule, summary, and what it says at the place or why.
fn words(diag: &Value) -> String {
    let part = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let label = [&diag["range"]["label"], &diag["detail"]].into_iter().map(part).find(|part| !part.is_empty());
    let label = label.map_or(String::new(), |label| format!(": {label}"));
    let text = format!("{}{label}", part(&diag["summary"]));
    let short: String = text.chars().take(160).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("`{}` {short}{dots}", part(&diag["rule"])).replace('|', "\\|").replace(" (os error 40)", "")
}

#[test]
fn every_input_gives_what_the_table_says() {
    let (mut rows, mut wrong) = (String::new(), Vec::new());
    let table = table();
    let (first, second) = table.split_at(table.len() / 2);
    let outcomes = std::thread::scope(|scope| {
        let second = scope.spawn(|| second.iter().map(outcome).collect::<Vec<_>>());
        let first: Vec<_> = first.iter().map(outcome).collect();
        [first, second.join().unwrap()].concat()
    });
    for (row, outcome) in table.iter().zip(outcomes) {
        match outcome {
            Ok(cell) => rows += &format!("| {} | {cell} |\n", row.0),
            Err(why) => wrong.push(format!("{}: {}", row.0, why.chars().take(600).collect::<String>())),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let text = format!("{HEAD}{rows}");
    let path = "docs/hostile-input.md";
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap_or_default(), text, "BLESS=1 cargo test --test hostile writes it anew");
}

/// What stands above the rows of the document.
const HEAD: &str = "# Hostile input

What each input gave. Made and checked by `tests/hostile.rs`, which drives the binary in 1.5 GB of address space and looks
for control and bidirectional characters, commands to CI systems and secrets in every output.

| input | `sliceform validate` |
|---|---|
";
