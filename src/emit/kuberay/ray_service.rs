//! `RayService`: a Serve application, with the cluster that serves it.

use serde_json::{Value, json};

use crate::emit::Manifest;
use crate::emit::kuberay::{API_VERSION, cluster};
use crate::emit::object::Kubernetes;
use crate::emit::target::Context;
use crate::emit::tree::Tree;
use crate::emit::vllm::serve_llm;
use crate::lower::intent::Intent;
use crate::lower::intent::ray::{RayService, Upgrade};

pub fn emit(service: &RayService, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let config = serve_llm::config(&service.serve)?;
    let spec = Tree::new()
        .with("serveConfigV2", config)
        .with("upgradeStrategy", upgrade(&service.upgrade))
        .with("rayClusterConfig", cluster::spec(&service.cluster));
    let body = Tree::new().with("spec", spec);
    Kubernetes { folder: "kuberay", api_version: API_VERSION, kind: "RayService", meta: &service.meta, body }
        .manifest(intent, ctx)
}

fn upgrade(upgrade: &Upgrade) -> Value {
    match upgrade {
        Upgrade::NewCluster => json!({"type": "NewCluster"}),
        Upgrade::None => json!({"type": "None"}),
        Upgrade::Incremental { max_surge_percent, step_size_percent, interval_s, gateway_class } => {
            let options = Tree::new()
                .some("maxSurgePercent", *max_surge_percent)
                .with("stepSizePercent", *step_size_percent)
                .with("intervalSeconds", *interval_s)
                .with("gatewayClassName", gateway_class.clone());
            Tree::new().with("type", "NewClusterWithIncrementalUpgrade").with("clusterUpgradeOptions", options).into()
        }
    }
}
