//! Operators on values.

use crate::eval::convert::convert;
use crate::eval::number::{Number, NumberError};
use crate::eval::types::Type;
use crate::eval::value::{Data, Value};
use crate::parse::tree::{BinaryOp, UnaryOp};

/// Which operand is at fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// Why an operation has no result.
#[derive(Debug)]
pub(super) struct OperandFault {
    /// None if both are at fault together.
    pub(super) side: Option<Side>,
    pub(super) why: String,
}

/// `!a`, `-a`
pub(super) fn unary(op: UnaryOp, operand: &Value) -> Result<Value, String> {
    if operand.is_unknown() {
        return Ok(Value::unknown());
    }
    let result = match op {
        UnaryOp::Not => Value::bool(!boolean(operand)?),
        UnaryOp::Neg => Value::number(number(operand)?.neg()),
    };
    Ok(result.marked(operand.sensitive))
}

/// What `left && …` or `left || …` is whatever comes on the right; nothing if that depends.
pub(super) fn decided(op: BinaryOp, left: &Value) -> Result<Option<bool>, String> {
    if left.is_unknown() {
        return Ok(None);
    }
    let left = boolean(left)?;
    Ok((left == (op == BinaryOp::Or)).then_some(left))
}

/// `left op right`
pub(super) fn binary(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, OperandFault> {
    if left.has_unknown() || right.has_unknown() {
        return Ok(Value::unknown());
    }
    let at = |side| move |why| OperandFault { side: Some(side), why };
    let result = match op {
        BinaryOp::Eq => Value::bool(equal(left, right)),
        BinaryOp::NotEq => Value::bool(!equal(left, right)),
        BinaryOp::And | BinaryOp::Or => {
            let (a, b) = (boolean(left).map_err(at(Side::Left))?, boolean(right).map_err(at(Side::Right))?);
            Value::bool(if op == BinaryOp::And { a && b } else { a || b })
        }
        _ => {
            let (a, b) = (number(left).map_err(at(Side::Left))?, number(right).map_err(at(Side::Right))?);
            arithmetic(op, &a, &b).map_err(|fault| OperandFault { side: None, why: fault.text().into() })?
        }
    };
    Ok(result.marked(left.has_sensitive() || right.has_sensitive()))
}

fn arithmetic(op: BinaryOp, a: &Number, b: &Number) -> Result<Value, NumberError> {
    Ok(match op {
        BinaryOp::Less => Value::bool(a < b),
        BinaryOp::LessEq => Value::bool(a <= b),
        BinaryOp::Greater => Value::bool(a > b),
        BinaryOp::GreaterEq => Value::bool(a >= b),
        BinaryOp::Add => Value::number(a.add(b)?),
        BinaryOp::Sub => Value::number(a.sub(b)?),
        BinaryOp::Mul => Value::number(a.mul(b)?),
        BinaryOp::Div => Value::number(a.div(b)?),
        _ => Value::number(a.rem(b)?),
    })
}

/// Equal values of equal types: `1` is not `"1"`, and a list is not a tuple.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    a.same(b)
}

fn boolean(value: &Value) -> Result<bool, String> {
    operand(value, &Type::Bool)?.as_bool().ok_or_else(|| "a bool is required".into())
}

fn number(value: &Value) -> Result<Number, String> {
    operand(value, &Type::Number)?.as_number().cloned().ok_or_else(|| "a number is required".into())
}

fn operand(value: &Value, ty: &Type) -> Result<Value, String> {
    if let Data::Null = value.data {
        return Err(format!("a {ty} is required, not null"));
    }
    convert(value, ty).map_err(|fault| fault.to_string())
}
