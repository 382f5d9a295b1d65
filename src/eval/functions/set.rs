//! Functions on sets. Lists are taken too, as the sets of their elements.

use super::{ArgFault, Args, Function, failed, function, unified};
use crate::eval::scope::MAX_SIZE;
use crate::eval::value::{Data, Value, order};

pub(super) const FUNCTIONS: [Function; 4] = [
    function("setunion", &["first_set", "other_sets..."], |a| fold(a, union), "what is in any of the sets"),
    function("setintersection", &["first_set", "other_sets..."], |a| fold(a, both), "what is in all of the sets"),
    function("setsubtract", &["a", "b"], |a| fold(a, without), "what is in a and not in b"),
    function("setproduct", &["sets..."], product, "all combinations of one element of each").keeps_marks(),
];

type Combine = fn(Vec<Value>, &[Value]) -> Vec<Value>;

fn fold(args: &Args<'_>, combine: Combine) -> Result<Value, ArgFault> {
    // All elements of all sets get one type first, so that 1 and "1" meet.
    let mut all = Vec::new();
    for index in 0..args.len() {
        all.extend(args.items(index)?.iter().cloned());
    }
    let all = unified(all)?;
    let mut rest = all.items().unwrap_or_default();
    let mut result: Option<Vec<Value>> = None;
    for index in 0..args.len() {
        let (items, after) = rest.split_at(args.items(index)?.len());
        let set = Value::set(items.to_vec());
        let set = set.items().unwrap_or_default();
        result = Some(match result {
            None => set.to_vec(),
            Some(before) => combine(before, set),
        });
        rest = after;
    }
    Ok(Value::set(result.unwrap_or_default()))
}

fn has(sorted: &[Value], value: &Value) -> bool {
    sorted.binary_search_by(|other| order(other, value)).is_ok()
}

fn union(mut a: Vec<Value>, b: &[Value]) -> Vec<Value> {
    a.extend(b.iter().filter(|value| !has(&a, value)).cloned().collect::<Vec<_>>());
    a.sort_by(order);
    a
}

fn both(a: Vec<Value>, b: &[Value]) -> Vec<Value> {
    a.into_iter().filter(|value| has(b, value)).collect()
}

fn without(a: Vec<Value>, b: &[Value]) -> Vec<Value> {
    a.into_iter().filter(|value| !has(b, value)).collect()
}

fn product(args: &Args<'_>) -> Result<Value, ArgFault> {
    if args.len() < 2 {
        return failed("at least two sets are required");
    }
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    let mut sets = false;
    for (index, value) in args.values.iter().enumerate() {
        let items = unified(args.items(index)?.to_vec())?;
        let items = items.items().unwrap_or_default();
        sets |= matches!(value.data, Data::Set(_));
        let size = rows.len().saturating_mul(items.len()).saturating_mul(64 * args.len());
        if size as u64 > MAX_SIZE {
            return failed("there are too many combinations");
        }
        let longer = |row: &Vec<Value>, item: &Value| row.iter().chain([item]).cloned().collect::<Vec<Value>>();
        rows = rows.iter().flat_map(|row| items.iter().map(move |item| longer(row, item))).collect();
    }
    let rows = rows.into_iter().map(Value::tuple).collect();
    if sets { Ok(Value::set(rows)) } else { unified(rows) }
}
