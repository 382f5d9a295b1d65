//! The stack file against the language's tables: unknown, misplaced, repeated and missing names, before any value is read.

use std::collections::BTreeMap;

use crate::base::diag::{Diag, Diags};
use crate::base::span::Span;
use crate::base::suggest::{did_you_mean, nearest, one_of};
use crate::facts::vllm;
use crate::parse::{Attr, Block, Body};
use crate::resolve::blocks::TOP;
use crate::resolve::spec::{BlockSpec, Label, Open, PLANNED_BLOCKS, PLANNED_INNER, Times};

/// What Terraform users may write first, and what stands for it here.
const FOREIGN: &[(&str, &str)] = &[
    (
        "resource",
        "Cloud resources are `cluster`, `slice` and `bucket` blocks; programs are `train`, `serve` and `job` blocks.",
    ),
    ("data", "A thing that exists is a block with `manage = false` (the default of `cluster` and `bucket`)."),
    (
        "provider",
        "Sliceform needs no provider: what it writes is applied by Terraform and Kubernetes, with your own credentials.",
    ),
    ("terraform", "The versions are attributes of the `stack` block, such as `required_version` and `ray_version`."),
];

/// Checks a whole file: the blocks at the top and everything in them.
pub fn check(body: &Body, diags: &mut Diags) {
    for attr in &body.attrs {
        diags.push(
            Diag::error("syntax", "Attribute outside a block")
                .at(attr.name.span, "not in a block")
                .detail("A stack file holds blocks. Values for variables go into NAME.vars.hcl beside the stack.")
                .help(format!("Put `{}` into the block that it belongs to, or into `locals {{ }}`.", *attr.name)),
        );
    }
    // What a broken block lacks may be in the part that could not be read: its names are checked, not its gaps.
    for block in &body.blocks {
        match TOP.iter().find(|spec| spec.name == block.kind.value) {
            Some(spec) => check_block(block, spec, block.broken, diags),
            None => diags.push(unknown_top(block)),
        }
    }
    check_repeated(body, TOP, diags);
}

fn unknown_top(block: &Block) -> Diag {
    let name = block.kind.value.as_str();
    if let Some((_, instead)) = FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
        return Diag::error("unknown-block", format!("`{name}` is a block of Terraform, not of Sliceform"))
            .at(block.kind.span, "not a block of the stack language")
            .help(*instead);
    }
    if PLANNED_BLOCKS.contains(&name) {
        return Diag::error("unknown-block", format!("`{name}` blocks are not built yet"))
            .at(block.kind.span, "this release does not read it")
            .detail("The block is part of the stack language, but not of this release.")
            .help("Take the block out, or use a later release.");
    }
    let names: Vec<&str> = TOP.iter().map(|spec| spec.name).collect();
    with_nearest(
        Diag::error("unknown-block", "Unknown block").at(block.kind.span, "not a block of the stack language"),
        name,
        block.kind.span,
        &names,
        "Blocks",
    )
}

/// Adds the nearest of the known names as help and as an edit, or lists them.
fn with_nearest(diag: Diag, name: &str, span: Span, known: &[&str], what: &str) -> Diag {
    match nearest(name, known.iter().copied()) {
        Some(near) => diag.help(format!("Did you mean `{near}`?")).fix(span, near),
        None if known.is_empty() => diag,
        None => diag.help(format!("{what}: {}.", known.join(", "))),
    }
}

fn check_block(block: &Block, spec: &'static BlockSpec, broken: bool, diags: &mut Diags) {
    check_label(block, spec, diags);
    let known = |attr: &Attr| {
        spec.attr(&attr.name).is_some()
            || match spec.open {
                Open::No => false,
                Open::Engine => vllm::known_anywhere(&attr.name),
                Open::Names => true,
            }
    };
    let strangers: Vec<&Attr> = block.body.attrs.iter().filter(|attr| !known(attr)).collect();
    for attr in &strangers {
        diags.push(unknown_attr(attr, block, spec));
    }
    // A required attribute that is only misspelt is one mistake, and was reported as unknown.
    let names = || spec.attrs().map(|attr| attr.name);
    let misspelt = |wanted: &str| strangers.iter().any(|attr| nearest(&attr.name, names()) == Some(wanted));
    for wanted in spec.attrs().filter(|attr| attr.required && !broken) {
        if !block.body.attrs.iter().any(|attr| attr.name.value == wanted.name) && !misspelt(wanted.name) {
            diags.push(
                Diag::error("missing-attribute", format!("`{}` is missing", wanted.name))
                    .at(block.header, format!("this block needs `{}`", wanted.name))
                    .detail(wanted.doc)
                    .help(format!("Add `{} = …` ({}).", wanted.name, wanted.takes)),
            );
        }
    }
    for inner in &block.body.blocks {
        match spec.block(&inner.kind) {
            Some(inner_spec) => check_block(inner, inner_spec, broken || inner.broken, diags),
            None => diags.push(unknown_inner(inner, block, spec)),
        }
    }
    check_repeated(&block.body, spec.blocks, diags);
}

