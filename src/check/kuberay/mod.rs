//! What the KubeRay operator refuses in its own objects, check by check as its `validation.go` has them, and what it takes
//! without a word and does not do.
//!
//! Most of it no stack can write: the language has no attribute for it, or derives it. A `patch` or a `manifest` can, so the
//! checks look at the objects. Each check has the number of the operator's own and the release that brought it; releases of Ray
//! in it are those with which the operator compares.

mod cluster;
mod job;
mod names;
mod service;
mod silent;

use serde_json::Value;

use crate::check::kuberay::job::Job;
use crate::emit::Manifest;
use crate::facts::version::Version;

/// What the operator would say of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where in the object.
    pub path: String,
    /// What is wrong, as a sentence without its full stop.
    pub says: String,
    /// What to do, as a sentence without its full stop.
    pub help: String,
}

/// One check of the operator's; `run` puts what it finds behind the others.
struct Check<Run> {
    /// Its name here: `C6`.
    id: &'static str,
    /// The first release that has it.
    since: Version,
    run: Run,
}

/// A check of an object as a whole.
type OfObject = fn(&Value, &mut Faults);

/// A check of a cluster, wherever it stands.
type OfCluster = for<'a> fn(&Cluster<'a>, &mut Faults);

/// A check of a job, wherever it stands.
type OfJob = for<'a> fn(&Job<'a>, &mut Faults);

/// Faults in the order in which they were found.
type Faults = Vec<Fault>;

/// A fault found: with the check, and who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The check.
    pub id: &'static str,
    /// The fault.
    pub fault: Fault,
}

const fn release(minor: u32, patch: u32) -> Version {
    Version::new(1, minor, patch)
}

/// The oldest release that is known.
const FIRST: Version = release(4, 0);

/// Who makes a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// The stack.
    Stack,
    /// A RayJob.
    Job,
    /// A RayService.
    Service,
}

/// The specification of a cluster, by itself or in another object.
struct Cluster<'a> {
    /// Where it is in its object.
    path: String,
    spec: &'a Value,
    annotations: &'a Value,
    owner: Owner,
}

/// A group of pods of a cluster.
struct Group<'a> {
    /// Where it is in its object.
    path: String,
    value: &'a Value,
}

impl Cluster<'_> {
    fn at(&self, path: &str) -> String {
        format!("{}.{path}", self.path)
    }

    fn head(&self) -> &Value {
        &self.spec["headGroupSpec"]
    }

    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let groups = self.spec["workerGroupSpecs"].as_array().into_iter().flatten();
        groups.enumerate().map(|(index, value)| {
            let name = value["groupName"].as_str().map_or_else(|| index.to_string(), str::to_owned);
            Group { path: self.at(&format!("workerGroupSpecs[{name}]")), value }
        })
    }

    /// The head and the groups.
    fn all(&self) -> impl Iterator<Item = Group<'_>> {
        std::iter::once(Group { path: self.at("headGroupSpec"), value: self.head() }).chain(self.groups())
    }

    fn scales(&self) -> bool {
        self.spec["enableInTreeAutoscaling"] == true
    }

    /// The new autoscaler, as the operator sees it: only where the field says so.
    fn is_v2(&self) -> bool {
        self.spec["autoscalerOptions"]["version"] == "v2"
    }

    /// A variable of the head's Ray container.
    fn head_env(&self, name: &str) -> Option<&Value> {
        let env = self.head()["template"]["spec"]["containers"][0]["env"].as_array()?;
        env.iter().find(|variable| variable["name"] == name)
    }

    /// Whether the head turns the new autoscaler on by a variable.
    fn env_v2(&self) -> bool {
        self.head_env(AUTOSCALER_V2).is_some_and(|variable| variable["value"] == "1" || variable["value"] == "true")
    }
}

const AUTOSCALER_V2: &str = "RAY_enable_autoscaler_v2";

