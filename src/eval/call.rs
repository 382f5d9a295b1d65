//! Calls: looks the function up, evaluates its arguments, checks them, and carries sensitive marks across.

use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::eval::evaluate::Eval;
use crate::eval::functions::{self, Args, Function, IMPURE, Marks};
use crate::eval::value::{Data, Value};
use crate::parse::tree::Call;

impl Eval<'_> {
    pub(super) fn call(&mut self, call: &Call, span: Span) -> Value {
        let Some(function) = functions::find(&call.name.value) else { return self.no_function(&call.name) };
        match function.name {
            "try" | "can" if call.expand => {
                let diag = Diag::error("function", "The arguments can't be expanded")
                    .at(span, format!("{} evaluates its arguments one by one", function.name));
                self.report_fixed(diag)
            }
            _ if call.args.is_empty() && function.least() > 0 => self.wrong_count(function, 0, span),
            "try" => self.try_first(call, span),
            "can" if call.args.len() == 1 => self.can(call),
            _ => self.plain_call(function, call, span),
        }
    }

    fn no_function(&mut self, name: &Spanned<String>) -> Value {
        let diag = if let Some((_, why)) = IMPURE.iter().find(|(impure, _)| *impure == name.value) {
            Diag::error("function", "The function is refused")
                .at(name.span, format!("{} depends on {why}", name.value))
                .detail("The same stack must always give the same bytes.")
                .help("Pass the value in with a variable.")
        } else {
            let names = functions::all().map(|function| function.name);
            let near = did_you_mean(&name.value, names);
            let diag = Diag::error("function", "There is no such function").at(name.span, format!("no {}", name.value));
            if near.is_empty() { diag } else { diag.help(near.trim_start().to_owned()) }
        };
        self.report_fixed(diag)
    }

    /// The first argument without a fault that hangs on values.
    fn try_first(&mut self, call: &Call, span: Span) -> Value {
        let mut tried = Vec::new();
        for arg in &call.args {
            let before = self.faults.len();
            let value = self.expr(arg);
            let faults = self.faults.split_off(before);
            if faults.is_empty() {
                return value;
            }
            if faults.iter().any(|fault| fault.fixed) {
                self.faults.extend(faults.into_iter().filter(|fault| fault.fixed));
                return Value::unknown();
            }
            tried.extend(faults.into_iter().take(1).map(|fault| fault.diag));
        }
        let mut diag =
            Diag::error("function", "Nothing that was tried works").at(span, "every argument of try() fails");
        for label in tried.into_iter().filter_map(|diag| diag.primary.map(|label| (diag.summary, label))) {
            diag = diag.also(label.1.span, format!("{}: {}", label.0, label.1.text));
        }
        self.report(diag.help("Add a last argument that always works, such as null."))
    }

    fn can(&mut self, call: &Call) -> Value {
        let before = self.faults.len();
        let value = call.args.first().map_or_else(Value::unknown, |arg| self.expr(arg));
        let faults = self.faults.split_off(before);
        if faults.is_empty() {
            let known = Value::bool(true).marked(value.has_sensitive());
            return if value.is_unknown() { value } else { known };
        }
        let fixed = faults.into_iter().filter(|fault| fault.fixed);
        self.faults.extend(fixed);
        if self.faults.len() > before { Value::unknown() } else { Value::bool(false) }
    }

    fn plain_call(&mut self, function: &'static Function, call: &Call, span: Span) -> Value {
        let Some((values, spans)) = self.arguments(call) else { return Value::unknown() };
        if values.len() < function.least() || function.most().is_some_and(|most| values.len() > most) {
            return self.wrong_count(function, values.len(), span);
        }
        let size: u64 = values.iter().map(Value::size).fold(0, u64::saturating_add);
        if values.iter().any(Value::has_unknown) || !self.spend(size / 1024, span) {
            return Value::unknown();
        }
        if let (false, Some(index)) = (function.nulls, values.iter().position(Value::is_null)) {
            let label = format!("{} of {} must not be null", function.param(index), function.name);
            return self.fail("function", spans[index], "The argument is null", label);
        }
        let sensitive = match function.marks {
            Marks::Whole => values.iter().any(Value::has_sensitive),
            Marks::None => false,
            Marks::Elements => values.iter().any(|value| value.sensitive),
        };
        let args = Args { values: &values, scope: self.scope, in_template: self.in_template };
        match (function.run)(&args) {
            Ok(result) => {
                self.spend(result.size() / 1024, span);
                result.marked(sensitive)
            }
            Err(fault) => {
                let place = fault.arg.and_then(|arg| spans.get(arg)).copied().unwrap_or(span);
                let hidden = values.iter().any(Value::has_sensitive);
                let label = if hidden { "a sensitive value does not fit".to_owned() } else { fault.why };
                let usage = format!("{}: {}", function.signature(), function.doc);
                let diag = Diag::error("function", format!("{}() has no result", function.name));
                self.report(diag.at(place, label).detail(usage))
            }
        }
    }

    /// The arguments and where each was written; `...` spreads the last.
    fn arguments(&mut self, call: &Call) -> Option<(Vec<Value>, Vec<Span>)> {
        let mut values: Vec<Value> = call.args.iter().map(|arg| self.expr(arg)).collect();
        let mut spans: Vec<Span> = call.args.iter().map(|arg| arg.span).collect();
        if !call.expand {
            return Some((values, spans));
        }
        let (last, span) = (values.pop()?, spans.pop()?);
        match &last.data {
            Data::Unknown => None,
            Data::List(items) | Data::Tuple(items) | Data::Set(items) => {
                spans.extend(items.iter().map(|_| span));
                values.extend(items.iter().map(|item| item.clone().marked(last.sensitive)));
                Some((values, spans))
            }
            _ => {
                self.fail(
                    "function",
                    span,
                    "The argument can't be expanded",
                    format!("{} has no elements", last.what()),
                );
                None
            }
        }
    }

    fn wrong_count(&mut self, function: &Function, count: usize, span: Span) -> Value {
        let wanted = match (function.least(), function.most()) {
            (least, Some(most)) if least == most => format!("{least}"),
            (least, Some(most)) => format!("{least} to {most}"),
            (least, None) => format!("at least {least}"),
        };
        let diag = Diag::error("function", "The number of arguments is wrong")
            .at(span, format!("{count} given, {wanted} required"))
            .help(format!("Write {}.", function.signature()));
        self.report_fixed(diag)
    }
}
