//! `format` and `formatlist`: Terraform's verbs, in the style of Go's `fmt`.

use super::{ArgFault, Args, Function, failed, fault, function};
use crate::eval::convert::convert;
use crate::eval::json;
use crate::eval::number::Number;
use crate::eval::scope::MAX_SIZE;
use crate::eval::types::Type;
use crate::eval::value::{Data, Value};
use bigdecimal::num_bigint::BigInt;
use unicode_segmentation::UnicodeSegmentation;

/// Widest field and most digits behind the point.
const MAX_WIDTH: usize = 4096;

pub(super) const FUNCTIONS: [Function; 2] = [
    function("format", &["format", "args..."], format, "the text with its %s, %d and other verbs filled in")
        .takes_null(),
    function("formatlist", &["format", "args..."], formatlist, "the text filled in once for each element").takes_null(),
];

/// A verb with its flags: `%-08.3[2]f`.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
struct Verb {
    minus: bool,
    plus: bool,
    space: bool,
    zero: bool,
    sharp: bool,
    width: usize,
    precision: Option<usize>,
    /// From 1; none for the next argument.
    index: Option<usize>,
    kind: char,
    /// As it is written.
    text: String,
}

enum Piece {
    Text(String),
    Verb(Verb),
}

fn parse(format: &str) -> Result<Vec<Piece>, ArgFault> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        pieces.push(Piece::Text(rest[..at].to_owned()));
        let after = &rest[at + 1..];
        if let Some(after) = after.strip_prefix('%') {
            pieces.push(Piece::Text("%".into()));
            rest = after;
            continue;
        }
        let (verb, len) = verb(after)?;
        pieces.push(Piece::Verb(verb));
        rest = &after[len..];
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(pieces)
}

/// The verb behind a `%`, and how many bytes it takes.
fn verb(text: &str) -> Result<(Verb, usize), ArgFault> {
    let mut verb = Verb::default();
    let mut chars = text.char_indices().peekable();
    let number = |chars: &mut std::iter::Peekable<std::str::CharIndices<'_>>| {
        let mut value = None;
        while let Some((_, digit)) = chars.next_if(|(_, c)| c.is_ascii_digit()) {
            value = Some(value.unwrap_or(0usize).saturating_mul(10).saturating_add(digit as usize - '0' as usize));
        }
        value
    };
    while let Some((_, flag)) = chars.next_if(|(_, c)| "-+ 0#".contains(*c)) {
        match flag {
            '-' => verb.minus = true,
            '+' => verb.plus = true,
            ' ' => verb.space = true,
            '0' => verb.zero = true,
            _ => verb.sharp = true,
        }
    }
    verb.width = number(&mut chars).unwrap_or(0);
    if chars.next_if(|(_, c)| *c == '.').is_some() {
        verb.precision = Some(number(&mut chars).unwrap_or(0));
    }
    if chars.next_if(|(_, c)| *c == '[').is_some() {
        verb.index = Some(number(&mut chars).unwrap_or(0));
        if chars.next_if(|(_, c)| *c == ']').is_none() {
            return fault(0, "a `[` in a verb needs a number and a `]`");
        }
    }
    match chars.next() {
        Some((at, c)) => {
            verb.kind = c;
            let len = at + c.len_utf8();
            verb.text = format!("%{}", &text[..len]);
            if verb.width > MAX_WIDTH || verb.precision.is_some_and(|digits| digits > MAX_WIDTH) {
                return fault(0, format!("{} is too wide: the limit is {MAX_WIDTH}", verb.text));
            }
            Ok((verb, len))
        }
        None => fault(0, "the text ends in the middle of a verb; write %% for a percent sign"),
    }
}

/// Fills in; `args` are the values for the verbs.
fn fill(pieces: &[Piece], args: &[Value]) -> Result<String, ArgFault> {
    let mut out = String::new();
    let (mut next, mut most) = (0, 0);
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Verb(verb) => {
                let index = verb.index.unwrap_or(next + 1);
                let Some(value) = index.checked_sub(1).and_then(|index| args.get(index)) else {
                    return fault(0, format!("{} needs argument {index}, and there are {}", verb.text, args.len()));
                };
                most = most.max(index);
                next = index;
                out.push_str(&one(verb, value).or_else(|why| fault(index, format!("{}: {why}", verb.text)))?);
            }
        }
        if out.len() as u64 > MAX_SIZE {
            return failed("the text would be too large");
        }
    }
    if most < args.len() {
        return fault(most + 1, format!("too many arguments: the text uses {most}"));
    }
    Ok(out)
}

/// One value by one verb.
fn one(verb: &Verb, value: &Value) -> Result<String, String> {
    if value.is_null() && (verb.kind != 'v') {
        return Err("null can't be formatted".into());
    }
    match verb.kind {
        'v' => any(verb, value),
        't' => Ok(text_of(&as_type(value, &Type::Bool)?)),
        's' => Ok(pad(verb, cut(verb, &text_of(&as_type(value, &Type::String)?)), false)),
        'q' => {
            let text = text_of(&as_type(value, &Type::String)?);
            Ok(pad(verb, json::quoted(cut(verb, &text).as_str(), false), false))
        }
        'd' | 'b' | 'o' | 'x' | 'X' => whole(verb, value),
        'e' | 'E' | 'f' | 'g' | 'G' => Ok(float(verb, &number(value)?, verb.kind)),
        other => Err(format!("there is no verb {other:?}; %s, %d, %q, %v, %t, %f, %g, %e, %x, %o and %b exist")),
    }
}

