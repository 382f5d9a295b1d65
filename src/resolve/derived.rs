//! Values that the compiler derives from a block and a stack may use: `slice.v6e.chips`, `serve.chat.url`.

use std::sync::Arc;

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::base::suggest::did_you_mean;
use crate::eval::Value;
use crate::fit::shape::Shape;
use crate::fit::workers;
use crate::resolve::blocks::{self, ADDRESSED};
use crate::resolve::decode::Decoder;
use crate::resolve::scope::Context;

/// The names that each block type offers.
const NAMES: &[(&str, &[&str])] = &[
    ("bucket", &["name"]),
    ("cluster", &["context", "name"]),
    ("nodes", &["gpu_type", "gpus_per_node", "hbm_gib_per_device", "machine_type", "node_count"]),
    ("ray_cluster", &["name"]),
    ("serve", &["model_ids", "name", "service", "url"]),
    ("service_account", &["name"]),
    (
        "slice",
        &[
            "accelerator",
            "chips",
            "chips_per_host",
            "devices",
            "devices_per_chip",
            "gke_accelerator",
            "hbm_gib_per_device",
            "hosts",
            "machine_type",
            "node_selector",
            "num_slices",
            "ray_accelerator_type",
            "ray_pod_type",
            "topology",
            "total_chips",
            "total_hosts",
        ],
    ),
    ("train", &["name", "num_workers", "resources_per_worker"]),
];

/// The derived value `name` of a block.
pub fn value(context: &Context<'_>, addr: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
    let Some(block) = decoder(context, addr) else { return Ok(Value::unknown()) };
    let found = match addr.kind.as_str() {
        "bucket" | "ray_cluster" | "service_account" => (name.value == "name").then(|| object_name(&block)),
        "cluster" => cluster(&block, name),
        "nodes" => return nodes(&block, addr, name),
        "secret" => return secret(&block, addr, name),
        "serve" => serve(context, &block, name),
        "slice" => slice(&block, name),
        "train" => train(context, &block, name),
        _ => None,
    };
    found.ok_or_else(|| Box::new(no_such(addr, name)))
}

/// A reader of the block at an address.
pub fn decoder<'a>(context: &'a Context<'a>, addr: &Addr) -> Option<Decoder<'a>> {
    let spec = ADDRESSED.iter().copied().find(|spec| spec.name == addr.kind)?;
    let block = Decoder::new(context, context.blocks.get(&addr.block())?, spec, addr.to_string());
    let Some(key) = &addr.key else { return Some(block) };
    let instances = context.instances(&addr.block());
    let instance = instances.keyed().iter().find(|instance| instance.key == *key)?;
    Some(block.of_instance(instance))
}

fn no_such(addr: &Addr, name: &Spanned<String>) -> Diag {
    let names = NAMES.iter().find(|(kind, _)| *kind == addr.kind).map_or(&[][..], |(_, names)| names);
    let near = did_you_mean(&name.value, names.iter().copied());
    Diag::error("reference", format!("`{}` has no value {:?}", addr.kind, name.value))
        .at(name.span, format!("not a value of {addr}"))
        .help(format!("A {} offers: {}.{near}", addr.kind, names.join(", ")))
}

fn object_name(block: &Decoder<'_>) -> Value {
    Value::string(block.head().name.value)
}

fn cluster(block: &Decoder<'_>, name: &str) -> Option<Value> {
    match name {
        "name" => Some(object_name(block)),
        // The name that `gcloud container clusters get-credentials` gives the kubeconfig context.
        "context" => Some(match (block.string("project"), block.string("location")) {
            (Some(project), Some(location)) => {
                Value::string(format!("gke_{}_{}_{}", *project, *location, *block.head().name))
            }
            _ => Value::unknown(),
        }),
        _ => None,
    }
}

fn secret(block: &Decoder<'_>, addr: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
    let keys = block.strings("keys");
    if keys.is_empty() {
        // Without readable keys the secret has its own message; what hangs on it stays silent.
        return Ok(Value::unknown());
    }
    if keys.iter().any(|key| key.value == name.value) {
        return Ok(Value::secret(addr.clone(), name.value.as_str()));
    }
    let near = did_you_mean(&name.value, keys.iter().map(|key| key.value.as_str()));
    Err(Box::new(
        Diag::error("reference", format!("{addr} has no key {:?}", name.value))
            .at(name.span, "not among the secret's `keys`")
            .also(block.header(), "the secret")
            .help(format!("Add it to `keys`, if the Secret has it.{near}")),
    ))
}

fn slice(block: &Decoder<'_>, name: &str) -> Option<Value> {
    let num_slices = block.count("num_slices", 1).value;
    if name == "num_slices" {
        return Some(Value::number(i64::from(num_slices)));
    }
    if !NAMES.iter().any(|(kind, names)| *kind == "slice" && names.contains(&name)) {
        return None;
    }
    // A shape with a fault has its own message; what hangs on it stays silent.
    Some(match blocks::slice::shape_of(block) {
        Some(Ok(shape)) => of_shape(&shape, num_slices, name),
        _ => Value::unknown(),
    })
}

