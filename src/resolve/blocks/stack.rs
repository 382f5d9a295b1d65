//! `stack`, `variable`, `locals` and `output`: what stands around the blocks that become objects.

use indexmap::IndexMap;

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::facts::edition::{self, EDITIONS, Edition};
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, Label, Open, Times, optional, required};
use crate::resolve::stack::{Field, Settings, VllmBackend};

const DEPLOY: BlockSpec = BlockSpec {
    name: "deploy",
    label: Label::OneOf(&["directory"]),
    times: Times::Once,
    doc: "Where manifests go: a directory that a GitOps controller, or kubectl, applies from.",
    attrs: &[&[optional(
        "path",
        "string",
        "Folder for rendered manifests, relative to the stack's own folder; `rendered` by default. The stack's name is a folder below it.",
    )]],
    blocks: &[],
    open: Open::No,
};

const RULES: BlockSpec = BlockSpec {
    name: "rules",
    label: Label::None,
    times: Times::Once,
    doc: "Severity of rules in this stack, by the rule's name: error, warning, note or off. `# allow` is for one place.",
    attrs: &[],
    blocks: &[],
    open: Open::Names,
};

/// The `stack` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "stack",
    label: Label::Name,
    times: Times::Once,
    doc: "The stack: its name (that of the file), the versions that it is checked against, where it goes.",
    attrs: &[&[
        optional(
            "required_version",
            "version constraint",
            "Which Sliceform may read this file, as in Terraform: `>= 0.1`.",
        ),
        optional(
            "ray_version",
            "version",
            "Ray in the images and on the cluster. Needed by `train` and `serve` with runtime `ray`.",
        ),
        optional(
            "kuberay_version",
            "version",
            "The KubeRay operator on the cluster. Needed by `train` and `serve` with runtime `ray`.",
        ),
        optional("vllm_version", "version", "vLLM in the images; by default the one that the pinned Ray goes with."),
        optional("vllm_backend", "tpu_inference or torchtpu", "The vLLM back end on TPUs; tpu_inference by default."),
        optional("namespace", "string", "Namespace of every object; `default` by default."),
        optional("create_namespace", "bool", "Whether the stack creates that namespace; false by default."),
        optional("labels", "map of strings", "Labels of every object."),
        optional("annotations", "map of strings", "Annotations of every object."),
        optional(
            "renamed_from",
            "string",
            "The name that the stack had: its rendered folder is taken over, so that objects move to the new one. May stay in the stack for ever; where volumes have a class of their own, it must: the class keeps that name.",
        ),
        optional(
            "edition",
            "string",
            "The edition of what is emitted, such as \"2026\"; the first by default. A later Sliceform emits the same for it; `sliceform catalog versions edition` lists them.",
        ),
    ]],
    blocks: &[&DEPLOY, &RULES],
    open: Open::No,
};

/// A `variable` block.
pub const VARIABLE: BlockSpec = BlockSpec {
    name: "variable",
    label: Label::Name,
    times: Times::Any,
    doc: "An input of the stack.",
    attrs: &[&[
        optional("type", "type", "What it takes; anything by default."),
        optional("default", "any", "Its value where none is given; without one it must be given."),
        optional("description", "string", "What it is for."),
        optional("sensitive", "bool", "Whether its value must never be shown or written."),
        optional("nullable", "bool", "Whether null is a value of it; true by default."),
    ]],
    blocks: &[&VALIDATION],
    open: Open::No,
};

