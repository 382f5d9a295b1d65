//! Functions on numbers.

use super::{ArgFault, Args, Function, failed, fault, function};
use crate::eval::convert::{convert, quoted};
use crate::eval::number::{Number, NumberError};
use crate::eval::types::Type;
use crate::eval::value::Value;
use bigdecimal::num_bigint::BigInt;

/// Longest text that `parseint` reads.
const MAX_DIGITS: usize = 4096;

pub(super) const FUNCTIONS: [Function; 10] = [
    function("min", &["numbers..."], |a| extreme(a, Number::min), "the smallest number"),
    function("max", &["numbers..."], |a| extreme(a, Number::max), "the largest number"),
    function("sum", &["list"], sum, "the sum of the numbers"),
    function("abs", &["num"], abs, "the number without its sign"),
    function("ceil", &["num"], |a| Ok(Value::number(a.number(0)?.ceil())), "the smallest whole number not below"),
    function("floor", &["num"], |a| Ok(Value::number(a.number(0)?.floor())), "the largest whole number not above"),
    function("signum", &["num"], signum, "-1, 0 or 1, as the sign is"),
    function("pow", &["num", "power"], |a| float(a, f64::powf), "the number to the power"),
    function("log", &["num", "base"], |a| float(a, |n, base| n.ln() / base.ln()), "the logarithm to the base"),
    function("parseint", &["number", "base"], parseint, "the whole number that the text spells in the base, 2 to 62"),
];

fn number<T: Into<Number>>(result: Result<T, NumberError>) -> Result<Value, ArgFault> {
    result.map(Value::number).or_else(|why| failed(why.text()))
}

fn extreme(args: &Args<'_>, pick: fn(Number, Number) -> Number) -> Result<Value, ArgFault> {
    let numbers: Vec<Number> = (0..args.len()).map(|index| args.number(index)).collect::<Result<_, _>>()?;
    numbers.into_iter().reduce(pick).map_or_else(|| failed("at least one number is required"), |n| Ok(Value::number(n)))
}

fn sum(args: &Args<'_>) -> Result<Value, ArgFault> {
    let items = args.items(0)?;
    if items.is_empty() {
        return fault(0, "the list is empty");
    }
    let mut total = Number::from(0i64);
    for (at, item) in items.iter().enumerate() {
        let item = convert(item, &Type::Number).or_else(|mismatch| fault(0, format!("element {at}: {mismatch}")))?;
        let Some(item) = item.as_number() else { return fault(0, format!("element {at} is null")) };
        total = total.add(item).or_else(|why| failed(why.text()))?;
    }
    Ok(Value::number(total))
}

fn abs(args: &Args<'_>) -> Result<Value, ArgFault> {
    let value = args.number(0)?;
    Ok(Value::number(if value.is_negative() { value.neg() } else { value }))
}

fn signum(args: &Args<'_>) -> Result<Value, ArgFault> {
    let value = args.number(0)?;
    let sign = i64::from(!value.is_zero());
    Ok(Value::number(if value.is_negative() { -sign } else { sign }))
}

fn float(args: &Args<'_>, f: fn(f64, f64) -> f64) -> Result<Value, ArgFault> {
    let result = f(args.number(0)?.to_f64(), args.number(1)?.to_f64());
    match Number::parse(&result.to_string()) {
        Some(result) => number(result),
        None => failed("the result is no number"),
    }
}

fn parseint(args: &Args<'_>) -> Result<Value, ArgFault> {
    let text = args.get(0);
    let Some(text) = text.as_str() else { return fault(0, format!("a string is required, not {}", text.what())) };
    let base @ 2..=62 = args.int(1)? else { return fault(1, "the base must be 2 to 62") };
    let digit = |c: char| match c {
        '0'..='9' => Some(c as i64 - '0' as i64),
        'a'..='z' => Some(c as i64 - 'a' as i64 + 10),
        'A'..='Z' if base <= 36 => Some(c as i64 - 'A' as i64 + 10),
        'A'..='Z' => Some(c as i64 - 'A' as i64 + 36),
        _ => None,
    };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let values: Option<Vec<i64>> = digits.chars().map(digit).collect();
    let values = values.filter(|values| !values.is_empty() && values.iter().all(|value| *value < base));
    let Some(values) = values.filter(|values| values.len() <= MAX_DIGITS) else {
        return fault(0, format!("{} is no whole number in base {base}", quoted(text)));
    };
    let result = values.into_iter().fold(BigInt::from(0), |all, digit| all * base + digit);
    number(Number::from_bigint(if text.starts_with('-') { -result } else { result }))
}
