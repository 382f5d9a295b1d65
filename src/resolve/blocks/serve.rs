//! `serve`: models behind an OpenAI-compatible endpoint.

use crate::base::diag::Diag;
use crate::facts::vllm;
use crate::resolve::blocks::{nodes, workload};
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Times, optional, required};
use crate::resolve::stack::{Model, Serve, UpgradeStrategy};

const MODEL: BlockSpec = BlockSpec {
    name: "model",
    label: Label::Name,
    times: Times::Any,
    doc: "A model, under the name that clients ask for. Takes every engine argument of the pinned vLLM under its own name.",
    attrs: &[&[
        required("source", "string", "Hugging Face id of the weights, or their path."),
        optional(
            "replicas",
            "number",
            "Copies of it, one slice each; by default the slices of the block, over its models.",
        ),
        optional("max_ongoing_requests", "number", "Requests that one replica takes at once."),
    ]],
    blocks: &[],
    open: true,
};

const UPGRADE: BlockSpec = BlockSpec {
    name: "upgrade",
    label: Label::None,
    times: Times::Once,
    doc: "How a change of the Ray cluster is rolled out.",
    attrs: &[&[optional(
        "strategy",
        "new_cluster or none",
        "new_cluster (default) builds a second cluster and needs twice the slices meanwhile; none waits for a replace.",
    )]],
    blocks: &[],
    open: false,
};

/// The `serve` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "serve",
    label: Label::Name,
    times: Times::Any,
    doc: "Models behind an OpenAI-compatible endpoint: Ray Serve LLM with vLLM, as a RayService.",
    attrs: &[
        &[
            required("runtime", "ray", "What runs the servers: Ray Serve."),
            optional("slice", "slice", "The slices that it runs on; each replica of a model takes one."),
            optional("num_slices", "number", "How many of them; one for each model by default."),
            optional(
                "nodes",
                "nodes",
                "The GPU nodes that it runs on, instead of slices; as many as its replicas fill.",
            ),
            optional("port", "number", "HTTP port; 8000 by default."),
        ],
        workload::ATTRS,
        META,
    ],
    blocks: &[
        &LIFECYCLE,
        &MODEL,
        &UPGRADE,
        &workload::CONTAINER,
        &workload::INIT_CONTAINER,
        &workload::MOUNT,
        &workload::HEAD,
        &workload::WORKER,
    ],
    open: false,
};

/// Reads a `serve` block.
pub fn decode(block: &Decoder<'_>) -> Serve {
    block.choice("runtime", &[("ray", ())]);
    nodes::check_place(block, &["num_slices"], &[]);
    let models: Vec<Model> = block.blocks("model").iter().filter_map(model).collect();
    if block.blocks("model").is_empty() {
        block.missing_block("model", "which model to serve: `model \"NAME\" { source = \"ORG/MODEL\" }`");
    }
    let replicas = models.iter().map(|model| model.replicas.as_ref().map_or(1, |replicas| replicas.value));
    let wanted = replicas.fold(0_u32, u32::saturating_add);
    let upgrade = block.block("upgrade").and_then(|inner| {
        inner.choice("strategy", &[("new_cluster", UpgradeStrategy::NewCluster), ("none", UpgradeStrategy::None)])
    });
    Serve {
        head: block.head(),
        workload: workload::decode(block),
        slice: block.reference("slice", "slice"),
        nodes: block.reference("nodes", "nodes"),
        num_slices: block.count("num_slices", wanted.max(1)),
        models,
        port: block.port("port").unwrap_or_else(|| block.default(8000)),
        upgrade: upgrade.unwrap_or_else(|| block.default(UpgradeStrategy::NewCluster)),
    }
}

fn model(block: &Decoder<'_>) -> Option<Model> {
    let engine = block.open_attributes();
    for (name, value) in &engine {
        let kind = vllm::named(name).map(|arg| arg.kind);
        if let Some(kind) = kind.filter(|kind| !kind.accepts(&value.value)) {
            block.report(Diag::error("type", format!("`{name}` takes {}", kind.words())).at(value.span, "not that"));
        }
    }
    Some(Model {
        name: block.label()?,
        source: block.word("source"),
        replicas: block.integer("replicas"),
        max_ongoing_requests: block.check(
            "max_ongoing_requests",
            block.integer("max_ongoing_requests"),
            |number| *number >= 1,
            "1 or more",
        ),
        engine,
        span: block.header(),
    })
}
