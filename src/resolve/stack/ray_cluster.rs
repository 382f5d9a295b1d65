//! What a `ray_cluster` block says.

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::resolve::stack::{Autoscale, Field, Head, Pod, Workload};

/// Workers on the slices, or the nodes, of one block.
#[derive(Clone, Debug)]
pub struct RayGroup {
    /// Its name; none where the cluster has the one group of its `slice` or `nodes`, whose name it bears.
    pub name: Field<String>,
    /// The slices that it runs on.
    pub slice: Field<Addr>,
    /// How many of them; at most so many where Ray scales it.
    pub num_slices: Spanned<u32>,
    /// The nodes that it runs on, instead of slices.
    pub nodes: Field<Addr>,
    /// How many of its pods there are on nodes, one a node.
    pub replicas: Spanned<u32>,
    /// How Ray scales it.
    pub autoscale: Option<Autoscale>,
    /// Its pods.
    pub worker: Pod,
    /// Where the first line of its block stands.
    pub span: Span,
}

/// What a change of the pods does to a running cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterUpgrade {
    /// Every pod is made anew.
    Recreate,
    /// Pods that run stay as they are.
    None,
}

/// A `ray_cluster` block.
#[derive(Clone, Debug)]
pub struct RayCluster {
    /// Name and place.
    pub head: Head,
    /// What all workloads share.
    pub workload: Workload,
    /// The groups; none: the head alone.
    pub groups: Vec<RayGroup>,
    /// Seconds until Ray's autoscaler takes an idle worker.
    pub idle_timeout: Field<u64>,
    /// What a change of the pods does.
    pub upgrade: Field<ClusterUpgrade>,
}
