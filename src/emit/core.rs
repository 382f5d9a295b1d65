//! Core Kubernetes objects: namespaces, service accounts, config maps, claim templates.

use serde_json::json;

use crate::emit::Manifest;
use crate::emit::driver;
use crate::emit::object::Kubernetes;
use crate::emit::target::Context;
use crate::emit::tree::{Tree, list};
use crate::lower::intent::pod::{
    Claim, ClaimTemplate, ConfigMap, FileText, Meta, Namespace, ServiceAccount, StorageClass,
};
use crate::lower::intent::{Intent, Object, RawObject};

/// The manifest of a core object.
pub fn emit(intent: &Intent, ctx: &Context) -> Option<Result<Manifest, String>> {
    match &intent.object {
        Object::Namespace(namespace) => Some(emit_namespace(namespace, intent, ctx)),
        Object::ServiceAccount(account) => Some(emit_service_account(account, intent, ctx)),
        Object::ConfigMap(map) => Some(emit_config_map(map, intent, ctx)),
        Object::Claim(claim) => Some(emit_claim(claim, intent, ctx)),
        Object::StorageClass(class) => Some(emit_storage_class(class, intent, ctx)),
        Object::ClaimTemplate(template) => Some(emit_claim_template(template, intent, ctx)),
        Object::Raw(raw) => Some(emit_raw(raw, intent, ctx)),
        _ => None,
    }
}

/// An object that the stack gives as it is; its file stands with those of its API group.
fn emit_raw(raw: &RawObject, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let folder = if raw.api_version.starts_with("ray.io/") { "kuberay" } else { "core" };
    let body = raw.rest.iter().fold(Tree::new(), |body, (name, value)| body.with(name, value.clone()));
    let (api_version, kind) = (raw.api_version.as_str(), raw.kind.as_str());
    let object = Kubernetes { folder, api_version, kind, meta: &raw.meta, body };
    object.manifest_with(&raw.more, intent, ctx)
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

fn emit_claim(claim: &Claim, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let spec = Tree::new()
        .with("accessModes", json!([claim.access_mode]))
        .some("storageClassName", claim.storage_class.clone())
        .with("resources", json!({"requests": {"storage": claim.size}}));
    let body = Tree::new().with("spec", spec);
    let kind = "PersistentVolumeClaim";
    Kubernetes { folder: "core", api_version: "v1", kind, meta: &claim.meta, body }.manifest(intent, ctx)
}

fn emit_storage_class(class: &StorageClass, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let body = Tree::new()
        .with("provisioner", "pd.csi.storage.gke.io")
        .with("parameters", json!({"type": class.disk_type}))
        // A disk is made in the zone of the first pod that needs it: slices and disks must share one.
        .with("volumeBindingMode", "WaitForFirstConsumer")
        .with("allowVolumeExpansion", true);
    let (api_version, kind) = ("storage.k8s.io/v1", "StorageClass");
    Kubernetes { folder: "core", api_version, kind, meta: &class.meta, body }.manifest(intent, ctx)
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
