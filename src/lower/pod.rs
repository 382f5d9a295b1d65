//! What the pods of a workload have in common: identity, mounts, init containers and sidecars.

use std::collections::BTreeMap;

use crate::base::span::Spanned;
use crate::lower::config_files;
use crate::lower::environment;
use crate::lower::intent::pod::{
    Container, Env, Mount, Pod, Port, Resources, Security, Toleration, Volume, VolumeSource,
};
use crate::lower::volume;
use crate::resolve::stack::{
    Block, Container as ContainerBlock, Environment, Field, Mount as MountBlock, MountSource, Pod as PodBlock, Stack,
    Workload,
};

/// What the compiler decides of a pod's main container.
pub struct Main {
    /// Its name.
    pub name: &'static str,
    /// Its ports.
    pub ports: Vec<Port>,
    /// What it may use and what it gets.
    pub resources: Resources,
    /// Environment that the stack may replace.
    pub env: Vec<Env>,
}

/// A pod of a role, without the labels of its nodes; its main container comes first.
pub fn pod(stack: &Stack, workload: &Workload, role: &PodBlock, main: Main) -> Pod {
    let mut volumes = Vec::new();
    let mut mounts: Vec<Mount> =
        by_name(&workload.mounts, &role.mounts).filter_map(|block| mount(stack, block, &mut volumes)).collect();
    if let Some(size) = &role.shm_size {
        let source = VolumeSource::EmptyDir { memory: true, size_limit: Some(size.value.clone()) };
        volumes.push(Volume { name: "dshm".to_owned(), source });
        mounts.push(Mount { volume: "dshm".to_owned(), path: "/dev/shm".to_owned(), ..Mount::default() });
    }
    let container = Container {
        name: main.name.to_owned(),
        image: text(workload.image.as_ref()).unwrap_or_default(),
        image_pull_policy: text(workload.image_pull_policy.as_ref()),
        env: environment::variables(stack, main.env, &workload.env, &role.env),
        env_from: environment::sources(stack, &workload.env, &role.env),
        ports: main.ports,
        resources: main.resources,
        mounts,
        security: Security { privileged: role.privileged, ..Security::default() },
        ..Container::default()
    };
    let mut containers = vec![container];
    let mut beside = |all, own| -> Vec<Container> {
        let blocks = containers_by_name(all, own);
        blocks.map(|block| self::container(stack, workload, block, &mut volumes)).collect()
    };
    let init_containers = beside(&workload.init_containers, &role.init_containers);
    containers.extend(beside(&workload.sidecars, &role.sidecars));
    let account = workload.service_account.as_ref().and_then(|addr| stack.blocks.get(&addr.value));
    Pod {
        labels: role.labels.clone(),
        annotations: annotations(role, &volumes),
        init_containers,
        containers,
        volumes,
        // Only nodes with the metadata server give pods their own identity.
        node_selector: account
            .map(|_| ("iam.gke.io/gke-metadata-server-enabled".to_owned(), "true".to_owned()))
            .into_iter()
            .collect(),
        tolerations: role.tolerations.iter().map(toleration).collect(),
        service_account: account.map(|block| block.head().name.value.clone()),
        priority_class: text(workload.priority_class.as_ref()),
        host_network: role.host_network,
        service_links: true,
        termination_grace_period_s: role.termination_grace_period.as_ref().map(|seconds| seconds.value),
        ..Pod::default()
    }
}

/// What a reader should know of the variables that a stack takes from the compiler.
pub fn environment_note(role: &str, derived: &[Env], workload: &Workload, own: &PodBlock) -> Option<String> {
    let names: Vec<&str> = environment::overridden(derived, &workload.env, &own.env).collect();
    (!names.is_empty())
        .then(|| format!("The stack's own {} wins over what the compiler derives for the {role}.", names.join(", ")))
}

fn text(field: Option<&Spanned<String>>) -> Option<String> {
    field.map(|field| field.value.clone())
}

fn toleration(block: &crate::resolve::stack::Toleration) -> Toleration {
    Toleration {
        key: block.key.clone(),
        value: block.value.clone(),
        effect: block.effect.clone(),
        seconds: block.seconds,
    }
}

fn annotations(role: &PodBlock, volumes: &[Volume]) -> BTreeMap<String, String> {
    let mut annotations = role.annotations.clone();
    if volumes.iter().any(|volume| matches!(volume.source, VolumeSource::GcsFuse { .. })) {
        // The driver adds its sidecar to pods with the first; the limits of "0" let the sidecar use what the node has.
        for (key, value) in
            [("volumes", "true"), ("cpu-limit", "0"), ("memory-limit", "0"), ("ephemeral-storage-limit", "0")]
        {
            annotations.entry(format!("gke-gcsfuse/{key}")).or_insert_with(|| value.to_owned());
        }
    }
    annotations
}

