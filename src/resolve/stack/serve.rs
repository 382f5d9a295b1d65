//! What a `serve` block says.

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::facts::models;
use crate::fit::packing;
use crate::resolve::stack::{Block, Field, Head, ReplicaRange, RuntimeEnv, Stack, Workload};

/// A `model` block of a `serve`.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name that clients ask for.
    pub name: Spanned<String>,
    /// Hugging Face id or path of the weights.
    pub source: Field<String>,
    /// A `model` block with its dimensions.
    pub facts: Field<Addr>,
    /// Copies of it, one slice each.
    pub replicas: Field<u32>,
    /// Between how many; the application's, where the model says neither this nor `replicas`.
    pub autoscale: Option<ReplicaRange>,
    /// Requests that a replica takes at once.
    pub max_ongoing_requests: Field<u32>,
    /// Adapters that replicas load.
    pub lora: Option<Lora>,
    /// vLLM's engine arguments under their own names, in the order of the file.
    pub engine: IndexMap<String, Spanned<serde_json::Value>>,
    /// Where the block's first line stands.
    pub span: Span,
}

/// A `lora` block of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lora {
    /// The remote folder of the adapters.
    pub path: Spanned<String>,
    /// Adapters that a replica holds at once.
    pub max_adapters: Option<u32>,
    /// Seconds for a download.
    pub download_timeout: Option<u64>,
    /// How often a download is tried.
    pub max_tries: Option<u32>,
}

/// A `model` block at the top of a stack: facts that the catalogue lacks.
#[derive(Clone, Debug)]
pub struct ModelFacts {
    /// Name and place.
    pub head: Head,
    /// Its dimensions, where they could be read.
    pub facts: Option<models::Model>,
}

impl Stack {
    /// What is known of a served model: what its `facts` name, else what the catalogue has of its source.
    pub fn facts_of(&self, model: &Model) -> Option<models::Model> {
        match model.facts.as_ref().map(|addr| self.blocks.get(&addr.value)) {
            Some(Some(Block::Model(block))) => block.facts.clone(),
            Some(_) => None,
            None => models::find(&model.source.as_ref()?.value),
        }
    }
}

impl Model {
    /// Its replicas, or the fewest of them; none where it says neither.
    pub fn fewest_replicas(&self) -> Option<u32> {
        let fewest = self.autoscale.as_ref().map(|range| range.min.value);
        fewest.or_else(|| self.replicas.as_ref().map(|replicas| replicas.value))
    }

    /// Its replicas, or the most of them; none where it says neither.
    pub fn most_replicas(&self) -> Option<u32> {
        let most = self.autoscale.as_ref().map(|range| range.max.value);
        most.or_else(|| self.replicas.as_ref().map(|replicas| replicas.value))
    }

    /// An engine argument; one with dashes, which has a rule of its own, counts as what it means.
    fn engine_argument(&self, name: &str) -> Option<&Spanned<serde_json::Value>> {
        self.engine.get(name).or_else(|| self.engine.get(&name.replace('_', "-")))
    }

    /// An engine argument as a whole number; `default` where it was left out, none where it is something else.
    pub fn engine_int(&self, name: &str, default: u64) -> Option<u64> {
        self.engine_argument(name).map_or(Some(default), |value| value.as_u64())
    }

    /// An engine argument as a truth value; false where it was left out.
    pub fn engine_flag(&self, name: &str) -> bool {
        self.engine_argument(name).and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// Devices of one replica: tensor times pipeline. None: not numbers, or beyond 32 bits.
    pub fn devices(&self) -> Option<u32> {
        let size = |name: &str| u32::try_from(self.engine_int(name, 1)?).ok();
        size("tensor_parallel_size")?.checked_mul(size("pipeline_parallel_size")?)
    }

    /// The place of an engine argument, or of the block.
    pub fn engine_span(&self, name: &str) -> Span {
        self.engine_argument(name).map_or(self.span, |value| value.span)
    }
}

/// An `application` block of a `serve`: any Ray Serve application.
#[derive(Clone, Debug)]
pub struct App {
    /// Its name.
    pub name: Spanned<String>,
    /// `module:app`.
    pub import_path: Field<String>,
    /// Where it answers: `/`, `/v2`.
    pub route_prefix: Spanned<String>,
    /// Arguments of an application builder.
    pub args: serde_json::Map<String, serde_json::Value>,
    /// Overrides by deployment, as Ray Serve's schema has them.
    pub deployments: Vec<serde_json::Map<String, serde_json::Value>>,
    /// Where they stand, or the application's name.
    pub deployments_span: Span,
    /// Ray's runtime environment of its replicas.
    pub runtime_env: Option<RuntimeEnv>,
}

/// How a RayService takes a new cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpgradeStrategy {
    /// A second cluster is built, then traffic moves.
    NewCluster,
    /// A second cluster grows as the first shrinks.
    Incremental {
        /// Per cent of the replicas beyond the target while both exist.
        max_surge: Option<u32>,
        /// Per cent of the traffic that moves at once.
        step_size: u32,
        /// Seconds between moves.
        interval: u32,
        /// The GatewayClass whose gateway moves the traffic.
        gateway_class: String,
    },
    /// Changes of the cluster wait for a replace.
    None,
}

/// A `serve` block.
#[derive(Clone, Debug)]
pub struct Serve {
    /// Name and place.
    pub head: Head,
    /// What all workloads share.
    pub workload: Workload,
    /// The slices that it runs on.
    pub slice: Field<Addr>,
    /// How many of them.
    pub num_slices: Spanned<u32>,
    /// The nodes that it runs on, instead of slices.
    pub nodes: Field<Addr>,
    /// The models.
    pub models: Vec<Model>,
    /// Other applications.
    pub applications: Vec<App>,
    /// HTTP port.
    pub port: Spanned<u32>,
    /// How it takes a new cluster.
    pub upgrade: Spanned<UpgradeStrategy>,
    /// Seconds that an engine may take to start.
    pub startup_timeout: Field<u64>,
}

impl Serve {
    /// The nodes that its replicas fill, with so many GPUs a node; `count` says how many replicas a model has.
    pub fn nodes_filled(&self, gpus: u32, count: impl Fn(&Model) -> Option<u32>) -> u32 {
        let replicas = self.models.iter().map(|model| (count(model).unwrap_or(1), model.devices().unwrap_or(1)));
        packing::nodes(replicas, gpus).max(1)
    }
}
