//! Checks of a RayJob.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::check::kuberay::{Check, Cluster, FIRST, Faults, OfJob, Owner, push, release, text};
use crate::emit;

/// A RayJob's specification.
pub(super) struct Job<'a> {
    pub path: String,
    pub spec: &'a Value,
    pub annotations: &'a Value,
}

impl<'a> Job<'a> {
    fn at(&self, path: &str) -> String {
        format!("{}.{path}", self.path)
    }

    /// The cluster that it makes.
    pub fn cluster(&self) -> Option<Cluster<'a>> {
        let spec = self.spec.get("rayClusterSpec").filter(|spec| spec.is_object())?;
        Some(Cluster { path: self.at("rayClusterSpec"), spec, annotations: self.annotations, owner: Owner::Job })
    }

    fn selects(&self) -> bool {
        self.spec["clusterSelector"].as_object().is_some_and(|labels| !labels.is_empty())
    }

    fn shuts_down(&self) -> bool {
        self.spec["shutdownAfterJobFinishes"] == true
    }

    fn number(&self, key: &str) -> Option<i64> {
        self.spec[key].as_i64()
    }

    fn is_mode(&self, mode: &str) -> bool {
        self.spec["submissionMode"] == mode
    }

    fn scales(&self) -> bool {
        self.cluster().is_some_and(|cluster| cluster.scales())
    }

    fn strategy(&self) -> Option<&'a Value> {
        self.spec.get("deletionStrategy").filter(|strategy| strategy.is_object())
    }

    fn rules(&self) -> Option<&'a Vec<Value>> {
        self.strategy()?["deletionRules"].as_array().filter(|rules| !rules.is_empty())
    }
}

pub(super) const CHECKS: &[Check<OfJob>] = &[
    Check { id: "J2", since: FIRST, run: suspend },
    Check { id: "J3", since: FIRST, run: time_to_live },
    Check { id: "J4", since: release(5, 0), run: deletion },
    Check { id: "J5", since: release(5, 0), run: deletion_rules },
    Check { id: "J6", since: release(5, 0), run: deletion_order },
    Check { id: "J7", since: release(5, 0), run: legacy_deletion },
    Check { id: "J8", since: FIRST, run: which_cluster },
    Check { id: "J8", since: FIRST, run: selector_suspend },
    Check { id: "J8", since: release(5, 0), run: selector },
    Check { id: "J8", since: release(6, 0), run: selector_retries },
    Check { id: "J9", since: FIRST, run: interactive },
    Check { id: "J10", since: release(5, 0), run: sidecar },
    Check { id: "J11", since: release(6, 0), run: kubernetes_tokens },
    Check { id: "J12", since: FIRST, run: runtime_env },
    Check { id: "J13", since: FIRST, run: positive },
    Check { id: "J13", since: release(6, 0), run: positive_start },
];

fn suspend(job: &Job<'_>, found: &mut Faults) {
    if job.spec["suspend"] != true {
        return;
    }
    let at = job.at("suspend");
    if !job.shuts_down() {
        push(found, at, "a job that keeps its cluster can't be suspended", "Leave shutdownAfterJobFinishes true");
    }
}

fn selector_suspend(job: &Job<'_>, found: &mut Faults) {
    if job.spec["suspend"] == true && job.selects() {
        push(found, job.at("suspend"), "a job on a selected cluster can't be suspended", "Take `suspend` out");
    }
}

fn time_to_live(job: &Job<'_>, found: &mut Faults) {
    let at = job.at("ttlSecondsAfterFinished");
    match job.number("ttlSecondsAfterFinished") {
        Some(seconds) if seconds < 0 => push(found, at, "it is negative", "Use `ttl_after_finished` of the block"),
        Some(seconds) if seconds > 0 && !job.shuts_down() => push(
            found,
            at,
            "it needs shutdownAfterJobFinishes: true",
            "Leave shutdownAfterJobFinishes true, or take the time out",
        ),
        _ => {}
    }
}

