//! What `bucket`, `volume`, `config_files`, `secret` and `service_account` blocks say: what workloads refer to.

use std::collections::BTreeMap;

use crate::base::span::Spanned;
use crate::resolve::stack::{Field, Head};

/// A `bucket` block.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// The bucket's own name is the object name.
    pub head: Head,
    /// Region.
    pub location: Field<String>,
    /// Whether the stack creates it.
    pub manage: bool,
}

/// A `secret` block: a Kubernetes Secret that exists.
#[derive(Clone, Debug)]
pub struct Secret {
    /// Name and place.
    pub head: Head,
    /// Its keys.
    pub keys: Vec<Spanned<String>>,
    /// Whether pods start without it.
    pub optional: bool,
}

/// A `manifest` block: a Kubernetes object as it is.
#[derive(Clone, Debug)]
pub struct RawManifest {
    /// The block's name and place.
    pub head: Head,
    /// The object, where it is a sound one.
    pub object: Field<serde_json::Map<String, serde_json::Value>>,
}

/// A `service_account` block.
#[derive(Clone, Debug)]
pub struct ServiceAccount {
    /// Name and place.
    pub head: Head,
    /// The Google service account that it acts as.
    pub google_service_account: Field<String>,
    /// Project roles to grant.
    pub roles: Vec<Spanned<String>>,
    /// Whether the stack creates the Kubernetes ServiceAccount.
    pub manage: bool,
}

/// A `volume` block: a persistent volume, by its claim.
#[derive(Clone, Debug)]
pub struct Volume {
    /// Name and place.
    pub head: Head,
    /// A claim that exists.
    pub claim: Field<String>,
    /// Size of the claim that the stack makes.
    pub size: Field<String>,
    /// A `StorageClass` that exists.
    pub storage_class: Field<String>,
    /// The disk of a `StorageClass` that the stack makes.
    pub disk_type: Field<String>,
    /// Who may mount it, as Kubernetes says it: `ReadWriteOnce`.
    pub access_mode: &'static str,
}

/// A `config_files` block: files in a `ConfigMap`.
#[derive(Clone, Debug)]
pub struct ConfigFiles {
    /// Name and place.
    pub head: Head,
    /// Content by name.
    pub files: BTreeMap<String, String>,
    /// Whether the stack makes it.
    pub manage: bool,
}
