//! Checks of a cluster, by itself or in a RayJob or RayService.

use serde_json::Value;

use crate::check::kuberay::{
    AUTOSCALER_V2, Check, Cluster, FIRST, Faults, OfCluster, Owner, push, ray_version, release, text,
};
use crate::facts::version::Version;

pub(super) const CHECKS: &[Check<OfCluster>] = &[
    Check { id: "C3", since: release(6, 0), run: upgrade },
    Check { id: "C4", since: release(6, 0), run: upgrade_of_child },
    Check { id: "C5", since: FIRST, run: containers },
    Check { id: "C6", since: release(5, 0), run: resources_twice },
    Check { id: "C7", since: release(5, 0), run: labels_param },
    Check { id: "C8", since: release(5, 0), run: labels },
    Check { id: "C10", since: release(6, 0), run: bounds },
    Check { id: "C11", since: release(6, 0), run: idle_timeout },
    Check { id: "C12", since: release(7, 0), run: priority },
    Check { id: "C13", since: FIRST, run: fault_tolerance_twice },
    Check { id: "C14", since: FIRST, run: implicit_redis },
    Check { id: "C15", since: FIRST, run: redis_elsewhere },
    Check { id: "C16", since: release(7, 0), run: rocksdb },
    Check { id: "C17", since: release(7, 0), run: redis_storage },
    Check { id: "C18", since: FIRST, run: redis_username },
    Check { id: "C19", since: FIRST, run: suspended_group },
    Check { id: "C20", since: release(5, 0), run: v2_without_autoscaler },
    Check { id: "C21", since: FIRST, run: v2_twice },
    Check { id: "C22", since: FIRST, run: restarts },
    Check { id: "C23", since: release(6, 0), run: cluster_idle_timeout },
    Check { id: "C24", since: release(7, 0), run: start_command },
    Check { id: "C25", since: release(7, 0), run: history_server },
    Check { id: "C26", since: release(5, 1), run: tokens },
    Check { id: "C27", since: release(6, 0), run: kubernetes_tokens },
    Check { id: "C28", since: release(7, 0), run: network_policy },
    Check { id: "C29", since: release(7, 0), run: tls },
];

fn upgrade(cluster: &Cluster<'_>, found: &mut Faults) {
    let Some(kind) = cluster.spec["upgradeStrategy"]["type"].as_str() else { return };
    if !["Recreate", "None"].contains(&kind) {
        let says = format!("{kind:?} is neither Recreate nor None");
        push(found, cluster.at("upgradeStrategy.type"), says, "Use the block's `upgrade`");
    }
}

/// The parent looks fine, and waits for ever for a cluster that is refused.
fn upgrade_of_child(cluster: &Cluster<'_>, found: &mut Faults) {
    if cluster.owner != Owner::Stack && !cluster.spec["upgradeStrategy"]["type"].is_null() {
        let says = "only a RayCluster of its own has an upgrade strategy";
        push(found, cluster.at("upgradeStrategy"), says, "Take it out: a RayService has one of its own");
    }
}

fn containers(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.all() {
        if group.value["template"]["spec"]["containers"].as_array().is_none_or(Vec::is_empty) {
            let at = format!("{}.template.spec.containers", group.path);
            push(found, at, "there is no container", "Leave the block's containers in");
        }
    }
}

fn resources_twice(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.all() {
        let params = &group.value["rayStartParams"];
        let doubles =
            ["num-cpus", "num-gpus", "memory", "resources"].into_iter().find(|key| text(params, key).is_some());
        let resources = group.value["resources"].as_object().is_some_and(|map| !map.is_empty());
        if let (Some(key), true) = (doubles, resources) {
            push(
                found,
                format!("{}.resources", group.path),
                format!("resources and rayStartParams.{key} are both set"),
                "Use one of them",
            );
        }
    }
}

fn labels_param(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.all() {
        if !group.value["rayStartParams"]["labels"].is_null() {
            let at = format!("{}.rayStartParams.labels", group.path);
            push(found, at, "labels are not a start parameter", "Set `labels` of the group beside rayStartParams");
        }
    }
}

