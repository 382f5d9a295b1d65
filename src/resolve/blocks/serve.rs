//! `serve`: models behind an OpenAI-compatible endpoint.

use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::facts::vllm;
use crate::resolve::blocks::patch::PATCH;
use crate::resolve::blocks::{autoscale, nodes, train, workload};
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::{App, Field, Lora, Model, ReplicaRange, Serve, UpgradeStrategy};

const MODEL: BlockSpec = BlockSpec {
    name: "model",
    label: Label::Name,
    times: Times::Any,
    doc: "A model, under the name that clients ask for. Takes every engine argument of the pinned vLLM under its own name.",
    attrs: &[&[
        required("source", "string", "Hugging Face id of the weights, or their path."),
        optional("facts", "model", "A `model` block with its dimensions, where the catalogue lacks them."),
        optional(
            "replicas",
            "number",
            "Copies of it, one slice each; by default the slices of the block, over its models.",
        ),
        optional("max_ongoing_requests", "number", "Requests that one replica takes at once."),
    ]],
    blocks: &[&autoscale::REPLICAS, &LORA],
    open: Open::Engine,
};

const LORA: BlockSpec = BlockSpec {
    name: "lora",
    label: Label::None,
    times: Times::Once,
    doc: "LoRA adapters that replicas load when a client asks for them. Turns the engine argument `enable_lora` on.",
    attrs: &[&[
        required(
            "dynamic_lora_loading_path",
            "string",
            "Folder of the adapters: gs://, s3://, abfss:// or azure://; each in a folder of its name.",
        ),
        optional("max_num_adapters_per_replica", "number", "Adapters that a replica holds at once; 16 by default."),
        optional("download_timeout", "duration", "How long the download of an adapter may take."),
        optional("max_download_tries", "number", "How often a download is tried."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// Where Ray Serve LLM loads adapters from (Ray 2.60.0, `llm_config.py`).
const REMOTE: &[&str] = &["abfss://", "azure://", "gs://", "s3://"];

fn lora(block: &Decoder<'_>) -> Option<Lora> {
    let path = block.check(
        "dynamic_lora_loading_path",
        block.word("dynamic_lora_loading_path"),
        |path| REMOTE.iter().any(|scheme| path.starts_with(scheme)),
        "a remote folder: gs://, s3://, abfss:// or azure://",
    );
    let positive = |name: &str| block.check(name, block.integer::<u32>(name), |number| *number >= 1, "1 or more");
    Some(Lora {
        path: path?,
        max_adapters: positive("max_num_adapters_per_replica").map(|number| number.value),
        download_timeout: block.duration("download_timeout").map(|seconds| seconds.value),
        max_tries: positive("max_download_tries").map(|number| number.value),
    })
}

const APPLICATION: BlockSpec = BlockSpec {
    name: "application",
    label: Label::Name,
    times: Times::Any,
    doc: "Any other Ray Serve application.",
    attrs: &[&[
        required("import_path", "module:app", "Where Ray Serve finds the application, or its builder."),
        optional("route_prefix", "string", "Where it answers; `/NAME` by default, `/` where it is all that is served."),
        optional("args", "object", "Arguments of an application builder; JSON values."),
        optional("deployments", "list of objects", "Overrides by deployment, as Ray Serve's schema has them."),
    ]],
    blocks: &[&train::RUNTIME_ENV],
    open: Open::No,
};

const PROBES: BlockSpec = BlockSpec {
    name: "probes",
    label: Label::None,
    times: Times::Once,
    doc: "When a server counts as started. KubeRay and Ray Serve make the probes themselves.",
    attrs: &[&[optional("startup_timeout", "duration", "How long an engine may take to start; one hour by default.")]],
    blocks: &[],
    open: Open::No,
};

const UPGRADE: BlockSpec = BlockSpec {
    name: "upgrade",
    label: Label::None,
    times: Times::Once,
    doc: "How a change of the Ray cluster is rolled out.",
    attrs: &[&[
        optional(
            "strategy",
            "new_cluster, incremental or none",
            "new_cluster (default) builds a second cluster and needs twice the slices meanwhile; incremental moves traffic step by step through a Gateway; none waits for a replace.",
        ),
        optional(
            "max_surge",
            "number",
            "Incremental: per cent of capacity beyond the target while both clusters exist.",
        ),
        optional("step_size", "number", "Incremental: per cent of the traffic that moves at once."),
        optional("interval", "duration", "Incremental: time between moves."),
        optional("gateway_class", "string", "Incremental: the GatewayClass whose gateway moves the traffic."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// The `serve` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "serve",
    label: Label::Name,
    times: Times::Any,
    doc: "Models behind an OpenAI-compatible endpoint (Ray Serve LLM with vLLM), and any other Ray Serve application: a RayService.",
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
        &PATCH,
        &MODEL,
        &APPLICATION,
        &autoscale::REPLICAS,
        &UPGRADE,
        &PROBES,
        &workload::CONTAINER,
        &workload::INIT_CONTAINER,
        &workload::MOUNT,
        &workload::HEAD,
        &workload::WORKER,
    ],
    open: Open::No,
};

/// Reads a `serve` block.
pub fn decode(block: &Decoder<'_>) -> Serve {
    block.choice("runtime", &[("ray", ())]);
    nodes::check_place(block, &["num_slices"], &[]);
    let autoscale = block.block("autoscale").map(|inner| autoscale::replicas(&inner));
    let models: Vec<Model> =
        block.blocks("model").iter().filter_map(|inner| model(inner, autoscale.as_ref())).collect();
    if block.blocks("model").is_empty() && block.blocks("application").is_empty() {
        block.missing_block("model", "which model to serve: `model \"NAME\" { source = \"ORG/MODEL\" }`");
    }
    if let Some(range) = autoscale.as_ref().filter(|_| block.blocks("model").is_empty()) {
        block.report(
            Diag::error("conflicting-attributes", "`autoscale` is for models")
                .at(range.span, "no model here")
                .help("Write `autoscaling_config` into the application's `deployments`."),
        );
    }
    let wanted = models.iter().map(|model| model.most_replicas().unwrap_or(1)).fold(0_u32, u32::saturating_add);
    let head = block.head();
    let applications = applications(block, &head.name, models.is_empty());
    let scales = models.iter().any(|model| model.autoscale.is_some());
    let upgrade = block.block("upgrade").and_then(|inner| upgrade(&inner, scales));
    Serve {
        head,
        workload: workload::decode(block),
        slice: block.reference("slice", "slice"),
        nodes: block.reference("nodes", "nodes"),
        num_slices: block.count("num_slices", wanted.max(1)),
        models,
        applications,
        port: block.port("port").unwrap_or_else(|| block.default(8000)),
        upgrade: upgrade.unwrap_or_else(|| block.default(UpgradeStrategy::NewCluster)),
        startup_timeout: block.block("probes").and_then(|inner| inner.duration("startup_timeout")),
    }
}

/// The applications; with models, one more of the block's own name answers at `/`.
fn applications(block: &Decoder<'_>, own: &Spanned<String>, alone: bool) -> Vec<App> {
    let inner = block.blocks("application");
    let alone = alone && inner.len() == 1;
    let apps: Vec<App> = inner.iter().filter_map(|inner| application(inner, alone)).collect();
    let models = (!block.blocks("model").is_empty()).then_some((own.clone(), "/"));
    let mut seen: Vec<(&str, &str, Span)> =
        models.iter().map(|(name, route)| (name.value.as_str(), *route, name.span)).collect();
    for app in &apps {
        let (name, route) = (app.name.value.as_str(), app.route_prefix.value.as_str());
        if let Some((_, _, first)) = seen.iter().find(|(other, _, _)| *other == name) {
            block.report(
                Diag::error("conflicting-attributes", "Two applications have one name")
                    .at(app.name.span, format!("{name:?} again"))
                    .also(*first, "the models' application bears the block's name")
                    .help("Rename the application."),
            );
        } else if let Some((_, _, first)) = seen.iter().find(|(_, other, _)| *other == route) {
            block.report(
                Diag::error("conflicting-attributes", "Two applications answer at one route")
                    .at(app.route_prefix.span, format!("{route:?} too"))
                    .also(*first, "the first")
                    .help("Give each a `route_prefix` of its own; the models answer at \"/\"."),
            );
        }
        seen.push((name, route, app.route_prefix.span));
    }
    apps
}

fn application(block: &Decoder<'_>, alone: bool) -> Option<App> {
    let name = block.label()?;
    let route = block.string("route_prefix");
    let legal = |route: &String| {
        route == "/" || (route.starts_with('/') && !route.ends_with('/') && !route.contains(['{', '}', ' ']))
    };
    let route = block.check("route_prefix", route, legal, "a path that starts with `/` and does not end with it");
    let usual = if alone { "/".to_owned() } else { format!("/{}", name.value) };
    let args = block.check("args", block.json("args"), serde_json::Value::is_object, "an object");
    let deployments = block.json("deployments");
    let objects =
        |list: &serde_json::Value| list.as_array().is_some_and(|list| list.iter().all(|one| one["name"].is_string()));
    let deployments = block.check("deployments", deployments, objects, "a list of objects, each with a `name`");
    Some(App {
        deployments_span: deployments.as_ref().map_or(name.span, |list| list.span),
        import_path: block.check("import_path", block.word("import_path"), |path| is_import_path(path), "`module:app`"),
        route_prefix: route.unwrap_or_else(|| Spanned::new(usual, name.span)),
        args: args.and_then(|args| args.value.as_object().cloned()).unwrap_or_default(),
        deployments: deployments
            .and_then(|list| list.value.as_array().cloned())
            .unwrap_or_default()
            .iter()
            .filter_map(|one| one.as_object().cloned())
            .collect(),
        runtime_env: block.block("runtime_env").map(|inner| train::runtime_env(&inner)),
        name,
    })
}

/// `package.module:app`, or `package.module.app`: Ray Serve takes both.
fn is_import_path(path: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let (module, app) = path.split_once(':').or_else(|| path.rsplit_once('.')).unwrap_or_default();
    module.split('.').all(word) && app.split('.').all(word)
}

fn upgrade(block: &Decoder<'_>, scales: bool) -> Field<UpgradeStrategy> {
    let strategy = block.choice("strategy", &[("new_cluster", 0), ("incremental", 1), ("none", 2)])?;
    if strategy.value != 1 {
        for name in ["max_surge", "step_size", "interval", "gateway_class"] {
            if let Some(span) = block.attr_span(name) {
                block.report(
                    Diag::error("conflicting-attributes", format!("`{name}` is for incremental upgrades"))
                        .at(span, "another strategy")
                        .help("Take it out, or write strategy = \"incremental\"."),
                );
            }
        }
        return Some(
            strategy.map(|which| if which == 0 { UpgradeStrategy::NewCluster } else { UpgradeStrategy::None }),
        );
    }
    if !scales {
        block.report(
            Diag::error("conflicting-attributes", "An incremental upgrade needs replicas that scale")
                .at(strategy.span, "no model here scales")
                .detail("KubeRay moves capacity between the clusters through Ray's autoscaler, and refuses the RayService without.")
                .help("Add `autoscale { … }`, or take another strategy."),
        );
    }
    block.need("step_size", "how much traffic moves at once, in per cent");
    block.need("interval", "how long to wait between moves");
    block.need("gateway_class", "which gateway moves the traffic");
    let percent =
        |name: &str| block.check(name, block.integer::<u32>(name), |number| *number <= 100, "0 to 100 per cent");
    let max_surge = percent("max_surge");
    let most = max_surge.as_ref().map_or(100, |surge| surge.value);
    let step_size = block.check("step_size", percent("step_size"), |step| *step <= most, "at most `max_surge`")?;
    let interval = block.duration("interval")?;
    Some(Spanned::new(
        UpgradeStrategy::Incremental {
            max_surge: max_surge.map(|surge| surge.value),
            step_size: step_size.value,
            interval: u32::try_from(interval.value).unwrap_or(u32::MAX),
            gateway_class: block.word("gateway_class")?.value,
        },
        strategy.span,
    ))
}

fn model(block: &Decoder<'_>, usual: Option<&ReplicaRange>) -> Option<Model> {
    let engine = block.open_attributes();
    for (name, value) in &engine {
        let kind = vllm::named(name).map(|arg| arg.kind);
        if let Some(kind) = kind.filter(|kind| !kind.accepts(&value.value)) {
            let json = value.value.as_str().is_some_and(|text| text.trim_start().starts_with(['{', '[']));
            let label = if json { "a text that holds no such JSON" } else { "not that" };
            block.report(Diag::error("type", format!("`{name}` takes {}", kind.words())).at(value.span, label));
        }
    }
    let own = block.block("autoscale").map(|inner| autoscale::replicas(&inner));
    if let (Some(range), Some(replicas)) = (&own, block.attr_span("replicas")) {
        block.report(
            Diag::error("conflicting-attributes", "`replicas` and `autoscale` exclude each other")
                .at(replicas, "this")
                .also(range.span, "and this")
                .help("Keep one of them."),
        );
    }
    Some(Model {
        name: block.label()?,
        autoscale: own.or_else(|| usual.filter(|_| !block.has("replicas")).cloned()),
        source: block.word("source"),
        facts: block.reference("facts", "model"),
        replicas: block.check("replicas", block.integer("replicas"), |number| *number >= 1, "1 or more"),
        max_ongoing_requests: block.check(
            "max_ongoing_requests",
            block.integer("max_ongoing_requests"),
            |number| *number >= 1,
            "1 or more",
        ),
        lora: block.block("lora").and_then(|inner| lora(&inner)),
        engine,
        span: block.header(),
    })
}
