//! A served application: a RayService whose replicas each take one slice, or GPUs of nodes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::lower::intent::pod::Env;
use crate::lower::intent::ray::{AppBody, Application, LlmConfig, RayService, Replicas, ServeConfig, Upgrade};
use crate::lower::intent::{Intent, Object};
use crate::lower::place::Place;
use crate::lower::ray::{Group, Wants, cluster, meta, notes};
use crate::resolve::stack::{Model, Serve, Stack, UpgradeStrategy};

/// How long an engine may take to start, in seconds. A first compile for TPU takes 10 to 30 minutes (vllm.md 2); vLLM gives up
/// after 600 seconds unless told.
const ENGINE_READY_TIMEOUT_S: u32 = 3600;

/// Where compiled programs are kept: on the node. A bucket shared by hosts makes them race (vllm.md 2).
const XLA_CACHE: &str = "/tmp/vllm_xla_cache";

/// The service.
pub fn lower(stack: &Stack, serve: &Serve) -> Option<Intent> {
    let place = place(stack, serve)?;
    let port = u16::try_from(serve.port.value).ok()?;
    let group = Group {
        name: place.name().to_owned(),
        role: &serve.workload.worker_pod,
        place,
        replicas: pods(serve, place),
        env: environment(place),
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
        autoscaling: None,
    };
    let replicas = if serve.nodes.is_some() { 1 } else { default_replicas(serve) };
    let models = serve.models.iter().map(|model| llm_config(model, place, replicas)).collect();
    let service = RayService {
        meta: meta(stack, &serve.workload, serve.head.name.value.clone()),
        serve: ServeConfig {
            host: "0.0.0.0".to_owned(),
            port,
            applications: vec![Application {
                name: serve.head.name.value.clone(),
                route_prefix: "/".to_owned(),
                runtime_env: None,
                body: AppBody::Llm(models),
            }],
        },
        upgrade: match serve.upgrade.value {
            // Incremental upgrades need autoscaling, which this release does not read; `upgrade` does not offer them.
            UpgradeStrategy::NewCluster => Upgrade::NewCluster,
            UpgradeStrategy::None => Upgrade::None,
        },
        cluster: cluster(&wants),
    };
    let mut intent = Intent::new(serve.head.addr.clone(), Object::RayService(service));
    intent.notes = notes(&wants);
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
fn pods(serve: &Serve, place: Place<'_>) -> (u32, u32) {
    let Some((_, gpus)) = place.devices().filter(|_| serve.nodes.is_some()) else {
        return (serve.num_slices.value, serve.num_slices.value);
    };
    let nodes = serve.nodes_filled(gpus);
    (nodes, nodes)
}

/// Replicas of a model that does not say: the block's slices, shared evenly.
fn default_replicas(serve: &Serve) -> u32 {
    let written: u32 =
        serve.models.iter().filter_map(|model| model.replicas.as_ref()).fold(0, |sum, n| sum.saturating_add(n.value));
    let silent =
        u32::try_from(serve.models.iter().filter(|model| model.replicas.is_none()).count()).unwrap_or(u32::MAX);
    (serve.num_slices.value.saturating_sub(written) / silent.max(1)).max(1)
}

fn environment(place: Place<'_>) -> Vec<Env> {
    let mut env = Vec::new();
    if let Some(shape) = place.shape() {
        // `tpu` alone breaks vLLM's weight loader, which needs the CPU back end (vllm.md 2).
        env.push(Env::plain("JAX_PLATFORMS", "tpu,cpu"));
        if shape.multi_host {
            // Without it the engine stays in its own host's process and never starts the others (ray.md 1e).
            env.push(Env::plain("TPU_MULTIHOST_BACKEND", "ray"));
        }
        env.push(Env::plain("VLLM_XLA_CACHE_PATH", XLA_CACHE));
    }
    env.push(Env::plain("VLLM_ENGINE_READY_TIMEOUT_S", ENGINE_READY_TIMEOUT_S.to_string()));
    env.push(Env::plain("RAYLLM_ENGINE_START_TIMEOUT_S", ENGINE_READY_TIMEOUT_S.to_string()));
    env
}

fn llm_config(model: &Model, place: Place<'_>, default_replicas: u32) -> LlmConfig {
    let mut engine: Map<String, Value> =
        model.engine.iter().map(|(name, value)| (name.clone(), value.value.clone())).collect();
    // The only back end that Ray Serve LLM takes on accelerators.
    engine.entry("distributed_executor_backend").or_insert_with(|| "ray".into());
    LlmConfig {
        model_id: model.name.value.clone(),
        model_source: model.source.as_ref().map_or_else(String::new, |source| source.value.clone()),
        accelerator_type: place.ray_accelerator_type().map(str::to_owned),
        topology: place.shape().map(|shape| shape.topology.to_string()),
        engine_kwargs: engine,
        replicas: Replicas::Fixed(model.replicas.as_ref().map_or(default_replicas, |replicas| replicas.value)),
        max_ongoing_requests: model.max_ongoing_requests.as_ref().map(|number| u64::from(number.value)),
        ray_actor_options: Map::new(),
        runtime_env: None,
        lora: None,
    }
}