fn container(stack: &Stack, workload: &Workload, block: &ContainerBlock, volumes: &mut Vec<Volume>) -> Container {
    let none = Environment::default();
    Container {
        name: block.name.value.clone(),
        image: text(block.image.as_ref()).or_else(|| text(workload.image.as_ref())).unwrap_or_default(),
        image_pull_policy: text(block.image_pull_policy.as_ref()),
        command: block.command.clone(),
        args: block.args.clone(),
        working_dir: text(block.working_dir.as_ref()),
        env: environment::variables(stack, Vec::new(), &none, &block.env),
        env_from: environment::sources(stack, &none, &block.env),
        ports: block.ports.iter().map(|(name, port)| Port { name: name.clone(), port: *port }).collect(),
        resources: limits(
            [("cpu", &block.cpu), ("memory", &block.memory), ("ephemeral-storage", &block.ephemeral_storage)],
            &block.resources,
            &block.requests,
        ),
        mounts: block.mounts.iter().filter_map(|block| mount(stack, block, volumes)).collect(),
        security: Security {
            privileged: block.privileged,
            run_as_user: block.run_as_user.as_ref().map(|user| user.value),
            ..Security::default()
        },
        keep_running: block.keep_running,
    }
}

/// Limits, and requests that equal them unless they say otherwise.
fn limits(
    named: [(&str, &Field<String>); 3],
    further: &BTreeMap<String, String>,
    requests: &BTreeMap<String, String>,
) -> Resources {
    let named = named.into_iter().filter_map(|(name, field)| Some((name.to_owned(), text(field.as_ref())?)));
    let mut limits: BTreeMap<String, String> = named.collect();
    limits.extend(further.clone());
    let mut all = limits.clone();
    all.extend(requests.clone());
    Resources { limits, requests: all, claims: Vec::new() }
}

/// The workload's mounts and the role's own, which win by name.
fn by_name<'a>(all: &'a [MountBlock], own: &'a [MountBlock]) -> impl Iterator<Item = &'a MountBlock> {
    let kept = all.iter().filter(|mount| !own.iter().any(|other| other.name.value == mount.name.value));
    kept.chain(own)
}

/// The workload's containers and the role's own, which win by name.
fn containers_by_name<'a>(
    all: &'a [ContainerBlock],
    own: &'a [ContainerBlock],
) -> impl Iterator<Item = &'a ContainerBlock> {
    let kept = all.iter().filter(|block| !own.iter().any(|other| other.name.value == block.name.value));
    kept.chain(own)
}

/// The mount in its container; the volume behind it is added to the pod's.
fn mount(stack: &Stack, block: &MountBlock, volumes: &mut Vec<Volume>) -> Option<Mount> {
    let name = block.name.value.replace('_', "-");
    if !block.is_shared() {
        let source = volume_source(stack, block, volumes)?;
        volumes.push(Volume { name: name.clone(), source });
    }
    Some(Mount {
        volume: name,
        path: block.path.value.clone(),
        sub_path: text(block.sub_path.as_ref()),
        read_only: block.read_only,
    })
}

fn volume_source(stack: &Stack, block: &MountBlock, volumes: &mut Vec<Volume>) -> Option<VolumeSource> {
    let found = |addr| stack.blocks.get(addr);
    Some(match block.source.as_ref()? {
        MountSource::Shared => return None,
        MountSource::EmptyDir { memory, size } => VolumeSource::EmptyDir { memory: *memory, size_limit: size.clone() },
        MountSource::HostPath(path) => VolumeSource::HostPath(path.clone()),
        MountSource::Secret(addr) => {
            let Some(Block::Secret(secret)) = found(addr) else { return None };
            VolumeSource::Secret { name: secret.head.name.value.clone(), optional: secret.optional }
        }
        MountSource::Volume(addr) => {
            let Some(Block::Volume(volume)) = found(addr) else { return None };
            VolumeSource::Claim { name: volume::claim(volume), read_only: block.read_only }
        }
        MountSource::ConfigFiles(addr) => {
            let Some(Block::ConfigFiles(files)) = found(addr) else { return None };
            VolumeSource::ConfigMap(config_files::object_name(files))
        }
        MountSource::Bucket(addr) => gcs_fuse(block, found(addr)?.head().name.value.clone(), volumes),
    })
}

fn gcs_fuse(mount: &MountBlock, bucket: String, volumes: &mut Vec<Volume>) -> VolumeSource {
    let mut mount_options =
        if mount.options.is_empty() { vec!["implicit-dirs".to_owned()] } else { mount.options.clone() };
    if let Some(cache) = &mount.cache {
        // The sidecar finds its cache by this very name (kuberay.md 5).
        let memory = cache.value == "memory";
        let size_limit = (!memory).then(|| cache.value.clone());
        let name = "gke-gcsfuse-cache".to_owned();
        if !volumes.iter().any(|volume| volume.name == name) {
            volumes.push(Volume { name, source: VolumeSource::EmptyDir { memory, size_limit } });
        }
        if !mount_options.iter().any(|option| option.starts_with("file-cache:max-size-mb")) {
            mount_options.push("file-cache:max-size-mb:-1".to_owned());
        }
    }
    VolumeSource::GcsFuse { bucket, mount_options, read_only: mount.read_only }
}
