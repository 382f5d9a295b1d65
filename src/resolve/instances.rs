//! `for_each`, `count` and `enabled`: which instances a block has, and what `each` and `count` stand for in one.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::base::addr::{Addr, Key};
use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::eval::{self, Data, Scope, Type, Value};
use crate::parse::{Attr, Block, Expr};
use crate::resolve::scope::Context;
use crate::resolve::stack;

/// No block has more instances, and no stack more in all: a slip of the pen must not make ten thousand node pools.
pub const MOST: usize = 10_000;

/// One instance of a block with `for_each` or `count`.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its key.
    pub key: Key,
    /// What `each.value` is; of a set, and of `count`, the key itself.
    pub value: Value,
}

/// The instances of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Instances {
    /// One, without a key.
    One,
    /// None: `enabled = false`.
    Off,
    /// Those of `count`, in order.
    Counted(Vec<Rc<Instance>>),
    /// Those of `for_each`, by key.
    Each(Vec<Rc<Instance>>),
    /// An error has said why they can't be known.
    Unknown,
}

impl Instances {
    /// The instances with keys.
    pub fn keyed(&self) -> &[Rc<Instance>] {
        match self {
            Self::Counted(instances) | Self::Each(instances) => instances,
            Self::One | Self::Off | Self::Unknown => &[],
        }
    }

    /// What the block's name stands for in an expression: the block, or a list or object of its instances.
    pub fn value(&self, addr: &Addr) -> Value {
        let block = |instance: &Rc<Instance>| Value::block(addr.instance(instance.key.clone()));
        match self {
            Self::One => Value::block(addr.clone()),
            Self::Off => Value::null(),
            Self::Unknown => Value::unknown(),
            Self::Counted(instances) => Value::tuple(instances.iter().map(block).collect()),
            Self::Each(instances) => {
                let entry = |instance: &Rc<Instance>| (Arc::from(key_text(&instance.key)), block(instance));
                Value::object(instances.iter().map(entry).collect::<BTreeMap<_, _>>())
            }
        }
    }
}

fn key_text(key: &Key) -> String {
    match key {
        Key::Index(index) => index.to_string(),
        Key::Name(name) => name.clone(),
    }
}

/// Works out the instances of a block.
pub fn of(context: &Context<'_>, addr: &Addr, block: &Block) -> Instances {
    let all = match (block.body.attr("for_each"), block.body.attr("count")) {
        (Some(each), Some(count)) => {
            context.report(
                Diag::error("conflicting-attributes", "`for_each` and `count` exclude each other")
                    .at(count.name.span, "and this")
                    .also(each.name.span, "this")
                    .help("Keep one of them."),
            );
            Instances::Unknown
        }
        (Some(each), None) => for_each(context, addr, each),
        (None, Some(count)) => counted(context, addr, count),
        (None, None) => Instances::One,
    };
    let Some(enabled) = block.body.attr("enabled") else { return all };
    let on = |instance: Option<&Rc<Instance>>| is_enabled(context, addr, enabled, instance);
    let kept = |instances: Vec<Rc<Instance>>| instances.into_iter().filter(|one| on(Some(one))).collect();
    match all {
        Instances::One if !on(None) => Instances::Off,
        Instances::Each(instances) => Instances::Each(kept(instances)),
        // Counted instances keep their numbers: one that is off leaves no gap for others to move into.
        Instances::Counted(instances) if !instances.iter().all(|one| on(Some(one))) => {
            if instances.iter().any(|one| on(Some(one))) {
                context.report(
                    Diag::error("type", "`enabled` differs between instances of `count`")
                        .at(enabled.expr.span, "true for some, false for others")
                        .help("Use `for_each`, whose instances have names, or leave the instance out of `count`."),
                );
            }
            Instances::Counted(Vec::new())
        }
        other => other,
    }
}

fn is_enabled(context: &Context<'_>, addr: &Addr, attr: &Attr, instance: Option<&Rc<Instance>>) -> bool {
    let value = context.value_in(&attr.expr, instance, || format!("{addr}.enabled"));
    if value.is_unknown() {
        return true;
    }
    if value.has_sensitive() {
        context.report(sensitive(attr));
        return true;
    }
    let enabled = eval::convert(&value, &Type::Bool).ok().and_then(|value| value.as_bool());
    if enabled.is_none() {
        context.report(
            Diag::error("type", "`enabled` takes true or false")
                .at(attr.expr.span, format!("this is {}", value.what())),
        );
    }
    enabled.unwrap_or(true)
}

/// The instances become object names and addresses, which everyone may read.
fn sensitive(attr: &Attr) -> Diag {
    Diag::error("sensitive", format!("`{}` depends on a sensitive value", *attr.name))
        .at(attr.expr.span, "this value is sensitive")
        .detail("Which instances there are can be seen in every address and object name.")
}

