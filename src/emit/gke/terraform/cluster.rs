//! `google_container_cluster`: a cluster that the stack makes.

use crate::emit::Manifest;
use crate::emit::gke::terraform::SCOPES;
use crate::emit::hcl::{Block, Expr, identifier};
use crate::emit::object::terraform;
use crate::emit::target::Context;
use crate::lower::intent::Intent;
use crate::lower::intent::gke::{DefaultPool, GkeCluster};

pub fn emit(gke: &GkeCluster, intent: &Intent, ctx: &Context) -> Manifest {
    let local = identifier(&gke.resource);
    let block = Block::new("resource", &["google_container_cluster", &local])
        .with("name", &gke.name)
        .with("project", &gke.project)
        .with("location", &gke.location)
        .some("network", gke.network.as_ref())
        .some("subnetwork", gke.subnetwork.as_ref())
        .some("enable_multi_networking", gke.multi_networking.then_some(true))
        .some("min_master_version", gke.min_version.as_ref())
        .with("deletion_protection", gke.deletion_protection)
        .some("resource_labels", Some(Expr::texts(&gke.labels)));
    let block = if gke.autopilot { block.with("enable_autopilot", true) } else { standard(block, gke) };
    let block = block
        .block(gke.release_channel.as_ref().map(|channel| Block::new("release_channel", &[]).with("channel", channel)))
        .block(addons(gke))
        .block(gke.private_nodes.then(|| Block::new("private_cluster_config", &[]).with("enable_private_nodes", true)))
        .block(authorized_networks(gke))
        .block(maintenance(gke));
    terraform(intent, ctx, ("cluster", &gke.name), ("google_container_cluster", &local), &[block])
}

/// What Autopilot decides by itself.
fn standard(block: Block, gke: &GkeCluster) -> Block {
    let block = block.some("datapath_provider", gke.dataplane_v2.then_some("ADVANCED_DATAPATH"));
    let block = match &gke.default_pool {
        // GKE makes no cluster without nodes: one is made, and goes at once.
        DefaultPool::Remove => block.with("remove_default_node_pool", true).with("initial_node_count", 1_u32),
        DefaultPool::Keep { node_count, machine_type } => {
            let config = Block::new("node_config", &[])
                .some("machine_type", machine_type.as_ref())
                .with("oauth_scopes", Expr::list(SCOPES))
                .block([Block::new("workload_metadata_config", &[]).with("mode", "GKE_METADATA")]);
            block.with("initial_node_count", *node_count).block([config])
        }
    };
    let pool = format!("{}.svc.id.goog", gke.project);
    block.block(gke.workload_identity.then(|| Block::new("workload_identity_config", &[]).with("workload_pool", &pool)))
}

fn addons(gke: &GkeCluster) -> Option<Block> {
    let on = |name: &str| Block::new(name, &[]).with("enabled", true);
    let ray = gke.ray_addon.then(|| {
        on("ray_operator_config").block([on("ray_cluster_logging_config"), on("ray_cluster_monitoring_config")])
    });
    // Autopilot has the driver already.
    let fuse = gke.gcs_fuse && !gke.autopilot;
    let usual = fuse.then_some("gcs_fuse_csi_driver").filter(|fuse| !gke.addons.contains(*fuse));
    let further = gke.addons.iter().map(String::as_str).chain(usual).map(|name| on(&format!("{name}_config")));
    let blocks: Vec<Block> = ray.into_iter().chain(further).collect();
    (!blocks.is_empty()).then(|| Block::new("addons_config", &[]).block(blocks))
}

/// The provider takes exclusions only beside a window: this one is always open, as GKE's own is.
fn maintenance(gke: &GkeCluster) -> Option<Block> {
    let window = Block::new("recurring_window", &[])
        .with("start_time", "1970-01-01T00:00:00Z")
        .with("end_time", "1970-01-02T00:00:00Z")
        .with("recurrence", "FREQ=DAILY");
    let exclusions = gke.exclusions.iter().map(|exclusion| {
        Block::new("maintenance_exclusion", &[])
            .with("exclusion_name", &exclusion.name)
            .with("start_time", &exclusion.start_time)
            .with("end_time", &exclusion.end_time)
            .block([Block::new("exclusion_options", &[]).with("scope", &exclusion.scope)])
    });
    let block = Block::new("maintenance_policy", &[]).block([window]).block(exclusions);
    (!gke.exclusions.is_empty()).then_some(block)
}

fn authorized_networks(gke: &GkeCluster) -> Option<Block> {
    let blocks = gke.authorized_networks.iter().map(|cidr| Block::new("cidr_blocks", &[]).with("cidr_block", cidr));
    let config = Block::new("master_authorized_networks_config", &[]).block(blocks);
    (!gke.authorized_networks.is_empty()).then_some(config)
}