fn labels(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.all() {
        for (key, value) in group.value["labels"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap_or_default();
            if !is_qualified_name(key) || !is_label_value(value) {
                let at = format!("{}.labels", group.path);
                push(found, at, format!("{key}: {value:?} is no label of Kubernetes"), "Write a legal key and value");
            }
        }
    }
}

/// A key of a label: a name of at most 63, with a DNS name before a slash or not.
fn is_qualified_name(key: &str) -> bool {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let is_dns = |prefix: &str| {
        let part = |part: &str| {
            !part.is_empty()
                && !part.starts_with('-')
                && !part.ends_with('-')
                && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        };
        prefix.len() <= 253 && prefix.split('.').all(part)
    };
    !name.is_empty() && is_label_value(name) && prefix.is_none_or(is_dns)
}

fn is_label_value(value: &str) -> bool {
    let edge = |c: char| c.is_ascii_alphanumeric();
    value.is_empty()
        || value.len() <= 63
            && value.starts_with(edge)
            && value.ends_with(edge)
            && value.chars().all(|c| edge(c) || matches!(c, '-' | '_' | '.'))
}

/// Without both bounds the API server fills in 0 and the largest number: C9 can't be reached through it.
fn bounds(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.groups() {
        let bound = |key: &str| group.value[key].as_i64();
        let (min, max) = (bound("minReplicas"), bound("maxReplicas"));
        for (key, value) in [("minReplicas", min), ("maxReplicas", max)] {
            if value.is_some_and(|value| value < 0) {
                push(found, format!("{}.{key}", group.path), "it is negative", "Write 0 or more");
            }
        }
        if let (Some(min), Some(max)) = (min, max)
            && min > max
            && max >= 0
        {
            let says = format!("minReplicas {min} is above maxReplicas {max}");
            push(found, group.path, says, "Use the block's `num_slices`, or `autoscale`");
        }
    }
}

fn idle_timeout(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.groups() {
        let Some(seconds) = group.value["idleTimeoutSeconds"].as_i64() else { continue };
        let at = format!("{}.idleTimeoutSeconds", group.path);
        if seconds < 0 {
            push(found, at, "it is negative", "Write 0 or more");
        } else if !cluster.is_v2() && !cluster.env_v2() {
            push(found, at, "it needs autoscalerOptions.version: v2", "Use the block's `idle_timeout`");
        }
    }
}

fn priority(cluster: &Cluster<'_>, found: &mut Faults) {
    const NEEDS: Version = Version::new(2, 56, 0);
    for group in cluster.groups().filter(|group| group.value["priority"].as_i64().is_some_and(|number| number != 0)) {
        let at = format!("{}.priority", group.path);
        if ray_version(cluster.spec).is_none_or(|version| version < NEEDS) {
            push(found, &at, "it needs Ray 2.56.0 or later", "Move `ray_version` on, or take it out");
        }
        if !cluster.is_v2() {
            push(found, at, "it needs autoscalerOptions.version: v2", "Set that, or take it out");
        }
    }
}

fn has_fault_tolerance(cluster: &Cluster<'_>) -> bool {
    cluster.spec["gcsFaultToleranceOptions"].is_object()
}

const FT_ENABLED: &str = "ray.io/ft-enabled";

fn fault_tolerance_twice(cluster: &Cluster<'_>, found: &mut Faults) {
    if has_fault_tolerance(cluster) && text(cluster.annotations, FT_ENABLED).is_some() {
        let says = format!("the annotation {FT_ENABLED} stands beside it");
        push(found, cluster.at("gcsFaultToleranceOptions"), says, "Take the annotation out");
    }
}