fn counted(context: &Context<'_>, addr: &Addr, attr: &Attr) -> Instances {
    let value = context.value(&attr.expr, || format!("{addr}.count"));
    if value.is_unknown() {
        return Instances::Unknown;
    }
    if value.has_sensitive() {
        context.report(sensitive(attr));
        return Instances::Unknown;
    }
    let number = eval::convert(&value, &Type::Number).ok().and_then(|value| value.as_number()?.to_i64());
    match number.and_then(|number| usize::try_from(number).ok()) {
        Some(number) if number <= MOST => {
            let instance = |index: usize| {
                let value = i64::try_from(index).map_or_else(|_| Value::unknown(), Value::number);
                Rc::new(Instance { key: Key::Index(index as u64), value })
            };
            Instances::Counted((0..number).map(instance).collect())
        }
        Some(_) => too_many(context, attr),
        None => {
            context.report(
                Diag::error("type", "`count` takes a whole number from 0 on")
                    .at(attr.expr.span, format!("this is {}", value.what())),
            );
            Instances::Unknown
        }
    }
}

fn too_many(context: &Context<'_>, attr: &Attr) -> Instances {
    context.report(
        Diag::error("type", format!("`{}` makes more than {MOST} instances", *attr.name))
            .at(attr.expr.span, "too many"),
    );
    Instances::Unknown
}

fn for_each(context: &Context<'_>, addr: &Addr, attr: &Attr) -> Instances {
    let value = context.value(&attr.expr, || format!("{addr}.for_each"));
    if value.is_unknown() {
        return Instances::Unknown;
    }
    if value.has_sensitive() {
        context.report(sensitive(attr));
        return Instances::Unknown;
    }
    let instance = |key: &str, value: Value| Rc::new(Instance { key: Key::Name(key.to_owned()), value });
    let found = match &value.data {
        Data::Map(table) | Data::Object(table) => {
            Some(table.iter().map(|(key, item)| instance(key, item.clone())).collect::<Vec<_>>())
        }
        Data::Set(items) => items.iter().map(|item| Some(instance(item.as_str()?, item.clone()))).collect(),
        _ => None,
    };
    match found {
        Some(instances) if instances.len() > MOST => too_many(context, attr),
        Some(instances) if instances.iter().any(|one| one.key == Key::Name(String::new())) => {
            context.report(
                Diag::error("type", "`for_each` has an empty key")
                    .at(attr.expr.span, "one of its keys is empty")
                    .detail("The key is part of the instance's address and name."),
            );
            Instances::Unknown
        }
        Some(instances) => Instances::Each(instances),
        None => {
            let diag = Diag::error("type", "`for_each` takes a map, an object or a set of strings")
                .at(attr.expr.span, format!("this is {}", value.what()));
            context.report(match &value.data {
                Data::List(_) | Data::Tuple(_) => diag
                    .detail("The elements of a list have no names that stay when one is taken out.")
                    .help("Make it a set: `for_each = toset([…])`."),
                _ => diag,
            });
            Instances::Unknown
        }
    }
}

/// Names as one instance of a block sees them.
pub struct Inside<'a, 'b> {
    /// The stack.
    pub context: &'a Context<'b>,
    /// The instance.
    pub instance: &'a Rc<Instance>,
}

impl Scope for Inside<'_, '_> {
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        let key = match &self.instance.key {
            Key::Index(index) => i64::try_from(*index).map_or_else(|_| Value::unknown(), Value::number),
            Key::Name(name) => Value::string(name),
        };
        match (root.value.as_str(), next.map(|next| next.value.as_str()), &self.instance.key) {
            ("each", Some("key"), Key::Name(_)) | ("count", Some("index"), Key::Index(_)) => Ok((key, true)),
            ("each", Some("value"), Key::Name(_)) => Ok((self.instance.value.clone(), true)),
            ("each", _, Key::Name(_)) => Err(Box::new(wrong_member(root, next, "`each.key` and `each.value`"))),
            ("count", _, Key::Index(_)) => Err(Box::new(wrong_member(root, next, "`count.index`"))),
            ("each", ..) => Err(Box::new(other_kind(root, "count", "count.index"))),
            ("count", ..) => Err(Box::new(other_kind(root, "for_each", "each.key"))),
            _ => self.context.lookup_from(Some(&self.instance.key), root, next),
        }
    }

    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        self.context.refer(block, name.span, Some(&self.instance.key));
        self.context.derived(block, name)
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        self.context.read_file(path)
    }

    fn file_exists(&self, path: &str) -> Result<bool, String> {
        self.context.file_exists(path)
    }

    fn list_files(&self, dir: &str) -> Result<Vec<String>, String> {
        self.context.list_files(dir)
    }

    fn budget(&self) -> &eval::Budget {
        self.context.budget()
    }
}

