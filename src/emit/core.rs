//! Core Kubernetes objects: namespaces, service accounts, config maps, claim templates.

use crate::emit::Manifest;
use crate::emit::driver;
use crate::emit::object::Kubernetes;
use crate::emit::target::Context;
use crate::emit::tree::{Tree, list};
use crate::lower::intent::pod::{ClaimTemplate, ConfigMap, FileText, Meta, Namespace, ServiceAccount};
use crate::lower::intent::{Intent, Object};

/// The manifest of a core object.
pub fn emit(intent: &Intent, ctx: &Context) -> Option<Result<Manifest, String>> {
    match &intent.object {
        Object::Namespace(namespace) => Some(emit_namespace(namespace, intent, ctx)),
        Object::ServiceAccount(account) => Some(emit_service_account(account, intent, ctx)),
        Object::ConfigMap(map) => Some(emit_config_map(map, intent, ctx)),
        Object::ClaimTemplate(template) => Some(emit_claim_template(template, intent, ctx)),
        Object::GkeCluster(_)
        | Object::NodePool(_)
        | Object::WorkloadPolicy(_)
        | Object::GoogleServiceAccount(_)
        | Object::IamBinding(_)
        | Object::Bucket(_)
        | Object::RayCluster(_)
        | Object::RayJob(_)
        | Object::RayService(_) => None,
    }
}

fn emit_namespace(namespace: &Namespace, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let meta = Meta { name: namespace.name.clone(), labels: namespace.labels.clone(), ..Meta::default() };
    let object = Kubernetes { folder: "core", api_version: "v1", kind: "Namespace", meta: &meta, body: Tree::new() };
    object.manifest(intent, ctx)
}

fn emit_service_account(account: &ServiceAccount, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let mut meta = account.meta.clone();
    if let Some(email) = &account.google_service_account {
        meta.annotations.insert("iam.gke.io/gcp-service-account".to_owned(), email.clone());
    }
    let object =
        Kubernetes { folder: "core", api_version: "v1", kind: "ServiceAccount", meta: &meta, body: Tree::new() };
    object.manifest(intent, ctx)
}

fn emit_config_map(map: &ConfigMap, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let mut data = Tree::new();
    for (name, file) in &map.files {
        let text = match file {
            FileText::Text(text) => text.clone(),
            FileText::TrainDriver(driver) => driver::render(driver)?,
        };
        data = data.with(name, text);
    }
    let body = Tree::new().with("data", data);
    let object = Kubernetes { folder: "core", api_version: "v1", kind: "ConfigMap", meta: &map.meta, body };
    object.manifest(intent, ctx)
}

fn emit_claim_template(template: &ClaimTemplate, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let devices = Tree::new().with("deviceClassName", template.device_class.clone());
    let devices = match template.count {
        None => devices.with("allocationMode", "All"),
        Some(count) => devices.with("allocationMode", "ExactCount").with("count", count),
    };
    let request = Tree::new().with("name", "req-netdev").with("exactly", devices);
    let claim = Tree::new().with("devices", Tree::new().with("requests", list(&[request], Clone::clone)));
    let object = Kubernetes {
        folder: "core",
        api_version: "resource.k8s.io/v1",
        kind: "ResourceClaimTemplate",
        meta: &template.meta,
        body: Tree::new().with("spec", Tree::new().with("spec", claim)),
    };
    object.manifest(intent, ctx)
}
