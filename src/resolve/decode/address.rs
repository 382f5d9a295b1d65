//! Attributes that hold the address of a block, which need not be there: `from = slice.old`.

use crate::base::addr::{Addr, Key};
use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::base::suggest::{did_you_mean, nearest};
use crate::parse::tree::StepKind;
use crate::parse::{Expr, ExprKind};
use crate::resolve::blocks::ADDRESSED;
use crate::resolve::decode::Decoder;
use crate::resolve::stack::Field;

impl Decoder<'_> {
    /// An address, as it is written; a key may be any expression that gives a text or a number.
    pub fn address(&self, name: &str) -> Field<Addr> {
        let expr = &self.attr(name)?.expr;
        let Some((kind, block, index)) = parts(expr) else {
            self.report(no_address(name, expr));
            return None;
        };
        if !ADDRESSED.iter().any(|spec| spec.name == kind.value) {
            self.report(unknown_type(kind));
            return None;
        }
        let addr = Addr::new(kind.value.as_str(), block.value.as_str());
        let addr = match index {
            None => addr,
            Some(index) => addr.instance(self.key(name, index)?),
        };
        Some(Spanned::new(addr, expr.span))
    }

    fn key(&self, name: &str, index: &Expr) -> Option<Key> {
        let value = self.context.value_in(index, self.instance.as_ref(), || format!("{}.{name}", self.path));
        if value.is_unknown() {
            return None;
        }
        let number = || value.as_number()?.to_i64().and_then(|number| u64::try_from(number).ok()).map(Key::Index);
        let key = value.as_str().map(|key| Key::Name(key.to_owned())).or_else(number);
        let key = key.filter(|_| !value.has_sensitive());
        if key.is_none() {
            self.report(
                Diag::error("reference", format!("`{name}` has a key that no instance can have"))
                    .at(index.span, format!("this is {}", value.what()))
                    .help("Instances are `[\"key\"]` of `for_each` and `[0]` of `count`."),
            );
        }
        key
    }
}

/// Type, name and key.
fn parts(expr: &Expr) -> Option<(Spanned<String>, &Spanned<String>, Option<&Expr>)> {
    let ExprKind::Traversal(base, steps) = &expr.kind else { return None };
    let ExprKind::Name(kind) = &base.kind else { return None };
    let kind = Spanned::new(kind.clone(), base.span);
    match steps.as_slice() {
        [name] => Some((kind, attr(&name.kind)?, None)),
        [name, key] => {
            let StepKind::Index(key) = &key.kind else { return None };
            Some((kind, attr(&name.kind)?, Some(key)))
        }
        _ => None,
    }
}

fn attr(step: &StepKind) -> Option<&Spanned<String>> {
    if let StepKind::Attr(name) = step { Some(name) } else { None }
}

fn no_address(name: &str, expr: &Expr) -> Diag {
    let diag = Diag::error("reference", format!("`{name}` takes the address of a block")).at(expr.span, "not one");
    match &expr.kind {
        ExprKind::String(text) if text.parse::<Addr>().is_ok() => {
            diag.help(format!("Write it without quotes: `{name} = {text}`.")).fix(expr.span, text.as_str())
        }
        _ => diag.help("Write `TYPE.NAME`, or `TYPE.NAME[\"key\"]` for an instance."),
    }
}

fn unknown_type(kind: Spanned<String>) -> Diag {
    let Spanned { value: kind, span } = kind;
    let diag = Diag::error("reference", format!("No block has the type {kind:?}")).at(span, "not a block type");
    let known = || ADDRESSED.iter().map(|spec| spec.name);
    match (kind.as_str(), nearest(&kind, known())) {
        ("module", _) => diag.detail("Modules are part of the stack language, but not of this release."),
        (_, Some(near)) => diag.help(did_you_mean(&kind, known()).trim_start()).fix(span, near),
        _ => diag.help(format!("Block types with an address: {}.", known().collect::<Vec<_>>().join(", "))),
    }
}
