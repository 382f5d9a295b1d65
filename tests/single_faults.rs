//! One fault, one problem: every stack that ships, with one attribute changed at a time.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test reads the repository")]

use std::fs;
use std::path::Path;

use sliceform::base::diag::Severity;
use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::world::memory::Memory;

/// Below the name of a stack: what is replaced (its first place, runs of spaces as one), by what, and the rule that speaks. The
/// others are silent, warnings included.
const FAULTS: &str = r#"
stack park
topology = "4x4" => topology = "4x3" | unknown-topology
topology = "4x4" => topology = "4by4" | malformed-topology
topology = "4x4" => topology = "8x4" | dimension-order
topology = "4x4" => topology = "2x2x4" | wrong-dimensions
topology = "4x4" => topology = "2x4" | ambiguous-hosts
topology = "4x4" => | missing-attribute
accelerator = "v6e" => accelerator = "v6" | unknown-accelerator
accelerator = "v6e" => | missing-attribute
num_slices = 2 => num_slices = 0 | type
num_slices = 2 => num_slices = 1 | chips-overbooked
num_slices = 2 => num_slices = "two" | type
zone = "us-east5-b" => zone = "us-east5-z" | zone-not-listed
zone = "us-east5-b" => zone = "us-east1-d" | zone-outside-cluster
zone = "us-east5-b" => | pool-without-zone
zone = "us-east5-b" => zone = "us-east5" | malformed-zone
cluster = cluster.tpu => cluster = cluster.tpus | reference
cluster = cluster.tpu => | missing-attribute
name = "ml-v6e" => | missing-attribute
capacity "reservation" => capacity "reserved" | unknown-block
ray_version = "2.60.0" => | unpinned-version
ray_version = "2.60.0" => ray_version = "2.5" | version-below-facts
ray_version = "2.60.0" => ray_version = "2.57.0" | torch-trains-on-cpu
ray_version = "2.60.0" => ray_version = "latest" | type
kuberay_version = "1.6.2" => | unpinned-version
kuberay_version = "1.6.2" => kuberay_version = "1.0.0" | version-below-facts
kuberay_version = "1.6.2" => kuberay_version = "9.0.0" | version-above-facts
namespace = "ml" => namespace = "ML" | illegal-name
location = "us-east5" => location = "us-east" | malformed-zone
location = "us-east5" => | missing-attribute
location = "us-east5" => location = "us-west4" | zone-outside-cluster
project = var.project => project = var.projekt | reference
project = var.project => | missing-attribute
version = "1.35" => version = "1.25" | gke-too-old
version = "1.35" => version = "new" | type
name = "${var.project}-park" => name = "Demo_Park!" | illegal-object-name
keys = ["hf_api_token"] => keys = ["token"] | reference
keys = ["hf_api_token"] => | missing-attribute
secret "hf" => secret "hug" | reference
service_account "trainer" => service_account "other" | reference
cluster "tpu" => cluster "other" | reference
slice = slice.v6e => slice = slice.v6 | reference
slice = slice.v6e => | missing-attribute
framework = "pytorch" => framework = "tensorflow" | type
framework = "pytorch" => | missing-attribute
image = "us-docker.pkg.dev/${var.project}/ml/torch-tpu:2.60.0" => | missing-attribute
image = "us-docker.pkg.dev/${var.project}/ml/torch-tpu:2.60.0" => image = "us-docker.pkg.dev/${var.project}/ml/torch-tpu" | unpinned-image
service_account = service_account.trainer => service_account = service_account.training | reference
train_loop_per_worker = "recipes.dpo:train_loop_per_worker" => train_loop_per_worker = "recipes.dpo" | type
train_loop_per_worker = "recipes.dpo:train_loop_per_worker" => | missing-attribute
lr = 1e-5 => lr = 1e | syntax
storage_path = "gs://${bucket.data.name}/runs" => storage_path = "gs://${bucket.date.name}/runs" | reference
strategy = "fsdp2" => strategy = "fsdp3" | type
size = 4 => size = 8 | mesh-not-devices
size = 4 => size = 0 | mesh-not-devices
size = 4 # 4 => size = 0 # 4 | mesh-not-devices
size = 4 # 4 => size = 3 # 4 | mesh-not-devices
shard = true => shard = "yes" | type
max_failures = 3 => max_failures = -3 | type
bucket = bucket.data => bucket = bucket.dat | reference
mount "data" => mount "Da ta" | illegal-name
train "dpo" => train "DPO" | illegal-object-name
train "dpo" => train "direct-preference-optimisation-of-chat" | name-too-long
runtime = "ray" => runtime = "rai" | type
runtime = "ray" => | missing-attribute
source = "Qwen/Qwen3-30B-A3B" => | missing-attribute
source = "Qwen/Qwen3-30B-A3B" => source = "Qwen/Qwen3-235B-A22B" | hbm-headroom
source = "Qwen/Qwen3-30B-A3B" => source = "Qwen/Qwen3-32B" | experts-of-dense-model
tensor_parallel_size = 16 => tensor_parallel_size = 8 | parallelism-product
tensor_parallel_size = 16 => tensor_parallel_size = 32 | parallelism-product
tensor_parallel_size = 16 => tensor_parallel_size = 0 | zero-parallelism
tensor_parallel_size = 16 => | parallelism-product
enable_expert_parallel = true => enable_expert_paralel = true | unknown-attribute
enable_expert_parallel = true => enable_expert_parallel = 3 | type
max_model_len = 8192 => max_model_len = 9999999 | longer-than-context
HF_TOKEN = secret.hf.hf_api_token => HF_TOKEN = secret.hf.hf_token | reference
value = serve.chat.url => value = serve.chat.uri | reference
deploy "directory" => deploy "folder" | unknown-block
stack multislice
framework = "jax" => framework = "pytorch" | torch-multi-slice
num_slices = 2 # J => num_slices = 3 # J | chips-overbooked
num_slices = 2 # J => num_slices = 0 # J | type
num_slices = 2 => num_slices = 0 | type
num_slices = 2 => num_slices = 1 | chips-overbooked
deadline = "72h" => deadline = "72 hours" | type
topology = "4x4" => topology = "2x2" | multislice-of-single-hosts
stack tpu7x-ironwood
topology = "4x4x4" => topology = "4x4x5" | unknown-topology
topology = "4x4x4" => topology = "8x4x4" | dimension-order
topology = "4x4x4" => topology = "4x4" | wrong-dimensions
dranet = "all" => dranet = "some" | type
size_gb = 200 => type = "pd-ssd" | boot-disk-not-taken
version = "1.35" => version = "1.33" | gke-too-old
["203.0.113.0/24"] => ["203.0.113.0"] | type
size = 32 => size = 16 | mesh-not-devices
stack autopilot
topology = "2x2" => topology = "4x4" | parallelism-product
tensor_parallel_size = 4 => tensor_parallel_size = 8 | parallelism-product
scope = "no_minor_upgrades" => scope = "none" | type
start_time = "2026-12-20T00:00:00Z" => start_time = "tomorrow" | type
stack gpu
machine_type = "a3-highgpu-8g" => machine_type = "a3-highgpu-9g" | unknown-machine-type
machine_type = "a3-highgpu-8g" => machine_type = "ct6e-standard-4t" | tpu-machine-in-nodes
machine_type = "a3-highgpu-8g" => machine_type = "e2-standard-8" | model-without-gpus
node_count = 3 => node_count = 0 | type
replicas = 2 => replicas = 0 | type
min_nodes = 1 => min_nodes = 9 | type
nodes = nodes.h100 => nodes = nodes.h200 | reference
nodes = nodes.heads => nodes = nodes.head | reference
shm_size = "64Gi" # NCCL => shm_size = "64gigs" # NCCL | type
tensor_parallel_size = 4 => tensor_parallel_size = 3 | indivisible-heads
gpu_driver_version = "latest" => gpu_driver_version = "newest" | type
zone = "us-central1-a" => | nodes-in-every-zone
source = "Qwen/Qwen3-32B" => source = "Qwen/Qwen3-235B-A22B" | model-does-not-fit
stack get-started
chips_per_host = 8 => chips_per_host = 2 | machine-type-mismatch
chips_per_host = 8 # one host of 8 chips => | ambiguous-hosts
topology = "2x4" => topology = "4x4" | machine-type-mismatch
machine_type = "e2-standard-8" => machine_type = "e2-standard-9" | unknown-machine-type
ray_operator = "addon" => ray_operator = "plugin" | type
default = "prepare" => default = "nothing" | variable
"#;

