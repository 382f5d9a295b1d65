//! A cluster that the stack creates.

use crate::lower::intent::gke::{ClusterRef, DefaultPool, Exclusion, GkeCluster};
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::{Block, Cluster, ClusterMode, Field, MountSource, RayOperator, Stack};

/// The machine of a managed cluster's first pool. It carries Ray heads (4 CPUs, 16 GiB each) and system pods, which TPU
/// nodes do not take: 16 vCPUs and 64 GB hold three heads.
const HEAD_MACHINE_TYPE: &str = "e2-standard-16";

/// The cluster's intent; a cluster that exists has none.
pub fn lower(stack: &Stack, cluster: &Cluster) -> Option<Intent> {
    if !cluster.manage {
        return None;
    }
    let text = |field: &Field<String>| field.as_ref().map(|field| field.value.clone());
    let autopilot = cluster.mode.value == ClusterMode::Autopilot;
    let object = GkeCluster {
        resource: cluster.head.label(),
        name: cluster.head.name.value.clone(),
        project: text(&cluster.project)?,
        location: text(&cluster.location)?,
        autopilot,
        release_channel: text(&cluster.release_channel),
        min_version: text(&cluster.version),
        network: text(&cluster.network),
        subnetwork: text(&cluster.subnetwork),
        multi_networking: !cluster.additional_networks.is_empty(),
        private_nodes: cluster.private,
        authorized_networks: cluster.authorized_networks.clone(),
        addons: cluster.addons.iter().map(|addon| addon.value.clone()).collect(),
        exclusions: exclusions(cluster),
        workload_identity: cluster.workload_identity,
        ray_addon: cluster.ray_operator.value == RayOperator::Addon,
        gcs_fuse: uses_gcs_fuse(stack),
        dataplane_v2: true,
        deletion_protection: cluster.deletion_protection,
        default_pool: DefaultPool::Keep { node_count: 1, machine_type: Some(HEAD_MACHINE_TYPE.to_owned()) },
        labels: stack.settings.labels.clone(),
    };
    let mut intent = Intent::new(cluster.head.addr.clone(), Object::GkeCluster(object));
    if !autopilot {
        intent.notes.push(format!(
            "Its first node pool stays, with one {HEAD_MACHINE_TYPE} (in a region: one a zone): Ray heads and system pods run there."
        ));
    }
    Some(intent)
}

fn uses_gcs_fuse(stack: &Stack) -> bool {
    let mut mounts = stack.blocks.values().flat_map(Block::mounts);
    mounts.any(|mount| matches!(mount.source, Some(MountSource::Bucket(_))))
}

fn exclusions(cluster: &Cluster) -> Vec<Exclusion> {
    let written = cluster.maintenance_exclusions.iter().cloned();
    let decided = written.map(|exclusion| Exclusion {
        name: exclusion.name,
        start_time: exclusion.start_time,
        end_time: exclusion.end_time,
        scope: exclusion.scope,
    });
    decided.collect()
}

/// How other objects refer to a cluster.
pub fn reference(cluster: &Cluster) -> Option<ClusterRef> {
    Some(ClusterRef {
        name: cluster.head.name.value.clone(),
        project: cluster.project.as_ref()?.value.clone(),
        location: cluster.location.as_ref()?.value.clone(),
        managed: cluster.manage.then(|| cluster.head.label()),
    })
}
