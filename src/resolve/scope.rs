//! What names mean while expressions are evaluated: variables, locals, blocks and their derived values; each
//! expression is evaluated once, when first asked for, and a cycle is an error that shows its chain.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use indexmap::IndexMap;

use crate::base::addr::{Addr, Key};
use crate::base::diag::{Diag, Diags};
use crate::base::span::{Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::eval::{self, Scope, Value};
use crate::parse::{Attr, Block, Body, Expr};
use crate::resolve::Reader;
use crate::resolve::blocks::{self, ADDRESSED};
use crate::resolve::decode::Decoder;
use crate::resolve::derived;
use crate::resolve::instances::{self, Instance, Instances};
use crate::resolve::needs;
use crate::resolve::stack::Reference;
use crate::resolve::variables::{self, Inputs};

/// How long a chain of references may be; a longer one would exhaust the stack.
const MAX_CHAIN: usize = 200;

/// What is computed once: what stands at a place, as one instance of the block around it sees it.
type Place = (Span, Option<Key>);

/// A stack file while it is being read.
pub struct Context<'a> {
    /// The values given for variables.
    pub inputs: &'a Inputs,
    /// The blocks that have an address.
    pub blocks: IndexMap<Addr, &'a Block>,
    /// The `variable` blocks.
    pub variables: IndexMap<&'a str, &'a Block>,
    locals: IndexMap<&'a str, &'a Attr>,
    stack: Option<&'a Block>,
    reader: &'a dyn Reader,
    budget: eval::Budget,
    memo: RefCell<BTreeMap<Place, Value>>,
    busy: RefCell<Vec<(Place, String)>>,
    instances: RefCell<BTreeMap<Addr, Rc<Instances>>>,
    diags: RefCell<Diags>,
    references: RefCell<Vec<Reference>>,
}

impl<'a> Context<'a> {
    /// A context over the blocks of `body`.
    pub fn new(body: &'a Body, inputs: &'a Inputs, reader: &'a dyn Reader) -> Self {
        let mut context = Self {
            inputs,
            blocks: IndexMap::new(),
            variables: IndexMap::new(),
            locals: IndexMap::new(),
            stack: body.blocks.iter().find(|block| block.kind.value == "stack"),
            reader,
            budget: eval::Budget::default(),
            memo: RefCell::default(),
            busy: RefCell::default(),
            instances: RefCell::default(),
            diags: RefCell::default(),
            references: RefCell::default(),
        };
        for block in &body.blocks {
            context.enter(block);
        }
        context
    }

    fn enter(&mut self, block: &'a Block) {
        let label = block.labels.first().map(|label| label.value.as_str());
        match (block.kind.value.as_str(), label) {
            ("variable", Some(name)) => {
                self.variables.entry(name).or_insert(block);
            }
            ("locals", _) => {
                for attr in &block.body.attrs {
                    if let Some(first) = self.locals.get(attr.name.value.as_str()) {
                        let diag = Diag::error("duplicate-block", format!("`local.{}` is declared twice", *attr.name))
                            .at(attr.name.span, "again here")
                            .also(first.name.span, "first declared here");
                        self.report(diag);
                    } else {
                        self.locals.insert(&attr.name.value, attr);
                    }
                }
            }
            (kind, Some(name)) if ADDRESSED.iter().any(|spec| spec.name == kind) => {
                self.blocks.entry(Addr::new(kind, name)).or_insert(block);
            }
            _ => {}
        }
    }

    /// Takes a problem in.
    pub fn report(&self, diag: Diag) {
        self.diags.borrow_mut().push(diag);
    }

    /// Takes several in.
    pub fn report_all(&self, diags: Diags) {
        self.diags.borrow_mut().append(diags);
    }

    /// Every problem so far, taken out.
    pub fn take_diags(&self) -> Diags {
        self.diags.take()
    }

    /// Which block named which, as far as it was read.
    pub fn references(&self) -> Vec<Reference> {
        self.references.borrow().clone()
    }

    /// Which block named which, in the order in which it was found.
    pub fn take_references(&self) -> Vec<Reference> {
        let mut references = self.references.take();
        references.sort_by(|a, b| (a.span, &a.to, &a.instance).cmp(&(b.span, &b.to, &b.instance)));
        references.dedup();
        references
    }

    /// The namespace of the stack, for names that contain it.
    pub fn stack_namespace(&self) -> String {
        let stack = self.stack.map(|block| Decoder::new(self, block, &blocks::stack::SPEC, "stack".to_owned()));
        stack.and_then(|stack| stack.string("namespace")).map_or_else(|| "default".to_owned(), |name| name.value)
    }

