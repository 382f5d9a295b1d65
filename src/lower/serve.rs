//! A served application: a RayService whose replicas each take one slice, or GPUs of nodes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::facts::kuberay::{self, Gate};
use crate::facts::vllm::room::EXPERTS_ON_TPU;
use crate::facts::vllm::{self, Kind};
use crate::lower::intent::pod::Env;
use crate::lower::intent::ray::{
    AppBody, Application, Autoscaling, LlmConfig, RayService, Replicas, ServeConfig, Upgrade,
};
use crate::lower::intent::{Intent, Object};
use crate::lower::place::Place;
use crate::lower::ray::{Group, Wants, cluster, meta, notes as ray_notes, runtime_env};
use crate::resolve::stack::{Lora, Model, Serve, Stack, UpgradeStrategy};

/// How long an engine may take to start, in seconds. A first compile for TPU takes 10 to 30 minutes (vllm.md 2); vLLM gives up
/// after 600 seconds unless told.
const ENGINE_READY_TIMEOUT_S: u64 = 3600;

const UTILIZATION: &str = "gpu_memory_utilization";

/// Where compiled programs are kept: on the node. A bucket shared by hosts makes them race (vllm.md 2).
const XLA_CACHE: &str = "/tmp/vllm_xla_cache";

/// The service.
pub fn lower(stack: &Stack, serve: &Serve) -> Option<Intent> {
    let place = place(stack, serve)?;
    let port = u16::try_from(serve.port.value).ok()?;
    let replicas = pods(serve, place);
    let incremental = matches!(serve.upgrade.value, UpgradeStrategy::Incremental { .. });
    let group = Group {
        name: place.name().to_owned(),
        role: &serve.workload.worker_pod,
        place,
        replicas,
        env: environment(serve, place),
        ports: Vec::new(),
        resources: BTreeMap::new(),
    };
    let wants = Wants {
        stack,
        workload: &serve.workload,
        groups: vec![group],
        head_env: Vec::new(),
        head_volumes: Vec::new(),
        // A Service called `vllm` would set VLLM_PORT in every pod, and the engine would try to listen there.
        service_links: false,
        serve_port: (port != 8000).then_some(port),
        // KubeRay refuses an incremental upgrade of a cluster without Ray's autoscaler.
        autoscaling: (replicas.0 < replicas.1 || incremental).then(Autoscaling::default),
    };
    let service = RayService {
        meta: meta(stack, &serve.workload, serve.head.name.value.clone()),
        serve: ServeConfig { host: "0.0.0.0".to_owned(), port, applications: applications(stack, serve, place) },
        upgrade: upgrade(&serve.upgrade.value),
        cluster: cluster(&wants),
    };
    let mut intent = Intent::new(serve.head.addr.clone(), Object::RayService(service));
    intent.notes = notes(stack, serve, place);
    intent.notes.extend(ray_notes(&wants));
    Some(intent)
}

fn place<'a>(stack: &'a Stack, serve: &Serve) -> Option<Place<'a>> {
    if let Some(nodes) = &serve.nodes {
        return stack.nodes(nodes).map(Place::Nodes);
    }
    let slice = stack.slice(&serve.slice.as_ref()?.value)?;
    Some(Place::Slices { slice, shape: slice.shape()? })
}

/// Fewest and most slices, or the nodes that the replicas fill.
///
/// Slices of several hosts do not come and go: Ray Serve LLM asks Ray's autoscaler for a host with the labels of a slice
/// that runs, and no group promises them (ray.md 7A4).
fn pods(serve: &Serve, place: Place<'_>) -> (u32, u32) {
    if let Some((_, gpus)) = place.devices().filter(|_| serve.nodes.is_some()) {
        return (serve.nodes_filled(gpus, Model::fewest_replicas), serve.nodes_filled(gpus, Model::most_replicas));
    }
    let most = serve.num_slices.value;
    if place.hosts() > 1 {
        return (most, most);
    }
    let ranges = serve.models.iter().filter_map(|model| model.autoscale.as_ref());
    let free = ranges.map(|range| range.max.value.saturating_sub(range.min.value)).fold(0, u32::saturating_add);
    (most.saturating_sub(free), most)
}