const VALIDATION: BlockSpec = BlockSpec {
    name: "validation",
    label: Label::None,
    times: Times::Any,
    doc: "A condition that the value must meet.",
    attrs: &[&[
        required("condition", "bool", "True for a good value."),
        required("error_message", "string", "What to say for a bad one."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// A `locals` block: every attribute is a name of its own.
pub const LOCALS: BlockSpec = BlockSpec {
    name: "locals",
    label: Label::None,
    times: Times::Any,
    doc: "Names for values.",
    attrs: &[],
    blocks: &[],
    open: Open::Names,
};

/// An `output` block.
pub const OUTPUT: BlockSpec = BlockSpec {
    name: "output",
    label: Label::Name,
    times: Times::Any,
    doc: "A value that plan and apply show.",
    attrs: &[&[
        required("value", "any", "The value."),
        optional("description", "string", "What it is for."),
        optional("sensitive", "bool", "Whether it must not be shown."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// Reads the `stack` block.
pub fn decode(block: &Decoder<'_>) -> Settings {
    let deploy_path = block.blocks("deploy").first().and_then(|deploy| deploy.relative_path("path"));
    let (ray_version, kuberay_version) = (block.version("ray_version"), block.version("kuberay_version"));
    Settings {
        span: block.header(),
        unreadable_version: (block.is_given("ray_version") && ray_version.is_none())
            || (block.is_given("kuberay_version") && kuberay_version.is_none()),
        ray_version,
        kuberay_version,
        vllm_version: block.version("vllm_version"),
        vllm_backend: block.choice(
            "vllm_backend",
            &[("tpu_inference", VllmBackend::TpuInference), ("torchtpu", VllmBackend::TorchTpu)],
        ),
        namespace: block.dns_label("namespace").unwrap_or_else(|| block.default("default".to_owned())),
        create_namespace: block.flag("create_namespace", false),
        labels: block.labels("labels"),
        annotations: block.annotations("annotations"),
        deploy_path,
        edition: edition(block),
        renamed_from: renamed_from(block),
        rules: block.block("rules").map(|inner| levels(&inner)).unwrap_or_default(),
    }
}

/// The name that the stack had.
fn renamed_from(block: &Decoder<'_>) -> Field<String> {
    let name = block.dns_label("renamed_from")?;
    if block.label().is_some_and(|label| label.value == name.value) {
        block.report(
            Diag::error("renamed-from", "A stack that is renamed to the name that it had")
                .at(name.span, "the stack's own name")
                .help("Write the old name, or take `renamed_from` out."),
        );
        return None;
    }
    Some(name)
}

/// The severities that the stack gives to rules; whether there are such rules, `check` knows.
fn levels(block: &Decoder<'_>) -> IndexMap<String, Spanned<Option<Severity>>> {
    let mut found = IndexMap::new();
    for (name, value) in block.open_attributes() {
        let level = match value.value.as_str() {
            Some("error") => Some(Severity::Error),
            Some("warning") => Some(Severity::Warning),
            Some("note") => Some(Severity::Note),
            Some("off") => None,
            _ => {
                let words = format!("`{name}` takes \"error\", \"warning\", \"note\" or \"off\"");
                block.report(Diag::error("type", words).at(value.span, "not one of them"));
                continue;
            }
        };
        found.insert(name, Spanned::new(level, value.span));
    }
    found
}

/// The edition that the stack names. One that names none hears of newer ones.
fn edition(block: &Decoder<'_>) -> Field<&'static Edition> {
    if let (false, Some(news)) = (block.has("edition"), edition::news(EDITIONS)) {
        block.report(Diag::note("edition", news).at(block.header(), "names no edition"));
    }
    let name = block.string("edition")?;
    let found = EDITIONS.iter().find(|edition| edition.name == name.value);
    if found.is_none() {
        let known: Vec<String> = EDITIONS.iter().map(|edition| format!("{:?}", edition.name)).collect();
        block.report(
            Diag::error("edition", "This Sliceform does not know the edition")
                .at(name.span, "unknown")
                .detail(format!("Editions of Sliceform {}: {}.", env!("CARGO_PKG_VERSION"), known.join(", ")))
                .help("Write one of these, or use the Sliceform that brought the edition."),
        );
    }
    found.map(|edition| Spanned::new(edition, name.span))
}
