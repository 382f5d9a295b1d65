//! `RayCluster`: a cluster for interactive use.

use serde_json::{Value, json};

use crate::emit::Manifest;
use crate::emit::kuberay::{API_VERSION, cluster};
use crate::emit::object::Kubernetes;
use crate::emit::target::Context;
use crate::emit::tree::Tree;
use crate::lower::intent::Intent;
use crate::lower::intent::ray::RayCluster;

pub fn emit(ray: &RayCluster, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let mut spec = cluster::spec(&ray.cluster);
    if ray.recreate_on_change {
        spec = spec.with("upgradeStrategy", json!({"type": "Recreate"}));
    }
    let body = Tree::new().with("spec", Value::from(spec));
    Kubernetes { folder: "kuberay", api_version: API_VERSION, kind: "RayCluster", meta: &ray.meta, body }
        .manifest(intent, ctx)
}
