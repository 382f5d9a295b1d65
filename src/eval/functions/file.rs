//! Functions on files below the stack's root, on their names, and on templates.

use super::{ArgFault, Args, Function, fault, function, yes};
use crate::base::diag::{Diag, Diags};
use crate::base::span::{SourceMap, Spanned};
use crate::eval::evaluate::with_variables;
use crate::eval::scope::{Budget, Scope};
use crate::eval::value::Value;
use crate::parse::parse_template;
use regex::Regex;

pub(super) const FUNCTIONS: [Function; 7] = [
    function("file", &["path"], |a| read(a).map(Value::string), "the text of a file"),
    function("fileexists", &["path"], fileexists, "whether there is such a file"),
    function("fileset", &["path", "pattern"], fileset, "the names of the files in a folder that match *, ** and ?"),
    function("templatefile", &["path", "vars"], templatefile, "the text of a file with ${…} and %{…} filled in"),
    function("templatestring", &["template", "vars"], templatestring, "the text with ${…} and %{…} filled in"),
    function("basename", &["path"], basename, "the last part of a path"),
    function("dirname", &["path"], dirname, "the path without its last part"),
];

fn read(args: &Args<'_>) -> Result<String, ArgFault> {
    args.scope.read_file(&args.str(0)?).or_else(|why| fault(0, why))
}

fn fileexists(args: &Args<'_>) -> Result<Value, ArgFault> {
    args.scope.file_exists(&args.str(0)?).or_else(|why| fault(0, why)).and_then(yes)
}

fn fileset(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (dir, pattern) = (args.str(0)?, args.str(1)?);
    let Ok(glob) = Regex::new(&glob(&pattern)) else { return fault(1, "not a pattern") };
    let files = args.scope.list_files(&dir).or_else(|why| fault(0, why))?;
    Ok(Value::set(files.iter().filter(|file| glob.is_match(file)).map(Value::string).collect()))
}

/// A file pattern as a regular expression.
fn glob(pattern: &str) -> String {
    let mut out = String::from("^(?s:");
    let mut rest = pattern;
    let mut choices = 0;
    while let Some(c) = rest.chars().next() {
        let (text, len) = match c {
            _ if rest.starts_with("**/") => ("(?:.*/)?".to_owned(), 3),
            _ if rest.starts_with("**") => (".*".to_owned(), 2),
            '*' => ("[^/]*".to_owned(), 1),
            '?' => ("[^/]".to_owned(), 1),
            '{' => ("(?:".to_owned(), 1),
            '}' if choices > 0 => (")".to_owned(), 1),
            ',' if choices > 0 => ("|".to_owned(), 1),
            '[' => match rest[1..].find(']') {
                Some(end) => (format!("[{}]", rest[1..=end].replace('!', "^").replace('[', "\\[")), end + 2),
                None => ("\\[".to_owned(), 1),
            },
            '\\' if rest.len() > 1 => {
                let next = rest[1..].chars().next().unwrap_or('\\');
                (regex::escape(&next.to_string()), 1 + next.len_utf8())
            }
            c => (regex::escape(&c.to_string()), c.len_utf8()),
        };
        choices += usize::from(c == '{');
        choices -= usize::from(c == '}' && choices > 0);
        out.push_str(&text);
        rest = &rest[len..];
    }
    out + ")$"
}

fn templatefile(args: &Args<'_>) -> Result<Value, ArgFault> {
    let text = read(args)?;
    render(args, &args.str(0)?, &text)
}

fn templatestring(args: &Args<'_>) -> Result<Value, ArgFault> {
    render(args, "template", &args.str(0)?)
}

fn render(args: &Args<'_>, name: &str, text: &str) -> Result<Value, ArgFault> {
    if args.in_template {
        return fault(0, "a template can't call another one");
    }
    let mut variables = Vec::new();
    for (name, value) in args.entries(1)? {
        variables.push((name.to_string(), value.clone().marked(args.get(1).sensitive)));
    }
    let mut map = SourceMap::default();
    let file = map.add(name, text);
    let scope = TemplateScope { outer: args.scope };
    let result = parse_template(file, text).and_then(|expr| with_variables(&expr, &scope, variables, true));
    result.or_else(|diags| fault(0, told(&map, &diags)))
}

/// The faults of a template in one line: its text is in no file that an excerpt could show.
fn told(map: &SourceMap, diags: &Diags) -> String {
    let one = |diag: &Diag| match &diag.primary {
        Some(label) => format!("{}: {} ({})", map.position(label.span), diag.summary, label.text),
        None => diag.summary.clone(),
    };
    diags.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What a template sees: its variables, functions and files, but no name of the stack.
struct TemplateScope<'a> {
    outer: &'a dyn Scope,
}

impl Scope for TemplateScope<'_> {
    fn lookup(&self, root: &Spanned<String>, _: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        let label = format!("{} is not among the template's variables", root.value);
        Err(Box::new(Diag::error("reference", "The name is unknown").at(root.span, label)))
    }

    fn block_attr(&self, block: &crate::base::addr::Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        self.outer.block_attr(block, name)
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        self.outer.read_file(path)
    }

    fn file_exists(&self, path: &str) -> Result<bool, String> {
        self.outer.file_exists(path)
    }

    fn list_files(&self, dir: &str) -> Result<Vec<String>, String> {
        self.outer.list_files(dir)
    }

    fn budget(&self) -> &Budget {
        self.outer.budget()
    }
}

fn basename(args: &Args<'_>) -> Result<Value, ArgFault> {
    let path = args.str(0)?;
    let trimmed = path.trim_end_matches('/');
    Ok(Value::string(match trimmed.rsplit('/').next() {
        Some(last) if !last.is_empty() => last,
        _ if path.is_empty() => ".",
        _ => "/",
    }))
}

fn dirname(args: &Args<'_>) -> Result<Value, ArgFault> {
    let path = args.str(0)?;
    let Some((dir, _)) = path.rsplit_once('/') else { return Ok(Value::string(".")) };
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in dir.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Ok(Value::string(match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }))
}

/// Names for tests of the table.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_terraform() {
        let matches = |pattern: &str, path: &str| Regex::new(&glob(pattern)).unwrap().is_match(path);
        assert!(matches("*.yaml", "a.yaml") && !matches("*.yaml", "d/a.yaml"));
        assert!(matches("**/*.yaml", "a.yaml") && matches("**/*.yaml", "d/e/a.yaml") && matches("**", "d/a"));
        assert!(matches("{a,b}.?", "b.c") && !matches("{a,b}.?", "c.c") && matches("[a-c]x", "bx"));
        assert!(!matches("a.c", "abc") && matches("a,b", "a,b"));
    }
}