    /// All locals, evaluated for the errors that unused ones hold.
    pub fn evaluate_locals(&self) {
        for (name, attr) in &self.locals {
            self.value(&attr.expr, || format!("local.{name}"));
        }
    }

    /// The value of an expression that stands in the stack file; `name` says what it is the value of.
    pub fn value(&self, expr: &Expr, name: impl FnOnce() -> String) -> Value {
        self.value_in(expr, None, name)
    }

    /// The value of an expression as an instance of the block around it sees it.
    pub fn value_in(&self, expr: &Expr, instance: Option<&Rc<Instance>>, name: impl FnOnce() -> String) -> Value {
        let place = (expr.span, instance.map(|instance| instance.key.clone()));
        self.once_at(place, name, || instances::evaluate(self, expr, instance))
    }

    /// The instances of a block.
    pub fn instances(&self, addr: &Addr) -> Rc<Instances> {
        if let Some(known) = self.instances.borrow().get(addr) {
            return Rc::clone(known);
        }
        let found = self.blocks.get(addr).map_or(Instances::Unknown, |block| instances::of(self, addr, block));
        let found = Rc::new(found);
        self.instances.borrow_mut().insert(addr.clone(), Rc::clone(&found));
        found
    }

    /// The addresses of everything that the stack declares, instances of `for_each` and `count` each with its key.
    pub fn addresses(&self) -> Vec<Addr> {
        let mut found = Vec::new();
        for addr in self.blocks.keys() {
            match &*self.instances(addr) {
                Instances::One => found.push(addr.clone()),
                many => found.extend(many.keyed().iter().map(|instance| addr.instance(instance.key.clone()))),
            }
        }
        found
    }

    /// Computes a value once. The key is the place of what it is computed from.
    pub fn once(
        &self,
        key: Span,
        name: impl FnOnce() -> String,
        compute: impl FnOnce() -> Result<Value, Diags>,
    ) -> Value {
        self.once_at((key, None), name, compute)
    }

    fn once_at(
        &self,
        key: Place,
        name: impl FnOnce() -> String,
        compute: impl FnOnce() -> Result<Value, Diags>,
    ) -> Value {
        if let Some(known) = self.memo.borrow().get(&key) {
            return known.clone();
        }
        if let Some(diag) = self.chain_fault(&key) {
            self.report(diag);
            return Value::unknown();
        }
        self.busy.borrow_mut().push((key.clone(), name()));
        let value = compute().unwrap_or_else(|diags| {
            self.diags.borrow_mut().append(diags);
            Value::unknown()
        });
        self.busy.borrow_mut().pop();
        self.memo.borrow_mut().insert(key, value.clone());
        value
    }

    fn chain_fault(&self, key: &Place) -> Option<Diag> {
        let busy = self.busy.borrow();
        if let Some(start) = busy.iter().position(|(place, _)| place == key) {
            let mut chain: Vec<&str> = busy[start..].iter().map(|(_, name)| name.as_str()).collect();
            chain.push(chain[0]);
            return Some(
                Diag::error("reference", "Values that need each other")
                    .at(key.0, "this value leads back to itself")
                    .detail(format!("{}.", chain.join(" needs ")))
                    .help("Write one of them out."),
            );
        }
        (busy.len() >= MAX_CHAIN).then(|| {
            Diag::error("reference", "Chain of references too long")
                .at(key.0, format!("more than {MAX_CHAIN} values stand between this one and the first that needed it"))
        })
    }

    fn variable(&self, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let Some(block) = self.variables.get(name.value.as_str()) else {
            return Err(Box::new(undeclared("variable", "var", name, self.variables.keys().copied())));
        };
        Ok(variables::value(self, name, block))
    }

    /// Where each local value stands.
    pub fn local_places(&self) -> BTreeMap<String, Span> {
        self.locals.iter().map(|(name, attr)| ((*name).to_owned(), attr.expr.span)).collect()
    }

    fn local(&self, from: Option<&Key>, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let Some(attr) = self.locals.get(name.value.as_str()) else {
            return Err(Box::new(undeclared("local value", "local", name, self.locals.keys().copied())));
        };
        self.refer(&Addr::new(needs::LOCAL, name.value.as_str()), name.span, from);
        Ok(self.value(&attr.expr, || format!("local.{}", name.value)))
    }

    /// Notes that a place names a block.
    pub fn refer(&self, to: &Addr, span: Span, instance: Option<&Key>) {
        self.references.borrow_mut().push(Reference { to: to.clone(), span, instance: instance.cloned() });
    }

