//! Templates to text.

use crate::base::diag::Diag;
use crate::base::span::Span;
use crate::eval::evaluate::Eval;
use crate::eval::scope::MAX_SIZE;
use crate::eval::types::Type;
use crate::eval::value::Value;
use crate::parse::tree::{Expr, ForPart, IfPart, Part};

/// Text under way.
#[derive(Default)]
struct Text {
    written: String,
    sensitive: bool,
    unknown: bool,
}

impl Eval<'_> {
    /// A template; one that is a single interpolation keeps the value's type.
    pub(super) fn template(&mut self, parts: &[Part], span: Span) -> Value {
        if let [Part::Interpolation(expr)] = parts {
            return self.expr(expr);
        }
        let mut out = Text::default();
        self.parts(parts, &mut out);
        if out.written.len() as u64 > MAX_SIZE {
            return self.too_large("The text is too large", span);
        }
        if out.unknown { Value::unknown() } else { Value::string(out.written).marked(out.sensitive) }
    }

    fn parts(&mut self, parts: &[Part], out: &mut Text) {
        for part in parts {
            if out.written.len() as u64 > MAX_SIZE {
                return;
            }
            match part {
                Part::Text(text) => out.written.push_str(text),
                Part::Interpolation(expr) => self.interpolate(expr, out),
                Part::If(it) => self.if_part(it, out),
                Part::For(it) => self.for_part(it, out),
            }
        }
    }

    fn interpolate(&mut self, expr: &Expr, out: &mut Text) {
        let value = self.expr(expr);
        if value.is_null() {
            let diag = Diag::error("type", "The value is null")
                .at(expr.span, "null can't become text")
                .help("Give it a default: coalesce(x, \"…\").");
            self.report(diag);
            out.unknown = true;
            return;
        }
        match self.converted(&value, &Type::String, expr.span, "The value can't become text") {
            Some(value) => {
                out.sensitive |= value.sensitive;
                out.written.push_str(value.as_str().unwrap_or(""));
                // Text costs work by its length, so that loops over long texts end in time.
                out.unknown |= !self.spend(out_cost(&value), expr.span);
            }
            None => out.unknown = true,
        }
    }

    fn if_part(&mut self, it: &IfPart, out: &mut Text) {
        match self.condition(&it.condition) {
            None => out.unknown = true,
            Some((truth, sensitive)) => {
                out.sensitive |= sensitive;
                self.parts(if truth { &it.yes } else { &it.no }, out);
            }
        }
    }

    fn for_part(&mut self, it: &ForPart, out: &mut Text) {
        let collection = self.expr(&it.collection);
        let Some(pairs) = self.pairs(&collection, it.collection.span) else {
            out.unknown = true;
            return;
        };
        out.sensitive |= collection.sensitive;
        for (key, value) in pairs {
            let before = self.faults.len();
            let depth = self.bind(it.key.as_ref(), &it.value, key, value);
            self.parts(&it.body, out);
            self.variables.truncate(depth);
            // One element's faults tell enough.
            if self.faults.len() > before || !self.spend(1, it.collection.span) {
                out.unknown = true;
                return;
            }
        }
    }
}

fn out_cost(value: &Value) -> u64 {
    value.size() / 64
}
