//! What names mean while expressions are evaluated: variables, locals, blocks and their derived values; each
//! expression is evaluated once, when first asked for, and a cycle is an error that shows its chain.

use std::cell::RefCell;
use std::collections::BTreeMap;

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::base::span::{Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::eval::{self, Scope, Value};
use crate::parse::{Attr, Block, Body, Expr};
use crate::resolve::Reader;
use crate::resolve::blocks::{self, ADDRESSED};
use crate::resolve::decode::Decoder;
use crate::resolve::derived;
use crate::resolve::stack::Reference;
use crate::resolve::variables::{self, Inputs};

/// How long a chain of references may be; a longer one would exhaust the stack.
const MAX_CHAIN: usize = 200;

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
    memo: RefCell<BTreeMap<Span, Value>>,
    busy: RefCell<Vec<(Span, String)>>,
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

    /// Which block named which, in the order in which it was found.
    pub fn take_references(&self) -> Vec<Reference> {
        let mut references = self.references.take();
        references.sort_by(|a, b| a.span.cmp(&b.span).then_with(|| a.to.cmp(&b.to)));
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
        self.once(expr.span, name, || eval::expr(expr, self))
    }

    /// Computes a value once. The key is the place of what it is computed from.
    pub fn once(
        &self,
        key: Span,
        name: impl FnOnce() -> String,
        compute: impl FnOnce() -> Result<Value, Diags>,
    ) -> Value {
        if let Some(known) = self.memo.borrow().get(&key) {
            return known.clone();
        }
        if let Some(diag) = self.chain_fault(key) {
            self.report(diag);
            return Value::unknown();
        }
        self.busy.borrow_mut().push((key, name()));
        let value = compute().unwrap_or_else(|diags| {
            self.diags.borrow_mut().append(diags);
            Value::unknown()
        });
        self.busy.borrow_mut().pop();
        self.memo.borrow_mut().insert(key, value.clone());
        value
    }

    fn chain_fault(&self, key: Span) -> Option<Diag> {
        let busy = self.busy.borrow();
        if let Some(start) = busy.iter().position(|(span, _)| *span == key) {
            let mut chain: Vec<&str> = busy[start..].iter().map(|(_, name)| name.as_str()).collect();
            chain.push(chain[0]);
            return Some(
                Diag::error("reference", "Values that need each other")
                    .at(key, "this value leads back to itself")
                    .detail(format!("{}.", chain.join(" needs ")))
                    .help("Write one of them out."),
            );
        }
        (busy.len() >= MAX_CHAIN).then(|| {
            Diag::error("reference", "Chain of references too long")
                .at(key, format!("more than {MAX_CHAIN} values stand between this one and the first that needed it"))
        })
    }

    fn variable(&self, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let Some(block) = self.variables.get(name.value.as_str()) else {
            return Err(Box::new(undeclared("variable", "var", name, self.variables.keys().copied())));
        };
        Ok(variables::value(self, name, block))
    }

    fn local(&self, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let Some(attr) = self.locals.get(name.value.as_str()) else {
            return Err(Box::new(undeclared("local value", "local", name, self.locals.keys().copied())));
        };
        Ok(self.value(&attr.expr, || format!("local.{}", name.value)))
    }

    fn block(&self, kind: &Spanned<String>, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let addr = Addr::new(kind.value.as_str(), name.value.as_str());
        if self.blocks.contains_key(&addr) {
            let span = kind.span.to(name.span);
            self.references.borrow_mut().push(Reference { to: addr.clone(), span });
            return Ok(Value::block(addr));
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

impl Scope for Context<'_> {
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        let is_block = ADDRESSED.iter().any(|spec| spec.name == root.value);
        match (root.value.as_str(), next) {
            ("var", Some(name)) => self.variable(name).map(|value| (value, true)),
            ("local", Some(name)) => self.local(name).map(|value| (value, true)),
            (_, Some(name)) if is_block => self.block(root, name).map(|value| (value, true)),
            ("var" | "local", None) => Err(Box::new(incomplete(root))),
            (_, None) if is_block => Err(Box::new(incomplete(root))),
            _ => Err(Box::new(unknown_root(root))),
        }
    }

    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        derived::value(self, block, name)
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
            .at(root.span, "stands for an instance of for_each or count")
            .detail("`for_each` and `count` are part of the stack language, but not of this release."),
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
