//! `container` and `init_container`: what runs in a pod beside its main container, or before it.

use std::collections::BTreeMap;

use crate::base::diag::Diag;
use crate::resolve::blocks::mount;
use crate::resolve::decode::{Decoder, is_dns_label};
use crate::resolve::spec::{AttrSpec, BlockSpec, Label, Open, Times, optional};
use crate::resolve::stack::{Container, Environment, Field, Mount};

/// Environment, of whatever runs.
pub const ENV_ATTRS: &[AttrSpec] = &[
    optional("env", "map of strings", "Environment; a `$(NAME)` stands for another variable."),
    optional("secret_env", "map of secret keys", "Environment from secrets: `{ HF_TOKEN = secret.hf.hf_api_token }`."),
    optional("field_env", "map of strings", "Environment from fields of the pod: `{ NODE_IP = \"status.hostIP\" }`."),
    optional("env_from", "list of secret or config_files", "Every key as environment: `[secret.hf]`."),
];

const ATTRS: &[AttrSpec] = &[
    optional("image", "string", "Its image; the workload's by default."),
    optional("image_pull_policy", "Always, IfNotPresent or Never", "When the image is pulled."),
    optional("command", "list of strings", "Program and arguments, instead of the image's entry point."),
    optional("args", "list of strings", "Arguments of the program."),
    optional("working_dir", "string", "Working directory."),
    optional("cpu", "quantity", "CPU limit; the request equals it unless `requests` says less."),
    optional("memory", "quantity", "Memory limit; the request equals it unless `requests` says less."),
    optional("ephemeral_storage", "quantity", "Ephemeral storage limit."),
    optional("requests", "map of quantities", "Requests below the limits: `{ cpu = 1 }`."),
    optional("resources", "map of quantities", "Further extended resources."),
    optional("ports", "map of numbers", "Ports by name: `{ metrics = 9100 }`."),
    optional("privileged", "bool", "Every device of the node; false by default."),
    optional("run_as_user", "number", "The user that it runs as; the image's by default."),
];

/// The `container` block.
pub const CONTAINER: BlockSpec = BlockSpec {
    name: "container",
    label: Label::Name,
    times: Times::Any,
    doc: "A sidecar: a container beside the main one.",
    attrs: &[ATTRS, ENV_ATTRS],
    blocks: &[&mount::CONTAINER_MOUNT],
    open: Open::No,
};

/// The `init_container` block.
pub const INIT_CONTAINER: BlockSpec = BlockSpec {
    name: "init_container",
    doc: "A container that ends before the main one starts; in the order of the file.",
    attrs: &[
        ATTRS,
        ENV_ATTRS,
        &[optional("keep_running", "bool", "Starts before the main one and stays beside it; false by default.")],
    ],
    ..CONTAINER
};

/// Names of containers that the compiler, KubeRay and GKE put into pods themselves.
const TAKEN: &[&str] = &[
    "autoscaler",
    "gke-gcsfuse-metadata-prefetch",
    "gke-gcsfuse-sidecar",
    "ray-head",
    "ray-job-submitter",
    "ray-worker",
    "wait-gcs-ready",
];

/// Reads the environment of a block.
pub fn environment(block: &Decoder<'_>) -> Environment {
    Environment {
        values: block.environment("env"),
        secrets: block.secret_map("secret_env"),
        fields: block.pod_fields("field_env"),
        from: block.references("env_from", &["secret", "config_files"]),
    }
}

/// Reads the init containers and the sidecars of a block whose pod has these mounts.
pub fn decode(block: &Decoder<'_>, mounts: &[Mount]) -> (Vec<Container>, Vec<Container>) {
    let mut mounts = mounts.to_vec();
    let mut read = |kind: &str| -> Vec<Container> {
        block.blocks(kind).iter().map(|container| one(container, &mut mounts)).collect()
    };
    let (init, sidecars) = (read("init_container"), read("container"));
    let mut known: BTreeMap<&str, &Container> = BTreeMap::new();
    for container in init.iter().chain(&sidecars) {
        if let Some(first) = known.insert(container.name.value.as_str(), container) {
            block.report(
                Diag::error("illegal-name", "Two containers have one name")
                    .at(container.name.span, "the second")
                    .also(first.name.span, "the first")
                    .help("Kubernetes wants a name of its own for each, init containers included."),
            );
        }
    }
    (init, sidecars)
}

fn one(block: &Decoder<'_>, mounts: &mut Vec<Mount>) -> Container {
    let name = block.label().unwrap_or_else(|| block.default(String::new()));
    let taken = TAKEN.contains(&name.value.as_str());
    if taken || !is_dns_label(&name) {
        block.report(
            Diag::error("illegal-name", "A container may not have this name")
                .at(name.span, if taken { "taken: pods of Ray have one of this name" } else { "not a legal name" })
                .help("Take lower-case letters, digits and `-`, at most 63."),
        );
    }
    let texts = |name: &str| block.strings(name).into_iter().map(|text| text.value).collect();
    Container {
        name,
        image: block.word("image"),
        image_pull_policy: pull_policy(block),
        command: texts("command"),
        args: texts("args"),
        working_dir: block.absolute_path("working_dir"),
        env: environment(block),
        cpu: block.quantity("cpu"),
        memory: block.quantity("memory"),
        ephemeral_storage: block.quantity("ephemeral_storage"),
        requests: block.quantities("requests"),
        resources: block.quantities("resources"),
        ports: block.named_ports("ports"),
        privileged: block.flag("privileged", false),
        run_as_user: block.integer("run_as_user"),
        keep_running: block.flag("keep_running", false),
        mounts: mount::decode_in_container(block, mounts),
    }
}

/// Reads `image_pull_policy`.
pub fn pull_policy(block: &Decoder<'_>) -> Field<String> {
    block.choice("image_pull_policy", &["Always", "IfNotPresent", "Never"].map(|word| (word, word.to_owned())))
}