fn implicit_redis(cluster: &Cluster<'_>, found: &mut Faults) {
    let annotated = text(cluster.annotations, FT_ENABLED).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if !has_fault_tolerance(cluster) && !annotated && cluster.head_env("RAY_REDIS_ADDRESS").is_some() {
        push(
            found,
            cluster.at("headGroupSpec.template.spec.containers[0].env"),
            "RAY_REDIS_ADDRESS asks for fault tolerance without gcsFaultToleranceOptions",
            "Patch gcsFaultToleranceOptions in, or take the variable out",
        );
    }
}

fn redis_elsewhere(cluster: &Cluster<'_>, found: &mut Faults) {
    if !has_fault_tolerance(cluster) {
        return;
    }
    let mut say = |at: String, instead: &str| {
        let says = format!("beside gcsFaultToleranceOptions, {instead} of it is the place for that");
        push(found, at, says, "Move it there");
    };
    if text(&cluster.head()["rayStartParams"], "redis-password").is_some() {
        say(cluster.at("headGroupSpec.rayStartParams.redis-password"), "redisPassword");
    }
    for (name, instead) in [("REDIS_PASSWORD", "redisPassword"), ("RAY_REDIS_ADDRESS", "redisAddress")] {
        if cluster.head_env(name).is_some() {
            say(cluster.at(&format!("headGroupSpec.template.spec.containers[0].env[{name}]")), instead);
        }
    }
    const NAMESPACE: &str = "ray.io/external-storage-namespace";
    if text(cluster.annotations, NAMESPACE).is_some() {
        say(format!("metadata.annotations[{NAMESPACE}]"), "externalStorageNamespace");
    }
}

fn redis_username(cluster: &Cluster<'_>, found: &mut Faults) {
    let param = text(&cluster.head()["rayStartParams"], "redis-username").is_some();
    if param || cluster.head_env("REDIS_USERNAME").is_some() {
        let at = cluster.at("headGroupSpec");
        push(found, at, "a user of Redis stands outside gcsFaultToleranceOptions", "Use its redisUsername");
    }
}

fn rocksdb(cluster: &Cluster<'_>, found: &mut Faults) {
    let options = &cluster.spec["gcsFaultToleranceOptions"];
    if options["backend"] != "rocksdb" {
        return;
    }
    let at = cluster.at("gcsFaultToleranceOptions");
    for key in ["redisAddress", "redisUsername", "redisPassword", "externalStorageNamespace"] {
        if !options[key].is_null() && options[key] != "" {
            push(found, format!("{at}.{key}"), "it is for Redis, and the backend is rocksdb", "Take it out");
        }
    }
    let storage = &options["storage"];
    if text(storage, "claimName").is_some() {
        for key in ["size", "storageClassName", "accessModes"] {
            if !storage[key].is_null() {
                let says = "a claim that exists has it already";
                push(found, format!("{at}.storage.{key}"), says, "Take it out, or claimName");
            }
        }
    }
    for name in ["RAY_gcs_storage", "RAY_gcs_storage_path"] {
        if cluster.head_env(name).is_some() {
            let place = cluster.at(&format!("headGroupSpec.template.spec.containers[0].env[{name}]"));
            push(found, place, "the operator sets it", "Take it out");
        }
    }
    let pod = &cluster.head()["template"]["spec"];
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mounted = items(&pod["containers"][0]["volumeMounts"])
        .iter()
        .any(|mount| mount["mountPath"] == "/data/gcs" || mount["name"] == "gcs-storage");
    if mounted || items(&pod["volumes"]).iter().any(|volume| volume["name"] == "gcs-storage") {
        let place = cluster.at("headGroupSpec.template.spec");
        push(found, place, "gcs-storage and /data/gcs are the operator's own", "Use another name and path");
    }
}

fn redis_storage(cluster: &Cluster<'_>, found: &mut Faults) {
    let options = &cluster.spec["gcsFaultToleranceOptions"];
    if options.is_object() && options["backend"] != "rocksdb" && !options["storage"].is_null() {
        let at = cluster.at("gcsFaultToleranceOptions.storage");
        push(found, at, "only the backend rocksdb has storage", "Take it out, or set the backend");
    }
}

