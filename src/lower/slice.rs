//! Node pools of a slice: one pool a slice where it has several hosts, since GKE makes and keeps such a pool whole.

use crate::base::addr::Addr;
use crate::base::span::Spanned;
use crate::facts::accelerators::Placement as PlacementRule;
use crate::fit::shape::Shape;
use crate::lower::capacity::{Rung, ladder, node_account};
use crate::lower::intent::gke::{Capacity, ClusterRef, Network, NodePool, Placement, PoolSize, WorkloadPolicy};
use crate::lower::intent::{Intent, Object};
use crate::lower::{cluster, dranet};
use crate::resolve::stack::{ClusterMode, Field, Provision, Slice, Stack};

/// xpk's value for multi-host pools: GKE's default of 110 pods a node reserves addresses that large slices do not have.
const MAX_PODS_PER_NODE: u32 = 15;

/// The pools, and the placement policies that they name.
pub fn lower(stack: &Stack, slice: &Slice) -> Vec<Intent> {
    let (Some(shape), Some(cluster)) = (slice.shape(), stack.cluster_of(slice)) else { return Vec::new() };
    let Some(reference) = cluster::reference(cluster) else { return Vec::new() };
    if slice.provision.value == Provision::Existing {
        return Vec::new();
    }
    let mut intents = Vec::new();
    let policy = policy_name(slice, shape);
    if let (Some(name), Some(region)) = (&policy, region(slice.zone.as_ref(), &reference)) {
        let project = reference.project.clone();
        let policy = WorkloadPolicy { name: name.clone(), project, region, topology: shape.topology.to_string() };
        intents.push(Intent::new(slice.head.addr.clone(), Object::WorkloadPolicy(policy)));
    }
    if cluster.mode.value == ClusterMode::Autopilot {
        // GKE makes the nodes for the pods that ask for them; the policy they must name.
        return intents;
    }
    let mut index = 0;
    for rung in ladder(&slice.capacity, slice.num_slices.value) {
        // A single-host pool holds any number of slices; a multi-host pool is one slice.
        let pools = if shape.multi_host { rung.count } else { 1 };
        for number in 0..pools {
            let size = size(slice, shape, &rung, number);
            let pool = pool(stack, slice, shape, &reference, policy.as_deref(), (&rung, size), index);
            intents.push(Intent::new(slice.head.addr.clone(), Object::NodePool(pool)));
            index += 1;
        }
    }
    intents
}

/// The workload policy that places a slice of several hosts, where the generation takes one.
pub fn policy_name(slice: &Slice, shape: &Shape) -> Option<String> {
    let needed = shape.multi_host && shape.accelerator.placement == PlacementRule::WorkloadPolicy;
    needed.then(|| base_name(slice, shape))
}

/// Nodes of a rung's pool of this number. The first rung has the fewest slices of the block always; a slice of several
/// hosts is there whole or not at all.
fn size(slice: &Slice, shape: &Shape, rung: &Rung, number: u32) -> PoolSize {
    let always = slice.autoscale.as_ref().map_or(rung.count, |range| range.min.value.min(rung.count));
    let fixed = if rung.scaled { 0 } else { always };
    match (shape.multi_host, number < fixed) {
        (true, true) => PoolSize::Fixed(shape.hosts),
        (true, false) => PoolSize::Scaled { min: 0, max: shape.hosts },
        (false, _) if fixed == rung.count => PoolSize::Fixed(rung.count),
        (false, _) => PoolSize::Scaled { min: fixed, max: rung.count },
    }
}

fn pool(
    stack: &Stack,
    slice: &Slice,
    shape: &Shape,
    cluster: &ClusterRef,
    policy: Option<&str>,
    (rung, size): (&Rung, PoolSize),
    index: u32,
) -> NodePool {
    let placement = match (shape.multi_host, shape.accelerator.placement, policy) {
        (true, PlacementRule::CompactTopology, _) => Placement::Compact { topology: shape.topology.to_string() },
        (true, PlacementRule::WorkloadPolicy, Some(policy)) => Placement::WorkloadPolicy(policy.to_owned()),
        _ => Placement::None,
    };
    NodePool {
        name: format!("{}-{index}", base_name(slice, shape)),
        cluster: cluster.clone(),
        zone: slice.zone.as_ref().map(|zone| zone.value.clone()),
        machine_type: shape.machine_type.name.to_owned(),
        size,
        placement,
        auto_repair: !matches!(rung.capacity, Capacity::FlexStart { .. }),
        capacity: rung.capacity.clone(),
        disk_type: Some(disk_type(slice, shape)),
        disk_size_gib: slice.boot_disk_size_gb.as_ref().map(|size| u64::from(size.value)),
        max_pods_per_node: shape.multi_host.then_some(MAX_PODS_PER_NODE),
        labels: dranet::labels(&slice.labels, slice.dranet.as_ref()),
        taints: Vec::new(),
        service_account: node_account(stack, &slice.service_account),
        accelerator_network: slice.dranet.is_some(),
        networks: networks(stack, &slice.cluster, &slice.networks),
        gpus: None,
    }
}

/// The further networks of nodes; a name that the cluster does not know has had its message.
pub fn networks(stack: &Stack, cluster: &Field<Addr>, names: &[Spanned<String>]) -> Vec<Network> {
    let Some(cluster) = stack.cluster(cluster) else { return Vec::new() };
    let known = names.iter().filter_map(|name| cluster.additional_networks.get(&name.value));
    known.map(|network| Network { network: network.network.clone(), subnetwork: network.subnetwork.clone() }).collect()
}

/// The slice's name with generation and topology: the provider plans a changed topology as an update that does nothing,
/// so that it must be another pool.
fn base_name(slice: &Slice, shape: &Shape) -> String {
    let name = &slice.head.name.value;
    let size = format!("{}-{}", shape.accelerator.id, shape.topology);
    match name.strip_suffix(shape.accelerator.id) {
        Some("") => size,
        Some(rest) if rest.ends_with('-') => format!("{rest}{size}"),
        _ => format!("{name}-{size}"),
    }
}

fn disk_type(slice: &Slice, shape: &Shape) -> String {
    let takes = shape.accelerator.boot_disks;
    let usual = takes.iter().find(|disk| **disk == "pd-balanced").or(takes.first());
    let written = slice.boot_disk_type.as_ref().map(|disk| disk.value.clone());
    written.unwrap_or_else(|| usual.copied().unwrap_or_default().to_owned())
}

/// The region of a pool's zone, else of the cluster's location.
pub fn region(zone: Option<&Spanned<String>>, cluster: &ClusterRef) -> Option<String> {
    let place = zone.map_or(cluster.location.as_str(), |zone| zone.value.as_str());
    let parts: Vec<&str> = place.split('-').collect();
    (parts.len() >= 2).then(|| parts[..2].join("-"))
}