fn deletion(job: &Job<'_>, found: &mut Faults) {
    let Some(strategy) = job.strategy() else { return };
    let at = job.at("deletionStrategy");
    let legacy = !strategy["onSuccess"].is_null() || !strategy["onFailure"].is_null();
    let rules = job.rules().is_some();
    if rules && job.shuts_down() {
        push(
            found,
            &at,
            "deletionRules and shutdownAfterJobFinishes: true exclude each other",
            "Patch shutdownAfterJobFinishes to false too, with a rule that deletes the cluster",
        );
    }
    if rules && legacy {
        push(found, &at, "deletionRules and onSuccess or onFailure exclude each other", "Write deletionRules alone");
    }
    if !rules && !legacy {
        push(found, &at, "it is empty", "Write deletionRules, or take it out");
    }
}

fn deletion_rules(job: &Job<'_>, found: &mut Faults) {
    let mut seen = Vec::new();
    for (index, rule) in job.rules().into_iter().flatten().enumerate() {
        let at = job.at(&format!("deletionStrategy.deletionRules[{index}]"));
        let (policy, condition) = (rule["policy"].as_str().unwrap_or_default(), &rule["condition"]);
        let (status, deployment) = (&condition["jobStatus"], &condition["jobDeploymentStatus"]);
        if status.is_null() == deployment.is_null() {
            let says = "a condition names either jobStatus or jobDeploymentStatus";
            push(found, &at, says, "Name one of them");
            continue;
        }
        if condition["ttlSeconds"].as_i64().is_some_and(|seconds| seconds < 0) {
            push(found, &at, "ttlSeconds is negative", "Write 0 or more");
            continue;
        }
        if job.selects() && matches!(policy, "DeleteCluster" | "DeleteWorkers") {
            push(found, &at, format!("{policy} is not for a selected cluster"), "Use DeleteSelf or DeleteNone");
            continue;
        }
        if job.scales() && policy == "DeleteWorkers" {
            push(found, &at, "DeleteWorkers is not for a cluster that scales", "Use DeleteCluster");
            continue;
        }
        let key = (status.as_str(), deployment.as_str(), policy);
        if seen.contains(&key) {
            push(found, &at, format!("a rule before it has {policy} on the same condition"), "Take one of them out");
        }
        seen.push(key);
    }
}

/// Workers before the cluster before the job.
fn deletion_order(job: &Job<'_>, found: &mut Faults) {
    let mut times: BTreeMap<String, [Option<i64>; 3]> = BTreeMap::new();
    for rule in job.rules().into_iter().flatten() {
        let condition = &rule["condition"];
        let key = condition["jobStatus"].as_str().or(condition["jobDeploymentStatus"].as_str()).unwrap_or_default();
        let place = ["DeleteWorkers", "DeleteCluster", "DeleteSelf"].iter().position(|known| rule["policy"] == **known);
        if let Some(slot) = place.and_then(|place| times.entry(key.to_owned()).or_default().get_mut(place)) {
            slot.get_or_insert(condition["ttlSeconds"].as_i64().unwrap_or(0));
        }
    }
    for (condition, times) in times {
        let known: Vec<i64> = times.into_iter().flatten().collect();
        if !known.is_sorted() {
            push(
                found,
                job.at("deletionStrategy.deletionRules"),
                format!("on {condition}, ttlSeconds must not fall from DeleteWorkers to DeleteCluster to DeleteSelf"),
                "Give the later policy the longer time",
            );
        }
    }
}

fn legacy_deletion(job: &Job<'_>, found: &mut Faults) {
    let Some(strategy) = job.strategy() else { return };
    let sides = [&strategy["onSuccess"], &strategy["onFailure"]];
    if sides.iter().all(|side| side.is_null()) || job.rules().is_some() {
        return;
    }
    let at = job.at("deletionStrategy");
    let Some(policies) = sides.iter().map(|side| side["policy"].as_str()).collect::<Option<Vec<_>>>() else {
        push(found, at, "onSuccess and onFailure both need a policy", "Write both, or deletionRules");
        return;
    };
    let has = |policy: &str| policies.contains(&policy);
    if job.selects() && (has("DeleteCluster") || has("DeleteWorkers")) {
        push(found, &at, "a selected cluster is not the job's to delete", "Use DeleteSelf or DeleteNone");
    }
    if job.scales() && has("DeleteWorkers") {
        push(found, &at, "DeleteWorkers is not for a cluster that scales", "Use DeleteCluster");
    }
    if job.shuts_down() && has("DeleteNone") {
        push(found, &at, "DeleteNone contradicts shutdownAfterJobFinishes: true", "Use DeleteCluster");
    }
}