fn suspended_group(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.groups().filter(|group| group.value["suspend"] == true && cluster.scales()) {
        let at = format!("{}.suspend", group.path);
        push(found, at, "a group of a cluster that scales can't be suspended", "Take it out");
    }
}

fn v2_without_autoscaler(cluster: &Cluster<'_>, found: &mut Faults) {
    if !cluster.scales() && cluster.env_v2() {
        let at = cluster.at(&format!("headGroupSpec.template.spec.containers[0].env[{AUTOSCALER_V2}]"));
        push(found, at, "it is for clusters that scale", "Take it out, or use the block's `autoscale`");
    }
}

fn v2_twice(cluster: &Cluster<'_>, found: &mut Faults) {
    let field = !cluster.spec["autoscalerOptions"]["version"].is_null();
    if cluster.scales() && field && cluster.head_env(AUTOSCALER_V2).is_some() {
        let at = cluster.at(&format!("headGroupSpec.template.spec.containers[0].env[{AUTOSCALER_V2}]"));
        push(found, at, "autoscalerOptions.version says it already", "Take the variable out");
    }
}

fn restarts(cluster: &Cluster<'_>, found: &mut Faults) {
    if !cluster.scales() || !cluster.is_v2() {
        return;
    }
    for group in cluster.all() {
        let policy = group.value["template"]["spec"]["restartPolicy"].as_str().unwrap_or_default();
        if !matches!(policy, "" | "Never") {
            let at = format!("{}.template.spec.restartPolicy", group.path);
            push(found, at, "with the new autoscaler it must be Never", "Write Never, or take it out");
        }
    }
}

fn cluster_idle_timeout(cluster: &Cluster<'_>, found: &mut Faults) {
    if cluster.spec["autoscalerOptions"]["idleTimeoutSeconds"].as_i64().is_some_and(|seconds| seconds < 0) {
        push(
            found,
            cluster.at("autoscalerOptions.idleTimeoutSeconds"),
            "it is negative",
            "Use the block's `idle_timeout`",
        );
    }
}

fn start_command(cluster: &Cluster<'_>, found: &mut Faults) {
    let env = cluster.spec["autoscalerOptions"]["env"].as_array();
    if env.into_iter().flatten().any(|variable| variable["name"] == "KUBERAY_GEN_AUTOSCALER_START_CMD") {
        let at = cluster.at("autoscalerOptions.env");
        push(found, at, "KUBERAY_GEN_AUTOSCALER_START_CMD is the operator's own", "Take it out");
    }
}

fn history_server(cluster: &Cluster<'_>, found: &mut Faults) {
    const OWN: [&str; 8] = [
        "POD_IP",
        "FQ_RAY_IP",
        "RAY_CLUSTER_NAME",
        "RAY_CLUSTER_NAMESPACE",
        "RAY_ROLE",
        "OWNER_KIND",
        "OWNER_NAME",
        "EVENTS_PORT",
    ];
    let Some(options) = cluster.spec.get("historyServerOptions").filter(|options| options.is_object()) else { return };
    let collector = &options["collectorOptions"];
    let at = cluster.at("historyServerOptions.collectorOptions");
    if text(collector, "image").is_none() {
        push(found, &at, "the collector needs an image", "Give it one");
        return;
    }
    let env = collector["env"].as_array();
    let named = |name: &str| env.into_iter().flatten().find(|variable| variable["name"] == name);
    if let Some(name) = OWN.into_iter().find(|name| named(name).is_some()) {
        push(found, format!("{at}.env[{name}]"), "the operator sets it", "Take it out");
    }
    let Some(backend) = named("STORAGE_BACKEND") else { return };
    let Some(kind) = backend["value"].as_str() else {
        push(
            found,
            format!("{at}.env[STORAGE_BACKEND]"),
            "it must be written out, not taken from elsewhere",
            "Write it",
        );
        return;
    };
    let needs = match kind {
        "GCS" => "GCS_BUCKET",
        "S3" => "S3_REGION",
        _ => return,
    };
    if named(needs).is_none() {
        push(found, format!("{at}.env"), format!("STORAGE_BACKEND {kind} needs {needs}"), "Add it");
    }
}

