//! Tree to a typed `Stack`: blocks, references, defaults, derived values.
//!
//! `structure` checks names against the language's tables, `scope` gives names their values while expressions are
//! evaluated, `decode` reads attributes, and `blocks` holds one file a block.

pub mod blocks;
pub mod cron;
pub mod decode;
pub mod derived;
pub mod instances;
mod maps;
pub mod needs;
mod objects;
pub mod quantity;
mod refactor;
pub mod scope;
pub mod spec;
pub mod stack;
pub mod structure;
pub mod text;
pub mod variables;

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::base::span::{FileId, Span, Spanned};
use crate::facts::version::{Constraint, Version};
use crate::parse::{Block as Tree, Body};
use crate::resolve::decode::Decoder;
use crate::resolve::scope::Context;
use crate::resolve::stack::{Block, Output, Stack};
use crate::resolve::variables::Inputs;

/// Files below the stack's root, for `file()` and its like. Paths are relative to the stack's folder; errors are sentences.
pub trait Reader {
    /// The text of a file.
    fn read(&self, path: &str) -> Result<String, String>;

    /// Whether a file is there.
    fn exists(&self, path: &str) -> Result<bool, String>;

    /// All files below a folder, as paths relative to it, sorted.
    fn list(&self, folder: &str) -> Result<Vec<String>, String>;
}

/// What a stack is made from.
pub struct Source<'a> {
    /// The stack file's id.
    pub file: FileId,
    /// Its tree.
    pub body: &'a Body,
    /// The NAME of `NAME.stack.hcl`.
    pub name: &'a str,
    /// Values for its variables.
    pub inputs: &'a Inputs,
    /// Files below the stack's root.
    pub reader: &'a dyn Reader,
}

/// Reads a whole stack. There is a `Stack` even where there are errors: what could be read of it.
pub fn resolve(source: &Source<'_>) -> (Stack, Diags) {
    let mut diags = Diags::default();
    structure::check(source.body, &mut diags);
    let context = Context::new(source.body, source.inputs, source.reader);
    let stack_block = source.body.blocks.iter().find(|block| block.kind.value == "stack");
    if stack_block.is_none() {
        diags.push(no_stack_block(source));
    }
    let empty = empty_stack_block(source);
    let stack_block = stack_block.unwrap_or(&empty);
    check_name(source, stack_block, &mut diags);

    let decoder = Decoder::new(&context, stack_block, &blocks::stack::SPEC, "stack".to_owned());
    check_required_version(&decoder, &context);
    let settings = blocks::stack::decode(&decoder);
    variables::report_strangers(&context);
    let variables = variables::all(&context);
    context.evaluate_locals();
    let blocks: IndexMap<Addr, Block> =
        context.addresses().into_iter().filter_map(|addr| Some((addr.clone(), typed(&context, &addr)?))).collect();
    instances::report_cycles(&context, &blocks);
    let past = refactor::read(&context, source.body);
    let outputs = source.body.blocks.iter().filter(|block| block.kind.value == "output");
    let outputs = outputs.filter_map(|block| output(&context, block)).collect();
    diags.append(context.take_diags());
    let locals = context.local_places();
    let name = stack_block.labels.first().cloned();
    let name = name.unwrap_or_else(|| Spanned::new(source.name.to_owned(), stack_block.header));
    (Stack { name, settings, blocks, variables, locals, outputs, past, references: context.take_references() }, diags)
}

fn typed(context: &Context<'_>, addr: &Addr) -> Option<Block> {
    let block = derived::decoder(context, addr)?;
    Some(match addr.kind.as_str() {
        "cluster" => Block::Cluster(blocks::cluster::decode(&block)),
        "nodes" => Block::Nodes(blocks::nodes::decode(&block)),
        "slice" => Block::Slice(blocks::slice::decode(&block)),
        "bucket" => Block::Bucket(blocks::bucket::decode(&block)),
        "volume" => Block::Volume(blocks::volume::decode(&block)),
        "config_files" => Block::ConfigFiles(blocks::config_files::decode(&block)),
        "manifest" => Block::Manifest(blocks::manifest::decode(&block)),
        "model" => Block::Model(blocks::model::decode(&block)),
        "secret" => Block::Secret(blocks::secret::decode(&block)),
        "service_account" => Block::ServiceAccount(blocks::service_account::decode(&block)),
        "train" => Block::Train(blocks::train::decode(&block)),
        "serve" => Block::Serve(blocks::serve::decode(&block)),
        "ray_cluster" => Block::RayCluster(blocks::ray_cluster::decode(&block)),
        _ => return None,
    })
}

fn no_stack_block(source: &Source<'_>) -> Diag {
    Diag::error("missing-block", "The file has no `stack` block")
        .at(Span::new(source.file, 0..0), "a stack file starts with one")
        .help(format!("Add `stack \"{}\" {{ … }}`; a file of shared blocks is a module.", source.name))
}

fn empty_stack_block(source: &Source<'_>) -> Tree {
    let span = Span::new(source.file, 0..0);
    let body = Body { attrs: Vec::new(), blocks: Vec::new(), span };
    Tree { kind: Spanned::new("stack".to_owned(), span), labels: Vec::new(), body, header: span, span, broken: true }
}

fn check_name(source: &Source<'_>, block: &Tree, diags: &mut Diags) {
    let Some(label) = block.labels.first() else { return };
    if !decode::is_dns_label(label) {
        diags.push(
            Diag::error("illegal-name", "The stack's name is not a DNS label")
                .at(label.span, "not a legal name")
                .detail(
                    "It becomes a folder, and a label of every object: at most 63 lower-case letters, digits and `-`.",
                ),
        );
    } else if label.value != source.name {
        diags.push(
            Diag::error("stack-name", "The stack's name is not that of its file")
                .at(label.span, format!("the file is {}.stack.hcl", source.name))
                .help(format!("Write `stack \"{}\"`, or rename the file.", source.name))
                .fix(label.span, format!("\"{}\"", source.name)),
        );
    }
}

fn check_required_version(stack: &Decoder<'_>, context: &Context<'_>) {
    let Some(text) = stack.string("required_version") else { return };
    let own = env!("CARGO_PKG_VERSION");
    match (text.value.parse::<Constraint>(), own.parse::<Version>()) {
        (Ok(constraint), Ok(version)) if !constraint.allows(&version) => context.report(
            Diag::error("required-version", "This stack asks for another Sliceform")
                .at(text.span, format!("this is Sliceform {own}"))
                .help("Install a release that fits, or change the constraint."),
        ),
        (Err(why), _) => context.report(
            Diag::error("type", "`required_version` takes a version constraint").at(text.span, why.to_string()),
        ),
        _ => {}
    }
}

fn output(context: &Context<'_>, block: &Tree) -> Option<Output> {
    let name = block.labels.first()?.value.clone();
    let decoder = Decoder::new(context, block, &blocks::stack::OUTPUT, format!("output.{name}"));
    let sensitive = decoder.flag("sensitive", false);
    // A sensitive value is computed for its errors, and goes no further.
    let value = if sensitive { decoder.evaluate("value") } else { decoder.json("value").map(|value| value.value) };
    Some(Output { name, description: decoder.string("description").map(|text| text.value), value, sensitive })
}