    /// A derived value of a block.
    pub fn derived(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        derived::value(self, block, name)
    }

    fn block(&self, from: Option<&Key>, kind: &Spanned<String>, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let addr = Addr::new(kind.value.as_str(), name.value.as_str());
        if self.blocks.contains_key(&addr) {
            let instances = self.instances(&addr);
            // Which of several instances is meant shows when one of them is asked for something.
            if *instances == Instances::One {
                self.refer(&addr, kind.span.to(name.span), from);
            }
            return Ok(instances.value(&addr));
        }
        let names: Vec<&str> =
            self.blocks.keys().filter(|known| known.kind == kind.value).map(|known| known.name.as_str()).collect();
        let near = did_you_mean(&name.value, names.iter().copied());
        let help = match (near.as_str(), names.as_slice()) {
            ("", []) => format!("Declare it: `{} \"{}\" {{ … }}`.", kind.value, name.value),
            ("", names) => format!(
                "Declared: {}.",
                names.iter().map(|n| format!("{}.{n}", kind.value)).collect::<Vec<_>>().join(", ")
            ),
            (near, _) => near.trim_start().to_owned(),
        };
        Err(Box::new(
            Diag::error("reference", format!("There is no {} {:?}", kind.value, name.value))
                .at(kind.span.to(name.span), "refers to a block that this stack does not declare")
                .help(help),
        ))
    }
}

impl Context<'_> {
    /// What a name means in the instance `from` of a block.
    pub fn lookup_from(
        &self,
        from: Option<&Key>,
        root: &Spanned<String>,
        next: Option<&Spanned<String>>,
    ) -> Result<(Value, bool), Box<Diag>> {
        let is_block = ADDRESSED.iter().any(|spec| spec.name == root.value);
        match (root.value.as_str(), next) {
            ("var", Some(name)) => self.variable(name).map(|value| (value, true)),
            ("local", Some(name)) => self.local(from, name).map(|value| (value, true)),
            (_, Some(name)) if is_block => self.block(from, root, name).map(|value| (value, true)),
            ("var" | "local", None) => Err(Box::new(incomplete(root))),
            (_, None) if is_block => Err(Box::new(incomplete(root))),
            _ => Err(Box::new(unknown_root(root))),
        }
    }
}

impl Scope for Context<'_> {
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        self.lookup_from(None, root, next)
    }

    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        self.refer(block, name.span, None);
        self.derived(block, name)
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        self.reader.read(path)
    }

    fn file_exists(&self, path: &str) -> Result<bool, String> {
        self.reader.exists(path)
    }

    fn list_files(&self, dir: &str) -> Result<Vec<String>, String> {
        self.reader.list(dir)
    }

    fn budget(&self) -> &eval::Budget {
        &self.budget
    }
}

fn incomplete(root: &Spanned<String>) -> Diag {
    Diag::error("reference", "Incomplete reference")
        .at(root.span, "names no single thing")
        .help(format!("Write `{}.NAME`.", root.value))
}

/// A variable or local value that is not declared.
fn undeclared<'n>(what: &str, root: &str, name: &Spanned<String>, known: impl Iterator<Item = &'n str>) -> Diag {
    let near = did_you_mean(name, known);
    let diag = Diag::error("reference", format!("There is no {what} {:?}", name.value))
        .at(name.span, format!("`{root}.{}` is not declared in this stack", name.value));
    if near.is_empty() { diag } else { diag.help(near.trim_start().to_owned()) }
}

/// A root name that means nothing.
fn unknown_root(root: &Spanned<String>) -> Diag {
    let diag = Diag::error("reference", format!("Nothing here is called {:?}", root.value));
    match root.value.as_str() {
        "each" | "count" => diag
            .at(root.span, "stands for an instance of a block")
            .help("`each` is known in a block with `for_each`, and `count` in one with `count`."),
        "module" | "data" | "path" | "terraform" | "self" | "resource" => diag
            .at(root.span, "a name of Terraform")
            .help("Stacks know `var.NAME`, `local.NAME` and blocks such as `slice.NAME`."),
        name => {
            let known = ["var", "local"].into_iter().chain(ADDRESSED.iter().map(|spec| spec.name));
            let near = did_you_mean(name, known);
            diag.at(root.span, "not a variable, local value or block").help(format!(
                "Names start with `var`, `local` or a block type; text stands in quotes: \"{name}\".{near}"
            ))
        }
    }
}
