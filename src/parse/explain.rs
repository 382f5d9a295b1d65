//! Faults in words that a person can act on: what was found, what was expected, what to do.

use crate::base::diag::Diag;
use crate::base::span::{FileId, Span};
use crate::parse::scan::{Fault, FaultKind, Mark, name_len};
use std::ops::Range;

fn syntax(file: FileId, at: Range<usize>, summary: &str, label: impl Into<String>) -> Diag {
    Diag::error("syntax", summary).at(Span::new(file, at), label)
}

/// A fault that the scan saw.
pub(super) fn fault(file: FileId, fault: &Fault) -> Diag {
    let at = fault.at.clone();
    let diag = match &fault.kind {
        FaultKind::OpenString => syntax(file, at, "The string is not closed", "no `\"` on this line closes it")
            .help("Close the string on its line. For text of several lines use a heredoc: <<-EOT … EOT."),
        FaultKind::OpenHeredoc(marker) => {
            syntax(file, at, "The heredoc is not closed", format!("no line holds only {marker}"))
                .help(format!("End the text with a line that holds {marker} and nothing else."))
        }
        FaultKind::OpenComment => {
            syntax(file, at, "The comment is not closed", "no `*/` follows").help("End the comment with `*/`.")
        }
        FaultKind::OpenBracket(closer) => {
            syntax(file, at, "The bracket is not closed", format!("no `{closer}` closes it"))
                .help(format!("Add the missing `{closer}`."))
        }
        FaultKind::WrongCloser { found, wanted: Some(wanted) } => {
            syntax(file, at, "The wrong bracket closes", format!("`{found}` where `{wanted}` is due"))
                .help(format!("Close with `{wanted}` first."))
        }
        FaultKind::WrongCloser { found, wanted: None } => {
            syntax(file, at, "A bracket closes nothing", format!("no open bracket matches this `{found}`"))
                .help(format!("Remove this `{found}`, or find the bracket above that was closed too early."))
        }
        FaultKind::HeredocStart => {
            syntax(file, at, "The heredoc has no proper start", "a marker and then a new line must follow")
                .help("Write <<-EOT, a new line, the text, and a line with EOT.")
        }
        FaultKind::TrailingDot => syntax(file, at, "A name is missing after the dot", "the line ends here")
            .help("Write the attribute's name after the dot, on the same line."),
        FaultKind::TooManyKeys => syntax(file, at, "The object has too many keys", "key number 4097")
            .detail("An object may be written with at most 4096 keys.")
            .help("Split it and join the parts with merge(), or read it with jsondecode(file(…))."),
        FaultKind::TooDeep => syntax(file, at, "The nesting is too deep", "level 65")
            .detail("Brackets, templates and blocks may be nested 64 deep."),
    };
    match &fault.opener {
        Some(opener) => diag.also(Span::new(file, opener.clone()), "opened here"),
        None => diag,
    }
}

