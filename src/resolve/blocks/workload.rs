//! What all workload blocks share: image, environment, identity, mounts, and the pods of each role.

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::resolve::blocks::patch::POD_PATCH;
use crate::resolve::blocks::{container, mount};
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{AttrSpec, BlockSpec, Label, Open, Times, optional, required};
use crate::resolve::stack::{Mount, Pod, Toleration, Workload, pod_mounts};
use crate::resolve::text;

pub use crate::resolve::blocks::container::{CONTAINER, INIT_CONTAINER};
pub use crate::resolve::blocks::mount::MOUNT;

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
        "Environment of every pod's main container. What the compiler derives is a default: these win.",
    ),
    optional("secret_env", "map of secret keys", "Environment from secrets: `{ HF_TOKEN = secret.hf.hf_api_token }`."),
    optional("field_env", "map of strings", "Environment from fields of the pod: `{ NODE_IP = \"status.hostIP\" }`."),
    optional("env_from", "list of secret or config_files", "Every key as environment: `[secret.hf]`."),
    optional("priority_class", "string", "PriorityClass of every pod."),
    optional("service_account", "service_account", "Identity of the pods."),
    optional("labels", "map of strings", "Labels of the object."),
    optional("annotations", "map of strings", "Annotations of the object."),
];

/// Attributes of the pods of a role.
pub const POD_ATTRS: &[AttrSpec] = &[
    optional("cpu", "quantity", "CPU limit; the request equals it unless `requests` says less."),
    optional("memory", "quantity", "Memory limit; the request equals it unless `requests` says less."),
    optional("ephemeral_storage", "quantity", "Ephemeral storage limit."),
    optional("requests", "map of quantities", "Requests below the limits: `{ cpu = 8 }`."),
    optional("resources", "map of quantities", "Further extended resources."),
    optional("env", "map of strings", "Environment of this role."),
    optional("secret_env", "map of secret keys", "Environment of this role, from secrets."),
    optional("field_env", "map of strings", "Environment of this role, from fields of the pod."),
    optional("env_from", "list of secret or config_files", "Every key as environment of this role."),
    optional("labels", "map of strings", "Labels of the pods."),
    optional("annotations", "map of strings", "Annotations of the pods."),
    optional("node_selector", "map of strings", "Further node selectors."),
    optional(
        "tolerations",
        "list of objects { key, operator, value, effect, toleration_seconds }",
        "Taints that the pods bear; effect `no_schedule`, `prefer_no_schedule` or `no_execute`.",
    ),
    optional("privileged", "bool", "The main container gets every device of the node; false by default."),
    optional("host_network", "bool", "The node's network instead of the pod's own; false by default."),
    optional("shm_size", "quantity", "Size of `/dev/shm`."),
    optional("ray_start_params", "map of strings", "Parameters of `ray start`."),
    optional("termination_grace_period", "duration", "Time between SIGTERM and SIGKILL."),
];

const HEAD_ATTRS: &[AttrSpec] = &[
    optional("nodes", "nodes", "The nodes that it runs on; wherever it fits by default."),
    optional("gpus", "number", "GPUs of the head, which then takes work; none by default."),
];

/// The `head` block.
pub const HEAD: BlockSpec = BlockSpec {
    name: "head",
    label: Label::None,
    times: Times::Once,
    doc: "The Ray head pod: adds to the workload's own.",
    attrs: &[POD_ATTRS, HEAD_ATTRS],
    blocks: &[&CONTAINER, &INIT_CONTAINER, &MOUNT, &POD_PATCH],
    open: Open::No,
};

/// The `worker` block.
pub const WORKER: BlockSpec = BlockSpec {
    name: "worker",
    label: Label::None,
    times: Times::Once,
    doc: "The accelerator pods: adds to the workload's own.",
    attrs: &[POD_ATTRS],
    blocks: &[&CONTAINER, &INIT_CONTAINER, &MOUNT, &POD_PATCH],
    open: Open::No,
};

