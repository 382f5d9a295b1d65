//! A Ray cluster for interactive use: it stays until it is taken away.

use std::collections::BTreeMap;

use crate::lower::intent::pod::{Env, Port};
use crate::lower::intent::ray::{Autoscaling, RayCluster as Cluster};
use crate::lower::intent::{Intent, Object};
use crate::lower::place::Place;
use crate::lower::ray::{Group, Wants, cluster, meta, notes};
use crate::resolve::stack::{ClusterUpgrade, RayCluster, RayGroup, Stack};

/// The cluster.
pub fn lower(stack: &Stack, ray: &RayCluster) -> Option<Intent> {
    let groups = ray.groups.iter().map(|written| group(stack, written)).collect::<Option<Vec<_>>>()?;
    let scales = ray.groups.iter().any(|group| group.autoscale.is_some());
    let wants = Wants {
        stack,
        workload: &ray.workload,
        groups,
        head_env: Vec::new(),
        head_volumes: Vec::new(),
        service_links: true,
        serve_port: None,
        autoscaling: scales
            .then(|| Autoscaling { idle_timeout_s: ray.idle_timeout.as_ref().map(|seconds| seconds.value) }),
    };
    let object = Cluster {
        meta: meta(stack, &ray.workload, ray.head.name.value.clone()),
        recreate_on_change: ray.upgrade.as_ref().is_some_and(|upgrade| upgrade.value == ClusterUpgrade::Recreate),
        cluster: cluster(&wants),
    };
    let mut intent = Intent::new(ray.head.addr.clone(), Object::RayCluster(object));
    intent.notes = notes(&wants);
    Some(intent)
}

fn group<'a>(stack: &'a Stack, written: &'a RayGroup) -> Option<Group<'a>> {
    if let Some(nodes) = written.nodes.as_ref().and_then(|addr| stack.nodes(&addr.value)) {
        return Some(Group {
            name: written.name.as_ref().unwrap_or(&nodes.head.name).value.clone(),
            role: &written.worker,
            place: Place::Nodes(nodes),
            replicas: (written.replicas.value, written.replicas.value),
            env: Vec::new(),
            ports: Vec::new(),
            resources: BTreeMap::new(),
        });
    }
    let slice = stack.slice(&written.slice.as_ref()?.value)?;
    let shape = slice.shape()?;
    let most = written.num_slices.value;
    Some(Group {
        name: written.name.as_ref().unwrap_or(&slice.head.name).value.clone(),
        role: &written.worker,
        place: Place::Slices { slice, shape },
        replicas: (written.autoscale.as_ref().map_or(most, |autoscale| autoscale.min.value), most),
        // Without `cpu`, a program that touches the CPU back end ends with "Unknown backend cpu" (gke.md C38).
        env: vec![Env::plain("JAX_PLATFORMS", "tpu,cpu")],
        ports: if shape.multi_host { vec![Port { name: "mxla".to_owned(), port: 8081 }] } else { Vec::new() },
        resources: BTreeMap::new(),
    })
}