fn wrong_member(root: &Spanned<String>, next: Option<&Spanned<String>>, known: &str) -> Diag {
    let span = next.map_or(root.span, |next| root.span.to(next.span));
    Diag::error("reference", format!("`{}` has no such value", root.value))
        .at(span, "unknown")
        .help(format!("There is {known}."))
}

fn other_kind(root: &Spanned<String>, has: &str, instead: &str) -> Diag {
    Diag::error("reference", format!("`{}` has no meaning here", root.value))
        .at(root.span, format!("this block has `{has}`"))
        .help(format!("Write `{instead}`."))
}

/// The object names of instances, made legal: `ml/Team A` as `ml-team-a`.
pub fn name_part(key: &Key) -> String {
    let text = key_text(key).to_lowercase();
    let legal: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    legal.trim_matches('-').to_owned()
}

/// The blocks that a list such as `depends_on` names, each instance of a block that has several.
pub fn addresses(name: &str, value: &Value, span: Span) -> Result<BTreeSet<Addr>, Box<Diag>> {
    let wrong = |value: &Value| {
        Box::new(
            Diag::error("reference", format!("`{name}` takes a list of blocks"))
                .at(span, format!("this holds {}", value.what()))
                .help(format!("Write references without quotes: `{name} = [train.dpo]`.")),
        )
    };
    let Some(items) = value.items() else { return Err(wrong(value)) };
    let mut found = BTreeSet::new();
    for item in items {
        match &item.data {
            Data::Block(addr) => {
                found.insert((**addr).clone());
            }
            Data::Tuple(blocks) if blocks.iter().all(|block| block.as_block().is_some()) => {
                found.extend(blocks.iter().filter_map(Value::as_block).cloned());
            }
            Data::Object(blocks) if blocks.values().all(|block| block.as_block().is_some()) => {
                found.extend(blocks.values().filter_map(Value::as_block).cloned());
            }
            // A block that is off, or one whose error was told.
            Data::Null | Data::Unknown => {}
            _ => return Err(wrong(item)),
        }
    }
    Ok(found)
}

/// Reports blocks that each come before the other: by `depends_on`, or because one names the other.
pub fn report_cycles(context: &Context<'_>, blocks: &IndexMap<Addr, stack::Block>) {
    if blocks.values().all(|block| block.head().depends_on.is_empty()) {
        return;
    }
    let references = context.references();
    let before: BTreeMap<&Addr, BTreeSet<&Addr>> = blocks
        .values()
        .map(|block| {
            let head = block.head();
            let named = references.iter().filter(|reference| {
                head.extent.range().contains(&(reference.span.start as usize))
                    && reference.span.file == head.extent.file
                    && (reference.instance.is_none() || reference.instance == head.addr.key)
            });
            (&head.addr, named.map(|reference| &reference.to).chain(&head.depends_on).collect())
        })
        .collect();
    // Only a chain that `depends_on` closes is told here: values that need each other were told while they were read.
    for block in blocks.values().map(stack::Block::head) {
        for dependency in &block.depends_on {
            let Some(chain) = way(&before, dependency, &block.addr) else { continue };
            let names: Vec<String> = std::iter::once(&block.addr).chain(chain).map(ToString::to_string).collect();
            context.report(
                Diag::error("reference", "Blocks that each come before the other")
                    .at(block.span, "comes after a block that comes after it")
                    .detail(format!("{}.", names.join(" comes after ")))
                    .help("Take one of them out of `depends_on`."),
            );
            return;
        }
    }
}

/// The shortest way from one block to another, both included.
fn way<'a>(before: &BTreeMap<&'a Addr, BTreeSet<&'a Addr>>, from: &'a Addr, to: &Addr) -> Option<Vec<&'a Addr>> {
    let mut ways = VecDeque::from([vec![from]]);
    let mut seen = BTreeSet::from([from]);
    while let Some(way) = ways.pop_front() {
        let last = way.last()?;
        if **last == *to {
            return Some(way);
        }
        for next in before.get(last).into_iter().flatten().filter(|next| seen.insert(**next)) {
            ways.push_back(way.iter().copied().chain([*next]).collect());
        }
    }
    None
}

/// An expression as an instance of a block sees it.
pub fn evaluate(
    context: &Context<'_>,
    expr: &Expr,
    instance: Option<&Rc<Instance>>,
) -> Result<Value, crate::base::diag::Diags> {
    match instance {
        Some(instance) => eval::expr(expr, &Inside { context, instance }),
        None => eval::expr(expr, context),
    }
}
