//! `train`: distributed training with Ray Train.

use crate::base::diag::Diag;
use crate::resolve::blocks::patch::PATCH;
use crate::resolve::blocks::{autoscale, nodes, workload};
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional, required};
use crate::resolve::stack::{
    Autoscale, Axis, Checkpoint, Failure, Framework, Parallelism, Program, RuntimeEnv, Strategy, Train,
};

const AXIS: BlockSpec = BlockSpec {
    name: "axis",
    label: Label::Name,
    times: Times::Any,
    doc: "One axis of the device mesh; the first block is the outermost.",
    attrs: &[&[
        required("size", "number", "How many devices wide."),
        optional("shard", "bool", "Whether parameters are sharded over it (fsdp2); false by default."),
    ]],
    blocks: &[],
    open: Open::No,
};

const PARALLELISM: BlockSpec = BlockSpec {
    name: "parallelism",
    label: Label::None,
    times: Times::Once,
    doc: "How the model is spread over the workers. The axes' sizes multiply to the number of workers.",
    attrs: &[&[required("strategy", "ddp, fsdp2 or dtensor", "How the model is spread.")]],
    blocks: &[&AXIS],
    open: Open::No,
};

const CHECKPOINT: BlockSpec = BlockSpec {
    name: "checkpoint",
    label: Label::None,
    times: Times::Once,
    doc: "Ray Train's CheckpointConfig.",
    attrs: &[&[
        optional("num_to_keep", "number", "How many checkpoints to keep; all by default."),
        optional("score_attribute", "string", "The reported metric that ranks checkpoints."),
        optional("score_order", "max or min", "Which end of the metric is good; max by default."),
    ]],
    blocks: &[],
    open: Open::No,
};

