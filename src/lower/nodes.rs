//! Node pools of a `nodes` block: one for each rung of its ladder, and where GPUs are wired to their neighbours, one for
//! each domain.

use crate::facts::machines::{GpuNetwork, GpuPlacement, Gpus};
use crate::lower::capacity::{Rung, ladder, node_account};
use crate::lower::intent::gke::{
    Capacity, ClusterRef, GuestAccelerator, NodePool, Placement, PoolSize, Taint, WorkloadPolicy,
};
use crate::lower::intent::{Intent, Object};
use crate::lower::slice::{networks, region};
use crate::lower::{cluster, dranet};
use crate::resolve::stack::{ClusterMode, Nodes, Provision, Stack};

/// Nodes of an NVLink domain, and the topology by which a workload policy names it (accelerators.json, gb200).
const DOMAIN_NODES: u32 = 18;
const DOMAIN_TOPOLOGY: &str = "1x72";

/// Cluster Toolkit's value where a node has eight further networks: GKE's default of 110 pods reserves addresses in each.
const MAX_PODS_OF_TCPXO: u32 = 32;

/// Machines with so many GPUs have the further network cards of GPUDirect-TCPX.
const TCPX_GPUS: u32 = 8;

/// The pools, and the placement policy that they name.
pub fn lower(stack: &Stack, nodes: &Nodes) -> Vec<Intent> {
    let cluster = stack.cluster(&nodes.cluster);
    let Some((cluster, reference)) = cluster.and_then(|cluster| Some((cluster, cluster::reference(cluster)?))) else {
        return Vec::new();
    };
    if nodes.provision.value == Provision::Existing || cluster.mode.value == ClusterMode::Autopilot {
        return Vec::new();
    }
    let addr = &nodes.head.addr;
    let mut intents = Vec::new();
    let wired = nodes.gpus().is_some_and(|gpus| gpus.gpu.placement == GpuPlacement::NvlinkDomain);
    let policy = wired.then(|| nodes.head.name.value.clone());
    if let (Some(name), Some(region)) = (&policy, region(nodes.zone.as_ref(), &reference)) {
        let (project, topology) = (reference.project.clone(), DOMAIN_TOPOLOGY.to_owned());
        let policy = WorkloadPolicy { name: name.clone(), project, region, topology };
        intents.push(Intent::new(addr.clone(), Object::WorkloadPolicy(policy)));
    }
    let mut index = 0;
    for rung in ladder(&nodes.capacity, nodes.node_count.value) {
        let mut left = rung.count;
        while left > 0 {
            let count = if wired { left.min(DOMAIN_NODES) } else { left };
            let pool = pool(stack, nodes, &reference, policy.as_deref(), &rung, (index, count));
            let mut intent = Intent::new(addr.clone(), Object::NodePool(pool));
            intent.notes.extend(fast_network(nodes).filter(|_| index == 0));
            intents.push(intent);
            left -= count;
            index += 1;
        }
    }
    intents
}

/// What GPUs of several nodes need beyond the pool, to reach each other as fast as they can.
fn fast_network(nodes: &Nodes) -> Option<String> {
    let gpus = nodes.gpus().filter(|_| nodes.node_count.value > 1)?;
    let (name, networks) = match gpus.gpu.network {
        GpuNetwork::Tcpx if gpus.machine.gpus == TCPX_GPUS => ("GPUDirect-TCPX", 4),
        GpuNetwork::Tcpxo => ("GPUDirect-TCPXO", 8),
        GpuNetwork::Tcpx | GpuNetwork::Plain | GpuNetwork::Rdma => return None,
    };
    let given = nodes.networks.len();
    let missing = if given < networks {
        format!(
            " Its nodes need {networks} further networks for it, and have {given}: `additional_networks` of the cluster and `networks` name them."
        )
    } else {
        String::new()
    };
    Some(format!(
        "NCCL between these nodes goes over TCP until {name} is set up: its plug-in for NCCL (a DaemonSet) is not written here; GKE's page on GPU networking bandwidth has it.{missing}"
    ))
}

fn pool(
    stack: &Stack,
    nodes: &Nodes,
    cluster: &ClusterRef,
    policy: Option<&str>,
    rung: &Rung,
    (index, count): (u32, u32),
) -> NodePool {
    let gpus = nodes.gpus();
    let network = gpus.map(|gpus| gpus.gpu.network);
    let min = nodes.autoscale.as_ref().map(|range| range.min);
    let size = match (rung.scaled, min) {
        (true, _) => PoolSize::Scaled { min: 0, max: count },
        (false, Some(min)) => PoolSize::Scaled { min: min.min(count), max: count },
        (false, None) => PoolSize::Fixed(count),
    };
    NodePool {
        name: format!("{}-{index}", nodes.head.name.value),
        cluster: cluster.clone(),
        zone: nodes.zone.as_ref().map(|zone| zone.value.clone()),
        machine_type: nodes.machine_type.as_ref().map_or_else(String::new, |machine| machine.value.clone()),
        size,
        placement: policy.map_or(Placement::None, |policy| Placement::WorkloadPolicy(policy.to_owned())),
        auto_repair: !matches!(rung.capacity, Capacity::FlexStart { .. }),
        capacity: rung.capacity.clone(),
        disk_type: disk_type(nodes, gpus),
        disk_size_gib: nodes.boot_disk_size_gb.as_ref().map(|size| u64::from(size.value)),
        max_pods_per_node: (network == Some(GpuNetwork::Tcpxo)).then_some(MAX_PODS_OF_TCPXO),
        labels: dranet::labels(&nodes.labels, nodes.dranet.as_ref()),
        taints: taints(nodes),
        service_account: node_account(stack, &nodes.service_account),
        accelerator_network: network == Some(GpuNetwork::Rdma) || nodes.dranet.is_some(),
        networks: networks(stack, &nodes.cluster, &nodes.networks),
        gpus: gpus.map(|gpus| guest(nodes, gpus)),
    }
}

/// GKE taints nodes with GPUs itself; a taint of the stack's own is beyond that.
fn taints(nodes: &Nodes) -> Vec<Taint> {
    let own = nodes.taints.iter();
    own.map(|taint| Taint { key: taint.key.clone(), value: taint.value.clone(), effect: taint.effect.clone() })
        .collect()
}

fn disk_type(nodes: &Nodes, gpus: Option<Gpus>) -> Option<String> {
    let takes = gpus.map_or(&[][..], |gpus| gpus.gpu.boot_disks);
    let usual = takes.iter().find(|disk| **disk == "pd-balanced").or(takes.first()).map(|disk| (*disk).to_owned());
    nodes.boot_disk_type.as_ref().map(|disk| disk.value.clone()).or(usual)
}

fn guest(nodes: &Nodes, gpus: Gpus) -> GuestAccelerator {
    let driver = match nodes.gpu_driver_version.as_ref().map(|version| version.value.as_str()) {
        Some("latest") => "LATEST",
        Some("disabled") => "INSTALLATION_DISABLED",
        _ => "DEFAULT",
    };
    GuestAccelerator { kind: gpus.gpu.gke_label.to_owned(), count: gpus.count(), driver: driver.to_owned() }
}
