//! Functions on lists.

use super::{ArgFault, Args, Function, alike, failed, fault, function, texts, unified};
use crate::eval::number::Number;
use crate::eval::value::{Data, Value};
use std::sync::Arc;

/// Most numbers that `range` gives, as in Terraform.
const MAX_RANGE: usize = 1024;

pub(super) const FUNCTIONS: [Function; 10] = [
    function("concat", &["seqs..."], concat, "all elements of all lists, in order").keeps_marks(),
    function("flatten", &["list"], flatten, "the elements of lists in lists, at one level").keeps_marks(),
    function("distinct", &["list"], distinct, "the elements without repetitions").keeps_marks(),
    function("compact", &["list"], compact, "the strings that are neither null nor \"\""),
    function("slice", &["list", "start_index", "end_index"], slice, "elements from start to before end").keeps_marks(),
    function("element", &["list", "index"], element, "an element; beyond the end it starts over").keeps_marks(),
    function("sort", &["list"], sort, "the strings, sorted"),
    function("reverse", &["list"], reverse, "the elements, last first").keeps_marks(),
    function("range", &["numbers..."], range, "numbers from start (0) to before limit, by step (1)"),
    function("chunklist", &["list", "size"], chunklist, "the elements in lists of at most size").keeps_marks(),
];

fn concat(args: &Args<'_>) -> Result<Value, ArgFault> {
    let mut items = Vec::new();
    let mut lists = args.len() > 0;
    for (index, value) in args.values.iter().enumerate() {
        if matches!(value.data, Data::Set(_)) {
            return fault(index, "a list is required, not a set; its elements have no order");
        }
        items.extend(args.items(index)?.iter().cloned());
        lists &= matches!(value.data, Data::List(_));
    }
    match (args.len(), lists) {
        (0, _) => failed("at least one list is required"),
        (_, true) => unified(items),
        (_, false) => Ok(Value::tuple(items)),
    }
}

fn flatten(args: &Args<'_>) -> Result<Value, ArgFault> {
    fn walk(items: &[Value], sensitive: bool, out: &mut Vec<Value>) {
        for item in items {
            match item.items() {
                Some(inner) => walk(inner, sensitive || item.sensitive, out),
                None => out.push(item.clone().marked(sensitive)),
            }
        }
    }
    let mut out = Vec::new();
    walk(args.items(0)?, false, &mut out);
    Ok(Value::tuple(out))
}

fn distinct(args: &Args<'_>) -> Result<Value, ArgFault> {
    let all = unified(args.items(0)?.to_vec())?;
    let mut seen: Vec<&Value> = Vec::new();
    // Sorted places first, so that many elements take no time in the square of their number.
    let items = all.items().unwrap_or_default();
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|a, b| crate::eval::value::order(&items[*a], &items[*b]).then(a.cmp(b)));
    let mut firsts: Vec<usize> = Vec::new();
    for index in order {
        if !seen.last().is_some_and(|last| last.same(&items[index])) {
            seen.push(&items[index]);
            firsts.push(index);
        }
    }
    firsts.sort_unstable();
    // Which elements are gone tells of their values.
    let sensitive = items.iter().any(Value::has_sensitive);
    Ok(Value::list(firsts.into_iter().map(|index| items[index].clone()).collect()).marked(sensitive))
}

fn compact(args: &Args<'_>) -> Result<Value, ArgFault> {
    let filled: Vec<Value> = args.items(0)?.iter().filter(|item| !item.is_null()).cloned().collect();
    let strings = Args { values: &[Value::tuple(filled)], ..*args }.strings(0)?;
    Ok(texts(strings.iter().filter(|text| !text.is_empty())))
}

fn slice(args: &Args<'_>) -> Result<Value, ArgFault> {
    let value = args.get(0);
    if matches!(value.data, Data::Set(_)) {
        return fault(0, "a set has no indices; make it a list with tolist()");
    }
    let items = args.items(0)?;
    let at = |index| match usize::try_from(args.int(index)?) {
        Ok(at) if at <= items.len() => Ok(at),
        _ => fault(index, format!("the list has {} elements", items.len())),
    };
    let (start, end) = (at(1)?, at(2)?);
    match items.get(start..end) {
        Some(part) => Ok(alike(&value, part.to_vec())),
        None => fault(1, "the start must not lie behind the end"),
    }
}

fn element(args: &Args<'_>) -> Result<Value, ArgFault> {
    if matches!(args.get(0).data, Data::Set(_)) {
        return fault(0, "a set has no indices; make it a list with tolist()");
    }
    let (items, index) = (args.items(0)?, args.int(1)?);
    match usize::try_from(index) {
        _ if items.is_empty() => fault(0, "the list is empty"),
        Ok(index) => Ok(items[index % items.len()].clone()),
        Err(_) => fault(1, "the index must not be negative"),
    }
}

fn sort(args: &Args<'_>) -> Result<Value, ArgFault> {
    let mut items: Vec<Arc<str>> = args.strings(0)?;
    items.sort();
    Ok(texts(items))
}

fn reverse(args: &Args<'_>) -> Result<Value, ArgFault> {
    let items = args.items(0)?.iter().rev().cloned().collect();
    Ok(alike(&args.get(0), items))
}

fn range(args: &Args<'_>) -> Result<Value, ArgFault> {
    let number = |index| args.number(index);
    let (start, limit) = match args.len() {
        1 => (Number::from(0i64), number(0)?),
        2 | 3 => (number(0)?, number(1)?),
        _ => return failed("one to three numbers are required"),
    };
    let down = limit < start;
    let step = match args.len() {
        3 => number(2)?,
        _ => Number::from(if down { -1i64 } else { 1 }),
    };
    if step.is_zero() || (step.is_negative() != down && start != limit) {
        return fault(2, "the step must lead from the start to the limit");
    }
    let mut at = start;
    let mut items = Vec::new();
    while if down { at > limit } else { at < limit } {
        if items.len() == MAX_RANGE {
            return failed(format!("more than {MAX_RANGE} numbers"));
        }
        items.push(Value::number(at.clone()));
        at = match at.add(&step) {
            Ok(next) => next,
            Err(why) => return failed(why.text()),
        };
    }
    Ok(Value::list(items))
}

fn chunklist(args: &Args<'_>) -> Result<Value, ArgFault> {
    let all = unified(args.items(0)?.to_vec())?;
    let items = all.items().unwrap_or_default();
    let size = match usize::try_from(args.int(1)?) {
        Ok(0) => items.len().max(1),
        Ok(size) => size,
        Err(_) => return fault(1, "the size must not be negative"),
    };
    Ok(Value::list(items.chunks(size).map(|chunk| Value::list(chunk.to_vec())).collect()))
}
