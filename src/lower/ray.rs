//! The Ray cluster of a workload: one head, and a group of workers for each place that it runs on.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::facts::kuberay;
use crate::lower::intent::pod::{Env, Meta, Mount, Pod, Port, Resources, Toleration, Volume};
use crate::lower::intent::ray::{Autoscaling, ClusterShape, HeadGroup, WorkerGroup};
use crate::lower::place::{GPU, Place, Size};
use crate::lower::pod::{self, Main};
use crate::lower::{dranet, unpooled};
use crate::resolve::stack::{Field, Pod as PodBlock, RuntimeEnv, Stack, Workload};

/// The head runs Ray's control plane, the dashboard and the job's driver, and no tasks: KubeRay's own samples give it
/// 2 to 8 CPUs; below 4 GiB it runs out of memory (kuberay.md 5 and 6).
const HEAD_CPU: &str = "4";
const HEAD_MEMORY: &str = "16Gi";

/// Ports of a head. Declaring any drops KubeRay's defaults, so all five stand here (kuberay.md 5).
const HEAD_PORTS: &[(&str, u16)] =
    &[("gcs-server", 6379), ("dashboard", 8265), ("client", 10001), ("serve", 8000), ("metrics", 8080)];

/// What a workload adds to the usual cluster.
pub struct Wants<'a> {
    /// The stack.
    pub stack: &'a Stack,
    /// The workload's shared attributes.
    pub workload: &'a Workload,
    /// The groups of workers.
    pub groups: Vec<Group<'a>>,
    /// Environment of the head that the compiler derives.
    pub head_env: Vec<Env>,
    /// Volumes of the head beyond the stack's mounts, with where they go.
    pub head_volumes: Vec<(Volume, String)>,
    /// Whether Services may enter the environment.
    pub service_links: bool,
    /// The serve port, where it is not Ray's.
    pub serve_port: Option<u16>,
    /// How Ray scales the groups, where it does.
    pub autoscaling: Option<Autoscaling>,
}

/// A group of workers of one kind.
pub struct Group<'a> {
    /// The group's name: on TPUs it becomes the slices' name in Ray, and a part of the hosts' names.
    pub name: String,
    /// What the stack adds to its pods.
    pub role: &'a PodBlock,
    /// Where its pods run.
    pub place: Place<'a>,
    /// Fewest and most slices or nodes; the same, unless Ray scales the group.
    pub replicas: (u32, u32),
    /// Environment that the compiler derives.
    pub env: Vec<Env>,
    /// Ports.
    pub ports: Vec<Port>,
    /// Ray resources beyond what Ray finds itself.
    pub resources: BTreeMap<String, String>,
}

/// Name and place of a workload's object.
pub fn meta(stack: &Stack, workload: &Workload, name: String) -> Meta {
    let with = |own: &BTreeMap<String, String>, all: &BTreeMap<String, String>| {
        let mut merged = all.clone();
        merged.extend(own.clone());
        merged
    };
    Meta {
        name,
        namespace: workload.namespace.as_ref().unwrap_or(&stack.settings.namespace).value.clone(),
        labels: with(&workload.labels, &stack.settings.labels),
        annotations: with(&workload.annotations, &stack.settings.annotations),
    }
}

/// Ray's runtime environment.
pub fn runtime_env(block: &RuntimeEnv) -> Map<String, Value> {
    let mut env = Map::new();
    if let Some(folder) = &block.working_dir {
        env.insert("working_dir".to_owned(), folder.value.clone().into());
    }
    if !block.pip.is_empty() {
        env.insert("pip".to_owned(), block.pip.clone().into());
    }
    if !block.env_vars.is_empty() {
        let vars = block.env_vars.iter().map(|(name, value)| (name.clone(), Value::from(value.clone())));
        env.insert("env_vars".to_owned(), Value::Object(vars.collect()));
    }
    env
}

/// The cluster.
pub fn cluster(wants: &Wants<'_>) -> ClusterShape {
    let ray_version = wants.stack.ray_version(wants.workload).map_or_else(String::new, |version| version.to_string());
    let head = HeadGroup { ray_start_params: head_params(wants), pod: head_pod(wants) };
    let groups = wants.groups.iter().map(|group| worker_group(wants, group)).collect();
    ClusterShape { ray_version, head, groups, autoscaling: wants.autoscaling.clone() }
}

fn worker_group(wants: &Wants<'_>, group: &Group<'_>) -> WorkerGroup {
    let (min, max) = group.replicas;
    let (ray_start_params, resources) = advertised(wants, group);
    WorkerGroup {
        name: group.name.clone(),
        replicas: max,
        min,
        max,
        num_of_hosts: group.place.hosts(),
        ray_start_params,
        resources,
        pod: worker_pod(wants, group),
    }
}