const FAILURE: BlockSpec = BlockSpec {
    name: "failure",
    label: Label::None,
    times: Times::Once,
    doc: "What happens when a worker dies.",
    attrs: &[&[
        optional(
            "max_failures",
            "number",
            "How often the worker group starts again from its last checkpoint; -1: without end; 0 by default.",
        ),
        optional("backoff_limit", "number", "How often the whole job starts again on a new Ray cluster; 0 by default."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// The `runtime_env` block.
pub const RUNTIME_ENV: BlockSpec = BlockSpec {
    name: "runtime_env",
    label: Label::None,
    times: Times::Once,
    doc: "Ray's runtime environment of the job.",
    attrs: &[&[
        optional("working_dir", "string", "Remote URI of the code."),
        optional("pip", "list of strings", "Python packages to install."),
        optional("env_vars", "map of strings", "Environment of the job's processes."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// The `train` block.
pub const SPEC: BlockSpec = BlockSpec {
    name: "train",
    label: Label::Name,
    times: Times::Any,
    doc: "A Ray Train job on slices or nodes: a RayJob whose cluster comes and goes with it.",
    attrs: &[
        &[
            required(
                "framework",
                "pytorch or jax",
                "TorchTrainer (one worker per device) or JaxTrainer (one per TPU host).",
            ),
            optional("slice", "slice", "The slices that it runs on."),
            optional("num_slices", "number", "How many of them; 1 by default."),
            optional("nodes", "nodes", "The GPU or CPU nodes that it runs on, instead of slices."),
            optional("replicas", "number", "How many of them; 1 by default."),
            optional(
                "num_workers",
                "number",
                "Ray Train workers; derived from the slices or nodes. Written, it must agree.",
            ),
            optional(
                "multi_slice",
                "bool",
                "Opt-in to PyTorch over several slices, from Ray 2.60 on; false by default.",
            ),
            optional(
                "train_loop_per_worker",
                "module:function",
                "The training loop; the Ray Train driver is generated.",
            ),
            optional("entrypoint", "string", "A command with a driver of its own, instead of train_loop_per_worker."),
            optional("train_loop_config", "object", "Configuration that the loop is called with; JSON values."),
            optional(
                "storage_path",
                "string",
                "Where checkpoints and results go: `gs://BUCKET/FOLDER` or a mounted path.",
            ),
            optional("deadline", "duration", "The job ends after so long, such as `72h`."),
            optional("ttl_after_finished", "duration", "The finished job's record is removed after so long."),
            optional(
                "schedule",
                "cron schedule",
                "It runs again and again, such as `0 3 * * *`: a RayCronJob (KubeRay 1.6).",
            ),
            optional(
                "time_zone",
                "string",
                "Time zone of the schedule, such as `Europe/Berlin` (KubeRay 1.7); the operator's by default.",
            ),
            optional("run", "string", "A new string is a new run of the same job."),
        ],
        workload::ATTRS,
        META,
    ],
    blocks: &[
        &LIFECYCLE,
        &PATCH,
        &PARALLELISM,
        &autoscale::ELASTIC,
        &CHECKPOINT,
        &FAILURE,
        &RUNTIME_ENV,
        &workload::CONTAINER,
        &workload::INIT_CONTAINER,
        &workload::MOUNT,
        &workload::HEAD,
        &workload::WORKER,
    ],
    open: Open::No,
};

/// Reads a `train` block.
pub fn decode(block: &Decoder<'_>) -> Train {
    block.exactly_one_of(&["train_loop_per_worker", "entrypoint"]);
    nodes::check_place(block, &["num_slices", "multi_slice"], &["replicas"]);
    let framework = block.choice("framework", &[("pytorch", Framework::Pytorch), ("jax", Framework::Jax)]);
    nodes::check_framework(block, &framework);
    let (num_slices, elastic) = autoscale::slices(block, "elastic", 1);
    check_elastic(block, elastic.as_ref());
    check_schedule(block);
    let train_loop = block.module_function("train_loop_per_worker").map(Program::TrainLoop);
    Train {
        head: block.head(),
        workload: workload::decode(block),
        framework,
        slice: block.reference("slice", "slice"),
        nodes: block.reference("nodes", "nodes"),
        replicas: block.count("replicas", 1),
        num_slices,
        elastic,
        schedule: block.schedule("schedule"),
        time_zone: block.time_zone("time_zone"),
        num_workers: block.integer("num_workers"),
        multi_slice: block.boolean("multi_slice"),
        program: train_loop.or_else(|| {
            let line =
                block.check("entrypoint", block.string("entrypoint"), |line| !line.trim().is_empty(), "a command");
            line.map(Program::Entrypoint)
        }),
        train_loop_config: {
            let config = block.json("train_loop_config");
            let config = block.check("train_loop_config", config, serde_json::Value::is_object, "an object");
            config.map(|config| config.value)
        },
        parallelism: block.block("parallelism").map(|inner| parallelism(&inner)),
        storage_path: block.string("storage_path"),
        checkpoint: block.block("checkpoint").map(|inner| Checkpoint {
            num_to_keep: inner.check("num_to_keep", inner.integer("num_to_keep"), |number| *number >= 1, "1 or more"),
            score_attribute: inner.string("score_attribute"),
            score_order: inner.choice("score_order", &["max", "min"].map(|word| (word, word.to_owned()))),
        }),
        failure: block.block("failure").map_or_else(Failure::default, |inner| Failure {
            max_failures: inner.check(
                "max_failures",
                inner.integer("max_failures"),
                |number| *number >= -1,
                "-1 or more",
            ),
            backoff_limit: inner.integer("backoff_limit"),
        }),
        deadline: block.duration("deadline"),
        ttl_after_finished: block.duration("ttl_after_finished"),
        runtime_env: block.block("runtime_env").map(|inner| runtime_env(&inner)),
        run: block.string("run"),
    }
}

fn check_elastic(block: &Decoder<'_>, elastic: Option<&Autoscale>) {
    let Some(elastic) = elastic else { return };
    let conflict = |summary: &str, span, label: &str| {
        Diag::error("conflicting-attributes", summary.to_owned()).at(span, label).also(elastic.span, "elastic here")
    };
    if let Some(span) = block.attr_span("num_workers") {
        block.report(
            conflict("An elastic run has no fixed number of workers", span, "a fixed number")
                .help("Take `num_workers` out."),
        );
    }
    if let Some(span) = block.attr_span("entrypoint") {
        block
            .report(conflict("An elastic run needs the generated driver", span, "a driver of its own").help(
                "Write `train_loop_per_worker`; or give your driver a range of workers, and take `elastic` out.",
            ));
    }
    if let Some(framework) = block.string("framework").filter(|framework| framework.value == "pytorch") {
        block.report(
            conflict("Elastic training is for JAX", framework.span, "PyTorch")
                .detail("torch_tpu takes the mesh of a slice from the environment that its workers start with.")
                .help("Take `elastic` out, or train with `framework = \"jax\"`."),
        );
    }
}

fn check_schedule(block: &Decoder<'_>) {
    if let (Some(span), Some(run)) = (block.attr_span("schedule"), block.attr_span("run")) {
        block.report(
            Diag::error("conflicting-attributes", "`schedule` and `run` exclude each other")
                .at(run, "one run of a job that runs once")
                .also(span, "this job runs again and again")
                .help("Keep one of them."),
        );
    }
    if let Some(zone) = block.attr_span("time_zone").filter(|_| !block.has("schedule")) {
        block.report(
            Diag::error("conflicting-attributes", "`time_zone` is of a `schedule`")
                .at(zone, "no schedule here")
                .help("Add `schedule`, or take it out."),
        );
    }
}

/// Reads a `runtime_env` block.
pub fn runtime_env(block: &Decoder<'_>) -> RuntimeEnv {
    RuntimeEnv {
        working_dir: block.word("working_dir"),
        pip: block.strings("pip").into_iter().map(|package| package.value).collect(),
        env_vars: block.environment("env_vars").into_iter().map(|(name, value)| (name, value.value)).collect(),
    }
}

fn parallelism(block: &Decoder<'_>) -> Parallelism {
    let axes = block.blocks("axis");
    Parallelism {
        strategy: block
            .choice("strategy", &[("ddp", Strategy::Ddp), ("fsdp2", Strategy::Fsdp2), ("dtensor", Strategy::Dtensor)]),
        axes: axes
            .iter()
            .filter_map(|axis| {
                Some(Axis { name: axis.label()?, size: axis.integer("size"), shard: axis.flag("shard", false) })
            })
            .collect(),
        span: block.header(),
    }
}
