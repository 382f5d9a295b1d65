//! DRANET: pods claim network devices of their node through a template, which must stand in their namespace.

use std::collections::BTreeSet;

use crate::base::addr::Addr;
use crate::facts::gke;
use crate::lower::intent::pod::{ClaimTemplate, Meta, Pod, ResourceClaim};
use crate::lower::intent::ray::ClusterShape;
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::{Dranet, Slice, Stack};

/// What the pod and its containers call the claim.
const CLAIM: &str = "netdev";

/// The template's name. Its spec cannot be changed, so that the name says what stands in it.
fn template_name(slice: &Slice, wanted: Dranet) -> String {
    let name = &slice.head.name.value;
    match wanted {
        Dranet::All => format!("{name}-netdev-all"),
        Dranet::Count(count) => format!("{name}-netdev-{count}"),
    }
}

/// Lets a pod on the slice claim what the slice says.
pub fn claim(slice: &Slice, pod: &mut Pod) {
    let Some(wanted) = &slice.dranet else { return };
    let template = template_name(slice, wanted.value);
    pod.resource_claims.push(ResourceClaim { name: CLAIM.to_owned(), template });
    // The first container is the one that has the chips.
    if let Some(main) = pod.containers.first_mut() {
        main.resources.claims.push(CLAIM.to_owned());
    }
}

/// The templates that the pods of these intents name, one a namespace.
pub fn templates(stack: &Stack, intents: &[Intent]) -> Vec<Intent> {
    let claimed: BTreeSet<(&str, &str)> = intents.iter().flat_map(claims).collect();
    let mut found = Vec::new();
    for slice in stack.slices() {
        let Some(wanted) = &slice.dranet else { continue };
        let name = template_name(slice, wanted.value);
        for (namespace, _) in claimed.iter().filter(|(_, template)| *template == name) {
            found.push(template(stack, &slice.head.addr, &name, namespace, wanted.value));
        }
    }
    found
}

/// Namespace and template of every claim of an intent's pods.
fn claims(intent: &Intent) -> Vec<(&str, &str)> {
    let (meta, cluster): (&Meta, &ClusterShape) = match &intent.object {
        Object::RayCluster(cluster) => (&cluster.meta, &cluster.cluster),
        Object::RayJob(job) => (&job.meta, &job.cluster),
        Object::RayService(service) => (&service.meta, &service.cluster),
        _ => return Vec::new(),
    };
    let pods = cluster.groups.iter().map(|group| &group.pod);
    let claims = pods.flat_map(|pod| &pod.resource_claims);
    claims.map(|claim| (meta.namespace.as_str(), claim.template.as_str())).collect()
}

fn template(stack: &Stack, addr: &Addr, name: &str, namespace: &str, wanted: Dranet) -> Intent {
    let meta = Meta {
        name: name.to_owned(),
        namespace: namespace.to_owned(),
        labels: stack.settings.labels.clone(),
        annotations: stack.settings.annotations.clone(),
    };
    let count = match wanted {
        Dranet::All => None,
        Dranet::Count(count) => Some(count),
    };
    let device_class = gke::dranet::DEVICE_CLASS.to_owned();
    Intent::new(addr.clone(), Object::ClaimTemplate(ClaimTemplate { meta, device_class, count }))
}