/// What the parser's message contains, and for it a summary, what was expected, and advice. The first that fits counts.
const ROWS: &[(&str, &str, &str, &str)] = &[
    (
        "invalid structure",
        "An attribute or block is incomplete",
        "`=` or `{`",
        "Write name = value, or a block: name \"label\" { … }.",
    ),
    ("invalid attribute", "An attribute has no `=`", "`=`", "Write name = value."),
    ("newline or eof", "The line goes on after its value", "a new line", "Put each attribute on a line of its own."),
    ("unique object key", "The key is there twice", "another key", "Remove or rename one of the two."),
    (
        "invalid expression",
        "A value is missing",
        "a value",
        "Write a value: text in quotes, a number, true, false, a list, an object or a reference.",
    ),
    ("invalid object value assignment", "The key has no value", "`=` or `:`", "Write key = value."),
    (
        "invalid object item",
        "Two entries run into each other",
        "`,`, a new line or `}`",
        "Separate the entries with a comma or a new line.",
    ),
    (
        "invalid block body",
        "The block on one line holds too much",
        "`}` or a new line",
        "Give each attribute its own line: only a single attribute may share the line with its block.",
    ),
    ("nested levels", "The nesting is too deep", "at most 64 levels", "Move inner parts to locals."),
    ("binary operators", "The expression is too long", "at most 128 operators", "Move parts of it to locals."),
    (
        "escape sequence",
        "The escape is unknown",
        "\\n, \\r, \\t, \\\", \\\\, \\uXXXX or \\UXXXXXXXX",
        "Write \\\\ for a backslash.",
    ),
    (
        "hex code",
        "The escape is incomplete",
        "hexadecimal digits of a character",
        "Write \\u with 4 digits or \\U with 8.",
    ),
    (
        "traversal operator",
        "A name is missing after the dot",
        "a name, an index or `*`",
        "Write the attribute's name after the dot.",
    ),
    (
        "heredoc end",
        "The heredoc is not closed",
        "the closing marker",
        "End the text with a line that holds only the marker.",
    ),
    ("`]`", "The list is not closed here", "`,` or `]`", "Separate the elements with commas."),
    ("`)`", "The call is not closed here", "`,` or `)`", "Separate the arguments with commas."),
    ("`endif`", "The directive is not closed", "`endif`", "End %{ if … } with %{ endif }."),
    ("`endfor`", "The directive is not closed", "`endfor`", "End %{ for … } with %{ endfor }."),
    ("`in`", "The `for` has no `in`", "`in`", "Write for name in collection."),
    ("`=>`", "The object `for` has no `=>`", "`=>`", "Write {for name in collection : key => value}."),
    ("`:`", "A colon is missing", "`:`", "Write condition ? value : other, or for name in collection : value."),
    ("`}`", "The brace is not closed here", "`}`", "Close it with `}`."),
    ("identifier", "A name is missing", "a name", "Names start with a letter or underscore."),
    ("digit", "The number is incomplete", "digits", "Write digits after the exponent's e."),
];

/// What the parser said about `text` at `at`; `message` is its own list of what it expected.
pub(super) fn parser(file: FileId, text: &str, at: usize, message: &str, marks: &[Mark]) -> Diag {
    // At the end of the text the parser may point into a character.
    let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (range, found) = found(text, at);
    // The parser stops behind an escape; its backslash is the place.
    let escape = text[..at].rfind('\\').filter(|_| message.contains("escape") || message.contains("hex code"));
    let (range, found) = match escape {
        Some(start) => (start..at, format!("`{}`", &text[start..at])),
        None => (range, found),
    };
    let diag = |summary: &str, label: String| syntax(file, range.clone(), summary, label);
    if message.contains("unique attribute key") {
        return duplicate(file, text, at, marks);
    }
    let row = ROWS.iter().find(|(key, ..)| message.contains(key));
    match row {
        Some((_, summary, expected, help)) => {
            diag(summary, format!("expected {expected}, found {found}")).help(help_for(text, at, help))
        }
        None => unexpected(file, text, at),
    }
}

