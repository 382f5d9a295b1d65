//! What a `serve` block says.

use indexmap::IndexMap;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::fit::packing;
use crate::resolve::stack::{Field, Head, Workload};

/// A `model` block of a `serve`.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name that clients ask for.
    pub name: Spanned<String>,
    /// Hugging Face id or path of the weights.
    pub source: Field<String>,
    /// Copies of it, one slice each.
    pub replicas: Field<u32>,
    /// Requests that a replica takes at once.
    pub max_ongoing_requests: Field<u32>,
    /// vLLM's engine arguments under their own names, in the order of the file.
    pub engine: IndexMap<String, Spanned<serde_json::Value>>,
    /// Where the block's first line stands.
    pub span: Span,
}

impl Model {
    /// An engine argument as a whole number; `default` where it was left out, none where it is something else.
    pub fn engine_int(&self, name: &str, default: u64) -> Option<u64> {
        self.engine.get(name).map_or(Some(default), |value| value.as_u64())
    }

    /// An engine argument as a truth value; false where it was left out.
    pub fn engine_flag(&self, name: &str) -> bool {
        self.engine.get(name).and_then(|value| value.as_bool()).unwrap_or(false)
    }

    /// Devices of one replica: tensor times pipeline. None: not numbers, or beyond 32 bits.
    pub fn devices(&self) -> Option<u32> {
        let size = |name: &str| u32::try_from(self.engine_int(name, 1)?).ok();
        size("tensor_parallel_size")?.checked_mul(size("pipeline_parallel_size")?)
    }

    /// The place of an engine argument, or of the block.
    pub fn engine_span(&self, name: &str) -> Span {
        self.engine.get(name).map_or(self.span, |value| value.span)
    }
}

/// How a RayService takes a new cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeStrategy {
    /// A second cluster is built, then traffic moves.
    NewCluster,
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
    /// HTTP port.
    pub port: Spanned<u32>,
    /// How it takes a new cluster.
    pub upgrade: Spanned<UpgradeStrategy>,
}

impl Serve {
    /// The nodes that its replicas fill, with so many GPUs a node.
    pub fn nodes_filled(&self, gpus: u32) -> u32 {
        let replicas = self.models.iter().map(|model| {
            let count = model.replicas.as_ref().map_or(1, |replicas| replicas.value);
            (count, model.devices().unwrap_or(1))
        });
        packing::nodes(replicas, gpus).max(1)
    }
}