/// What Ray is told of a group beyond its pods: options of `ray start`, and resources.
///
/// Ray's second autoscaler finds TPUs in a pod, but not `accelerator_type`, which Ray Train and Ray Serve ask for: without
/// it, it starts no worker for them (ray.md 7A). KubeRay takes resources in one place only, and before 1.5 in the options.
fn advertised(wants: &Wants<'_>, group: &Group<'_>) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    const SIZES: &[&str] = &["num-cpus", "num-gpus", "memory", "resources"];
    let mut params = group.role.ray_start_params.clone();
    let mut resources = group.resources.clone();
    if let (Some(_), Some(kind)) = (&wants.autoscaling, group.place.ray_accelerator_type()) {
        resources.insert(format!("accelerator_type:{kind}"), "1".to_owned());
    }
    let version = wants.stack.kuberay_version(wants.workload);
    let row = version.and_then(|version| kuberay::row_for(&version.value).row());
    let taken = SIZES.iter().any(|size| params.contains_key(*size));
    if !resources.is_empty() && (taken || row.is_some_and(|row| !row.group_labels)) {
        let numbers = resources.iter().map(|(name, count)| format!("{}: {count}", Value::from(name.as_str())));
        // The quotes are part of the value: a shell reads it, and so does Ray's autoscaler (ray.md 7A2).
        let text = format!("'{{{}}}'", numbers.collect::<Vec<_>>().join(", "));
        params.entry("resources".to_owned()).or_insert(text);
        resources.clear();
    }
    (params, resources)
}

fn head_params(wants: &Wants<'_>) -> BTreeMap<String, String> {
    let mut params = BTreeMap::new();
    if !wants.groups.is_empty() && head_gpus(wants) == 0 {
        // No task may land on a head without chips of its own: work there would slow the control plane.
        params.insert("num-cpus".to_owned(), "0".to_owned());
    }
    params.extend(wants.workload.head_pod.ray_start_params.clone());
    params
}

fn head_gpus(wants: &Wants<'_>) -> u32 {
    wants.workload.head_pod.gpus.as_ref().map_or(0, |gpus| gpus.value)
}

fn head_pod(wants: &Wants<'_>) -> Pod {
    let role = &wants.workload.head_pod;
    let ports = HEAD_PORTS.iter().map(|(name, port)| {
        let port = if *name == "serve" { wants.serve_port.unwrap_or(*port) } else { *port };
        Port { name: (*name).to_owned(), port }
    });
    let gpus = Some((GPU, head_gpus(wants))).filter(|(_, count)| *count > 0);
    let usual = Size { cpu: Some(HEAD_CPU.to_owned()), memory: Some(HEAD_MEMORY.to_owned()) };
    let resources = resources(role, usual, gpus);
    let main = Main { name: "ray-head", ports: ports.collect(), resources, env: wants.head_env.clone() };
    let mut pod = Pod { service_links: wants.service_links, ..pod::pod(wants.stack, wants.workload, role, main) };
    if let Some(nodes) = role.nodes.as_ref().and_then(|addr| wants.stack.nodes(addr)) {
        let place = Place::Nodes(nodes);
        pod.node_selector.extend(place.node_selector());
        pod.tolerations.extend(place.tolerations());
        // Kubernetes lets only pods that ask for GPUs onto their nodes by itself.
        let guest = nodes.gpus().is_some() && gpus.is_none();
        pod.tolerations.extend(guest.then(|| Toleration {
            key: Some(GPU.to_owned()),
            value: None,
            effect: None,
            seconds: None,
        }));
    }
    pod.node_selector.extend(role.node_selector.clone());
    for (volume, path) in &wants.head_volumes {
        let mount = Mount { volume: volume.name.clone(), path: path.clone(), read_only: true, ..Mount::default() };
        pod.containers[0].mounts.push(mount);
        pod.volumes.push(volume.clone());
    }
    pod
}

fn worker_pod(wants: &Wants<'_>, group: &Group<'_>) -> Pod {
    let (role, place) = (group.role, group.place);
    let resources = resources(role, place.usual_size(), place.devices());
    let env = derived_env(group);
    let main = Main { name: "ray-worker", ports: group.ports.clone(), resources, env };
    let mut pod = Pod { service_links: wants.service_links, ..pod::pod(wants.stack, wants.workload, role, main) };
    pod.node_selector.extend(place.node_selector());
    pod.node_selector.extend(role.node_selector.clone());
    pod.tolerations.extend(place.tolerations());
    unpooled::lead(wants.stack, place, &mut pod);
    dranet::claim(place, &mut pod);
    pod
}

/// Environment that the compiler derives for a group's hosts and for its program.
fn derived_env(group: &Group<'_>) -> Vec<Env> {
    let mut env = group.place.host_env();
    env.extend(group.env.clone());
    env
}

/// What the reader of a plan should know of the cluster.
pub fn notes(wants: &Wants<'_>) -> Vec<String> {
    let of_head = pod::environment_note("head", &wants.head_env, wants.workload, &wants.workload.head_pod);
    let of_groups = wants.groups.iter().filter_map(|group| {
        pod::environment_note(&format!("group {}", group.name), &derived_env(group), wants.workload, group.role)
    });
    of_head.into_iter().chain(of_groups).collect()
}

fn resources(role: &PodBlock, usual: Size, devices: Option<(&str, u32)>) -> Resources {
    let written =
        |field: &Field<String>, usual: Option<String>| field.as_ref().map(|size| size.value.clone()).or(usual);
    let sizes = [("cpu", written(&role.cpu, usual.cpu)), ("memory", written(&role.memory, usual.memory))];
    let mut limits: BTreeMap<String, String> =
        sizes.into_iter().filter_map(|(name, size)| Some((name.to_owned(), size?))).collect();
    if let Some(size) = &role.ephemeral_storage {
        limits.insert("ephemeral-storage".to_owned(), size.value.clone());
    }
    limits.extend(role.resources.clone());
    if let Some((name, count)) = devices {
        limits.insert(name.to_owned(), count.to_string());
    }
    let mut requests = limits.clone();
    requests.extend(role.requests.clone());
    Resources { limits, requests, claims: Vec::new() }
}
