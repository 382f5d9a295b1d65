//! What a `cluster` block says.

use indexmap::IndexMap;

use crate::base::span::Spanned;
use crate::resolve::stack::{Field, Head};

/// How a GKE cluster is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterMode {
    /// The team owns node pools.
    Standard,
    /// Google owns them.
    Autopilot,
}

/// Where KubeRay comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayOperator {
    /// GKE's add-on.
    Addon,
    /// Installed by the team.
    SelfManaged,
}

/// A network beside the cluster's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdditionalNetwork {
    /// The VPC, by name.
    pub network: String,
    /// The subnetwork, by name.
    pub subnetwork: String,
}

/// A time in which GKE upgrades nothing by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaintenanceExclusion {
    /// Its name.
    pub name: String,
    /// When it begins, in UTC (RFC 3339).
    pub start_time: String,
    /// When it ends.
    pub end_time: String,
    /// `NO_UPGRADES`, `NO_MINOR_UPGRADES` or `NO_MINOR_OR_NODE_UPGRADES`.
    pub scope: String,
}

/// A `cluster` block.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Name and place.
    pub head: Head,
    /// Google Cloud project.
    pub project: Field<String>,
    /// Region or zone.
    pub location: Field<String>,
    /// Standard or Autopilot.
    pub mode: Spanned<ClusterMode>,
    /// Whether the stack creates it.
    pub manage: bool,
    /// Minimum GKE version.
    pub version: Field<String>,
    /// rapid, regular, stable or extended.
    pub release_channel: Field<String>,
    /// Where KubeRay comes from.
    pub ray_operator: Spanned<RayOperator>,
    /// VPC network by name.
    pub network: Field<String>,
    /// Subnetwork by name.
    pub subnetwork: Field<String>,
    /// Further networks, by the names that slices use for them.
    pub additional_networks: IndexMap<String, AdditionalNetwork>,
    /// Address blocks that may reach the control plane; empty: all.
    pub authorized_networks: Vec<String>,
    /// Further add-ons of GKE.
    pub addons: Vec<Spanned<String>>,
    /// What must be installed already.
    pub requires: Vec<Spanned<String>>,
    /// Times without upgrades.
    pub maintenance_exclusions: Vec<MaintenanceExclusion>,
    /// Nodes without public addresses.
    pub private: bool,
    /// Whether pods may act as Google service accounts.
    pub workload_identity: bool,
    /// Whether Terraform may destroy it.
    pub deletion_protection: bool,
}