/// Where the parser only knows that an item can't be read, its line tells why.
fn unexpected(file: FileId, text: &str, at: usize) -> Diag {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].split('\n').next().unwrap_or("").trim_end();
    let indent = line.len() - line.trim_start().len();
    let name = name_len(&line[indent..]);
    let end = start + line.len();
    let rest = line[indent + name..].trim();
    if name == 0 {
        let (range, found) = found(text, start + indent);
        return syntax(file, range, "A name is due here", format!("found {found}"))
            .help("Write name = value, or a block: name \"label\" { … }.");
    }
    if rest == "=" {
        return syntax(file, end - 1..end, "A value is missing", "expected a value, found the end of the line")
            .help("Write name = value.");
    }
    // The parser goes back to the start of a string whose directives don't match.
    if let Some(directive) = text[at..].find("%{") {
        let at = at + directive;
        let len = text[at..].find('}').map_or(2, |end| end + 1);
        return syntax(file, at..at + len, "A template directive is out of place", "unknown, or not closed")
            .help("End %{ if … } with %{ endif }, and %{ for … } with %{ endfor }; write %%{ for plain text.");
    }
    if rest.is_empty() {
        return syntax(
            file,
            start + indent..end,
            "An attribute or block is incomplete",
            "expected `=` or `{` after it",
        )
        .help("Write name = value, or a block: name \"label\" { … }.");
    }
    if !rest.contains(['=', '{', '(', '[']) {
        return syntax(file, start + indent..end, "The block has no brace", "expected `=` or `{` on this line")
            .help("Write name = value, or a block: name \"label\" { … } with the brace on the same line.");
    }
    let (range, found) = found(text, at);
    if rest.starts_with('"') && rest.contains("${") {
        return syntax(file, range, "A label can't be a template", "labels are plain text")
            .help("Write the label out, or use for_each for blocks that differ in a name.");
    }
    syntax(file, range, "Something unexpected stands here", format!("found {found}"))
}

/// The usual advice, or a better one for a slip from another language.
fn help_for(text: &str, at: usize, usual: &str) -> String {
    let rest = text[at..].trim_start_matches([' ', '\t']);
    let word = &rest[..name_len(rest)];
    let before = text[..at].trim_end_matches([' ', '\t']);
    let operator = before.ends_with(['+', '*', '/', '%', '<', '>', '?', ':', '&', '|', '-']) || before.ends_with("==");
    match rest.chars().next() {
        Some('\'') => "Text stands in double quotes: \"…\".".into(),
        Some(':') if usual.starts_with("Write name = value") => "Write name = value, with `=` instead of `:`.".into(),
        Some(';') => "Nothing ends with a semicolon here: use a new line.".into(),
        Some('$') => "${…} stands in text only: write the name without it.".into(),
        Some('\n') if operator => "Put the expression in parentheses to go on in the next line.".into(),
        _ if word == "and" => "Write && for and.".into(),
        _ if word == "or" => "Write || for or.".into(),
        _ => usual.into(),
    }
}

/// The same attribute twice in one body.
fn duplicate(file: FileId, text: &str, at: usize, marks: &[Mark]) -> Diag {
    let len = name_len(&text[at..]);
    let name = &text[at..at + len];
    let diag = twice(file, name, at..at + len);
    let Ok(here) = marks.binary_search_by_key(&at, |mark| mark.offset) else { return diag };
    let depth = marks[here].depth;
    // Back to the brace that opened this body: marks of outer bodies lie before it.
    let body = marks[..here].iter().rev().take_while(|mark| mark.depth >= depth);
    let same = body.filter(|mark| mark.depth == depth && !mark.closes).find(|mark| {
        let rest = &text[mark.offset..];
        rest.starts_with(name) && name_len(rest) == len
    });
    match same {
        Some(first) => diag.also(Span::new(file, first.offset..first.offset + len), "first here"),
        None => diag,
    }
}

/// An attribute that was set before.
pub(super) fn twice(file: FileId, name: &str, at: Range<usize>) -> Diag {
    syntax(file, at, "The attribute is there twice", format!("{name} is set a second time"))
        .help("Remove one of the two.")
}

/// The token at an offset, in words.
fn found(text: &str, at: usize) -> (Range<usize>, String) {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else {
        return (text.trim_end().len()..text.len().min(text.trim_end().len() + 1), "the end".into());
    };
    if matches!(first, '\n' | '\r') {
        return (at..at + 1, "the end of the line".into());
    }
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    if blanks > 0 {
        return found(text, at + blanks);
    }
    let name = name_len(rest);
    let digits = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
    let len = match first {
        '"' => rest[1..].find(['"', '\n']).map_or(rest.len(), |len| len + 2),
        _ if name > 0 => name,
        '0'..='9' => digits,
        c => c.len_utf8(),
    };
    (at..at + len, format!("`{}`", &rest[..len]))
}
