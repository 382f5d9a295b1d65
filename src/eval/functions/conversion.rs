//! Functions on types, faults and marks.

use super::{ArgFault, Args, Function, function};
use crate::eval::types::Type;
use crate::eval::value::Value;

pub(super) const FUNCTIONS: [Function; 10] = [
    function("can", &["expression"], first, "whether the expression works"),
    function("try", &["expressions..."], first, "the first expression that works"),
    function("tostring", &["v"], |a| a.converted(0, &Type::String), "the value as a string").takes_null(),
    function("tonumber", &["v"], |a| a.converted(0, &Type::Number), "the value as a number").takes_null(),
    function("tobool", &["v"], |a| a.converted(0, &Type::Bool), "the value as a bool").takes_null(),
    function("tolist", &["v"], |a| collection(a, Type::List), "the elements as a list").takes_null().keeps_marks(),
    function("toset", &["v"], |a| collection(a, Type::Set), "the distinct elements, sorted").takes_null().keeps_marks(),
    function("tomap", &["v"], |a| collection(a, Type::Map), "the entries as a map").takes_null().keeps_marks(),
    function("sensitive", &["value"], |a| Ok(a.get(0).marked(true)), "the value, marked sensitive").takes_null(),
    function("nonsensitive", &["value"], first, "the value as it is: a mark can't be taken off")
        .takes_null()
        .keeps_marks(),
];

#[allow(clippy::unnecessary_wraps, reason = "what every function gives")]
fn first(args: &Args<'_>) -> Result<Value, ArgFault> {
    Ok(args.get(0))
}

fn collection(args: &Args<'_>, of: fn(Box<Type>) -> Type) -> Result<Value, ArgFault> {
    args.converted(0, &of(Box::new(Type::Any)))
}
