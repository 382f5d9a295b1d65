//! `cluster`: a GKE cluster that the stack finds or creates.

use indexmap::IndexMap;
use serde_json::Value;

use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Times, optional, required};
use crate::resolve::stack::{AdditionalNetwork, Cluster, ClusterMode, RayOperator};
use crate::resolve::text::is_word;

/// The `cluster` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "cluster",
    label: Label::Name,
    times: Times::Any,
    doc: "A GKE cluster that the stack finds, or creates through Terraform with `manage = true`.",
    attrs: &[
        &[
            required("project", "string", "Google Cloud project that owns the cluster."),
            required("location", "string", "Region or zone of its control plane."),
            optional("name", "string", "Its name; the block's by default."),
            optional("mode", "standard or autopilot", "Who owns the nodes; standard by default."),
            optional("manage", "bool", "Whether the stack creates it; false by default."),
            optional("version", "string", "Minimum GKE version, such as `1.35`."),
            optional("release_channel", "rapid, regular, stable or extended", "GKE release channel."),
            optional(
                "ray_operator",
                "addon or self_managed",
                "Where KubeRay comes from; addon by default. The version is the stack's `kuberay_version`.",
            ),
            optional("network", "string", "VPC network, by name."),
            optional("subnetwork", "string", "Subnetwork, by name."),
            optional(
                "additional_networks",
                "map of objects",
                "Further VPCs for nodes with several networks: `{ NAME = { network, subnetwork } }`.",
            ),
            optional("private", "bool", "Nodes without public addresses; false by default."),
            optional("workload_identity", "bool", "Whether pods may act as Google service accounts; true by default."),
            optional("deletion_protection", "bool", "Whether Terraform must refuse to destroy it; true by default."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: false,
};

/// Reads a `cluster` block.
pub fn decode(block: &Decoder<'_>) -> Cluster {
    Cluster {
        head: block.head(),
        project: block.word("project"),
        location: block.word("location"),
        mode: block
            .choice("mode", &[("standard", ClusterMode::Standard), ("autopilot", ClusterMode::Autopilot)])
            .unwrap_or_else(|| block.default(ClusterMode::Standard)),
        manage: block.flag("manage", false),
        version: block.word("version"),
        release_channel: block.choice(
            "release_channel",
            &["rapid", "regular", "stable", "extended"].map(|word| (word, word.to_uppercase())),
        ),
        ray_operator: block
            .choice("ray_operator", &[("addon", RayOperator::Addon), ("self_managed", RayOperator::SelfManaged)])
            .unwrap_or_else(|| block.default(RayOperator::Addon)),
        network: block.word("network"),
        subnetwork: block.word("subnetwork"),
        additional_networks: additional_networks(block),
        private: block.flag("private", false),
        workload_identity: block.flag("workload_identity", true),
        deletion_protection: block.flag("deletion_protection", true),
    }
}

fn additional_networks(block: &Decoder<'_>) -> IndexMap<String, AdditionalNetwork> {
    const NAME: &str = "additional_networks";
    let read = |value: &Value| {
        let known = |key: &str| matches!(key, "network" | "subnetwork");
        let text = |item: &Value, key: &str| {
            item.get(key).and_then(Value::as_str).filter(|text| is_word(text)).map(str::to_owned)
        };
        let entries = value.as_object()?.iter().map(|(name, item)| {
            item.as_object().filter(|fields| fields.keys().all(|key| known(key)))?;
            let network = AdditionalNetwork { network: text(item, "network")?, subnetwork: text(item, "subnetwork")? };
            Some((name.clone(), network))
        });
        entries.collect::<Option<IndexMap<_, _>>>()
    };
    let Some(value) = block.json(NAME) else { return IndexMap::new() };
    let networks = value.map(|value| read(&value));
    let wanted = "networks by name: { NAME = { network = \"VPC\", subnetwork = \"SUBNETWORK\" } }";
    block.check(NAME, Some(networks), Option::is_some, wanted).and_then(|networks| networks.value).unwrap_or_default()
}
