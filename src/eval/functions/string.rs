//! Functions on text.

use super::{ArgFault, Args, Function, failed, function, texts, yes};
use crate::eval::scope::MAX_SIZE;
use crate::eval::value::Value;
use unicode_segmentation::UnicodeSegmentation;

/// Most parts that a text is split into.
const MAX_PARTS: usize = 1_000_000;

pub(super) const FUNCTIONS: [Function; 16] = [
    function("upper", &["str"], |a| text(a.str(0)?.chars().map(upper)), "the text in capitals"),
    function("lower", &["str"], |a| text(a.str(0)?.chars().map(lower)), "the text in small letters"),
    function("title", &["str"], title, "the text with a capital at the start of each word"),
    function("trimspace", &["str"], |a| Ok(Value::string(a.str(0)?.trim())), "the text without blanks around it"),
    function("trim", &["str", "cutset"], trim, "the text without any of the characters around it"),
    function("trimprefix", &["str", "prefix"], trimprefix, "the text without the prefix"),
    function("trimsuffix", &["str", "suffix"], trimsuffix, "the text without the suffix"),
    function("chomp", &["str"], chomp, "the text without line ends behind it"),
    function("startswith", &["str", "prefix"], |a| yes(a.str(0)?.starts_with(&*a.str(1)?)), "whether it starts so"),
    function("endswith", &["str", "suffix"], |a| yes(a.str(0)?.ends_with(&*a.str(1)?)), "whether it ends so"),
    function("strcontains", &["str", "substr"], |a| yes(a.str(0)?.contains(&*a.str(1)?)), "whether that is in it"),
    function("substr", &["str", "offset", "length"], substr, "a part of the text, in characters; -1 for the rest"),
    function("split", &["separator", "str"], split, "the parts between the separators"),
    function("join", &["separator", "lists..."], join, "the strings with the separator between them"),
    function("indent", &["spaces", "str"], indent, "the text with all lines but the first indented"),
    function("strrev", &["str"], strrev, "the text with its characters in reverse"),
];

#[allow(clippy::unnecessary_wraps, reason = "what every function gives")]
fn text(chars: impl Iterator<Item = char>) -> Result<Value, ArgFault> {
    Ok(Value::string(chars.collect::<String>()))
}

/// One character for one: `ß` stays.
fn upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    if upper.len() == 1 { upper.next().unwrap_or(c) } else { c }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn title(args: &Args<'_>) -> Result<Value, ArgFault> {
    let mut before = ' ';
    text(args.str(0)?.chars().map(|c| {
        let in_word = before.is_alphanumeric() || before == '_' || (!before.is_ascii() && !before.is_whitespace());
        before = c;
        if in_word { c } else { upper(c) }
    }))
}

fn trim(args: &Args<'_>) -> Result<Value, ArgFault> {
    let set: Vec<char> = args.str(1)?.chars().collect();
    Ok(Value::string(args.str(0)?.trim_matches(set.as_slice())))
}

fn trimprefix(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (text, prefix) = (args.str(0)?, args.str(1)?);
    Ok(Value::string(text.strip_prefix(&*prefix).unwrap_or(&text)))
}

fn trimsuffix(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (text, suffix) = (args.str(0)?, args.str(1)?);
    Ok(Value::string(text.strip_suffix(&*suffix).unwrap_or(&text)))
}

fn chomp(args: &Args<'_>) -> Result<Value, ArgFault> {
    Ok(Value::string(args.str(0)?.trim_end_matches(['\r', '\n'])))
}

fn substr(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (text, offset, length) = (args.str(0)?, args.int(1)?, args.int(2)?);
    let mut skip = usize::try_from(offset).unwrap_or(0);
    if offset < 0 {
        let back = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
        skip = text.graphemes(true).count().saturating_sub(back);
    }
    let take = usize::try_from(length).unwrap_or(usize::MAX);
    Ok(Value::string(text.graphemes(true).skip(skip).take(take).collect::<String>()))
}

fn split(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (separator, text) = (args.str(0)?, args.str(1)?);
    let parts = if separator.is_empty() { text.len() } else { text.matches(&*separator).count() };
    if parts > MAX_PARTS {
        return failed(format!("there would be {parts} parts; the limit is {MAX_PARTS}"));
    }
    Ok(if separator.is_empty() { texts(text.chars().map(String::from)) } else { texts(text.split(&*separator)) })
}

fn join(args: &Args<'_>) -> Result<Value, ArgFault> {
    let separator = args.str(0)?;
    let mut parts = Vec::new();
    for index in 1..args.len() {
        parts.extend(args.strings(index)?);
    }
    let size = parts.iter().map(|part| part.len() + separator.len()).fold(0usize, usize::saturating_add);
    match args.len() {
        0 | 1 => failed("at least one list is required"),
        _ if size as u64 > MAX_SIZE => failed("the text would be too large"),
        _ => Ok(Value::string(parts.join(&*separator))),
    }
}

fn indent(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (spaces, text) = (args.int(0)?, args.str(1)?);
    let lines = text.matches('\n').count();
    let spaces = usize::try_from(spaces).unwrap_or(0);
    match lines.saturating_mul(spaces) as u64 {
        0 => Ok(Value::string(text)),
        size if size > MAX_SIZE => failed("the text would be too large"),
        _ => Ok(Value::string(text.replace('\n', &format!("\n{}", " ".repeat(spaces))))),
    }
}

fn strrev(args: &Args<'_>) -> Result<Value, ArgFault> {
    Ok(Value::string(args.str(0)?.graphemes(true).rev().collect::<String>()))
}