/// The models are one application, at `/`; the others follow.
fn applications(stack: &Stack, serve: &Serve, place: Place<'_>) -> Vec<Application> {
    let replicas = if serve.nodes.is_some() { 1 } else { default_replicas(serve) };
    let models: Vec<LlmConfig> = serve.models.iter().map(|model| llm_config(stack, model, place, replicas)).collect();
    let models = (!models.is_empty()).then(|| Application {
        name: serve.head.name.value.clone(),
        route_prefix: "/".to_owned(),
        runtime_env: None,
        body: AppBody::Llm(models),
    });
    let others = serve.applications.iter().map(|app| Application {
        name: app.name.value.clone(),
        route_prefix: app.route_prefix.value.clone(),
        runtime_env: app.runtime_env.as_ref().map(runtime_env),
        body: AppBody::Import {
            import_path: app.import_path.as_ref().map_or_else(String::new, |path| path.value.clone()),
            args: app.args.clone(),
            deployments: app.deployments.clone(),
        },
    });
    models.into_iter().chain(others).collect()
}

fn upgrade(strategy: &UpgradeStrategy) -> Upgrade {
    match strategy {
        UpgradeStrategy::NewCluster => Upgrade::NewCluster,
        UpgradeStrategy::None => Upgrade::None,
        UpgradeStrategy::Incremental { max_surge, step_size, interval, gateway_class } => Upgrade::Incremental {
            max_surge_percent: *max_surge,
            step_size_percent: *step_size,
            interval_s: *interval,
            gateway_class: gateway_class.clone(),
        },
    }
}

fn notes(stack: &Stack, serve: &Serve, place: Place<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if place.hosts() > 1 && serve.models.iter().any(|model| model.autoscale.is_some()) {
        notes.push(format!(
            "All of its slices ({}) stay up, and replicas come and go on them: Ray's autoscaler cannot start a slice of several hosts for Ray Serve LLM.",
            serve.num_slices.value
        ));
    }
    notes.extend(serve.models.iter().filter(|model| leaves_room(stack, model, place)).map(|model| {
        format!(
            "{} is a mixture of experts: gpu_memory_utilization is 0.9, which leaves its programs room on TPUs; the stack may say otherwise.",
            *model.name
        )
    }));
    let row = stack.kuberay_version(&serve.workload).and_then(|version| kuberay::row_for(&version.value).row());
    let incremental = matches!(serve.upgrade.value, UpgradeStrategy::Incremental { .. });
    if incremental && row.is_some_and(|row| row.incremental_upgrade == Gate::Alpha) {
        notes.push("Incremental upgrades are off in this KubeRay unless the operator runs with the feature gate RayServiceIncrementalUpgrade.".to_owned());
    }
    notes
}

/// Replicas of a model that does not say: the block's slices, shared evenly.
fn default_replicas(serve: &Serve) -> u32 {
    let written = serve.models.iter().filter_map(Model::most_replicas).fold(0, u32::saturating_add);
    let silent = serve.models.iter().filter(|model| model.most_replicas().is_none()).count();
    let silent = u32::try_from(silent).unwrap_or(u32::MAX);
    (serve.num_slices.value.saturating_sub(written) / silent.max(1)).max(1)
}

fn environment(serve: &Serve, place: Place<'_>) -> Vec<Env> {
    let mut env = Vec::new();
    let timeout = serve.startup_timeout.as_ref().map(|timeout| timeout.value);
    // What applications need of vLLM, if anything, only they know.
    let vllm = !serve.models.is_empty() || timeout.is_some();
    if let Some(shape) = place.shape() {
        // `tpu` alone breaks vLLM's weight loader, which needs the CPU back end (vllm.md 2).
        env.push(Env::plain("JAX_PLATFORMS", "tpu,cpu"));
        if vllm && shape.multi_host {
            // Without it the engine stays in its own host's process and never starts the others (ray.md 1e).
            env.push(Env::plain("TPU_MULTIHOST_BACKEND", "ray"));
        }
        if vllm {
            env.push(Env::plain("VLLM_XLA_CACHE_PATH", XLA_CACHE));
        }
    }
    if vllm {
        let timeout = timeout.unwrap_or(ENGINE_READY_TIMEOUT_S).to_string();
        env.push(Env::plain("VLLM_ENGINE_READY_TIMEOUT_S", timeout.as_str()));
        env.push(Env::plain("RAYLLM_ENGINE_START_TIMEOUT_S", timeout.as_str()));
    }
    env
}

