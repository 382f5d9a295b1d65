//! Intents of Ray on Kubernetes: clusters, jobs, services.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::lower::intent::pod::{Meta, Pod};

/// The shape of a Ray cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterShape {
    /// The Ray version of the images; `KubeRay` chooses probes by it.
    pub ray_version: String,
    /// The head.
    pub head: HeadGroup,
    /// The workers; group names are unique.
    pub groups: Vec<WorkerGroup>,
    /// Ray scales the groups.
    pub autoscaling: Option<Autoscaling>,
}

/// The head of a Ray cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadGroup {
    /// Options of `ray start`: `num-cpus = "0"` keeps work off a head without chips.
    pub ray_start_params: BTreeMap<String, String>,
    /// Its pod.
    pub pod: Pod,
}

/// Workers of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerGroup {
    /// Its name.
    pub name: String,
    /// Slices (or single nodes); not written where the cluster scales.
    pub replicas: u32,
    /// Fewest.
    pub min: u32,
    /// Most.
    pub max: u32,
    /// Hosts of a slice: pods of one replica.
    pub num_of_hosts: u32,
    /// Options of `ray start`.
    pub ray_start_params: BTreeMap<String, String>,
    /// Ray resources beyond what Ray finds itself, for its autoscaler (`KubeRay` 1.5); never given in `ray_start_params` too.
    pub resources: BTreeMap<String, String>,
    /// Its pod.
    pub pod: Pod,
}

/// How Ray scales groups: always its second autoscaler.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Autoscaling {
    /// Seconds until an idle worker goes.
    pub idle_timeout_s: Option<u64>,
}

/// A Ray cluster for interactive use.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RayCluster {
    /// Name and place.
    pub meta: Meta,
    /// A change of the template recreates the cluster (`KubeRay` 1.6); false leaves running pods as they are.
    pub recreate_on_change: bool,
    /// The cluster.
    pub cluster: ClusterShape,
}

/// A Ray job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RayJob {
    /// Name and place.
    pub meta: Meta,
    /// What runs on the head.
    pub entrypoint: Entrypoint,
    /// Ray's runtime environment.
    pub runtime_env: Option<Map<String, Value>>,
    /// Who submits.
    pub submission: Submission,
    /// The cluster goes when the job ends: false leaves its chips in use.
    pub shutdown_after_finished: bool,
    /// Seconds that an ended job stays.
    pub ttl_s: Option<u64>,
    /// Seconds until the job is stopped.
    pub active_deadline_s: Option<u64>,
    /// Seconds in which it must begin to run (`KubeRay` 1.6).
    pub pre_running_deadline_s: Option<u64>,
    /// Whole new clusters that a failed job gets.
    pub backoff_limit: Option<u32>,
    /// Retries of the submitter alone; none is `KubeRay`'s 2.
    pub submitter_backoff_limit: Option<u32>,
    /// The cluster.
    pub cluster: ClusterShape,
}

/// A Ray job that runs again and again (`KubeRay` 1.6).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RayCronJob {
    /// Five fields, or a macro such as `@daily`.
    pub schedule: String,
    /// Its time zone (`KubeRay` 1.7); none is the operator's.
    pub time_zone: Option<String>,
    /// The job, with the name and place of the whole.
    pub job: RayJob,
}

/// What a job runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Entrypoint {
    /// A program and its arguments, none of them read by a shell.
    Argv(Vec<String>),
    /// A line as the stack gives it. One that a shell would take apart is passed to `bash -c` whole.
    Line(String),
}

/// Who submits a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Submission {
    /// A Kubernetes Job beside the cluster.
    K8sJob,
    /// The operator. It submits again after a loss of the head.
    Http,
    /// A container in the head's pod (`KubeRay` 1.5).
    Sidecar,
}

/// A Ray Serve application and its cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RayService {
    /// Name and place.
    pub meta: Meta,
    /// What it serves.
    pub serve: ServeConfig,
    /// How a new cluster takes over.
    pub upgrade: Upgrade,
    /// The cluster.
    pub cluster: ClusterShape,
}

/// How a `RayService` changes its cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Upgrade {
    /// A second cluster is built whole, then traffic moves: twice the chips meanwhile.
    NewCluster,
    /// A second cluster grows as the first shrinks (`KubeRay` 1.7, Gateway API, autoscaling).
    Incremental {
        /// Per cent beyond the target while both exist.
        max_surge_percent: Option<u32>,
        /// Per cent of the traffic that moves at once.
        step_size_percent: u32,
        /// Seconds between moves.
        interval_s: u32,
        /// The `GatewayClass`.
        gateway_class: String,
    },
    /// A change waits until the cluster is replaced by hand.
    None,
}

/// Ray Serve's configuration.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ServeConfig {
    /// The address that proxies listen on.
    pub host: String,
    /// Their port.
    pub port: u16,
    /// The applications; names and routes are unique.
    pub applications: Vec<Application>,
}

/// One application of Ray Serve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// `/`, `/v2`.
    pub route_prefix: String,
    /// Ray's runtime environment of its replicas.
    pub runtime_env: Option<Map<String, Value>>,
    /// What it runs.
    pub body: AppBody,
}

/// What an application runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum AppBody {
    /// vLLM behind an `OpenAI` interface: `ray.serve.llm:build_openai_app`.
    Llm(Vec<LlmConfig>),
    /// Any Ray Serve application.
    Import {
        /// `module:app`.
        import_path: String,
        /// Arguments of an application builder.
        args: Map<String, Value>,
        /// Overrides by deployment, as Ray Serve's schema has them.
        deployments: Vec<Map<String, Value>>,
    },
}

/// A model of Ray Serve LLM.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LlmConfig {
    /// The name in requests; unique.
    pub model_id: String,
    /// A repository, a path or a bucket.
    pub model_source: String,
    /// Ray's accelerator type: `TPU-V6E`.
    pub accelerator_type: Option<String>,
    /// `4x4`: the replica reserves a whole slice of it (Ray 2.56).
    pub topology: Option<String>,
    /// vLLM's engine arguments under their own names.
    pub engine_kwargs: Map<String, Value>,
    /// How many replicas.
    pub replicas: Replicas,
    /// Requests at once that a replica takes; none is Ray's 1e9.
    pub max_ongoing_requests: Option<u64>,
    /// Options of the replica actors, such as `label_selector`.
    pub ray_actor_options: Map<String, Value>,
    /// Ray's runtime environment of the model's workers.
    pub runtime_env: Option<Map<String, Value>>,
    /// `LoRA`, as Ray's `lora_config` has it.
    pub lora: Option<Map<String, Value>>,
}

/// How many replicas a deployment has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Replicas {
    /// Always so many.
    Fixed(u32),
    /// By load.
    Scaled {
        /// Fewest.
        min: u32,
        /// Most.
        max: u32,
        /// Requests that a replica should have at a time.
        target_ongoing_requests: Option<u64>,
    },
}