#[test]
fn one_fault_is_one_problem() {
    let (mut stack, mut tried, mut wrong) = (String::new(), 0, Vec::new());
    for line in FAULTS.lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix("stack ") {
            name.clone_into(&mut stack);
            continue;
        }
        let (change, rule) = line.rsplit_once(" | ").unwrap();
        let (from, to) = change.split_once(" =>").unwrap();
        let found = problems(&stack, from, to.trim());
        if found != [rule] {
            wrong.push(format!("{stack}: {change}: {found:?} instead of {rule}"));
        }
        tried += 1;
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(tried > 100, "only {tried} faults were tried");
}

/// The rules of the problems that a stack has after the change.
fn problems(stack: &str, from: &str, to: &str) -> Vec<&'static str> {
    let path = format!("stacks/{stack}.stack.hcl");
    let text: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(one_space).collect();
    let text = text.join("\n");
    assert!(text.contains(from), "{path} has no {from}");
    let changed = text.replacen(from, to, 1);
    let vars = fs::read_to_string(format!("stacks/{stack}.vars.hcl")).unwrap();
    let files = Memory::with(&[(&path, &changed), (&format!("stacks/{stack}.vars.hcl"), &vars)]);
    let compiled = pipeline::compile(&files, Path::new(&path), &Values::default(), false);
    let grave = compiled.diags.iter().filter(|diag| diag.severity != Severity::Note);
    grave.map(|diag| diag.rule).collect()
}

fn one_space(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}
