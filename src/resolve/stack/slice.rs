//! What a `slice` block says.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::span::{Span, Spanned};
use crate::facts::accelerators::Accelerator;
use crate::fit::shape::Shape;
use crate::fit::shape_fault::ShapeFault;
use crate::resolve::stack::{Autoscale, Field, Head};

/// How capacity is had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapacityKind {
    /// A specific reservation.
    Reservation {
        /// Its name.
        name: Option<String>,
        /// The project that owns it.
        project: Option<String>,
        /// A block of it.
        block: Option<String>,
    },
    /// Dynamic Workload Scheduler, flex-start.
    FlexStart {
        /// Queued provisioning.
        queued: bool,
        /// How long nodes may run, in seconds.
        max_run_duration: Option<u64>,
    },
    /// Spot VMs.
    Spot,
    /// On demand.
    OnDemand,
}

/// One rung of a capacity ladder.
#[derive(Clone, Debug)]
pub struct Capacity {
    /// How.
    pub kind: CapacityKind,
    /// How many slices at most; of `nodes`, how many nodes.
    pub num_slices: Field<u32>,
    /// Where it stands.
    pub span: Span,
}

/// How many network devices the pods of a slice claim through DRANET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dranet {
    /// All that the node has.
    All,
    /// So many.
    Count(u32),
}

/// Who makes the nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provision {
    /// Node pools that the stack declares.
    NodePool,
    /// They are there.
    Existing,
}

/// A `slice` block.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Name and place.
    pub head: Head,
    /// The cluster that it is part of.
    pub cluster: Field<Addr>,
    /// Zone.
    pub zone: Field<String>,
    /// A zone was written, were it one that could not be read.
    pub zone_given: bool,
    /// TPU generation as written.
    pub accelerator: Field<String>,
    /// Topology as written.
    pub topology: Field<String>,
    /// Chips per host, where the shape is ambiguous.
    pub chips_per_host: Field<u32>,
    /// How many slices of this shape there are.
    pub num_slices: Spanned<u32>,
    /// Between how many its pools scale; then `num_slices` is the most.
    pub autoscale: Option<Autoscale>,
    /// The capacity ladder, first choice first; empty: on demand.
    pub capacity: Vec<Capacity>,
    /// Who makes the nodes.
    pub provision: Spanned<Provision>,
    /// Google service account of the nodes.
    pub service_account: Field<Addr>,
    /// Boot disk size in GB.
    pub boot_disk_size_gb: Field<u32>,
    /// Boot disk type.
    pub boot_disk_type: Field<String>,
    /// Labels of the nodes.
    pub labels: BTreeMap<String, String>,
    /// Selector of existing nodes.
    pub node_selector: BTreeMap<String, String>,
    /// Network devices that its pods claim; none: no claims.
    pub dranet: Field<Dranet>,
    /// Further networks of the nodes, by the names that the cluster gives them.
    pub networks: Vec<Spanned<String>>,
    /// Where something is written that only a node pool of the stack can have, with its name.
    pub pool_settings: Vec<Spanned<&'static str>>,
    /// Whether workloads take turns.
    pub share: bool,
    /// The generation's facts, where the name is known.
    pub generation: Option<&'static Accelerator>,
    /// The arithmetic of the shape, or what is wrong with it; none where accelerator or topology is unknown.
    pub shape: Option<Result<Shape, ShapeFault>>,
}

impl Slice {
    /// The shape, where it is sound.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()?.as_ref().ok()
    }
}