fn nodes(block: &Decoder<'_>, addr: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
    match name.value.as_str() {
        "node_count" => return Ok(Value::number(i64::from(blocks::nodes::most_nodes(block)))),
        "machine_type" => {
            let written = block.word("machine_type");
            return Ok(written.map_or_else(Value::unknown, |machine| Value::string(machine.value)));
        }
        "gpus_per_node" | "gpu_type" | "hbm_gib_per_device" => {}
        _ => return Err(Box::new(no_such(addr, name))),
    }
    // A machine that no table has, has its own message; what hangs on it stays silent.
    let Some(machine) = blocks::nodes::machine_of(block) else { return Ok(Value::unknown()) };
    let Some(gpus) = machine.gpus else {
        if name.value == "gpus_per_node" {
            return Ok(Value::number(0_i64));
        }
        let diag = Diag::error("reference", format!("{addr} has no GPUs")).at(name.span, "a value of GPU nodes");
        return Err(Box::new(diag.also(block.header(), "nodes with CPUs only")));
    };
    match (name.value.as_str(), gpus.hbm_gib()) {
        ("gpus_per_node", _) => Ok(Value::number(i64::from(gpus.count()))),
        ("gpu_type", _) => Ok(Value::string(gpus.gpu.gke_label)),
        (_, Some(gib)) => Ok(Value::number(i64::from(gib))),
        (_, None) => Err(Box::new(
            Diag::error("reference", "The memory of a part of a GPU is not known")
                .at(name.span, format!("{} has a part of a {}", gpus.machine.name, gpus.gpu.product))
                .detail("No source says how much memory the part has."),
        )),
    }
}

fn of_shape(shape: &Shape, num_slices: u32, name: &str) -> Value {
    let count = |number: u64| i64::try_from(number).map_or_else(|_| Value::unknown(), Value::number);
    let slices = u64::from(num_slices);
    match name {
        "accelerator" => Value::string(shape.accelerator.id),
        "topology" => Value::string(shape.topology.to_string()),
        "chips" => count(u64::from(shape.chips)),
        "hosts" => count(u64::from(shape.hosts)),
        "chips_per_host" => count(u64::from(shape.chips_per_host)),
        "devices" => count(u64::from(shape.devices)),
        "devices_per_chip" => count(u64::from(shape.devices_per_chip)),
        "total_chips" => count(u64::from(shape.chips) * slices),
        "total_hosts" => count(u64::from(shape.hosts) * slices),
        "machine_type" => Value::string(shape.machine_type.name),
        "gke_accelerator" => Value::string(shape.accelerator.gke_label),
        "ray_accelerator_type" => Value::string(shape.accelerator.ray.accelerator_type),
        "ray_pod_type" => Value::string(&shape.ray_pod_type),
        "hbm_gib_per_device" => Value::number(i64::from(shape.accelerator.hbm_gib_per_device)),
        "node_selector" => map(shape.node_selector()),
        _ => Value::unknown(),
    }
}

/// The shape of the slice that a workload block names.
fn workload_shape(context: &Context<'_>, block: &Decoder<'_>) -> Option<Shape> {
    let slice = block.reference("slice", "slice")?;
    blocks::slice::shape_of(&decoder(context, &slice)?)?.ok()
}

fn train(context: &Context<'_>, block: &Decoder<'_>, name: &str) -> Option<Value> {
    if name == "name" {
        return Some(object_name(block));
    }
    if !matches!(name, "num_workers" | "resources_per_worker") {
        return None;
    }
    if block.has("nodes") {
        return Some(train_on_nodes(context, block, name));
    }
    let num_slices = block.count("num_slices", 1).value;
    let pytorch = block.string("framework").map(|framework| framework.value == "pytorch");
    let (Some(shape), Some(pytorch)) = (workload_shape(context, block), pytorch) else { return Some(Value::unknown()) };
    let derived = if pytorch { workers::torch(&shape, num_slices) } else { workers::jax(&shape, num_slices) };
    let Some(derived) = derived else { return Some(Value::unknown()) };
    Some(match name {
        "num_workers" => {
            let written = block.integer::<i64>("num_workers").map(|number| number.value);
            Value::number(written.unwrap_or(i64::from(derived.count)))
        }
        _ => map([("TPU", derived.tpus_each.to_string())]),
    })
}

/// On nodes there is a worker a GPU, or a node where there is none.
fn train_on_nodes(context: &Context<'_>, block: &Decoder<'_>, name: &str) -> Value {
    let nodes = block.reference("nodes", "nodes").and_then(|nodes| decoder(context, &nodes));
    let Some(machine) = nodes.and_then(|nodes| blocks::nodes::machine_of(&nodes)) else { return Value::unknown() };
    if name == "resources_per_worker" {
        return if machine.gpus.is_some() { map([("GPU", "1".to_owned())]) } else { Value::unknown() };
    }
    let replicas = block.count("replicas", 1).value;
    let derived = i64::from(replicas) * machine.gpus.map_or(1, |gpus| i64::from(gpus.count()));
    Value::number(block.integer::<i64>("num_workers").map_or(derived, |number| number.value))
}

fn serve(context: &Context<'_>, block: &Decoder<'_>, name: &str) -> Option<Value> {
    let object = block.head().name.value;
    // KubeRay's own name for the Service of a RayService's applications.
    let service = format!("{object}-serve-svc");
    match name {
        "name" => Some(Value::string(object)),
        "service" => Some(Value::string(service)),
        "url" => {
            let namespace = block.string("namespace").map(|namespace| namespace.value);
            let namespace = namespace.unwrap_or_else(|| context.stack_namespace());
            let port = block.integer::<u32>("port").map_or(8000, |port| port.value);
            Some(Value::string(format!("http://{service}.{namespace}.svc.cluster.local:{port}/v1")))
        }
        "model_ids" => {
            let labels = block.blocks("model");
            let labels = labels.iter().filter_map(Decoder::label).map(|label| Value::string(label.value));
            Some(Value::list(labels.collect()))
        }
        _ => None,
    }
}

fn map(entries: impl IntoIterator<Item = (&'static str, String)>) -> Value {
    Value::map(entries.into_iter().map(|(key, value)| (Arc::from(key), Value::string(value))).collect())
}
