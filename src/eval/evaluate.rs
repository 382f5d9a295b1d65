//! The evaluator: an expression and a scope to a value, or to everything that is wrong with it.

use crate::base::diag::{Diag, Diags};
use crate::base::span::{Span, Spanned};
use crate::eval::convert::{convert, quoted};
use crate::eval::number::Number;
use crate::eval::operators;
use crate::eval::scope::{FUEL, MAX_DEPTH, MAX_SIZE, Scope};
use crate::eval::types::Type;
use crate::eval::value::{Data, Value};
use crate::parse::tree::{Binary, BinaryOp, Conditional, Expr, ExprKind, For, ObjectKey, UnaryOp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Evaluates an expression. All that is wrong with it is reported at once, as far as one fault does not follow from
/// another. [`Value::unknown`] without an error means that it hangs on something that was reported elsewhere.
pub fn expr(expr: &Expr, scope: &dyn Scope) -> Result<Value, Diags> {
    with_variables(expr, scope, Vec::new(), false)
}

/// Evaluates an expression in which `variables` are names too; `in_template` where it is a template's.
pub(super) fn with_variables(
    expr: &Expr,
    scope: &dyn Scope,
    variables: Vec<(String, Value)>,
    in_template: bool,
) -> Result<Value, Diags> {
    let mut eval = Eval { scope, variables, in_template, faults: Vec::new() };
    let value = eval.expr(expr);
    if eval.faults.is_empty() { Ok(value) } else { Err(eval.faults.into_iter().map(|fault| fault.diag).collect()) }
}

/// Something that is wrong.
pub(super) struct Fault {
    pub(super) diag: Diag,
    /// Wrong whatever the values are: `try` and `can` don't catch it, and a branch that is not taken has it too.
    pub(super) fixed: bool,
}

/// One evaluation.
pub(super) struct Eval<'a> {
    pub(super) scope: &'a dyn Scope,
    /// The names of `for` and of `templatefile`, innermost last.
    pub(super) variables: Vec<(String, Value)>,
    /// Within a template file, where no other template may be called.
    pub(super) in_template: bool,
    pub(super) faults: Vec<Fault>,
}

