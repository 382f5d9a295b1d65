//! What all workload blocks share: image, environment, identity, mounts, and the pods of each role.

use std::collections::BTreeMap;

use crate::base::diag::Diag;
use crate::base::span::Span;
use crate::resolve::decode::{Decoder, is_dns_label};
use crate::resolve::spec::{AttrSpec, BlockSpec, Label, Times, optional, required};
use crate::resolve::stack::{Mount, MountSource, Pod, Workload};

/// Attributes of every workload block.
pub const ATTRS: &[AttrSpec] = &[
    optional("name", "string", "Name of the object; the block's by default."),
    required("image", "string", "Container image of every pod."),
    optional("image_pull_policy", "Always, IfNotPresent or Never", "When the image is pulled."),
    optional("namespace", "string", "Namespace; the stack's by default."),
    optional("ray_version", "version", "Ray of this workload, where it differs from the stack's."),
    optional("kuberay_version", "version", "KubeRay of this workload, where it differs from the stack's."),
    optional(
        "env",
        "map of strings",
        "Environment of every container. What the compiler derives is a default: these win.",
    ),
    optional("secret_env", "map of secret keys", "Environment from secrets: `{ HF_TOKEN = secret.hf.hf_api_token }`."),
    optional("service_account", "service_account", "Identity of the pods."),
    optional("labels", "map of strings", "Labels of the object."),
    optional("annotations", "map of strings", "Annotations of the object."),
];

/// Blocks of every workload block.
pub const MOUNT: BlockSpec = BlockSpec {
    name: "mount",
    label: Label::Name,
    times: Times::Any,
    doc: "Storage in every container of the workload: one of bucket, secret or empty_dir.",
    attrs: &[&[
        optional("bucket", "bucket", "A bucket, through GCS FUSE."),
        optional("secret", "secret", "A secret's keys as files."),
        optional("empty_dir", "object { medium, size }", "Scratch space; medium `memory` or `disk`."),
        optional("path", "string", "Where; `/NAME` by default."),
        optional("sub_path", "string", "Only this folder of it."),
        optional("read_only", "bool", "Not writable; false by default."),
        optional("options", "list of strings", "GCS FUSE mount options; `implicit-dirs` by default."),
        optional("cache", "off, memory or a quantity", "GCS FUSE file cache; off by default."),
    ]],
    blocks: &[],
    open: false,
};

/// Attributes of the pods of a role.
pub const POD_ATTRS: &[AttrSpec] = &[
    optional("cpu", "quantity", "CPU limit; the request equals it unless `requests` says less."),
    optional("memory", "quantity", "Memory limit; the request equals it unless `requests` says less."),
    optional("ephemeral_storage", "quantity", "Ephemeral storage limit."),
    optional("requests", "map of quantities", "Requests below the limits: `{ cpu = 8 }`."),
    optional("resources", "map of quantities", "Further extended resources."),
    optional("env", "map of strings", "Environment of this role."),
    optional("secret_env", "map of secret keys", "Environment of this role, from secrets."),
    optional("labels", "map of strings", "Labels of the pods."),
    optional("annotations", "map of strings", "Annotations of the pods."),
    optional("node_selector", "map of strings", "Further node selectors."),
    optional("shm_size", "quantity", "Size of `/dev/shm`."),
    optional("ray_start_params", "map of strings", "Parameters of `ray start`."),
    optional("termination_grace_period", "duration", "Time between SIGTERM and SIGKILL."),
];

/// The `head` block.
pub const HEAD: BlockSpec = BlockSpec {
    name: "head",
    label: Label::None,
    times: Times::Once,
    doc: "The Ray head pod: adds to the workload's own.",
    attrs: &[POD_ATTRS],
    blocks: &[&MOUNT],
    open: false,
};

/// The `worker` block.
pub const WORKER: BlockSpec = BlockSpec {
    name: "worker",
    label: Label::None,
    times: Times::Once,
    doc: "The accelerator pods: adds to the workload's own.",
    attrs: &[POD_ATTRS],
    blocks: &[&MOUNT],
    open: false,
};