fn check_label(block: &Block, spec: &BlockSpec, diags: &mut Diags) {
    let kind = block.kind.value.as_str();
    let extra = |from: usize| block.labels.get(from).map(|label| label.span);
    match (spec.label, block.labels.as_slice()) {
        (Label::None, []) | (Label::Name, [_]) => {}
        (Label::OneOf(words), [label]) if words.contains(&label.value.as_str()) => {}
        (Label::OneOf(words), [label]) => {
            let mut diag = Diag::error("unknown-block", format!("Unknown kind of `{kind}`"))
                .at(label.span, format!("not a kind of {kind}"))
                .help(format!("Write {}.{}", one_of(words), did_you_mean(label, words.iter().copied())));
            if kind == "deploy" && label.value == "cluster" {
                diag = diag.detail("Applying to a live cluster is part of the language, but not of this release.");
            }
            diags.push(diag);
        }
        (Label::None, _) => diags.push(
            Diag::error("syntax", format!("`{kind}` takes no label"))
                .at(extra(0).unwrap_or(block.header), "this label")
                .help(format!("Write `{kind} {{ … }}`.")),
        ),
        (Label::Name | Label::OneOf(_), []) => diags.push(
            Diag::error("syntax", format!("`{kind}` needs a label"))
                .at(block.kind.span, "no label")
                .help(format!("Write `{kind} \"NAME\" {{ … }}`.")),
        ),
        (Label::Name | Label::OneOf(_), _) => diags.push(
            Diag::error("syntax", format!("`{kind}` takes one label"))
                .at(extra(1).unwrap_or(block.header), "one label too many")
                .help(format!("Write `{kind} \"NAME\" {{ … }}`.")),
        ),
    }
}

fn unknown_attr(attr: &Attr, block: &Block, spec: &BlockSpec) -> Diag {
    let name = attr.name.value.as_str();
    let kind = block.kind.value.as_str();
    if spec.block(name).is_some() {
        return Diag::error("unknown-attribute", format!("`{name}` is a block of `{kind}`, not an attribute"))
            .at(attr.name.span, "written as an attribute")
            .help(format!("Write `{name} {{ … }}`, without `=`."));
    }
    if name == "runtime" && kind == "train" {
        return Diag::error("unknown-attribute", "`train` has no `runtime`")
            .at(attr.name.span, "training always runs on Ray Train")
            .help("Take it out; a program without Ray is a `job` block with `runtime = \"jobset\"`.");
    }
    if PLANNED_INNER.contains(&name) {
        return planned(name, attr.name.span);
    }
    let known: Vec<&str> = spec
        .attrs()
        .map(|known| known.name)
        .chain(if spec.open == Open::Engine { vllm::names() } else { Vec::new() })
        .collect();
    let diag = Diag::error("unknown-attribute", format!("Unknown attribute of `{kind}`"))
        .at(attr.name.span, format!("`{kind}` has no attribute of this name"));
    if let Some(meant) = (spec.open == Open::Engine).then(|| vllm::meant(name)).flatten() {
        return command_line(diag, attr, &meant);
    }
    let listed: Vec<&str> = spec.attrs().map(|known| known.name).collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => diag.help(format!("Did you mean `{near}`?")).fix(attr.name.span, near),
        None if spec.open == Open::Engine => {
            diag.help("Attributes are those of the block and the engine arguments of vLLM, spelt with underscores.")
        }
        None => with_nearest(diag, name, attr.name.span, &listed, "Attributes"),
    }
}

