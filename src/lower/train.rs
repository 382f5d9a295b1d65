//! A training job: a RayJob with its own Ray cluster, and the driver that starts Ray Train.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde_json::{Map, Number, Value};

use crate::facts::ray;
use crate::fit::shape::Shape;
use crate::fit::workers::{self, Workers};
use crate::lower::intent::pod::{ConfigMap, Env, FileText, Port, Volume, VolumeSource};
use crate::lower::intent::ray::{Entrypoint, RayJob, Submission};
use crate::lower::intent::train::{
    Axis, Checkpoint, Failure, Framework as Trainer, Scaling, Strategy as Spread, TorchDevice, TrainDriver,
};
use crate::lower::intent::{Intent, Object};
use crate::lower::name;
use crate::lower::place::Place;
use crate::lower::ray::{Group, Wants, cluster, meta, notes as ray_notes};
use crate::resolve::stack::{Framework, Program, RuntimeEnv, Stack, Strategy, Train};

/// Where the driver is mounted on the head.
const DRIVER_FOLDER: &str = "/etc/sliceform";
const DRIVER_FILE: &str = "train.py";

/// Ray Train's own limit is 60 seconds; pulling images onto the hosts of a slice takes longer, and Ray would retry without
/// end (ray.md 7E).
const WORKER_GROUP_START_TIMEOUT_S: u32 = 1800;

/// The driver and the job.
pub fn lower(stack: &Stack, train: &Train) -> Vec<Intent> {
    let slice = train.slice.as_ref().and_then(|addr| stack.slice(addr));
    let (Some(slice), Some(framework)) = (slice, train.framework.as_ref().map(|framework| framework.value)) else {
        return Vec::new();
    };
    let (Some(shape), Some(program)) = (slice.shape(), &train.program) else { return Vec::new() };
    let Some(workers) = workers_of(framework, shape, train.num_slices.value) else { return Vec::new() };
    let mut intents = Vec::new();
    let mut head_volumes = Vec::new();
    let entrypoint = match program {
        Program::Entrypoint(line) => Entrypoint::Line(line.value.clone()),
        Program::TrainLoop(function) => {
            let map = driver(stack, train, framework, shape, &workers, &function.value);
            let volume = Volume { name: "driver".to_owned(), source: VolumeSource::ConfigMap(map.meta.name.clone()) };
            head_volumes.push((volume, DRIVER_FOLDER.to_owned()));
            intents.push(Intent::new(train.head.addr.clone(), Object::ConfigMap(map)));
            Entrypoint::Argv(vec!["python3".to_owned(), format!("{DRIVER_FOLDER}/{DRIVER_FILE}")])
        }
    };
    let (head_env, worker_env) = environment(framework, shape, &workers);
    let group = Group {
        name: slice.head.name.value.clone(),
        role: &train.workload.worker_pod,
        place: Place::Slices { slice, shape },
        replicas: (train.num_slices.value, train.num_slices.value),
        env: worker_env,
        // Ray's coordinator of several slices listens there; Google's samples name it.
        ports: if shape.multi_host { vec![Port { name: "mxla".to_owned(), port: 8081 }] } else { Vec::new() },
        resources: advertised(shape, &workers),
    };
    let wants = Wants {
        stack,
        workload: &train.workload,
        groups: vec![group],
        head_env,
        head_volumes,
        head_gpus: 0,
        service_links: true,
        serve_port: None,
        autoscaling: None,
    };
    let job = job(stack, train, entrypoint, cluster(&wants));
    let mut intent = Intent::new(train.head.addr.clone(), Object::RayJob(job));
    intent.notes = notes(stack, train, framework);
    intent.notes.extend(ray_notes(&wants));
    intents.push(intent);
    intents
}

fn workers_of(framework: Framework, shape: &Shape, num_slices: u32) -> Option<Workers> {
    match framework {
        Framework::Pytorch => workers::torch(shape, num_slices),
        Framework::Jax => workers::jax(shape, num_slices),
    }
}

/// A device of tpu7x is half a chip: PyTorch's one worker a device needs Ray to count devices, on the head (which
/// computes the workers) and on the hosts (ray.md 1g).
fn counts_devices(shape: &Shape, workers: &Workers) -> bool {
    workers.per_device && shape.devices_per_chip > 1
}

fn advertised(shape: &Shape, workers: &Workers) -> BTreeMap<String, String> {
    if !counts_devices(shape, workers) {
        return BTreeMap::new();
    }
    BTreeMap::from([("TPU".to_owned(), shape.devices_per_host().to_string())])
}

fn environment(framework: Framework, shape: &Shape, workers: &Workers) -> (Vec<Env>, Vec<Env>) {
    let (mut head, mut worker) = (Vec::new(), Vec::new());
    if counts_devices(shape, workers) {
        let env = Env::plain("RAY_TPU_RESOURCE_PER_CHIP", shape.devices_per_chip.to_string());
        head.push(env.clone());
        worker.push(env);
    }
    if framework == Framework::Jax {
        // Without `cpu`, a program that touches the CPU back end ends with "Unknown backend cpu" (gke.md C38).
        worker.push(Env::plain("JAX_PLATFORMS", "tpu,cpu"));
    }
    (head, worker)
}

