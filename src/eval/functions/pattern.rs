//! Functions with regular expressions, in the syntax of Go's RE2 that Terraform has.

use super::{ArgFault, Args, Function, failed, fault, function};
use crate::eval::scope::MAX_SIZE;
use crate::eval::value::Value;
use regex::{Captures, Regex, RegexBuilder};
use std::sync::Arc;

/// Largest compiled pattern, in bytes.
const MAX_PATTERN: usize = 1 << 20;

/// Most matches that `regexall` gives.
const MAX_MATCHES: usize = 100_000;

pub(super) const FUNCTIONS: [Function; 3] = [
    function("regex", &["pattern", "string"], regex, "the first match, or its groups"),
    function("regexall", &["pattern", "string"], regexall, "all matches, or their groups"),
    function(
        "replace",
        &["str", "substr", "replace"],
        replace,
        "the text with each substr, or each match of /pattern/, replaced",
    ),
];

fn compiled(index: usize, pattern: &str) -> Result<Regex, ArgFault> {
    match RegexBuilder::new(&translated(pattern)).size_limit(MAX_PATTERN).build() {
        Ok(regex) => Ok(regex),
        Err(regex::Error::CompiledTooBig(_)) => fault(index, "the pattern is too large"),
        Err(why) => {
            let why = why.to_string();
            let line = why.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
            fault(index, format!("not a regular expression: {}", line.trim().trim_start_matches("error: ")))
        }
    }
}

/// Go's syntax in the syntax of the `regex` crate: there `\d`, `\s` and `\w` take all of Unicode, a `[` in a class
/// opens another one, and `\Q…\E` is unknown.
fn translated(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut rest = pattern.chars().peekable();
    let mut class: Option<usize> = None;
    while let Some(c) = rest.next() {
        class = class.map(|at| at + 1);
        match (c, class) {
            ('\\', _) => escape(&mut rest, &mut out),
            ('[', None) => {
                out.push('[');
                class = Some(0);
                if rest.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
            }
            ('[', Some(_)) if rest.peek() == Some(&':') => {
                // A named class such as [:alpha:].
                out.push('[');
                for c in rest.by_ref() {
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            (']', Some(1)) => out.push_str("\\]"),
            (']', Some(_)) => {
                out.push(']');
                class = None;
            }
            ('[' | '&' | '~', Some(_)) => {
                out.push('\\');
                out.push(c);
            }
            (c, _) => out.push(c),
        }
    }
    out
}

/// What a backslash stands for.
fn escape(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    match rest.next() {
        Some('d') => out.push_str("[0-9]"),
        Some('D') => out.push_str("[^0-9]"),
        Some('w') => out.push_str("[0-9A-Za-z_]"),
        Some('W') => out.push_str("[^0-9A-Za-z_]"),
        Some('s') => out.push_str(r"[\t\n\x0C\r ]"),
        Some('S') => out.push_str(r"[^\t\n\x0C\r ]"),
        Some('b') => out.push_str(r"(?-u:\b)"),
        Some('Q') => {
            let literal: String = rest.by_ref().collect();
            let (quoted, after) = literal.split_once("\\E").unwrap_or((&literal, ""));
            out.push_str(&regex::escape(quoted));
            out.push_str(&translated(after));
        }
        Some(c) => {
            out.push('\\');
            out.push(c);
        }
        None => out.push('\\'),
    }
}

/// A match as Terraform gives it: text without groups, a tuple of groups, or an object of named groups.
fn found(regex: &Regex, captures: &Captures<'_>) -> Result<Value, ArgFault> {
    let group = |index| captures.get(index).map_or_else(Value::null, |found| Value::string(found.as_str()));
    let names: Vec<Option<&str>> = regex.capture_names().skip(1).collect();
    if names.is_empty() {
        return Ok(group(0));
    }
    if names.iter().all(Option::is_none) {
        return Ok(Value::tuple((1..=names.len()).map(group).collect()));
    }
    let groups: Option<_> =
        names.iter().enumerate().map(|(at, name)| Some((Arc::from((*name)?), group(at + 1)))).collect();
    groups.map_or_else(|| fault(0, "groups must be all named or all unnamed"), |groups| Ok(Value::object(groups)))
}

fn regex(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (pattern, text) = (args.str(0)?, args.str(1)?);
    let regex = compiled(0, &pattern)?;
    match regex.captures(&text) {
        Some(captures) => found(&regex, &captures),
        None => fault(1, "the pattern matches no part of it"),
    }
}

fn regexall(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (pattern, text) = (args.str(0)?, args.str(1)?);
    let regex = compiled(0, &pattern)?;
    let mut matches = Vec::new();
    for captures in regex.captures_iter(&text) {
        if matches.len() == MAX_MATCHES {
            return failed(format!("there are more than {MAX_MATCHES} matches"));
        }
        matches.push(found(&regex, &captures)?);
    }
    Ok(Value::list(matches))
}

fn replace(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (text, wanted, with) = (args.str(0)?, args.str(1)?, args.str(2)?);
    let pattern = wanted.strip_prefix('/').and_then(|pattern| pattern.strip_suffix('/'));
    // Of a pattern, each place could match.
    let places = if pattern.is_some() { text.len() + 1 } else { text.matches(&*wanted).count() };
    if (places as u64).saturating_mul(with.len() as u64) > MAX_SIZE {
        return failed("the text could become too large");
    }
    let result = match pattern {
        Some(pattern) => compiled(1, pattern)?.replace_all(&text, &*with).into_owned(),
        None => text.replace(&*wanted, &with),
    };
    Ok(Value::string(result))
}
