//! What blocks that have node pools, `slice` and `nodes`, have in common.

use crate::base::span::{Span, Spanned};
use crate::resolve::stack::{Block, Capacity, Cluster, ClusterMode, Dranet, Field, Head, Provision, Stack};

/// A block with node pools, or one that says which nodes there are.
pub struct Pools<'a> {
    /// Its name and place.
    pub head: &'a Head,
    /// Its cluster.
    pub cluster: Option<&'a Cluster>,
    /// The zone, where it says one.
    pub zone: &'a Field<String>,
    /// Who makes the nodes.
    pub provision: Provision,
    /// The ladder.
    pub capacity: &'a [Capacity],
    /// The boot disk's type.
    pub boot_disk: &'a Field<String>,
    /// Which disks its machines boot from; none: no table says.
    pub boot_disks: Option<&'static [&'static str]>,
    /// What its machines are called.
    pub machines: Option<&'a str>,
    /// Names of further networks.
    pub networks: &'a [Spanned<String>],
    /// Devices that pods claim.
    pub dranet: &'a Field<Dranet>,
    /// What only a pool of the stack can have.
    pub settings: &'a [Spanned<&'static str>],
}

/// Every such block, in the order of the file.
pub fn pools(stack: &Stack) -> impl Iterator<Item = Pools<'_>> {
    stack.blocks.values().filter_map(|block| match block {
        Block::Slice(slice) => Some(Pools {
            head: &slice.head,
            cluster: stack.cluster(&slice.cluster),
            zone: &slice.zone,
            provision: slice.provision.value,
            capacity: &slice.capacity,
            boot_disk: &slice.boot_disk_type,
            boot_disks: slice.generation.map(|row| row.boot_disks),
            machines: slice.generation.map(|row| row.id),
            networks: &slice.networks,
            dranet: &slice.dranet,
            settings: &slice.pool_settings,
        }),
        Block::Nodes(nodes) => Some(Pools {
            head: &nodes.head,
            cluster: stack.cluster(&nodes.cluster),
            zone: &nodes.zone,
            provision: nodes.provision.value,
            capacity: &nodes.capacity,
            boot_disk: &nodes.boot_disk_type,
            boot_disks: nodes.machine.map(|machine| machine.boot_disks),
            machines: nodes.machine_type.as_ref().map(|machine| machine.value.as_str()),
            networks: &nodes.networks,
            dranet: &nodes.dranet,
            settings: &nodes.pool_settings,
        }),
        _ => None,
    })
}

impl Pools<'_> {
    /// Whether GKE makes the nodes for the pods that ask for them.
    pub fn autopilot(&self) -> bool {
        self.cluster.is_some_and(|cluster| cluster.mode.value == ClusterMode::Autopilot)
    }

    /// Where the location of the cluster stands, where it is a region and GKE does not choose the zones by itself.
    pub fn region(&self) -> Option<Span> {
        let location = self.cluster.filter(|_| !self.autopilot())?.location.as_ref()?;
        // A location of two parts is a region; a zone has a letter behind it.
        (location.value.split('-').count() == 2).then_some(location.span)
    }
}
