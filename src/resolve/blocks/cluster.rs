//! `cluster`: a GKE cluster that the stack finds or creates.

use std::net::IpAddr;

use indexmap::IndexMap;
use serde_json::Value;

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::base::suggest::{nearest, one_of};
use crate::facts::gke;
use crate::facts::version::Version;
use crate::resolve::blocks::patch::PATCH;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::{AdditionalNetwork, Cluster, ClusterMode, MaintenanceExclusion, RayOperator};
use crate::resolve::text::is_word;

const MAINTENANCE_EXCLUSION: BlockSpec = BlockSpec {
    name: "maintenance_exclusion",
    label: Label::Name,
    times: Times::Any,
    doc: "A time in which GKE upgrades nothing by itself.",
    attrs: &[&[
        required("start_time", "string", "When it begins: `2026-12-01T00:00:00Z`."),
        required("end_time", "string", "When it ends."),
        optional(
            "scope",
            "no_upgrades, no_minor_upgrades or no_minor_or_node_upgrades",
            "What does not happen; no_upgrades by default.",
        ),
    ]],
    blocks: &[],
    open: Open::No,
};

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
            optional(
                "authorized_networks",
                "list of strings",
                "Address blocks that may reach the control plane, such as `203.0.113.0/24`; none by default: all may.",
            ),
            optional(
                "addons",
                "list of strings",
                "Further add-ons of GKE; Ray and Cloud Storage FUSE come by themselves.",
            ),
            optional(
                "requires",
                "list of strings",
                "What must be installed: kueue, jobset, lws, cert_manager. Sliceform does not install it.",
            ),
            optional("backend", "terraform", "What creates it; terraform by default."),
            optional("private", "bool", "Nodes without public addresses; false by default."),
            optional("workload_identity", "bool", "Whether pods may act as Google service accounts; true by default."),
            optional("deletion_protection", "bool", "Whether Terraform must refuse to destroy it; true by default."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE, &PATCH, &MAINTENANCE_EXCLUSION],
    open: Open::No,
};

/// Reads a `cluster` block.
pub fn decode(block: &Decoder<'_>) -> Cluster {
    backend(block);
    Cluster {
        head: block.head(),
        project: block.word("project"),
        location: block.word("location"),
        mode: block
            .choice("mode", &[("standard", ClusterMode::Standard), ("autopilot", ClusterMode::Autopilot)])
            .unwrap_or_else(|| block.default(ClusterMode::Standard)),
        manage: block.flag("manage", false),
        version: block.check(
            "version",
            block.word("version"),
            |text| is_version(text),
            "a GKE version such as \"1.35\"",
        ),
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
        authorized_networks: authorized_networks(block),
        addons: known_words(block, "addons", &gke::ADDONS.iter().map(|addon| addon.name).collect::<Vec<_>>()),
        requires: known_words(block, "requires", &["kueue", "jobset", "lws", "cert_manager"]),
        maintenance_exclusions: exclusions(block),
        private: block.flag("private", false),
        workload_identity: block.flag("workload_identity", true),
        deletion_protection: block.flag("deletion_protection", true),
    }
}

/// Terraform is what this release writes.
fn backend(block: &Decoder<'_>) {
    let Some(written) = block.string("backend").filter(|backend| backend.value != "terraform") else { return };
    let planned = matches!(written.value.as_str(), "config_connector" | "gcloud");
    let label = if planned { "this release does not write it" } else { "not a back end" };
    block.report(
        Diag::error("type", "`backend` takes \"terraform\"")
            .at(written.span, label)
            .detail("Config Connector and gcloud are part of the stack language, but not of this release.")
            .help("Write \"terraform\", or leave it out."),
    );
}

/// The items of a list of words; one that is not known is told with the nearest.
fn known_words(block: &Decoder<'_>, name: &str, known: &[&str]) -> Vec<Spanned<String>> {
    let mut words = block.strings(name);
    words.retain(|word| {
        let fits = known.contains(&word.value.as_str());
        if !fits {
            let help = match nearest(word, known.iter().copied()) {
                Some(near) => format!("Did you mean {near:?}?"),
                None => format!("Write {}.", one_of(known)),
            };
            let diag = Diag::error("type", format!("`{name}` takes known names"));
            block.report(diag.at(word.span, format!("{:?} is none of them", word.value)).help(help));
        }
        fits
    });
    words
}

fn authorized_networks(block: &Decoder<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for text in block.strings("authorized_networks") {
        if is_address_block(&text) {
            found.push(text.value);
        } else {
            block.report(
                Diag::error("type", "`authorized_networks` takes blocks of addresses")
                    .at(text.span, format!("{:?} is none", text.value))
                    .help("Write address and length, such as \"203.0.113.0/24\" or \"198.51.100.7/32\"."),
            );
        }
    }
    found
}

fn is_address_block(text: &str) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    match (address.parse::<IpAddr>(), length.parse::<u8>()) {
        (Ok(IpAddr::V4(_)), Ok(length)) => length <= 32,
        (Ok(IpAddr::V6(_)), Ok(length)) => length <= 128,
        _ => false,
    }
}

fn exclusions(block: &Decoder<'_>) -> Vec<MaintenanceExclusion> {
    let scopes = ["no_upgrades", "no_minor_upgrades", "no_minor_or_node_upgrades"];
    let read = |inner: &Decoder<'_>| {
        let scope = inner.choice("scope", &scopes.map(|word| (word, word.to_uppercase())));
        let time = |name| {
            let wanted = "a time such as \"2026-12-01T00:00:00Z\"";
            inner.check(name, inner.word(name), |text| is_time(text), wanted).map(|time| time.value)
        };
        Some(MaintenanceExclusion {
            name: inner.label()?.value,
            start_time: time("start_time")?,
            end_time: time("end_time")?,
            scope: scope.map_or_else(|| "NO_UPGRADES".to_owned(), |scope| scope.value),
        })
    };
    block.blocks("maintenance_exclusion").iter().filter_map(read).collect()
}

/// A version, or GKE's words for its default and its newest one.
fn is_version(text: &str) -> bool {
    matches!(text, "-" | "latest") || text.parse::<Version>().is_ok()
}

/// RFC 3339 in UTC, which is what people write here: `2026-12-01T00:00:00Z`.
fn is_time(text: &str) -> bool {
    let form = "0000-00-00T00:00:00Z";
    text.len() == form.len()
        && text
            .bytes()
            .zip(form.bytes())
            .all(|(c, wanted)| if wanted == b'0' { c.is_ascii_digit() } else { c == wanted })
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