/// Reads what all workloads share.
pub fn decode(block: &Decoder<'_>) -> Workload {
    let role = |name: &str| block.block(name).map(|inner| pod(&inner)).unwrap_or_default();
    let mounts: Vec<Mount> = block.blocks("mount").iter().map(mount).collect();
    let (head_pod, worker_pod) = (role("head"), role("worker"));
    for own in [&head_pod.mounts, &worker_pod.mounts] {
        check_mounts(block, &mounts, own);
    }
    let namespace = block.dns_label("namespace");
    let service_account = block.reference("service_account", "service_account");
    if let (Some(namespace), Some(account)) = (&namespace, &service_account)
        && namespace.value != block.stack_namespace()
    {
        block.report(
            Diag::error("reference", "A service account of another namespace")
                .at(account.span, format!("{} is in the stack's namespace", account.value))
                .also(namespace.span, "the pods are not")
                .detail("A pod's service account is one of its own namespace.")
                .help("Leave `namespace` to the stack, or put the workload into a stack of its own."),
        );
    }
    Workload {
        image: block.word("image"),
        image_pull_policy: block
            .choice("image_pull_policy", &["Always", "IfNotPresent", "Never"].map(|word| (word, word.to_owned()))),
        namespace,
        ray_version: block.version("ray_version"),
        kuberay_version: block.version("kuberay_version"),
        env: block.environment("env"),
        secret_env: block.secret_map("secret_env"),
        service_account,
        labels: block.labels("labels"),
        annotations: block.annotations("annotations"),
        mounts,
        head_pod,
        worker_pod,
    }
}

/// Reads the `worker` block of a group of workers, which stands beside the workload's own mounts.
pub fn worker(group: &Decoder<'_>, block: &Decoder<'_>, mounts: &[Mount]) -> Pod {
    let pod = pod(block);
    check_mounts(group, mounts, &pod.mounts);
    pod
}

fn pod(block: &Decoder<'_>) -> Pod {
    Pod {
        cpu: block.quantity("cpu"),
        memory: block.quantity("memory"),
        ephemeral_storage: block.quantity("ephemeral_storage"),
        requests: block.quantities("requests"),
        resources: block.quantities("resources"),
        env: block.environment("env"),
        secret_env: block.secret_map("secret_env"),
        labels: block.labels("labels"),
        annotations: block.annotations("annotations"),
        node_selector: block.labels("node_selector"),
        shm_size: block.quantity("shm_size"),
        ray_start_params: block.options("ray_start_params"),
        termination_grace_period: block.duration("termination_grace_period"),
        mounts: block.blocks("mount").iter().map(mount).collect(),
    }
}

/// Names that the compiler gives to volumes of its own.
const TAKEN: &[&str] = &["driver", "dshm", "gke-gcsfuse-cache"];

/// Two mounts of one pod at one path: Kubernetes refuses the pod. A role's own mount takes the place of the workload's of
/// its name.
fn check_mounts(block: &Decoder<'_>, all: &[Mount], own: &[Mount]) {
    let kept = all.iter().filter(|mount| !own.iter().any(|other| other.name.value == mount.name.value));
    let mut paths: BTreeMap<&str, Span> = BTreeMap::new();
    for mount in kept.chain(own) {
        if let Some(first) = paths.insert(mount.path.value.trim_end_matches('/'), mount.name.span) {
            block.report(
                Diag::error("type", "Two mounts have one path")
                    .at(mount.name.span, format!("at {} too", mount.path.value))
                    .also(first, "the first"),
            );
        }
    }
}

fn mount(block: &Decoder<'_>) -> Mount {
    let name = block.label().unwrap_or_else(|| block.default(String::new()));
    let volume = name.value.replace('_', "-");
    if !is_dns_label(&volume) || TAKEN.contains(&volume.as_str()) {
        block.report(
            Diag::error("illegal-name", "A mount's name becomes the name of a volume")
                .at(
                    name.span,
                    if TAKEN.contains(&volume.as_str()) {
                        "taken by a volume of the compiler"
                    } else {
                        "not a legal name"
                    },
                )
                .help("Take lower-case letters, digits and `-`; the path may be anything."),
        );
    }
    block.exactly_one_of(&["bucket", "secret", "empty_dir"]);
    let bucket = block.reference("bucket", "bucket").map(|bucket| MountSource::Bucket(bucket.value));
    let secret = block.reference("secret", "secret").map(|secret| MountSource::Secret(secret.value));
    let empty_dir = block.json("empty_dir").map(|object| MountSource::EmptyDir {
        memory: object.get("medium").and_then(|medium| medium.as_str()).is_some_and(|medium| medium == "memory"),
        size: object.get("size").and_then(|size| size.as_str()).map(str::to_owned),
    });
    let path = block.absolute_path("path").unwrap_or_else(|| name.clone().map(|name| format!("/{name}")));
    Mount {
        source: bucket.or(secret).or(empty_dir),
        path,
        sub_path: block.sub_path("sub_path"),
        read_only: block.flag("read_only", false),
        options: block.strings("options").into_iter().map(|option| option.value).collect(),
        cache: block.quantity("cache").filter(|cache| cache.value != "off"),
        name,
    }
}
