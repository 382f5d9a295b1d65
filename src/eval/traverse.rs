//! Traversals: names, attributes, indices and splats.

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::eval::convert::quoted;
use crate::eval::evaluate::{Eval, shown};
use crate::eval::types::Type;
use crate::eval::value::{Data, Value};
use crate::parse::tree::{Step, StepKind};

impl Eval<'_> {
    /// A name and the steps after it.
    pub(super) fn traverse(&mut self, root: &Spanned<String>, steps: &[Step]) -> Value {
        if let Some((_, value)) = self.variables.iter().rev().find(|(name, _)| *name == root.value) {
            let value = value.clone();
            return self.steps(value, root.span, steps);
        }
        let next = match steps.first() {
            Some(Step { kind: StepKind::Attr(name), .. }) => Some(name),
            _ => None,
        };
        match self.scope.lookup(root, next) {
            Err(diag) => self.report_fixed(*diag),
            Ok((value, used)) => {
                let used = usize::from(used && next.is_some());
                let span = steps[..used].last().map_or(root.span, |step| root.span.to(step.span));
                self.steps(value, span, &steps[used..])
            }
        }
    }

    /// Applies steps; `span` is what stands before them.
    pub(super) fn steps(&mut self, value: Value, span: Span, steps: &[Step]) -> Value {
        let (mut value, mut span) = (value, span);
        for (index, step) in steps.iter().enumerate() {
            if value.is_unknown() {
                return value;
            }
            let rest = &steps[index + 1..];
            value = match &step.kind {
                StepKind::Attr(name) => self.attr(&value, span, name),
                StepKind::Index(key) => {
                    let key_value = self.expr(key);
                    self.index(&value, &key_value, span, key.span)
                }
                StepKind::FullSplat => return self.splat(&value, span.to(step.span), rest),
                StepKind::AttrSplat => {
                    let attrs = rest.iter().take_while(|step| matches!(step.kind, StepKind::Attr(_))).count();
                    let value = self.splat(&value, span.to(step.span), &rest[..attrs]);
                    let end = rest[..attrs].last().map_or(step.span, |step| step.span);
                    return self.steps(value, span.to(end), &rest[attrs..]);
                }
            };
            span = span.to(step.span);
        }
        value
    }

    /// `[*]`: the steps applied to each element. What is no list counts as a list of itself; null as an empty one.
    fn splat(&mut self, value: &Value, span: Span, steps: &[Step]) -> Value {
        let single = std::slice::from_ref(value);
        let (items, is_list) = match &value.data {
            Data::Null => return Value::tuple(Vec::new()).marked(value.sensitive),
            Data::Tuple(items) => (&**items, false),
            Data::List(items) | Data::Set(items) => (&**items, true),
            _ => (single, false),
        };
        if !self.spend(items.len() as u64, span) {
            return Value::unknown();
        }
        let mut results = Vec::with_capacity(items.len());
        for item in items {
            let before = self.faults.len();
            results.push(self.steps(item.clone().marked(value.sensitive), span, steps));
            if self.faults.len() > before {
                return Value::unknown();
            }
        }
        let result = if is_list { Value::list(results) } else { Value::tuple(results) };
        result.marked(value.sensitive)
    }

    fn attr(&mut self, value: &Value, span: Span, name: &Spanned<String>) -> Value {
        match &value.data {
            Data::Map(table) | Data::Object(table) => match table.get(name.value.as_str()) {
                Some(found) => found.clone().marked(value.sensitive),
                None => self.no_key(value, &name.value, name.span),
            },
            Data::Block(addr) => self.block_attr(addr, name).marked(value.sensitive),
            Data::Null => {
                let diag = Diag::error("type", "This is null")
                    .at(span, "null has no attributes")
                    .help(format!("Guard it: x == null ? … : x.{0}, or try(x.{0}, …).", name.value));
                self.report(diag)
            }
            Data::List(_) | Data::Set(_) | Data::Tuple(_) => {
                let diag =
                    Diag::error("type", "A list has no attributes").at(name.span, format!("of {}", value.what())).help(
                        format!("Take the attribute of each element with [*].{0}, or of one with [0].{0}.", name.value),
                    );
                self.report(diag)
            }
            _ => self.fail("type", name.span, "This has no attributes", format!("of {}", value.what())),
        }
    }

    /// `value[key]`, where `span` is the value's place and `key_span` the key's.
    pub(super) fn index(&mut self, value: &Value, key: &Value, span: Span, key_span: Span) -> Value {
        if value.is_unknown() || key.is_unknown() {
            return Value::unknown();
        }
        if key.is_null() {
            return self.fail("type", key_span, "The index is null", "a number or a string is required");
        }
        let result = match &value.data {
            Data::List(items) | Data::Tuple(items) => self.element(items, key, key_span),
            Data::Map(table) | Data::Object(table) => {
                let Some(name) = self.converted(key, &Type::String, key_span, "The index does not fit") else {
                    return Value::unknown();
                };
                let text = name.as_str().unwrap_or("");
                match table.get(text) {
                    Some(found) => found.clone(),
                    None if key.sensitive => {
                        self.fail("reference", key_span, "The key is not there", "a sensitive key")
                    }
                    None => self.no_key(value, text, key_span),
                }
            }
            Data::Block(_) if key.sensitive => {
                self.fail("reference", key_span, "A value of a block has a plain name", "a sensitive key")
            }
            Data::Block(addr) => match key.as_str() {
                Some(name) => self.block_attr(addr, &Spanned::new(name.to_owned(), key_span)),
                None => self.fail("type", key_span, "The block has no instances", format!("{addr} is a single block")),
            },
            Data::Set(_) => {
                let diag = Diag::error("type", "A set has no indices")
                    .at(span, "its elements have no order")
                    .help("Make it a list with tolist(), or use one() for a set of one element.");
                self.report(diag)
            }
            Data::Null => self.fail("type", span, "This is null", "null has no elements"),
            _ => self.fail("type", span, "This has no elements", value.what()),
        };
        result.marked(value.sensitive || key.sensitive)
    }

    fn element(&mut self, items: &[Value], key: &Value, key_span: Span) -> Value {
        let Some(number) = self.converted(key, &Type::Number, key_span, "The index does not fit") else {
            return Value::unknown();
        };
        let index = number.as_u64().and_then(|index| usize::try_from(index).ok());
        if let Some(found) = index.and_then(|index| items.get(index)) {
            return found.clone();
        }
        let label = match items.len() {
            0 => "there are no elements".to_owned(),
            len => format!("{} is not among the indices 0 to {}", shown(key), len - 1),
        };
        self.fail("reference", key_span, "The element is not there", label)
    }

    fn block_attr(&mut self, addr: &Addr, name: &Spanned<String>) -> Value {
        self.scope.block_attr(addr, name).unwrap_or_else(|diag| self.report_fixed(*diag))
    }

    fn no_key(&mut self, value: &Value, name: &str, span: Span) -> Value {
        let keys: Vec<&str> = value.entries().into_iter().flatten().map(|(key, _)| &**key).collect();
        let near = did_you_mean(name, keys.iter().copied());
        let what = if matches!(value.data, Data::Map(_)) { "map" } else { "object" };
        let listed = match keys.len() {
            _ if value.sensitive => String::new(),
            0 => format!("The {what} is empty."),
            1..=12 => format!("The {what} has {}.{near}", keys.join(", ")),
            len => format!("The {what} has {len} others.{near}"),
        };
        let diag = Diag::error("reference", "The attribute is not there").at(span, format!("no {}", quoted(name)));
        let instances = value.entries().into_iter().flatten().all(|(_, item)| item.as_block().is_some());
        if let (true, Some((key, _))) = (instances, value.entries().into_iter().flatten().next()) {
            return self.report(
                diag.detail(format!("The block has `for_each`: its instances are {}.{near}", keys.join(", ")))
                    .help(format!("Take one of them with [{key:?}], or each with a `for` expression.")),
            );
        }
        self.report(if listed.is_empty() { diag } else { diag.detail(listed) })
    }
}
