//! What a stack asks of the GKE version of its clusters.

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::{Span, Spanned};
use crate::check::rule::Findings;
use crate::facts::gke::{self, Feature};
use crate::facts::version::Version;
use crate::resolve::stack::{CapacityKind, Cluster, ClusterMode, RayOperator, Slice, Stack};

/// One need.
pub struct Need {
    /// What needs it: `TPU v6e (Trillium)`.
    pub what: String,
    /// The oldest version that can work.
    pub required: Version,
    /// The oldest that every source accepts, where they differ.
    pub advised: Option<Version>,
    /// Where both were read.
    pub source: String,
    /// What asks for it.
    pub span: Span,
    /// The block that asks for it.
    pub addr: Addr,
}

/// The version of a cluster, where it was written and can be read.
fn version(cluster: &Cluster) -> Option<Spanned<Version>> {
    let written = cluster.version.as_ref()?;
    Some(Spanned::new(written.value.parse().ok()?, written.span))
}

/// What a cluster and its slices need, in the order of the file.
fn needs(stack: &Stack, cluster: &Cluster) -> Vec<Need> {
    let mut found = Vec::new();
    if cluster.manage && cluster.ray_operator.value == RayOperator::Addon {
        found.extend(of_feature(Feature::RayAddon, cluster.head.span, &cluster.head.addr));
    }
    let own = |slice: &&Slice| slice.cluster.as_ref().is_some_and(|addr| addr.value == cluster.head.addr);
    for slice in stack.slices().filter(own) {
        found.extend(of_generation(cluster, slice));
        if let Some(dranet) = &slice.dranet {
            found.extend(of_feature(Feature::Dranet, dranet.span, &slice.head.addr));
        }
        for rung in &slice.capacity {
            if matches!(rung.kind, CapacityKind::FlexStart { .. }) {
                found.extend(of_feature(Feature::FlexStartTpu, rung.span, &slice.head.addr));
            }
        }
    }
    for nodes in stack
        .all_nodes()
        .filter(|nodes| stack.cluster(&nodes.cluster).is_some_and(|own| own.head.addr == cluster.head.addr))
    {
        if let Some(dranet) = &nodes.dranet {
            found.extend(of_feature(Feature::Dranet, dranet.span, &nodes.head.addr));
        }
        for rung in nodes.capacity.iter().filter(|rung| matches!(rung.kind, CapacityKind::FlexStart { .. })) {
            if nodes.gpus().is_some() {
                found.extend(of_feature(Feature::FlexStartGpu, rung.span, &nodes.head.addr));
            }
        }
    }
    let multislice = match cluster.mode.value {
        ClusterMode::Standard => Feature::MultisliceStandard,
        ClusterMode::Autopilot => Feature::MultisliceAutopilot,
    };
    for train in stack.trains().filter(|train| train.num_slices.value > 1) {
        let slice = train.slice.as_ref().and_then(|slice| stack.slice(&slice.value)).filter(own);
        found.extend(slice.and_then(|_| of_feature(multislice, train.num_slices.span, &train.head.addr)));
    }
    found
}

/// What is too old for one bound of a need: found, with its version, its bound and its place.
pub fn short_of(stack: &Stack, bound: fn(&Need, &Version) -> Option<Version>) -> Vec<(Need, Version, Span)> {
    let mut short = Vec::new();
    for cluster in stack.clusters() {
        let Some(version) = version(cluster) else { continue };
        for need in needs(stack, cluster) {
            if let Some(bound) = bound(&need, &version.value).filter(|bound| !version.value.may_be_at_least(bound)) {
                short.push((need, bound, version.span));
            }
        }
    }
    short
}

/// The message of a version that is too old for a need.
pub fn message(found: &Findings, (need, bound, version): (Need, Version, Span), detail: String) -> Diag {
    found
        .found(version, format!("{} needs {bound}", need.what))
        .also(need.span, "asked for here")
        .detail(detail)
        .source(need.source)
        .help(format!("Write {bound} or later."))
        .addr(&need.addr)
}

fn of_feature(feature: Feature, span: Span, addr: &Addr) -> Option<Need> {
    let row = gke::feature(feature)?;
    Some(Need {
        what: row.name.to_owned(),
        required: row.min.value.clone(),
        advised: None,
        source: row.min.source.to_string(),
        span,
        addr: addr.clone(),
    })
}

fn of_generation(cluster: &Cluster, slice: &Slice) -> Option<Need> {
    let generation = slice.generation?;
    let min = match cluster.mode.value {
        ClusterMode::Standard => generation.min_gke.standard.as_ref()?,
        ClusterMode::Autopilot => generation.min_gke.autopilot.as_ref()?,
    };
    Some(Need {
        what: generation.product.to_owned(),
        required: min.required.clone(),
        advised: min.advised.clone(),
        source: min.source.to_string(),
        span: slice.accelerator.as_ref().map_or(slice.head.span, |accelerator| accelerator.span),
        addr: slice.head.addr.clone(),
    })
}
