//! `google_container_node_pool`, and the placement policy of tpu7x slices.

use crate::emit::Manifest;
use crate::emit::gke::terraform::{SCOPES, email};
use crate::emit::hcl::{Block, Expr, identifier};
use crate::emit::object::terraform;
use crate::emit::target::Context;
use crate::lower::intent::Intent;
use crate::lower::intent::gke::{
    Capacity, ClusterRef, GuestAccelerator, NodePool, Placement, PoolSize, WorkloadPolicy,
};

pub fn emit(pool: &NodePool, intent: &Intent, ctx: &Context) -> Manifest {
    let local = identifier(&pool.name);
    let block = Block::new("resource", &["google_container_node_pool", &local]).with("name", &pool.name);
    let block =
        in_cluster(block, &pool.cluster).some("node_locations", pool.zone.as_ref().map(|zone| Expr::list([zone])));
    let block = sized(block, pool.size)
        .some("max_pods_per_node", pool.max_pods_per_node)
        .block(placement(&pool.placement))
        .block(queued(&pool.capacity).then(|| Block::new("queued_provisioning", &[]).with("enabled", true)))
        .block(autoscaling(pool))
        .block([Block::new("management", &[]).with("auto_repair", pool.auto_repair).with("auto_upgrade", true)])
        .block(network_config(pool))
        .block([node_config(pool)]);
    terraform(intent, ctx, ("nodepool", &pool.name), ("google_container_node_pool", &local), &[block])
}

fn in_cluster(block: Block, cluster: &ClusterRef) -> Block {
    let Some(resource) = &cluster.managed else {
        let block = block.with("cluster", &cluster.name);
        return block.with("project", &cluster.project).with("location", &cluster.location);
    };
    let of = |field: &str| Expr::reference(format!("google_container_cluster.{}.{field}", identifier(resource)));
    block.with("cluster", of("name")).with("project", of("project")).with("location", of("location"))
}

/// A pool that GKE scales starts with its fewest nodes; from then on their number is GKE's and not Terraform's.
fn sized(block: Block, size: PoolSize) -> Block {
    match size {
        PoolSize::Fixed(nodes) => block.with("node_count", nodes),
        PoolSize::Scaled { min, .. } => block.with("initial_node_count", min),
    }
}

fn autoscaling(pool: &NodePool) -> Option<Block> {
    let PoolSize::Scaled { min, max } = pool.size else { return None };
    // Capacity that comes and goes is taken where there is some; the default spreads nodes evenly.
    let policy = (pool.capacity != Capacity::OnDemand).then_some("ANY");
    let block = Block::new("autoscaling", &[]).with("min_node_count", min).with("max_node_count", max);
    Some(block.some("location_policy", policy))
}

fn placement(placement: &Placement) -> Option<Block> {
    let block = Block::new("placement_policy", &[]);
    match placement {
        Placement::None => None,
        Placement::Compact { topology } => Some(block.with("type", "COMPACT").with("tpu_topology", topology)),
        Placement::WorkloadPolicy(name) => {
            let policy = Expr::reference(format!("google_compute_resource_policy.{}.name", identifier(name)));
            // The provider asks for a type, and a workload policy has none.
            Some(block.with("type", "").with("policy_name", policy))
        }
    }
}

fn network_config(pool: &NodePool) -> Option<Block> {
    let further = pool.networks.iter().map(|further| {
        Block::new("additional_node_network_configs", &[])
            .with("network", &further.network)
            .with("subnetwork", &further.subnetwork)
    });
    let block = Block::new("network_config", &[])
        .some("accelerator_network_profile", pool.accelerator_network.then_some("auto"))
        .block(further);
    (pool.accelerator_network || !pool.networks.is_empty()).then_some(block)
}

fn queued(capacity: &Capacity) -> bool {
    matches!(capacity, Capacity::FlexStart { queued: true, .. })
}

fn node_config(pool: &NodePool) -> Block {
    let block = Block::new("node_config", &[])
        .with("machine_type", &pool.machine_type)
        .some("disk_type", pool.disk_type.as_ref())
        .some("disk_size_gb", pool.disk_size_gib);
    let block = match &pool.capacity {
        Capacity::OnDemand | Capacity::Reservation { .. } => block,
        Capacity::Spot => block.with("spot", true),
        Capacity::FlexStart { max_run_duration_s, .. } => block
            .with("flex_start", true)
            .some("max_run_duration", max_run_duration_s.map(|seconds| Expr::from(&format!("{seconds}s")))),
    };
    let taints = pool.taints.iter().map(|taint| {
        let block = Block::new("taint", &[]).with("key", &taint.key).with("value", &taint.value);
        block.with("effect", &upper_snake(&taint.effect))
    });
    block
        .some("service_account", pool.service_account.as_ref().map(email))
        .with("oauth_scopes", Expr::list(SCOPES))
        .some("labels", Some(Expr::texts(&pool.labels)))
        .block(pool.gpus.as_ref().map(guest_accelerator))
        .block(reservation(&pool.capacity))
        .block(taints)
        .block([Block::new("workload_metadata_config", &[]).with("mode", "GKE_METADATA")])
}

fn guest_accelerator(gpus: &GuestAccelerator) -> Block {
    let driver = Block::new("gpu_driver_installation_config", &[]).with("gpu_driver_version", &gpus.driver);
    Block::new("guest_accelerator", &[]).with("type", &gpus.kind).with("count", gpus.count).block([driver])
}

fn reservation(capacity: &Capacity) -> Option<Block> {
    let block = Block::new("reservation_affinity", &[]);
    match capacity {
        Capacity::OnDemand | Capacity::Spot => None,
        // Flex-start nodes may take no reservation, not even one that is open to all.
        Capacity::FlexStart { .. } => Some(block.with("consume_reservation_type", "NO_RESERVATION")),
        Capacity::Reservation { name, project, block: part } => {
            let shared = project.as_ref().map(|project| format!("projects/{project}/reservations/{name}"));
            let whole = shared.unwrap_or_else(|| name.clone());
            let value = part.as_ref().map_or_else(|| whole.clone(), |part| format!("{whole}/reservationBlocks/{part}"));
            Some(
                block
                    .with("consume_reservation_type", "SPECIFIC_RESERVATION")
                    .with("key", "compute.googleapis.com/reservation-name")
                    .with("values", Expr::list([&value])),
            )
        }
    }
}

/// Kubernetes says `NoSchedule`, Terraform `NO_SCHEDULE`.
fn upper_snake(camel: &str) -> String {
    let mut out = String::new();
    for c in camel.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_uppercase());
    }
    out
}

pub fn emit_policy(policy: &WorkloadPolicy, intent: &Intent, ctx: &Context) -> Manifest {
    let local = identifier(&policy.name);
    let workload = Block::new("workload_policy", &[])
        .with("type", "HIGH_THROUGHPUT")
        .with("accelerator_topology", &policy.topology);
    let block = Block::new("resource", &["google_compute_resource_policy", &local])
        .with("name", &policy.name)
        .with("project", &policy.project)
        .with("region", &policy.region)
        .block([workload]);
    terraform(intent, ctx, ("workloadpolicy", &policy.name), ("google_compute_resource_policy", &local), &[block])
}
