//! What neither the API server nor the operator refuses, and what does not work.

use crate::check::kuberay::{Check, Cluster, FIRST, Faults, OfCluster, OfJob, job::Job, push, text};
use crate::resolve::quantity::is_quantity;

pub(super) const BROKEN_JOB: &[Check<OfJob>] = &[Check { id: "entrypoint", since: FIRST, run: entrypoint }];

pub(super) const BROKEN_CLUSTER: &[Check<OfCluster>] = &[
    Check { id: "hosts", since: FIRST, run: hosts },
    Check { id: "group-names", since: FIRST, run: group_names },
    Check { id: "scaling", since: FIRST, run: scaling },
    Check { id: "tpus", since: FIRST, run: tpus },
    Check { id: "marks", since: FIRST, run: marks },
];

pub(super) const IGNORED_CLUSTER: &[Check<OfCluster>] = &[
    Check { id: "replicas", since: FIRST, run: replicas },
    Check { id: "resources", since: FIRST, run: resources },
    Check { id: "auth", since: FIRST, run: auth },
];

fn entrypoint(job: &Job<'_>, found: &mut Faults) {
    if text(job.spec, "entrypoint").is_none() && job.spec["submissionMode"] != "InteractiveMode" {
        let at = format!("{}.entrypoint", job.path);
        push(found, at, "it is empty: nothing runs", "Use the block's `entrypoint`");
    }
}

/// The operator multiplies before it looks: a group of no hosts has no pods.
fn hosts(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.groups() {
        if group.value["numOfHosts"].as_i64().is_some_and(|hosts| hosts < 1) {
            let at = format!("{}.numOfHosts", group.path);
            push(found, at, "a replica of no hosts has no pods", "Write the hosts of a slice");
        }
    }
}

fn group_names(cluster: &Cluster<'_>, found: &mut Faults) {
    let mut seen: Vec<String> = Vec::new();
    for group in cluster.groups() {
        let name = group.value["groupName"].as_str().unwrap_or_default().to_owned();
        let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
            && !name.ends_with('-')
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !plain {
            let says = "the name becomes that of hosts: lower-case letters, digits and `-`, with a letter first";
            push(found, format!("{}.groupName", group.path), says, "Give the group another name");
        }
        if seen.contains(&name) {
            let says = "two groups have this name: the operator makes and deletes their pods in turn";
            push(found, format!("{}.groupName", group.path), says, "Give one of them another name");
        }
        seen.push(name);
    }
}

fn replicas(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.groups() {
        let number = |key: &str| group.value[key].as_i64();
        let Some(replicas) = number("replicas") else { continue };
        let (min, max) = (number("minReplicas").unwrap_or(0), number("maxReplicas").unwrap_or(i64::MAX));
        if min <= max && !(min..=max).contains(&replicas) {
            let says = format!("{replicas} is not between {min} and {max}: the operator takes the nearer of these");
            push(found, format!("{}.replicas", group.path), says, "Move the bounds too");
        }
    }
}

/// Ray's autoscaler reads these keys as they are written.
fn resources(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.all() {
        for (key, value) in group.value["resources"].as_object().into_iter().flatten() {
            let at = format!("{}.resources.{key}", group.path);
            let right = ["CPU", "GPU", "TPU", "memory"].into_iter().find(|right| key.eq_ignore_ascii_case(right));
            if let Some(right) = right.filter(|right| right != key) {
                push(
                    found,
                    at,
                    format!("Ray knows it as {right}: this is a resource of its own"),
                    format!("Write {right}"),
                );
            } else if !value.as_str().is_some_and(is_quantity) {
                push(found, at, "it is no quantity: the operator passes over it", "Write a quantity such as \"4\"");
            }
        }
    }
}

/// The operator makes the Secret, and Ray asks for no token.
fn auth(cluster: &Cluster<'_>, found: &mut Faults) {
    let options = &cluster.spec["authOptions"];
    if options.is_object() && options["mode"].is_null() {
        let says = "without `mode: token` nothing asks for a token";
        push(found, cluster.at("authOptions"), says, "Write `mode = \"token\"`, or take it out");
    }
}

/// Ray's autoscaler ends with an error where it finds no group, or a group without CPUs.
fn scaling(cluster: &Cluster<'_>, found: &mut Faults) {
    if !cluster.scales() {
        return;
    }
    if cluster.groups().next().is_none() {
        let says = "Ray's autoscaler fails where there is no worker group";
        push(found, cluster.at("enableInTreeAutoscaling"), says, "Add a group, or take it out");
    }
    for group in cluster.groups() {
        let resources = &group.value["template"]["spec"]["containers"][0]["resources"];
        let from_pod = ["limits", "requests"].into_iter().any(|key| !resources[key]["cpu"].is_null());
        let named =
            text(&group.value["rayStartParams"], "num-cpus").is_some() || !group.value["resources"]["CPU"].is_null();
        if !from_pod && !named {
            let at = format!("{}.template.spec.containers[0].resources", group.path);
            push(found, at, "Ray's autoscaler fails where it finds no number of CPUs", "Use the worker's `cpu`");
        }
    }
}

const CHIPS: &str = "google.com/tpu";

fn tpus(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.groups() {
        let pod = &group.value["template"]["spec"];
        let resources = &pod["containers"][0]["resources"];
        let number = |key: &str| {
            let count = &resources[key][CHIPS];
            count.as_u64().or_else(|| count.as_str()?.parse().ok())
        };
        let (requests, limits) = (number("requests"), number("limits"));
        if limits.is_none() && requests.is_none() {
            continue;
        }
        let at = format!("{}.template.spec.containers[0].resources", group.path);
        // A request above its limit is refused by the API server: another rule's.
        if requests.is_some() && requests < limits || requests.is_some() && limits.is_none() {
            push(found, at, format!("requests and limits of {CHIPS} differ"), "Write the chips of a host in both");
        }
        let selector = &pod["nodeSelector"];
        let labels = ["cloud.google.com/gke-tpu-accelerator", "cloud.google.com/gke-tpu-topology"];
        if let Some(missing) = labels.into_iter().find(|label| selector[*label].is_null()) {
            let at = format!("{}.template.spec.nodeSelector", group.path);
            push(
                found,
                at,
                format!("without {missing} neither GKE's webhook nor Ray knows the slice"),
                "Leave both labels in",
            );
        }
    }
}

/// Labels by which the operator's services and GKE's webhook find pods.
fn marks(cluster: &Cluster<'_>, found: &mut Faults) {
    for group in cluster.all() {
        let labels = &group.value["template"]["metadata"]["labels"];
        for (key, own) in [("app.kubernetes.io/name", "kuberay"), ("app.kubernetes.io/created-by", "kuberay-operator")]
        {
            if labels[key].as_str().is_some_and(|value| value != own) {
                let at = format!("{}.template.metadata.labels[{key}]", group.path);
                push(found, at, format!("pods are found by {key}={own}"), "Take the label out");
            }
        }
        if !labels["ray.io/identifier"].is_null() {
            let at = format!("{}.template.metadata.labels[ray.io/identifier]", group.path);
            push(found, at, "the head's Service finds its pod by the operator's own value", "Take the label out");
        }
    }
}
