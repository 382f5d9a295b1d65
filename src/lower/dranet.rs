//! DRANET: pods claim network devices of their node through a template, which must stand in their namespace.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::span::Spanned;
use crate::facts::gke;
use crate::lower::intent::pod::{ClaimTemplate, Meta, Pod, ResourceClaim};
use crate::lower::intent::ray::ClusterShape;
use crate::lower::intent::{Intent, Object};
use crate::lower::place::Place;
use crate::resolve::stack::{Dranet, Head, Nodes, Slice, Stack};

/// What the pod and its containers call the claim.
const CLAIM: &str = "netdev";

/// What a block says of DRANET: whose, what, and which devices.
struct Wish<'a> {
    head: &'a Head,
    wanted: Dranet,
    device_class: &'static str,
}

impl Wish<'_> {
    /// The template's name. Its spec cannot be changed, so that the name says what stands in it.
    fn template(&self) -> String {
        let name = &self.head.name.value;
        match self.wanted {
            Dranet::All => format!("{name}-netdev-all"),
            Dranet::Count(count) => format!("{name}-netdev-{count}"),
        }
    }
}

fn of_place(place: Place<'_>) -> Option<Wish<'_>> {
    match place {
        Place::Slices { slice, .. } => of_slice(slice),
        Place::Nodes(nodes) => of_nodes(nodes),
    }
}

fn of_slice(slice: &Slice) -> Option<Wish<'_>> {
    let wanted = slice.dranet.as_ref()?.value;
    Some(Wish { head: &slice.head, wanted, device_class: gke::dranet::DEVICE_CLASS })
}

fn of_nodes(nodes: &Nodes) -> Option<Wish<'_>> {
    let wanted = nodes.dranet.as_ref()?.value;
    Some(Wish { head: &nodes.head, wanted, device_class: gke::dranet::RDMA_DEVICE_CLASS })
}

/// Lets a pod claim what the block of its nodes says.
pub fn claim(place: Place<'_>, pod: &mut Pod) {
    let Some(wish) = of_place(place) else { return };
    pod.resource_claims.push(ResourceClaim { name: CLAIM.to_owned(), template: wish.template() });
    // The first container is the one that has the accelerators.
    if let Some(main) = pod.containers.first_mut() {
        main.resources.claims.push(CLAIM.to_owned());
    }
}

/// The labels of nodes, with the one by which the driver finds them.
pub fn labels(own: &BTreeMap<String, String>, dranet: Option<&Spanned<Dranet>>) -> BTreeMap<String, String> {
    let mut labels = own.clone();
    if dranet.is_some() {
        labels.insert(gke::dranet::NODE_LABEL.to_owned(), "true".to_owned());
    }
    labels
}

/// The templates that the pods of these intents name, one a namespace.
pub fn templates(stack: &Stack, intents: &[Intent]) -> Vec<Intent> {
    let claimed: BTreeSet<(&str, &str)> = intents.iter().flat_map(claims).collect();
    let mut found = Vec::new();
    let wishes = stack.slices().filter_map(of_slice).chain(stack.all_nodes().filter_map(of_nodes));
    for wish in wishes {
        let name = wish.template();
        for (namespace, _) in claimed.iter().filter(|(_, template)| *template == name) {
            found.push(template(stack, &wish, &name, namespace));
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

fn template(stack: &Stack, wish: &Wish<'_>, name: &str, namespace: &str) -> Intent {
    let meta = Meta {
        name: name.to_owned(),
        namespace: namespace.to_owned(),
        labels: stack.settings.labels.clone(),
        annotations: stack.settings.annotations.clone(),
    };
    let count = match wish.wanted {
        Dranet::All => None,
        Dranet::Count(count) => Some(count),
    };
    let device_class = wish.device_class.to_owned();
    Intent::new(wish.head.addr.clone(), Object::ClaimTemplate(ClaimTemplate { meta, device_class, count }))
}
