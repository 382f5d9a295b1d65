//! What a training run stands on: its place, its workers, and what Ray Train is told of them.

use std::collections::BTreeMap;

use serde_json::Number;

use crate::facts::machines::Gpus;
use crate::fit::shape::Shape;
use crate::fit::workers::{self, Workers};
use crate::lower::intent::pod::{Env, Port};
use crate::lower::intent::train::{Framework as Trainer, Scaling, Strategy as Spread, TorchDevice};
use crate::lower::place::Place;
use crate::resolve::stack::{Framework, Nodes, Slice, Stack, Strategy, Train};

/// The ground of a run.
pub struct Ground<'a> {
    /// Where the workers are.
    pub place: Place<'a>,
    /// Fewest and most slices or nodes; the same, unless the run is elastic.
    pub replicas: (u32, u32),
    /// The trainer, with what it computes on.
    pub trainer: Trainer,
    /// Ray Train's scaling.
    pub scaling: Scaling,
    /// Environment of the head.
    pub head_env: Vec<Env>,
    /// Environment of the workers.
    pub worker_env: Vec<Env>,
    /// Ports of the workers.
    pub ports: Vec<Port>,
    /// Ray resources of the workers beyond what Ray finds itself.
    pub resources: BTreeMap<String, String>,
}

/// The ground of a run; none where its place or its framework could not be read.
pub fn of<'a>(stack: &'a Stack, train: &Train) -> Option<Ground<'a>> {
    let framework = train.framework.as_ref()?.value;
    match (&train.slice, &train.nodes) {
        (Some(slice), _) => on_slices(stack.slice(slice)?, train, framework),
        (None, Some(nodes)) => Some(on_nodes(stack.nodes(nodes)?, train)),
        (None, None) => None,
    }
}

fn on_slices<'a>(slice: &'a Slice, train: &Train, framework: Framework) -> Option<Ground<'a>> {
    let shape = slice.shape()?;
    let most = train.num_slices.value;
    let least = train.elastic.as_ref().map_or(most, |elastic| elastic.min.value);
    let of = |slices| match framework {
        Framework::Pytorch => workers::torch(shape, slices),
        Framework::Jax => workers::jax(shape, slices),
    };
    let workers = of(most)?;
    let count = train.num_workers.as_ref().map_or(workers.count, |number| number.value);
    let (head_env, worker_env) = environment(framework, shape, &workers);
    let trainer = match framework {
        Framework::Pytorch => {
            Trainer::Torch { strategy: spread(train), device: TorchDevice::Tpu { topology: torch_topology(shape) } }
        }
        Framework::Jax => Trainer::Jax,
    };
    let scaling = Scaling {
        workers: (if least < most { of(least)?.count } else { count }, count),
        use_tpu: true,
        use_gpu: false,
        topology: Some(shape.topology.to_string()),
        accelerator_type: Some(shape.accelerator.ray.accelerator_type.to_owned()),
        resources_per_worker: BTreeMap::from([("TPU".to_owned(), Number::from(workers.tpus_each))]),
    };
    // Ray's coordinator of several slices listens there; Google's samples name it.
    let ports = if shape.multi_host { vec![Port { name: "mxla".to_owned(), port: 8081 }] } else { Vec::new() };
    let resources = advertised(shape, &workers);
    Some(Ground {
        place: Place::Slices { slice, shape },
        replicas: (least, most),
        trainer,
        scaling,
        head_env,
        worker_env,
        ports,
        resources,
    })
}

/// One worker a GPU; on nodes without GPUs one a node, which takes all CPUs of its pod, so that each node gets one.
fn on_nodes<'a>(nodes: &'a Nodes, train: &Train) -> Ground<'a> {
    let replicas = train.replicas.value;
    let gpus = nodes.gpus();
    let derived = replicas.saturating_mul(gpus.map_or(1, Gpus::count));
    let count = train.num_workers.as_ref().map_or(derived, |number| number.value);
    let place = Place::Nodes(nodes);
    let each = match gpus {
        Some(_) => ("GPU".to_owned(), Number::from(1)),
        None => ("CPU".to_owned(), Number::from(cpus_of_a_pod(place, train))),
    };
    let device = if gpus.is_some() { TorchDevice::Cuda } else { TorchDevice::Cpu };
    Ground {
        place,
        replicas: (replicas, replicas),
        trainer: Trainer::Torch { strategy: spread(train), device },
        scaling: Scaling {
            workers: (count, count),
            use_tpu: false,
            use_gpu: gpus.is_some(),
            topology: None,
            accelerator_type: gpus.map(|gpus| gpus.gpu.ray_accelerator_type.to_owned()),
            resources_per_worker: BTreeMap::from([each]),
        },
        head_env: Vec::new(),
        worker_env: Vec::new(),
        ports: Vec::new(),
        resources: BTreeMap::new(),
    }
}

/// The whole CPUs that Ray counts in a pod.
fn cpus_of_a_pod(place: Place<'_>, train: &Train) -> u32 {
    let written = train.workload.worker_pod.cpu.as_ref().map(|cpu| cpu.value.clone());
    let cpus = written.or(place.usual_size().cpu).and_then(|cpu| cpu.parse::<u32>().ok());
    cpus.unwrap_or(1).max(1)
}

fn spread(train: &Train) -> Spread {
    let strategy = train.parallelism.as_ref().and_then(|parallelism| parallelism.strategy.as_ref());
    match strategy.map(|strategy| strategy.value) {
        None | Some(Strategy::Ddp) => Spread::Ddp,
        Some(Strategy::Fsdp2) => Spread::Fsdp2,
        Some(Strategy::Dtensor) => Spread::Dtensor,
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

/// The topology as torch_tpu spells it: three dimensions, with commas.
fn torch_topology(shape: &Shape) -> String {
    let dims = shape.topology.dims().iter().copied().chain(std::iter::repeat(1)).take(3);
    dims.map(|dim| dim.to_string()).collect::<Vec<_>>().join(",")
}