fn has_tokens(cluster: &Cluster<'_>) -> bool {
    cluster.spec["authOptions"]["mode"] == "token"
}

fn tokens(cluster: &Cluster<'_>, found: &mut Faults) {
    const NEEDS: Version = Version::new(2, 52, 0);
    if has_tokens(cluster) && ray_version(cluster.spec).is_none_or(|version| version < NEEDS) {
        push(
            found,
            cluster.at("authOptions.mode"),
            "tokens need Ray 2.52.0 or later",
            "Set `ray_version` to one that has them",
        );
    }
}

fn kubernetes_tokens(cluster: &Cluster<'_>, found: &mut Faults) {
    const NEEDS: Version = Version::new(2, 55, 0);
    let options = &cluster.spec["authOptions"];
    // Those of a job or a service are refused as such.
    if options["enableK8sTokenAuth"] != true || cluster.owner != Owner::Stack {
        return;
    }
    let at = cluster.at("authOptions.enableK8sTokenAuth");
    if !has_tokens(cluster) {
        push(found, at, "it needs `mode: token`", "Set that too");
        return;
    }
    if ray_version(cluster.spec).is_none_or(|version| version < NEEDS) {
        push(found, &at, "it needs Ray 2.55.0 or later", "Set `ray_version` to one that has it");
    }
    if text(options, "secretName").is_some() {
        push(found, at, "it and secretName exclude each other", "Take one of them out");
    }
}

fn network_policy(cluster: &Cluster<'_>, found: &mut Faults) {
    let Some(policy) = cluster.spec.get("networkPolicy").filter(|policy| policy.is_object()) else { return };
    let mode = text(policy, "mode").unwrap_or("DenyAll");
    let forbidden = match mode {
        "DenyAllEgress" => "ingressRules",
        "DenyAllIngress" => "egressRules",
        _ => "",
    };
    let groups = policy["workerGroups"].as_array();
    let sides = [("head", &policy["head"]), ("worker", &policy["worker"])];
    let of_groups = groups.into_iter().flatten().map(|group| ("workerGroups", group));
    for (name, side) in sides.into_iter().chain(of_groups) {
        if !forbidden.is_empty() && side[forbidden].as_array().is_some_and(|rules| !rules.is_empty()) {
            let at = cluster.at(&format!("networkPolicy.{name}.{forbidden}"));
            push(found, at, format!("the mode {mode} has none"), "Take them out, or change the mode");
        }
    }
    for group in groups.into_iter().flatten() {
        let name = group["groupName"].as_str().unwrap_or_default();
        if !cluster.groups().any(|known| known.value["groupName"] == name) {
            let at = cluster.at("networkPolicy.workerGroups");
            push(found, at, format!("there is no worker group {name:?}"), "Name one of the cluster's groups");
        }
    }
}

fn tls(cluster: &Cluster<'_>, found: &mut Faults) {
    const OWN: [&str; 4] = ["RAY_USE_TLS", "RAY_TLS_SERVER_CERT", "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT"];
    if cluster.spec["tlsOptions"]["enabled"] != true {
        return;
    }
    for group in cluster.all() {
        let container = &group.value["template"]["spec"]["containers"][0];
        let has = |list: &str, is: &dyn Fn(&Value) -> bool| container[list].as_array().into_iter().flatten().any(is);
        if let Some(name) = OWN.into_iter().find(|name| has("env", &|variable| variable["name"] == *name)) {
            let at = format!("{}.template.spec.containers[0].env[{name}]", group.path);
            push(found, at, "with tlsOptions the operator sets it", "Take it out");
        }
        if has("volumeMounts", &|mount| mount["name"] == "ray-tls" || mount["mountPath"] == "/etc/ray/tls") {
            let at = format!("{}.template.spec.containers[0].volumeMounts", group.path);
            push(found, at, "ray-tls and /etc/ray/tls are the operator's own", "Use another name and path");
        }
    }
}
