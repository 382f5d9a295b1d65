//! Functions on maps, objects and collections as a whole.

use super::{ArgFault, Args, Function, failed, fault, function, texts, yes};
use crate::base::suggest::did_you_mean;
use crate::eval::convert::{convert, quoted};
use crate::eval::types::Type;
use crate::eval::value::{Data, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

pub(super) const FUNCTIONS: [Function; 14] = [
    function("length", &["value"], length, "how many elements, entries or characters there are"),
    function("lookup", &["inputMap", "key", "default?"], lookup, "an entry, or the default").takes_null().keeps_marks(),
    function("merge", &["maps..."], merge, "all entries; of equal keys, the last").takes_null().keeps_marks(),
    function("keys", &["inputMap"], keys, "the keys, sorted").keeps_marks(),
    function("values", &["mapping"], values, "the values, in the order of the keys").keeps_marks(),
    function("zipmap", &["keys", "values"], zipmap, "a map of keys and values").keeps_marks(),
    function("transpose", &["values"], transpose, "a map of lists, with keys and elements exchanged"),
    function("contains", &["list", "value"], contains, "whether the value is an element"),
    function("coalesce", &["vals..."], coalesce, "the first value that is neither null nor \"\"")
        .takes_null()
        .keeps_marks(),
    function("coalescelist", &["vals..."], coalescelist, "the first list that is not empty").keeps_marks(),
    function("alltrue", &["list"], |a| truths(a, true), "whether every element is true"),
    function("anytrue", &["list"], |a| truths(a, false), "whether any element is true"),
    function("one", &["list"], one, "the only element, or null if there is none").keeps_marks(),
    function("index", &["list", "value"], index, "the index of the first element that equals the value"),
];

fn length(args: &Args<'_>) -> Result<Value, ArgFault> {
    let value = args.get(0);
    let count = match (&value.data, value.items(), value.entries()) {
        (Data::String(text), ..) => text.graphemes(true).count(),
        (_, Some(items), _) => items.len(),
        (_, _, Some(entries)) => entries.len(),
        _ => return fault(0, format!("a string, list or map is required, not {}", value.what())),
    };
    Ok(Value::number(count))
}

fn lookup(args: &Args<'_>) -> Result<Value, ArgFault> {
    let entries = args.entries(0)?;
    let key = args.str(1)?;
    if let Some(found) = entries.get(&*key) {
        return Ok(found.clone());
    }
    if args.len() < 3 {
        let near = did_you_mean(&key, entries.keys().map(|key| &**key));
        return fault(1, format!("no entry {}, and no default is given.{near}", quoted(&key)));
    }
    let default = args.get(2);
    if !matches!(args.get(0).data, Data::Map(_)) {
        return Ok(default);
    }
    let of = match Type::of(&args.get(0)) {
        Type::Map(of) => *of,
        _ => Type::Any,
    };
    // A map's default must have the type of the map's values.
    match convert(&default, &of) {
        Ok(converted) if of == Type::Any || Type::of(&default).unify(&of).as_ref() == Some(&of) => Ok(converted),
        _ => fault(2, format!("the default must be {of}, as the map's values are")),
    }
}

fn merge(args: &Args<'_>) -> Result<Value, ArgFault> {
    let mut result = BTreeMap::new();
    let mut of: Option<Type> = None;
    let mut is_map = true;
    for (index, value) in args.values.iter().enumerate().filter(|(_, value)| !value.is_null()) {
        for (key, value) in args.entries(index)? {
            result.insert(key.clone(), value.clone());
        }
        let ty = Type::of(value);
        is_map &= matches!(ty, Type::Map(_)) && of.as_ref().is_none_or(|of| *of == ty);
        of = Some(ty);
    }
    Ok(if is_map && of.is_some() { Value::map(result) } else { Value::object(result) })
}

fn keys(args: &Args<'_>) -> Result<Value, ArgFault> {
    let keys = args.entries(0)?.keys().map(Value::string).collect();
    Ok(if matches!(args.get(0).data, Data::Map(_)) { Value::list(keys) } else { Value::tuple(keys) })
}

fn values(args: &Args<'_>) -> Result<Value, ArgFault> {
    let values = args.entries(0)?.values().cloned().collect();
    Ok(if matches!(args.get(0).data, Data::Map(_)) { Value::list(values) } else { Value::tuple(values) })
}

fn zipmap(args: &Args<'_>) -> Result<Value, ArgFault> {
    let (keys, values) = (args.strings(0)?, args.items(1)?);
    if matches!(args.get(1).data, Data::Set(_)) {
        return fault(1, "a list is required, not a set; its elements have no order");
    }
    if keys.len() != values.len() {
        return failed(format!("{} keys for {} values", keys.len(), values.len()));
    }
    // Keys that are sensitive one by one can't be marked in a map.
    let sensitive = args.items(0)?.iter().any(Value::has_sensitive);
    let entries: BTreeMap<Arc<str>, Value> = keys.into_iter().zip(values.iter().cloned()).collect();
    let is_object = matches!(args.get(1).data, Data::Tuple(_));
    let result = if is_object { Value::object(entries) } else { Value::map(entries) };
    Ok(result.marked(sensitive))
}

fn transpose(args: &Args<'_>) -> Result<Value, ArgFault> {
    let lists = args.converted(0, &Type::Map(Box::new(Type::List(Box::new(Type::String)))))?;
    let mut result: BTreeMap<Arc<str>, Vec<Arc<str>>> = BTreeMap::new();
    for (key, list) in lists.entries().into_iter().flatten() {
        for item in list.items().unwrap_or_default() {
            let Some(text) = item.as_str() else { return fault(0, "an element is null") };
            result.entry(Arc::from(text)).or_default().push(key.clone());
        }
    }
    Ok(Value::map(result.into_iter().map(|(key, names)| (key, texts(names))).collect()))
}

fn contains(args: &Args<'_>) -> Result<Value, ArgFault> {
    let wanted = args.get(1);
    yes(args.items(0)?.iter().any(|item| item.same(&wanted)))
}

fn coalesce(args: &Args<'_>) -> Result<Value, ArgFault> {
    let common = args.values.iter().try_fold(Type::Any, |all, value| all.unify(&Type::of(value)));
    let Some(common) = common else { return failed("the arguments have no type in common") };
    let mut values = args.values.iter().filter(|value| !value.is_null());
    match values.find(|value| value.as_str() != Some("")) {
        Some(found) => convert(found, &common).or_else(|mismatch| failed(mismatch.to_string())),
        None => failed("every argument is null or \"\""),
    }
}

fn coalescelist(args: &Args<'_>) -> Result<Value, ArgFault> {
    for index in 0..args.len() {
        if !args.items(index)?.is_empty() {
            return Ok(args.get(index));
        }
    }
    failed("every list is empty")
}

/// For `alltrue`, whether no element differs from true; for `anytrue`, whether one does not.
fn truths(args: &Args<'_>, all: bool) -> Result<Value, ArgFault> {
    let truth = |(at, item): (usize, &Value)| match convert(item, &Type::Bool) {
        Ok(value) => Ok(value.as_bool().unwrap_or(false)),
        Err(mismatch) => fault(0, format!("element {at}: {mismatch}")),
    };
    let truths: Vec<bool> = args.items(0)?.iter().enumerate().map(truth).collect::<Result<_, _>>()?;
    yes(if all { truths.iter().all(|truth| *truth) } else { truths.contains(&true) })
}

fn one(args: &Args<'_>) -> Result<Value, ArgFault> {
    match args.items(0)? {
        [] => Ok(Value::null()),
        [only] => Ok(only.clone()),
        items => fault(0, format!("there are {} elements; at most one is allowed", items.len())),
    }
}

fn index(args: &Args<'_>) -> Result<Value, ArgFault> {
    let wanted = args.get(1);
    if matches!(args.get(0).data, Data::Set(_)) {
        return fault(0, "a set has no indices");
    }
    match args.items(0)?.iter().position(|item| item.same(&wanted)) {
        Some(index) => Ok(Value::number(index)),
        None => fault(1, "it is not in the list"),
    }
}