fn which_cluster(job: &Job<'_>, found: &mut Faults) {
    if job.cluster().is_none() && !job.selects() {
        push(found, &job.path, "there is neither rayClusterSpec nor clusterSelector", "Leave rayClusterSpec in");
    }
}

fn selector(job: &Job<'_>, found: &mut Faults) {
    if !job.selects() {
        return;
    }
    let at = job.at("clusterSelector");
    if text(&job.spec["clusterSelector"], "ray.io/cluster").is_none() {
        push(found, &at, "it must name a cluster under the key ray.io/cluster", "Add that key");
    }
    if job.is_mode("SidecarMode") {
        push(found, &at, "SidecarMode has no place on a selected cluster", "Use K8sJobMode");
    }
}

fn selector_retries(job: &Job<'_>, found: &mut Faults) {
    if job.selects() && job.number("backoffLimit").is_some_and(|limit| limit > 0) {
        push(found, job.at("backoffLimit"), "a job on a selected cluster is not tried again", "Take backoffLimit out");
    }
}

fn interactive(job: &Job<'_>, found: &mut Faults) {
    if job.is_mode("InteractiveMode") && job.number("backoffLimit").is_some_and(|limit| limit > 0) {
        push(found, job.at("backoffLimit"), "a job in InteractiveMode is not tried again", "Take backoffLimit out");
    }
}

fn sidecar(job: &Job<'_>, found: &mut Faults) {
    if !job.is_mode("SidecarMode") {
        return;
    }
    for key in ["submitterPodTemplate", "submitterConfig"] {
        if !job.spec[key].is_null() {
            push(found, job.at(key), "SidecarMode has no submitter pod", "Take it out, or use K8sJobMode");
        }
    }
    let policy = &job.spec["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]["restartPolicy"];
    if policy.as_str().is_some_and(|policy| !matches!(policy, "" | "Never")) {
        push(
            found,
            job.at("rayClusterSpec.headGroupSpec.template.spec.restartPolicy"),
            "in SidecarMode the head must not be restarted",
            "Write Never, or take it out",
        );
    }
}

fn kubernetes_tokens(job: &Job<'_>, found: &mut Faults) {
    if job.spec["rayClusterSpec"]["authOptions"]["enableK8sTokenAuth"] == true {
        let at = job.at("rayClusterSpec.authOptions.enableK8sTokenAuth");
        push(found, at, "a RayJob can't have it", "Use `mode: token`");
    }
}

fn runtime_env(job: &Job<'_>, found: &mut Faults) {
    let Some(text) = text(job.spec, "runtimeEnvYAML") else { return };
    let map = emit::read("runtime_env.yaml", text).is_some_and(|value| value.is_object() || value.is_null());
    if !map {
        push(found, job.at("runtimeEnvYAML"), "it is no YAML map", "Use the block's `runtime_env`");
    }
}

fn positive(job: &Job<'_>, found: &mut Faults) {
    if job.number("activeDeadlineSeconds").is_some_and(|seconds| seconds <= 0) {
        push(found, job.at("activeDeadlineSeconds"), "it must be above zero", "Use the block's `deadline`");
    }
    if job.number("backoffLimit").is_some_and(|limit| limit < 0) {
        push(found, job.at("backoffLimit"), "it is negative", "Write 0 or more");
    }
}

fn positive_start(job: &Job<'_>, found: &mut Faults) {
    if job.number("preRunningDeadlineSeconds").is_some_and(|seconds| seconds <= 0) {
        push(found, job.at("preRunningDeadlineSeconds"), "it must be above zero", "Write a number of seconds");
    }
}