/// Reads what all workloads share.
pub fn decode(block: &Decoder<'_>) -> Workload {
    let mounts = mount::decode(block);
    let (init_containers, sidecars) = container::decode(block, &mounts);
    let known = pod_mounts(&mounts, init_containers.iter().chain(&sidecars));
    let role = |name: &str| block.block(name).map(|inner| pod(&inner, &known)).unwrap_or_default();
    let (head_pod, worker_pod) = (role("head"), role("worker"));
    mount::check_roles(block, &mounts, [&head_pod.mounts, &worker_pod.mounts]);
    let namespace = block.dns_label("namespace");
    let service_account = block.reference("service_account", "service_account");
    if let (Some(namespace), Some(account)) = (&namespace, &service_account) {
        check_namespace(block, namespace, account);
    }
    Workload {
        image: block.word("image"),
        image_pull_policy: container::pull_policy(block),
        namespace,
        ray_version: block.version("ray_version"),
        kuberay_version: block.version("kuberay_version"),
        env: container::environment(block),
        service_account,
        labels: block.labels("labels"),
        annotations: block.annotations("annotations"),
        priority_class: block.dns_subdomain("priority_class"),
        mounts,
        init_containers,
        sidecars,
        head_pod,
        worker_pod,
    }
}

fn check_namespace(block: &Decoder<'_>, namespace: &Spanned<String>, account: &Spanned<Addr>) {
    if namespace.value != block.stack_namespace() {
        block.report(
            Diag::error("reference", "A service account of another namespace")
                .at(account.span, format!("{} is in the stack's namespace", account.value))
                .also(namespace.span, "the pods are not")
                .detail("A pod's service account is one of its own namespace.")
                .help("Leave `namespace` to the stack, or put the workload into a stack of its own."),
        );
    }
}

/// Reads the `worker` block of a group of workers, which stands beside the workload's own mounts.
pub fn worker(group: &Decoder<'_>, block: &Decoder<'_>, workload: &Workload) -> Pod {
    let pod = pod(block, &workload.pod_mounts());
    mount::check_roles(group, &workload.mounts, [&pod.mounts, &[]]);
    pod
}

/// Reads a role; `known` are the workload's mounts, those of its containers included.
fn pod(block: &Decoder<'_>, known: &[Mount]) -> Pod {
    let mounts = mount::decode(block);
    let kept = known.iter().filter(|mount| !mounts.iter().any(|own| own.name.value == mount.name.value));
    let visible: Vec<Mount> = kept.chain(&mounts).cloned().collect();
    let (init_containers, sidecars) = container::decode(block, &visible);
    Pod {
        cpu: block.quantity("cpu"),
        memory: block.quantity("memory"),
        ephemeral_storage: block.quantity("ephemeral_storage"),
        requests: block.quantities("requests"),
        resources: block.quantities("resources"),
        env: container::environment(block),
        labels: block.labels("labels"),
        annotations: block.annotations("annotations"),
        node_selector: block.labels("node_selector"),
        tolerations: tolerations(block),
        privileged: block.flag("privileged", false),
        host_network: block.flag("host_network", false),
        shm_size: block.quantity("shm_size"),
        ray_start_params: block.options("ray_start_params"),
        nodes: block.reference("nodes", "nodes"),
        gpus: block.integer("gpus"),
        termination_grace_period: block.duration("termination_grace_period"),
        mounts,
        init_containers,
        sidecars,
    }
}

fn tolerations(block: &Decoder<'_>) -> Vec<Toleration> {
    const KEYS: &[&str] = &["key", "operator", "value", "effect", "toleration_seconds"];
    block.objects("tolerations", KEYS, |object| {
        let key = object.text("key", "the key of a taint, such as google.com/tpu", text::is_key);
        let value = object.text("value", "the value of a taint", text::is_label_value);
        let exists = object.choice("operator", &[("exists", true), ("equal", false)]);
        let effect = object.choice(
            "effect",
            &[("no_schedule", "NoSchedule"), ("prefer_no_schedule", "PreferNoSchedule"), ("no_execute", "NoExecute")],
        );
        let seconds = object.number("toleration_seconds");
        // What the API server refuses of a toleration (Kubernetes, validation of core/v1).
        if exists == Some(true) && value.is_some() {
            object.wrong("value", "nothing where the operator is \"exists\"");
        }
        if key.is_none() && (exists == Some(false) || value.is_some()) {
            object.wrong("key", "the taint's key, since there is a value to compare");
        }
        if seconds.is_some() && effect != Some("NoExecute") {
            object.wrong("toleration_seconds", "a value only with the effect \"no_execute\"");
        }
        Toleration {
            // Equal to nothing is a taint without a value.
            value: value.or_else(|| (exists == Some(false)).then(String::new)),
            key,
            effect: effect.map(str::to_owned),
            seconds,
        }
    })
}