/// A value as the field of vLLM's class takes it: Ray passes it on as it is, and only vLLM's command line reads `8k`, `auto`
/// and JSON in a text.
fn as_field(name: &str, value: &Value) -> Value {
    let kind = vllm::named(name).map(|arg| arg.kind);
    match (kind, value.as_str()) {
        (Some(Kind::HumanIntOrAuto), Some("auto")) => Value::from(-1),
        (Some(Kind::HumanInt | Kind::HumanIntOrAuto), Some(text)) => {
            vllm::human_int(text).map_or_else(|| value.clone(), Value::from)
        }
        (Some(Kind::Json | Kind::Object | Kind::Structure), Some(text)) => {
            vllm::structure(text).unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    }
}

/// Whether the engine gets less of a device than by vLLM's default: a mixture of experts on TPUs, of which the stack says
/// nothing else. Its programs get only what is left outside (vllm.md 4).
fn leaves_room(stack: &Stack, model: &Model, place: Place<'_>) -> bool {
    let said = [UTILIZATION, "kv_cache_memory_bytes"].iter().any(|argument| model.engine.contains_key(*argument));
    place.shape().is_some() && !said && stack.facts_of(model).is_some_and(|facts| facts.experts > 0)
}

/// Ray's `lora_config`; what the stack leaves out is Ray's default.
fn lora(lora: &Lora) -> Map<String, Value> {
    let mut config = Map::new();
    config.insert("dynamic_lora_loading_path".to_owned(), lora.path.value.trim_end_matches('/').into());
    let numbers = [
        ("max_num_adapters_per_replica", lora.max_adapters.map(u64::from)),
        ("download_timeout_s", lora.download_timeout),
        ("max_download_tries", lora.max_tries.map(u64::from)),
    ];
    config.extend(numbers.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?.into()))));
    config
}

fn llm_config(stack: &Stack, model: &Model, place: Place<'_>, default_replicas: u32) -> LlmConfig {
    let mut engine: Map<String, Value> =
        model.engine.iter().map(|(name, value)| (name.clone(), as_field(name, &value.value))).collect();
    // The only back end that Ray Serve LLM takes on accelerators.
    engine.entry("distributed_executor_backend").or_insert_with(|| "ray".into());
    if model.lora.is_some() {
        engine.entry("enable_lora").or_insert(Value::Bool(true));
    }
    if leaves_room(stack, model, place) {
        engine.insert(UTILIZATION.to_owned(), (f64::from(EXPERTS_ON_TPU.value) / 1e6).into());
    }
    LlmConfig {
        model_id: model.name.value.clone(),
        model_source: model.source.as_ref().map_or_else(String::new, |source| source.value.clone()),
        accelerator_type: place.ray_accelerator_type().map(str::to_owned),
        topology: place.shape().map(|shape| shape.topology.to_string()),
        engine_kwargs: engine,
        replicas: match &model.autoscale {
            Some(range) => Replicas::Scaled {
                min: range.min.value,
                max: range.max.value,
                target_ongoing_requests: range.target_ongoing_requests.as_ref().map(|target| u64::from(target.value)),
            },
            None => Replicas::Fixed(model.replicas.as_ref().map_or(default_replicas, |replicas| replicas.value)),
        },
        max_ongoing_requests: model.max_ongoing_requests.as_ref().map(|number| u64::from(number.value)),
        ray_actor_options: Map::new(),
        runtime_env: None,
        lora: model.lora.as_ref().map(lora),
    }
}