fn driver(
    stack: &Stack,
    train: &Train,
    framework: Framework,
    shape: &Shape,
    workers: &Workers,
    function: &str,
) -> ConfigMap {
    let strategy = train.parallelism.as_ref().and_then(|parallelism| parallelism.strategy.as_ref());
    let spread = match strategy.map(|strategy| strategy.value) {
        None | Some(Strategy::Ddp) => Spread::Ddp,
        Some(Strategy::Fsdp2) => Spread::Fsdp2,
        Some(Strategy::Dtensor) => Spread::Dtensor,
    };
    let count = train.num_workers.as_ref().map_or(workers.count, |number| number.value);
    let axes = train.parallelism.iter().flat_map(|parallelism| &parallelism.axes);
    let text = |field: &Option<crate::base::span::Spanned<String>>| field.as_ref().map(|field| field.value.clone());
    let driver = TrainDriver {
        framework: match framework {
            Framework::Pytorch => {
                Trainer::Torch { strategy: spread, device: TorchDevice::Tpu { topology: torch_topology(shape) } }
            }
            Framework::Jax => Trainer::Jax,
        },
        train_loop: function.to_owned(),
        config: match &train.train_loop_config {
            Some(Value::Object(config)) => config.clone(),
            _ => Map::new(),
        },
        axes: axes
            .filter_map(|axis| {
                Some(Axis { name: axis.name.value.clone(), size: axis.size.as_ref()?.value, shard: axis.shard })
            })
            .collect(),
        scaling: Scaling {
            workers: (count, count),
            use_tpu: true,
            use_gpu: false,
            topology: Some(shape.topology.to_string()),
            accelerator_type: Some(shape.accelerator.ray.accelerator_type.to_owned()),
            resources_per_worker: BTreeMap::from([("TPU".to_owned(), Number::from(workers.tpus_each))]),
        },
        run_name: train.head.name.value.clone(),
        storage_path: text(&train.storage_path),
        checkpoint: train.checkpoint.as_ref().map_or_else(Checkpoint::default, |checkpoint| Checkpoint {
            num_to_keep: checkpoint.num_to_keep.as_ref().map(|number| number.value),
            score_attribute: text(&checkpoint.score_attribute),
            score_order: text(&checkpoint.score_order),
        }),
        failure: Failure {
            max_failures: train.failure.max_failures.as_ref().map_or(0, |number| number.value),
            max_preemption_failures: None,
        },
        worker_group_start_timeout_s: WORKER_GROUP_START_TIMEOUT_S,
    };
    let base = format!("{}-driver", train.head.name.value);
    let name = name::with_suffix(&base, &driver);
    let files = IndexMap::from([(DRIVER_FILE.to_owned(), FileText::TrainDriver(Box::new(driver)))]);
    ConfigMap { meta: meta(stack, &train.workload, name), files }
}

/// The topology as torch_tpu spells it: three dimensions, with commas.
fn torch_topology(shape: &Shape) -> String {
    let dims = shape.topology.dims().iter().copied().chain(std::iter::repeat(1)).take(3);
    dims.map(|dim| dim.to_string()).collect::<Vec<_>>().join(",")
}

fn job(
    stack: &Stack,
    train: &Train,
    entrypoint: Entrypoint,
    cluster: crate::lower::intent::ray::ClusterShape,
) -> RayJob {
    let seconds = |field: &Option<crate::base::span::Spanned<u64>>| field.as_ref().map(|field| field.value);
    let run = train.run.as_ref().map(|run| run.value.clone());
    // KubeRay runs a job once: what it runs is part of its name, so that a change is a new job and not an edit that
    // nobody reads. Deadlines and retries can be edited, and stay out of it (kuberay.md 4.3).
    let runtime_env = train.runtime_env.as_ref().map(runtime_env);
    let name = name::with_suffix(&train.head.name.value, &(&entrypoint, &runtime_env, &cluster, &run));
    RayJob {
        meta: meta(stack, &train.workload, name),
        entrypoint,
        runtime_env,
        submission: Submission::K8sJob,
        shutdown_after_finished: true,
        ttl_s: seconds(&train.ttl_after_finished),
        active_deadline_s: seconds(&train.deadline),
        pre_running_deadline_s: None,
        backoff_limit: train.failure.backoff_limit.as_ref().map(|number| number.value),
        submitter_backoff_limit: None,
        cluster,
    }
}

fn runtime_env(block: &RuntimeEnv) -> Map<String, Value> {
    let mut env = Map::new();
    if let Some(folder) = &block.working_dir {
        env.insert("working_dir".to_owned(), folder.value.clone().into());
    }
    if !block.pip.is_empty() {
        env.insert("pip".to_owned(), block.pip.clone().into());
    }
    if !block.env_vars.is_empty() {
        let vars = block.env_vars.iter().map(|(name, value)| (name.clone(), Value::from(value.clone())));
        env.insert("env_vars".to_owned(), Value::Object(vars.collect()));
    }
    env
}

fn notes(stack: &Stack, train: &Train, framework: Framework) -> Vec<String> {
    let mut notes = Vec::new();
    let row = stack.ray_version(&train.workload).and_then(|version| ray::row_for(version).row());
    let generated = matches!(train.program, Some(Program::TrainLoop(_)));
    if framework == Framework::Pytorch && row.is_some_and(|row| !row.sets_torch_tpu_env) {
        notes.push(if generated {
            "torch_tpu needs TORCH_TPU_TOPOLOGY and TORCH_TPU_SLICEBUILDER_ADDRESSES, which Ray does not set: the generated driver sets them on each worker before the process group starts, from where Ray has put the workers.".to_owned()
        } else {
            "torch_tpu needs TORCH_TPU_TOPOLOGY and TORCH_TPU_SLICEBUILDER_ADDRESSES, which Ray does not set: your driver, or a newer TPU webhook, must.".to_owned()
        });
    }
    if train.storage_path.is_none() && train.num_slices.value > 0 {
        notes.push("Without `storage_path`, checkpoints stay on the workers and are lost with them.".to_owned());
    }
    notes
}
