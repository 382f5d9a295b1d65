//! Type constraints: the expression behind `type =`.

use crate::base::diag::{Diag, Diags};
use crate::base::span::Span;
use crate::base::suggest::did_you_mean;
use crate::eval::convert::convert;
use crate::eval::evaluate;
use crate::eval::scope::Scope;
use crate::eval::types::{Field, Type};
use crate::parse::tree::{Call, Expr, ExprKind, ObjectKey};
use std::collections::BTreeMap;

const NAMES: [&str; 9] = ["any", "string", "number", "bool", "list", "set", "map", "tuple", "object"];

/// Reads a type constraint: `list(string)`, `object({ a = optional(number, 1) })`. Defaults are evaluated in `scope`.
pub fn constraint(expr: &Expr, scope: &dyn Scope) -> Result<Type, Diags> {
    match &expr.kind {
        ExprKind::Name(name) => simple(name, expr.span),
        // The spelling of Terraform 0.11, still found in the wild.
        ExprKind::String(name) if NAMES.contains(&name.as_str()) => {
            let diag = Diag::error("type", "A type stands without quotes")
                .at(expr.span, "text, not a type")
                .help(format!("Write {name}."))
                .fix(expr.span, name.clone());
            Err(diag.into())
        }
        ExprKind::Call(call) => composed(call, expr.span, scope),
        ExprKind::Parens(inner) => constraint(inner, scope),
        _ => Err(unknown(expr.span, "not a type")),
    }
}

fn unknown(span: Span, label: impl Into<String>) -> Diags {
    let help = "Types are any, string, number, bool, list(…), set(…), map(…), tuple([…]) and object({…}).";
    Diag::error("type", "This is no type").at(span, label).help(help).into()
}

fn simple(name: &str, span: Span) -> Result<Type, Diags> {
    let example = match name {
        "any" => return Ok(Type::Any),
        "string" => return Ok(Type::String),
        "number" => return Ok(Type::Number),
        "bool" => return Ok(Type::Bool),
        "list" | "set" | "map" => format!("{name}(string)"),
        "tuple" => "tuple([string, number])".to_owned(),
        "object" => "object({ name = string })".to_owned(),
        _ => return Err(unknown(span, format!("no type {name:?}.{}", did_you_mean(name, NAMES)))),
    };
    let diag = Diag::error("type", "The type lacks its elements' type").at(span, format!("{name} of what?"));
    Err(diag.help(format!("Write for instance {example}.")).into())
}

fn composed(call: &Call, span: Span, scope: &dyn Scope) -> Result<Type, Diags> {
    let name = call.name.value.as_str();
    let ([arg], false) = (call.args.as_slice(), call.expand) else {
        return match name {
            "list" | "set" | "map" | "tuple" | "object" => Err(unknown(span, format!("{name} takes one argument"))),
            _ => Err(unknown(call.name.span, format!("no type {name:?}.{}", did_you_mean(name, NAMES)))),
        };
    };
    match name {
        "list" => constraint(arg, scope).map(|of| Type::List(Box::new(of))),
        "set" => constraint(arg, scope).map(|of| Type::Set(Box::new(of))),
        "map" => constraint(arg, scope).map(|of| Type::Map(Box::new(of))),
        "tuple" => tuple(arg, scope),
        "object" => object(arg, scope),
        "optional" => {
            let diag = Diag::error("type", "Only attributes of an object can be optional").at(span, "not such a place");
            Err(diag.help("For a variable that may be left out, give the variable a default.").into())
        }
        "any" | "string" | "number" | "bool" => Err(unknown(span, format!("{name} takes no argument"))),
        _ => Err(unknown(call.name.span, format!("no type {name:?}.{}", did_you_mean(name, NAMES)))),
    }
}

fn tuple(arg: &Expr, scope: &dyn Scope) -> Result<Type, Diags> {
    let ExprKind::List(items) = &arg.kind else { return Err(unknown(arg.span, "tuple takes a list of types: [A, B]")) };
    all(items.iter().map(|item| constraint(item, scope))).map(Type::Tuple)
}

fn object(arg: &Expr, scope: &dyn Scope) -> Result<Type, Diags> {
    let ExprKind::Object(entries) = &arg.kind else {
        return Err(unknown(arg.span, "object takes the types of its attributes: { name = string }"));
    };
    let fields = all(entries.iter().map(|(key, value)| {
        let name = match key {
            ObjectKey::Name(name) => name.value.clone(),
            ObjectKey::Expr(Expr { kind: ExprKind::String(name), .. }) => name.clone(),
            ObjectKey::Expr(expr) => return Err(unknown(expr.span, "an attribute's name must be a plain name")),
        };
        field(value, scope).map(|field| (name, field))
    }))?;
    Ok(Type::Object(fields.into_iter().collect::<BTreeMap<_, _>>()))
}

fn field(expr: &Expr, scope: &dyn Scope) -> Result<Field, Diags> {
    let ExprKind::Call(call) = &expr.kind else {
        return constraint(expr, scope).map(|ty| Field { ty, optional: false, default: None });
    };
    if call.name.value != "optional" {
        return constraint(expr, scope).map(|ty| Field { ty, optional: false, default: None });
    }
    match call.args.as_slice() {
        [ty] => Ok(Field { ty: constraint(ty, scope)?, optional: true, default: None }),
        [ty, default] => {
            let ty = constraint(ty, scope)?;
            let value = evaluate::expr(default, scope)?;
            let value = convert(&value, &ty).map_err(|fault| {
                Diag::error("type", "The default does not fit its type").at(default.span, fault.to_string())
            })?;
            Ok(Field { ty, optional: true, default: Some(value) })
        }
        _ => Err(unknown(expr.span, "optional takes a type and perhaps a default")),
    }
}

/// All of the results, or all of the faults.
fn all<T>(results: impl Iterator<Item = Result<T, Diags>>) -> Result<Vec<T>, Diags> {
    let (mut good, mut bad) = (Vec::new(), Diags::default());
    for result in results {
        match result {
            Ok(item) => good.push(item),
            Err(diags) => bad.append(diags),
        }
    }
    if bad.is_empty() { Ok(good) } else { Err(bad) }
}
