//! What a `nodes` block says.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::span::Spanned;
use crate::facts::machines::{Gpus, Machine};
use crate::resolve::stack::{Capacity, Dranet, Field, Head, Provision};

/// A taint of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeTaint {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: String,
    /// `NoSchedule`, `PreferNoSchedule` or `NoExecute`.
    pub effect: String,
}

/// How many nodes there are at least and at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRange {
    /// Fewest.
    pub min: u32,
    /// Most.
    pub max: u32,
}

/// A `nodes` block.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// Name and place.
    pub head: Head,
    /// The cluster that they are part of.
    pub cluster: Field<Addr>,
    /// Zone.
    pub zone: Field<String>,
    /// A zone was written, were it one that could not be read.
    pub zone_given: bool,
    /// Machine type as written.
    pub machine_type: Field<String>,
    /// What the tables know of it.
    pub machine: Option<Machine>,
    /// How many nodes there are; with `autoscale`, the most.
    pub node_count: Spanned<u32>,
    /// GKE scales them.
    pub autoscale: Field<NodeRange>,
    /// The capacity ladder, first choice first; empty: on demand. A rung's cap counts nodes.
    pub capacity: Vec<Capacity>,
    /// `default`, `latest` or `disabled`: which driver GKE installs.
    pub gpu_driver_version: Field<String>,
    /// Who makes the nodes.
    pub provision: Spanned<Provision>,
    /// Google service account of the nodes.
    pub service_account: Field<Addr>,
    /// Boot disk size in GB.
    pub boot_disk_size_gb: Field<u32>,
    /// Boot disk type.
    pub boot_disk_type: Field<String>,
    /// Labels of the nodes.
    pub labels: BTreeMap<String, String>,
    /// Taints of the nodes, beyond those that GKE adds.
    pub taints: Vec<NodeTaint>,
    /// Selector of existing nodes.
    pub node_selector: BTreeMap<String, String>,
    /// Network devices that each of their pods claims; none: no claims.
    pub dranet: Field<Dranet>,
    /// Further networks of the nodes, by the names that the cluster gives them.
    pub networks: Vec<Spanned<String>>,
    /// Where something is written that only a node pool of the stack can have, with its name.
    pub pool_settings: Vec<Spanned<&'static str>>,
}

impl Nodes {
    /// Labels by which pods find them. Existing nodes are found by what the stack says of them, if it does.
    pub fn selector(&self) -> Vec<(String, String)> {
        let written = self.node_selector.clone().into_iter();
        if self.provision.value == Provision::Existing && !self.node_selector.is_empty() {
            return written.collect();
        }
        let machine = self.machine_type.iter().map(|name| ("node.kubernetes.io/instance-type", name.value.as_str()));
        let gpu = self.gpus().map(|gpus| ("cloud.google.com/gke-accelerator", gpus.gpu.gke_label));
        machine.chain(gpu).map(|(key, value)| (key.to_owned(), value.to_owned())).chain(written).collect()
    }

    /// Their GPUs, where they have any.
    pub fn gpus(&self) -> Option<Gpus> {
        self.machine?.gpus
    }
}