impl Eval<'_> {
    /// Reports; the result is unknown.
    pub(super) fn fail(&mut self, rule: &'static str, span: Span, summary: &str, label: impl Into<String>) -> Value {
        self.report(Diag::error(rule, summary).at(span, label))
    }

    pub(super) fn report(&mut self, diag: Diag) -> Value {
        self.faults.push(Fault { diag, fixed: false });
        Value::unknown()
    }

    pub(super) fn report_fixed(&mut self, diag: Diag) -> Value {
        self.faults.push(Fault { diag, fixed: true });
        Value::unknown()
    }

    /// Takes work off the budget; false when there is none left, which is reported once in a run.
    pub(super) fn spend(&mut self, steps: u64, span: Span) -> bool {
        let budget = self.scope.budget();
        if budget.spend(steps) {
            return true;
        }
        if budget.first_report() {
            let diag = Diag::error("type", "The expressions take too much work")
                .at(span, "the budget of this run ended here")
                .detail(format!(
                    "A run may take {} million steps, so that no stack file can hang it.",
                    FUEL / 1_000_000
                ))
                .help("Look for range() with a large number, or for nested `for` over large collections.");
            self.report_fixed(diag);
        }
        false
    }

    /// Refuses values that are too deep or too large.
    pub(super) fn bounded(&mut self, value: Value, span: Span) -> Value {
        if value.depth() > MAX_DEPTH {
            return self.excess("The value is nested too deep", span, format!("deeper than {MAX_DEPTH} levels"));
        }
        if value.size() > MAX_SIZE {
            return self.too_large("The value is too large", span);
        }
        value
    }

    /// Reports something larger than a value may be.
    pub(super) fn too_large(&mut self, summary: &str, span: Span) -> Value {
        self.excess(summary, span, format!("larger than {} MiB", MAX_SIZE >> 20))
    }

    /// Told once in a run: what is made of the rest may grow too large again, for the same reason.
    fn excess(&mut self, summary: &str, span: Span, label: String) -> Value {
        if self.scope.budget().first_excess() {
            return self.report_fixed(Diag::error("type", summary).at(span, label));
        }
        Value::unknown()
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        let span = expr.span;
        if !self.spend(1, span) {
            return Value::unknown();
        }
        let value = match &expr.kind {
            ExprKind::Null => Value::null(),
            ExprKind::Bool(value) => Value::bool(*value),
            ExprKind::Number(text) => self.number(text, span),
            ExprKind::String(text) => Value::string(text),
            ExprKind::Template(parts) => self.template(parts, span),
            ExprKind::List(items) => Value::tuple(items.iter().map(|item| self.expr(item)).collect()),
            ExprKind::Object(entries) => self.object(entries),
            ExprKind::For(it) => self.for_expr(it, span),
            ExprKind::Conditional(it) => self.conditional(it, span),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(it) => self.binary(it, span),
            ExprKind::Call(call) => self.call(call, span),
            ExprKind::Name(name) => self.traverse(&Spanned::new(name.clone(), span), &[]),
            ExprKind::Traversal(base, steps) => {
                if let ExprKind::Name(name) = &base.kind {
                    self.traverse(&Spanned::new(name.clone(), base.span), steps)
                } else {
                    let value = self.expr(base);
                    self.steps(value, base.span, steps)
                }
            }
            ExprKind::Parens(inner) => self.expr(inner),
        };
        self.bounded(value, span)
    }

    fn number(&mut self, text: &str, span: Span) -> Value {
        match Number::parse(text) {
            Some(Ok(number)) => Value::number(number),
            Some(Err(fault)) => self.fail("type", span, "The number is out of range", fault.text()),
            None => self.fail("syntax", span, "The number can't be read", "not a decimal number"),
        }
    }

    fn object(&mut self, entries: &[(ObjectKey, Expr)]) -> Value {
        let mut result = BTreeMap::new();
        let (mut sensitive, mut unknown) = (false, false);
        for (key, value) in entries {
            let value = self.expr(value);
            match key {
                ObjectKey::Name(name) => {
                    result.insert(Arc::from(name.value.as_str()), value);
                }
                ObjectKey::Expr(expr) => match self.key(expr) {
                    Some((key, marked)) => {
                        sensitive |= marked;
                        result.insert(key, value);
                    }
                    None => unknown = true,
                },
            }
        }
        if unknown { Value::unknown() } else { Value::object(result).marked(sensitive) }
    }

    /// The key that an expression gives, and whether it is sensitive.
    fn key(&mut self, expr: &Expr) -> Option<(Arc<str>, bool)> {
        if let ExprKind::Traversal(base, _) = &expr.kind
            && matches!(base.kind, ExprKind::Name(_))
        {
            let diag = Diag::error("syntax", "The key is ambiguous")
                .at(expr.span, "a reference or a name?")
                .help("Write it in parentheses if a reference is meant, in quotes if a name is meant.");
            self.report_fixed(diag);
            return None;
        }
        let value = self.expr(expr);
        if value.is_null() {
            self.fail("type", expr.span, "The key is null", "a key must be a string");
            return None;
        }
        let key = self.converted(&value, &Type::String, expr.span, "The key is no string")?;
        key.as_str().map(|text| (Arc::from(text), key.sensitive))
    }

    /// The value converted, or a report; nothing for an unknown value.
    pub(super) fn converted(&mut self, value: &Value, ty: &Type, span: Span, summary: &str) -> Option<Value> {
        match convert(value, ty) {
            Ok(value) => (!value.is_unknown()).then_some(value),
            Err(fault) => {
                self.fail("type", span, summary, fault.to_string());
                None
            }
        }
    }

    /// A condition and whether it is sensitive; nothing if it is unknown or no bool.
    pub(super) fn condition(&mut self, expr: &Expr) -> Option<(bool, bool)> {
        let value = self.expr(expr);
        if value.is_null() {
            self.fail("type", expr.span, "The condition is null", "a condition must be true or false");
            return None;
        }
        let value = self.converted(&value, &Type::Bool, expr.span, "The condition is no bool")?;
        value.as_bool().map(|truth| (truth, value.sensitive))
    }

    fn conditional(&mut self, it: &Conditional, span: Span) -> Value {
        let condition = self.condition(&it.condition);
        // Both sides count for the type of the result; of the side that is not taken only fixed faults are reported.
        let before = self.faults.len();
        let yes = self.expr(&it.yes);
        if condition.is_some_and(|(truth, _)| !truth) {
            self.forget(before);
        }
        let before = self.faults.len();
        let no = self.expr(&it.no);
        if condition.is_none_or(|(truth, _)| truth) {
            self.forget(before);
        }
        let Some((truth, sensitive)) = condition else { return Value::unknown() };
        let (taken, other) = if truth { (yes, no) } else { (no, yes) };
        let (of_taken, of_other) = (Type::of(&taken), Type::of(&other));
        let Some(common) = of_taken.unify(&of_other) else {
            let diag = Diag::error("type", "The two results have no type in common")
                .at(span, format!("{of_taken} or {of_other}"))
                .detail("Both results of a conditional must have one type, since either may come out.")
                .help("Make both of the same type, for instance with tostring(), or null for none.");
            return self.report(diag);
        };
        let result = convert(&taken, &common).unwrap_or(taken);
        result.marked(sensitive)
    }

    /// Drops what was reported since, unless it is wrong whatever the values are.
    pub(super) fn forget(&mut self, before: usize) {
        let kept = self.faults.split_off(before).into_iter().filter(|fault| fault.fixed);
        self.faults.extend(kept);
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Value {
        let value = self.expr(operand);
        operators::unary(op, &value)
            .unwrap_or_else(|why| self.fail("type", operand.span, "The operand does not fit", why))
    }

    fn binary(&mut self, it: &Binary, span: Span) -> Value {
        let left = self.expr(&it.left);
        let before = self.faults.len();
        let right = self.expr(&it.right);
        if let BinaryOp::And | BinaryOp::Or = it.op.value {
            // The left side alone may decide: `x != null && x.y > 1` is no error where x is null.
            if let Ok(Some(decided)) = operators::decided(it.op.value, &left) {
                self.forget(before);
                return Value::bool(decided).marked(left.sensitive || right.sensitive);
            }
        }
        operators::binary(it.op.value, &left, &right).unwrap_or_else(|fault| {
            let span = match fault.side {
                Some(operators::Side::Left) => it.left.span,
                Some(operators::Side::Right) => it.right.span,
                None => span,
            };
            self.fail("type", span, "The operand does not fit", fault.why)
        })
    }

    fn for_expr(&mut self, it: &For, span: Span) -> Value {
        let collection = self.expr(&it.collection);
        let Some(pairs) = self.pairs(&collection, it.collection.span) else { return Value::unknown() };
        if !self.spend(pairs.len() as u64, span) {
            return Value::unknown();
        }
        let mut built = Built { sensitive: collection.sensitive, ..Built::default() };
        for (key, value) in pairs {
            let before = self.faults.len();
            let depth = self.bind(it.key.as_ref(), &it.value, key, value);
            let added = self.for_element(it, &mut built);
            self.variables.truncate(depth);
            // One element's faults tell enough.
            if !added && self.faults.len() > before || built.size > MAX_SIZE {
                break;
            }
            built.unknown |= !added;
        }
        if built.size > MAX_SIZE {
            return self.too_large("The value is too large", span);
        }
        built.finish(it)
    }

    /// Adds what one element gives; false if that is unknown or failed.
    fn for_element(&mut self, it: &For, built: &mut Built) -> bool {
        let before = self.faults.len();
        if let Some(condition) = &it.condition {
            let Some((wanted, sensitive)) = self.condition(condition) else { return false };
            built.sensitive |= sensitive;
            if !wanted {
                return true;
            }
        }
        let Some(key) = &it.result_key else {
            let value = self.expr(&it.result);
            built.size = built.size.saturating_add(value.size());
            built.items.push(value);
            return self.faults.len() == before;
        };
        let key = self.for_key(key);
        let value = self.expr(&it.result);
        let Some((text, sensitive)) = key else { return false };
        built.sensitive |= sensitive;
        built.size = built.size.saturating_add(value.size());
        let entry = built.entries.entry(text.clone()).or_default();
        entry.push(value);
        if entry.len() > 1 && !it.group {
            let label =
                if sensitive { "two elements give the same key".into() } else { format!("{text:?} comes twice") };
            let diag = Diag::error("type", "The key comes twice")
                .at(it.result_key.as_ref().map_or(it.result.span, |key| key.span), label)
                .help("Put `...` after the value to collect the values of equal keys in a list.");
            self.report(diag);
        }
        self.faults.len() == before
    }

    fn for_key(&mut self, expr: &Expr) -> Option<(Arc<str>, bool)> {
        let value = self.expr(expr);
        if value.is_null() {
            self.fail("type", expr.span, "The key is null", "a key must be a string");
            return None;
        }
        let key = self.converted(&value, &Type::String, expr.span, "The key is no string")?;
        key.as_str().map(|text| (Arc::from(text), key.sensitive))
    }

    /// Makes the names of a `for` known; gives what to truncate the variables to afterwards.
    pub(super) fn bind(&mut self, key: Option<&Spanned<String>>, name: &Spanned<String>, k: Value, v: Value) -> usize {
        let depth = self.variables.len();
        if let Some(key) = key {
            self.variables.push((key.value.clone(), k));
        }
        self.variables.push((name.value.clone(), v));
        depth
    }

    /// Keys and values of what a `for` walks; elements of a sensitive collection are sensitive.
    pub(super) fn pairs(&mut self, collection: &Value, span: Span) -> Option<Vec<(Value, Value)>> {
        let mark = |value: &Value| value.clone().marked(collection.sensitive);
        match &collection.data {
            Data::Unknown => None,
            Data::List(items) | Data::Tuple(items) => Some(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, item)| (Value::number(i).marked(collection.sensitive), mark(item)))
                    .collect(),
            ),
            Data::Set(items) => Some(items.iter().map(|item| (mark(item), mark(item))).collect()),
            Data::Map(table) | Data::Object(table) => {
                Some(table.iter().map(|(k, v)| (Value::string(k).marked(collection.sensitive), mark(v))).collect())
            }
            _ => {
                let diag = Diag::error("type", "This can't be walked")
                    .at(span, format!("{} has no elements", collection.what()))
                    .help("A `for` walks a list, a set, a map or an object.");
                self.report(diag);
                None
            }
        }
    }
}

/// What a `for` expression has collected.
#[derive(Default)]
struct Built {
    items: Vec<Value>,
    entries: BTreeMap<Arc<str>, Vec<Value>>,
    sensitive: bool,
    unknown: bool,
    size: u64,
}

impl Built {
    fn finish(self, it: &For) -> Value {
        if self.unknown {
            return Value::unknown();
        }
        let value = if it.result_key.is_none() {
            Value::tuple(self.items)
        } else if it.group {
            Value::object(self.entries.into_iter().map(|(key, values)| (key, Value::tuple(values))).collect())
        } else {
            let single = |(key, values): (Arc<str>, Vec<Value>)| values.into_iter().next().map(|value| (key, value));
            Value::object(self.entries.into_iter().filter_map(single).collect())
        };
        value.marked(self.sensitive)
    }
}

/// A value in a message: never one that is sensitive.
pub(super) fn shown(value: &Value) -> String {
    match &value.data {
        _ if value.has_sensitive() => "a sensitive value".into(),
        Data::String(text) => quoted(text),
        Data::Number(number) => number.to_string(),
        Data::Bool(value) => value.to_string(),
        Data::Block(addr) => addr.to_string(),
        _ => value.what().into(),
    }
}