fn as_type(value: &Value, ty: &Type) -> Result<Value, String> {
    convert(value, ty).map_err(|fault| fault.to_string())
}

fn text_of(value: &Value) -> String {
    match &value.data {
        Data::String(text) => text.to_string(),
        Data::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

fn number(value: &Value) -> Result<Number, String> {
    as_type(value, &Type::Number)?.as_number().cloned().ok_or_else(|| "a number is required".into())
}

fn any(verb: &Verb, value: &Value) -> Result<String, String> {
    match &value.data {
        Data::String(text) if !verb.sharp => Ok(pad(verb, cut(verb, text), false)),
        Data::Number(number) if !verb.sharp => Ok(float(verb, number, 'g')),
        Data::Bool(value) if !verb.sharp => Ok(pad(verb, value.to_string(), false)),
        _ => json::encode(value).map(|text| pad(verb, text, false)),
    }
}

/// The first characters, as many as the precision says.
fn cut(verb: &Verb, text: &str) -> String {
    verb.precision.map_or_else(|| text.to_owned(), |most| text.graphemes(true).take(most).collect())
}

/// Filled up to the width, with zeros behind the sign for numbers.
fn pad(verb: &Verb, text: String, number: bool) -> String {
    // Counting characters takes time; a text of more bytes than this has as many characters as any width asks for.
    let longest = MAX_WIDTH * 64;
    let missing = if verb.width == 0 || text.len() > longest {
        0
    } else {
        verb.width.saturating_sub(text.graphemes(true).count())
    };
    if missing == 0 {
        return text;
    }
    if verb.minus {
        return text + &" ".repeat(missing);
    }
    if !verb.zero {
        return " ".repeat(missing) + &text;
    }
    let sign = if number { text.len() - text.trim_start_matches(['+', '-', ' ']).len() } else { 0 };
    format!("{}{}{}", &text[..sign], "0".repeat(missing), &text[sign..])
}

fn signed(verb: &Verb, text: String, negative: bool) -> String {
    match (negative, verb.plus, verb.space) {
        (true, ..) => format!("-{text}"),
        (false, true, _) => format!("+{text}"),
        (false, false, true) => format!(" {text}"),
        _ => text,
    }
}

fn whole(verb: &Verb, value: &Value) -> Result<String, String> {
    let Some(int) = number(value)?.to_bigint() else { return Err("a whole number is required".into()) };
    let (radix, prefix) = match verb.kind {
        'b' => (2, "0b"),
        'o' => (8, "0"),
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        _ => (10, ""),
    };
    let negative = int < BigInt::from(0);
    let digits = int.magnitude().to_str_radix(radix);
    let digits = if verb.kind == 'X' { digits.to_uppercase() } else { digits };
    let prefix = if verb.sharp { prefix } else { "" };
    Ok(pad(verb, signed(verb, format!("{prefix}{digits}"), negative), true))
}

fn float(verb: &Verb, number: &Number, style: char) -> String {
    let magnitude = if number.is_negative() { number.neg() } else { number.clone() };
    let text = match style {
        'f' => magnitude.fixed(verb.precision.unwrap_or(6)),
        'e' | 'E' => exponential(&magnitude, Some(verb.precision.unwrap_or(6) + 1), style),
        _ => general(&magnitude, verb.precision, style),
    };
    pad(verb, signed(verb, text, number.is_negative()), true)
}

/// `1.5e+06`, with so many significant digits or as many as it has.
fn exponential(number: &Number, digits: Option<usize>, style: char) -> String {
    let (digits, exponent) = number.scientific(digits);
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    let e = if style.is_uppercase() { 'E' } else { 'e' };
    format!("{first}{point}{rest}{e}{sign}{:02}", exponent.unsigned_abs())
}

/// Plain, or with an exponent where that is below -4 or not below the precision: 6 if there is none.
fn general(number: &Number, precision: Option<usize>, style: char) -> String {
    let (digits, exponent) = number.scientific(precision.map(|precision| precision.max(1)));
    let digits = digits.trim_end_matches('0').len().max(1);
    let limit = precision.map_or(6, |precision| precision.max(1));
    if exponent < -4 || exponent >= i64::try_from(limit).unwrap_or(i64::MAX) {
        return exponential(number, Some(digits), style);
    }
    let behind = i64::try_from(digits).unwrap_or(i64::MAX) - 1 - exponent;
    number.fixed(usize::try_from(behind).unwrap_or(0))
}

fn format(args: &Args<'_>) -> Result<Value, ArgFault> {
    let pieces = parse(&args.str(0)?)?;
    fill(&pieces, args.values.get(1..).unwrap_or_default()).map(Value::string)
}

fn formatlist(args: &Args<'_>) -> Result<Value, ArgFault> {
    let pieces = parse(&args.str(0)?)?;
    let values = args.values.get(1..).unwrap_or_default();
    let mut count = None;
    for (at, items) in values.iter().enumerate().filter_map(|(at, value)| Some((at, value.items()?))) {
        if count.is_some_and(|count| count != items.len()) {
            return fault(at + 1, "all lists must have the same number of elements");
        }
        count = Some(items.len());
    }
    let mut lines = Vec::new();
    for row in 0..count.unwrap_or(1) {
        let cell = |value: &Value| value.items().map_or_else(|| value.clone(), |items| items[row].clone());
        let cells: Vec<Value> = values.iter().map(cell).collect();
        match fill(&pieces, &cells) {
            Ok(text) => lines.push(Value::string(text)),
            Err(fault) => return failed(format!("element {row}: {}", fault.why)),
        }
    }
    Ok(Value::list(lines))
}
