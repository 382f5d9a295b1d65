//! Checks of a RayService.

use serde_json::Value;

use crate::check::kuberay::{Check, FIRST, Faults, OfObject, of_service, push, release, text};

pub(super) const CHECKS: &[Check<OfObject>] = &[
    Check { id: "S3", since: release(6, 0), run: kubernetes_tokens },
    Check { id: "S4", since: FIRST, run: head_service },
    Check { id: "S5", since: FIRST, run: upgrade },
    Check { id: "S6", since: release(5, 0), run: deletion_delay },
    Check { id: "S7", since: release(5, 0), run: incremental },
    Check { id: "S8", since: FIRST, run: ports },
];

fn kubernetes_tokens(tree: &Value, found: &mut Faults) {
    if tree["spec"]["rayClusterConfig"]["authOptions"]["enableK8sTokenAuth"] == true {
        let at = "spec.rayClusterConfig.authOptions.enableK8sTokenAuth";
        push(found, at, "a RayService can't have it", "Use `mode: token`");
    }
}

fn head_service(tree: &Value, found: &mut Faults) {
    let service = &tree["spec"]["rayClusterConfig"]["headGroupSpec"]["headService"];
    if text(&service["metadata"], "name").is_some() {
        let at = "spec.rayClusterConfig.headGroupSpec.headService.metadata.name";
        push(found, at, "the operator names it, anew for each cluster", "Take the name out");
    }
}

fn upgrade(tree: &Value, found: &mut Faults) {
    let Some(kind) = tree["spec"]["upgradeStrategy"]["type"].as_str() else { return };
    if !["NewCluster", "NewClusterWithIncrementalUpgrade", "None"].contains(&kind) {
        push(
            found,
            "spec.upgradeStrategy.type",
            format!("{kind:?} is none of NewCluster, NewClusterWithIncrementalUpgrade and None"),
            "Use the block's `upgrade`",
        );
    }
}

fn deletion_delay(tree: &Value, found: &mut Faults) {
    if tree["spec"]["rayClusterDeletionDelaySeconds"].as_i64().is_some_and(|seconds| seconds < 0) {
        push(found, "spec.rayClusterDeletionDelaySeconds", "it is negative", "Write 0 or more");
    }
}

fn incremental(tree: &Value, found: &mut Faults) {
    let strategy = &tree["spec"]["upgradeStrategy"];
    if strategy["type"] != "NewClusterWithIncrementalUpgrade" {
        return;
    }
    let help = "Use the block's `upgrade`, which writes all that an incremental one needs";
    let mut say = |path: &str, says: &str| push(found, format!("spec.upgradeStrategy{path}"), says, help);
    if !of_service(tree).scales() {
        say("", "an incremental upgrade needs Ray's autoscaler");
    }
    let options = &strategy["clusterUpgradeOptions"];
    if !options.is_object() {
        say("", "an incremental upgrade needs clusterUpgradeOptions");
        return;
    }
    let percent = |key: &str| options[key].as_i64();
    let surge = percent("maxSurgePercent").unwrap_or(100);
    if !(0..=100).contains(&surge) {
        say(".clusterUpgradeOptions.maxSurgePercent", "it must be between 0 and 100");
    }
    if !percent("stepSizePercent").is_some_and(|step| (0..=100).contains(&step)) {
        say(".clusterUpgradeOptions.stepSizePercent", "it must be between 0 and 100");
    }
    if percent("intervalSeconds").is_none_or(|seconds| seconds <= 0) {
        say(".clusterUpgradeOptions.intervalSeconds", "it must be above zero");
    }
    if text(options, "gatewayClassName").is_none() {
        say(".clusterUpgradeOptions.gatewayClassName", "it is needed");
    }
}

/// A head that names some ports gets no others: without these the service never becomes ready.
fn ports(tree: &Value, found: &mut Faults) {
    let container = &tree["spec"]["rayClusterConfig"]["headGroupSpec"]["template"]["spec"]["containers"][0];
    let Some(ports) = container["ports"].as_array().filter(|ports| !ports.is_empty()) else { return };
    let named = |is: fn(&str) -> bool| ports.iter().any(|port| port["name"].as_str().is_some_and(is));
    let at = "spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].ports";
    let help = "Leave the block's own ports in, and add to them";
    if !named(|name| name == "serve" || name.starts_with("serve-")) && tree["spec"]["serveService"].is_null() {
        push(found, at, "a head that names ports must name one `serve`", help);
    }
    if !named(|name| name == "dashboard") {
        push(found, at, "a head that names ports must name one `dashboard`", help);
    }
}
