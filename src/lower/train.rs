//! A training job: a RayJob with its own Ray cluster, and the driver that starts Ray Train.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::facts::kuberay::{self, Gate};
use crate::facts::ray;
use crate::lower::ground::{self, Ground};
use crate::lower::intent::pod::{ConfigMap, FileText, Volume, VolumeSource};
use crate::lower::intent::ray::{Autoscaling, Entrypoint, RayCronJob, RayJob, Submission};
use crate::lower::intent::train::{Axis, Checkpoint, Failure, Framework as Trainer, TorchDevice, TrainDriver};
use crate::lower::intent::{Intent, Object};
use crate::lower::name;
use crate::lower::ray::{Group, Wants, cluster, meta, notes as ray_notes, runtime_env};
use crate::resolve::stack::{Program, Stack, Train};

/// Where the driver is mounted on the head.
const DRIVER_FOLDER: &str = "/etc/sliceform";
const DRIVER_FILE: &str = "train.py";

/// Ray Train's own limit is 60 seconds; pulling images onto the hosts of a slice takes longer, and Ray would retry without
/// end (ray.md 7E).
const WORKER_GROUP_START_TIMEOUT_S: u32 = 1800;

/// The driver and the job.
pub fn lower(stack: &Stack, train: &Train) -> Vec<Intent> {
    let (Some(ground), Some(program)) = (ground::of(stack, train), &train.program) else { return Vec::new() };
    let mut intents = Vec::new();
    let mut head_volumes = Vec::new();
    let entrypoint = match program {
        Program::Entrypoint(line) => Entrypoint::Line(line.value.clone()),
        Program::TrainLoop(function) => {
            let map = driver(stack, train, &ground, &function.value);
            let volume = Volume { name: "driver".to_owned(), source: VolumeSource::ConfigMap(map.meta.name.clone()) };
            head_volumes.push((volume, DRIVER_FOLDER.to_owned()));
            intents.push(Intent::new(train.head.addr.clone(), Object::ConfigMap(map)));
            Entrypoint::Argv(vec!["python3".to_owned(), format!("{DRIVER_FOLDER}/{DRIVER_FILE}")])
        }
    };
    let notes = notes(stack, train, &ground);
    let (least, most) = ground.replicas;
    let group = Group {
        name: ground.place.name().to_owned(),
        role: &train.workload.worker_pod,
        place: ground.place,
        replicas: ground.replicas,
        env: ground.worker_env,
        ports: ground.ports,
        resources: ground.resources,
    };
    let wants = Wants {
        stack,
        workload: &train.workload,
        groups: vec![group],
        head_env: ground.head_env,
        head_volumes,
        service_links: true,
        serve_port: None,
        // KubeRay starts a job when all pods are ready: one that may begin with fewer slices leaves them to the autoscaler.
        autoscaling: (least < most).then(Autoscaling::default),
    };
    let job = job(stack, train, entrypoint, cluster(&wants));
    let object = match &train.schedule {
        None => Object::RayJob(job),
        Some(schedule) => Object::RayCronJob(scheduled(train, schedule.value.clone(), job)),
    };
    let mut intent = Intent::new(train.head.addr.clone(), object);
    intent.notes = notes;
    intent.notes.extend(ray_notes(&wants));
    intents.push(intent);
    intents
}

fn driver(stack: &Stack, train: &Train, ground: &Ground<'_>, function: &str) -> ConfigMap {
    let axes = train.parallelism.iter().flat_map(|parallelism| &parallelism.axes);
    let text = |field: &Option<crate::base::span::Spanned<String>>| field.as_ref().map(|field| field.value.clone());
    let driver = TrainDriver {
        framework: ground.trainer.clone(),
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
        scaling: ground.scaling.clone(),
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

/// Each run is a job of its own, so that what it runs needs no place in the name.
fn scheduled(train: &Train, schedule: String, mut job: RayJob) -> RayCronJob {
    job.meta.name.clone_from(&train.head.name.value);
    RayCronJob { schedule, time_zone: train.time_zone.as_ref().map(|zone| zone.value.clone()), job }
}

fn notes(stack: &Stack, train: &Train, ground: &Ground<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let row = stack.ray_version(&train.workload).and_then(|version| ray::row_for(version).row());
    let generated = matches!(train.program, Some(Program::TrainLoop(_)));
    let torch_tpu = matches!(ground.trainer, Trainer::Torch { device: TorchDevice::Tpu { .. }, .. });
    if torch_tpu && row.is_some_and(|row| !row.sets_torch_tpu_env) {
        notes.push(if generated {
            "torch_tpu needs TORCH_TPU_TOPOLOGY and TORCH_TPU_SLICEBUILDER_ADDRESSES, which Ray does not set: the generated driver sets them on each worker before the process group starts, from where Ray has put the workers.".to_owned()
        } else {
            "torch_tpu needs TORCH_TPU_TOPOLOGY and TORCH_TPU_SLICEBUILDER_ADDRESSES, which Ray does not set: your driver, or a newer TPU webhook, must.".to_owned()
        });
    }
    if train.storage_path.is_none() && train.num_slices.value > 0 {
        notes.push("Without `storage_path`, checkpoints stay on the workers and are lost with them.".to_owned());
    }
    if train.elastic.is_some() && train.failure.max_failures.as_ref().is_none_or(|number| number.value == 0) {
        notes.push(
            "Without `failure { max_failures }`, the loss of a slice ends the run instead of shrinking it.".to_owned(),
        );
    }
    let kuberay = stack.kuberay_version(&train.workload).and_then(|version| kuberay::row_for(&version.value).row());
    if train.schedule.is_some() && kuberay.is_some_and(|row| row.ray_cron_job == Gate::Alpha) {
        notes.push(
            "RayCronJob is off in this KubeRay unless the operator runs with the feature gate RayCronJob.".to_owned(),
        );
    }
    notes
}