/// What the operator of a version refuses in an object.
pub fn refusals(manifest: &Manifest, version: &Version) -> Vec<Refusal> {
    let tree = &manifest.tree;
    let mut found = Vec::new();
    let mut whole = |checks: &[Check<OfObject>]| run(checks, version, &mut found, |check, faults| check(tree, faults));
    match manifest.object.kind.as_str() {
        "RayCluster" => whole(names::CLUSTER),
        "RayJob" => whole(names::JOB),
        "RayService" => {
            whole(names::SERVICE);
            whole(service::CHECKS);
        }
        "RayCronJob" => whole(names::CRON_JOB),
        _ => return found,
    }
    let job = job_in(manifest);
    if let Some(job) = &job {
        run(job::CHECKS, version, &mut found, |check, faults| check(job, faults));
    }
    if let Some(cluster) = cluster_in(manifest, job.as_ref()) {
        run(cluster::CHECKS, version, &mut found, |check, faults| check(&cluster, faults));
    }
    found
}

/// What nobody refuses, and can't work.
pub fn broken(manifest: &Manifest) -> Vec<Refusal> {
    of_all(manifest, silent::BROKEN_JOB, silent::BROKEN_CLUSTER)
}

/// What nobody refuses, and nobody heeds.
pub fn ignored(manifest: &Manifest) -> Vec<Refusal> {
    of_all(manifest, &[], silent::IGNORED_CLUSTER)
}

/// Checks that hold for every release.
fn of_all(manifest: &Manifest, jobs: &[Check<OfJob>], clusters: &[Check<OfCluster>]) -> Vec<Refusal> {
    let mut found = Vec::new();
    let job = job_in(manifest);
    if let Some(job) = &job {
        run(jobs, &FIRST, &mut found, |check, faults| check(job, faults));
    }
    if let Some(cluster) = cluster_in(manifest, job.as_ref()) {
        run(clusters, &FIRST, &mut found, |check, faults| check(&cluster, faults));
    }
    found
}

/// The job that an object is, or makes.
fn job_in(manifest: &Manifest) -> Option<Job<'_>> {
    let tree = &manifest.tree;
    match manifest.object.kind.as_str() {
        "RayJob" => Some(Job { path: "spec".to_owned(), spec: &tree["spec"], annotations: annotations(tree) }),
        // The operator judges the job without the annotations that it will have.
        "RayCronJob" => Some(Job {
            path: "spec.jobTemplate".to_owned(),
            spec: &tree["spec"]["jobTemplate"],
            annotations: &Value::Null,
        }),
        _ => None,
    }
}

/// The cluster that an object is, or makes.
fn cluster_in<'a>(manifest: &'a Manifest, job: Option<&Job<'a>>) -> Option<Cluster<'a>> {
    let tree = &manifest.tree;
    match manifest.object.kind.as_str() {
        "RayCluster" => Some(Cluster {
            path: "spec".to_owned(),
            spec: &tree["spec"],
            annotations: annotations(tree),
            owner: Owner::Stack,
        }),
        "RayService" => Some(of_service(tree)),
        _ => job?.cluster(),
    }
}

fn annotations(tree: &Value) -> &Value {
    &tree["metadata"]["annotations"]
}

fn of_service(tree: &Value) -> Cluster<'_> {
    let path = "spec.rayClusterConfig".to_owned();
    Cluster { path, spec: &tree["spec"]["rayClusterConfig"], annotations: annotations(tree), owner: Owner::Service }
}

/// Runs the checks that a release has.
fn run<Run: Copy>(
    checks: &[Check<Run>],
    version: &Version,
    found: &mut Vec<Refusal>,
    mut call: impl FnMut(Run, &mut Faults),
) {
    for check in checks.iter().filter(|check| version.may_be_at_least(&check.since)) {
        let mut faults = Vec::new();
        call(check.run, &mut faults);
        found.extend(faults.into_iter().map(|fault| Refusal { id: check.id, fault }));
    }
}

fn push(found: &mut Faults, path: impl Into<String>, says: impl Into<String>, help: impl Into<String>) {
    found.push(Fault { path: path.into(), says: says.into(), help: help.into() });
}

/// A text that is there and not empty.
fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value[key].as_str().filter(|text| !text.is_empty())
}

/// The release of Ray that a cluster names.
fn ray_version(spec: &Value) -> Option<Version> {
    text(spec, "rayVersion")?.parse().ok()
}