/// A name of vLLM's command line that is no field: Ray passes fields, by their whole names.
fn command_line(diag: Diag, attr: &Attr, meant: &vllm::Meant) -> Diag {
    let name = attr.name.value.as_str();
    match meant {
        vllm::Meant::Short(full) => diag
            .detail(format!(
                "On vLLM's command line `{name}` is `{full}`. Ray Serve takes an argument by its field's name."
            ))
            .help(format!("Write `{full}`."))
            .fix(attr.name.span, *full),
        vllm::Meant::Not(argument) => diag
            .detail(format!("On vLLM's command line it turns `{argument}` off."))
            .help(format!("Write `{argument} = false`, or leave it out if that is its default.")),
        vllm::Meant::BeginningOf(argument) => diag
            .detail(format!(
                "vLLM's command line would take it for `{argument}`, which it begins. Ray Serve takes whole names only."
            ))
            .help(format!("Write `{argument}`."))
            .fix(attr.name.span, *argument),
        vllm::Meant::Ambiguous(arguments) => diag
            .detail(format!("{} arguments of vLLM begin so.", arguments.len()))
            .help(format!("Write one of them in full: {}.", arguments.join(", "))),
    }
}

fn unknown_inner(inner: &Block, block: &Block, spec: &BlockSpec) -> Diag {
    let name = inner.kind.value.as_str();
    let kind = block.kind.value.as_str();
    if spec.attr(name).is_some() {
        return Diag::error("unknown-block", format!("`{name}` is an attribute of `{kind}`, not a block"))
            .at(inner.kind.span, "written as a block")
            .help(format!("Write `{name} = …`."));
    }
    if PLANNED_INNER.contains(&name) {
        return planned(name, inner.kind.span);
    }
    let names: Vec<&str> = spec.blocks.iter().map(|known| known.name).collect();
    let diag = Diag::error("unknown-block", format!("Unknown block in `{kind}`"))
        .at(inner.kind.span, format!("`{kind}` has no block of this name"));
    with_nearest(diag, name, inner.kind.span, &names, "Blocks")
}

/// Parts of the language that no target of this release could write, with the reason and the way that works.
const INEXPRESSIBLE: &[(&str, &str, &str)] = &[(
    "dynamic_slicing",
    "Terraform's Google provider 7.46.1 has no argument for it, and node pools are written with Terraform only.",
    "Take it out, and turn it on with gcloud where the pools are up; `patch` sets it once the provider has the argument.",
)];

fn planned(name: &str, span: Span) -> Diag {
    if let Some((_, why, help)) = INEXPRESSIBLE.iter().find(|(known, ..)| *known == name) {
        return Diag::error("unknown-attribute", format!("`{name}` can't be expressed yet"))
            .at(span, "nothing that is written here could say it")
            .detail(*why)
            .help(*help);
    }
    Diag::error("unknown-attribute", format!("`{name}` is not built yet"))
        .at(span, "this release does not read it")
        .detail("It is part of the stack language, but not of this release.")
        .help("Take it out, or use a later release.")
}

/// Blocks that may stand once, and labels that may stand once among their like.
fn check_repeated(body: &Body, specs: &[&'static BlockSpec], diags: &mut Diags) {
    let mut seen: BTreeMap<(&str, Option<&str>), Span> = BTreeMap::new();
    for block in &body.blocks {
        let Some(spec) = specs.iter().find(|spec| spec.name == block.kind.value) else { continue };
        let label = block.labels.first().map(|label| label.value.as_str());
        let key = match (spec.label, spec.times) {
            (Label::None, Times::Any) => continue,
            (Label::Name, Times::Once) => (spec.name, None),
            (Label::None, Times::Once) | (Label::Name, Times::Any) | (Label::OneOf(_), _) => (spec.name, label),
        };
        if let Some(first) = seen.get(&key) {
            diags.push(
                Diag::error("duplicate-block", format!("`{}` is declared twice", shown(key)))
                    .at(block.header, "again here")
                    .also(*first, "first declared here")
                    .help("Rename one of them, or join them."),
            );
        } else {
            seen.insert(key, block.header);
        }
    }
}

fn shown((kind, label): (&str, Option<&str>)) -> String {
    label.map_or_else(|| kind.to_owned(), |label| format!("{kind} \"{label}\""))
}
