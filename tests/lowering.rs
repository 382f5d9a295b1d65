//! What blocks become, where the shipped stacks do not show it: hosts, pools, placement and devices of other shapes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use std::path::Path;

use serde_json::Value;

use sliceform::cli::pipeline::{self, Compiled};
use sliceform::cli::source::Values;
use sliceform::emit;
use sliceform::world::memory::Memory;

const HEAD: &str = r#"
stack "s" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
"#;

const CLUSTER: &str = r#"
cluster "c" {
  project  = "demo"
  location = "us-central1-c"
}
"#;

fn compile(text: &str) -> Compiled {
    let files = Memory::with(&[("s.stack.hcl", text)]);
    let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
    let errors: Vec<String> = compiled
        .diags
        .iter()
        .filter(|diag| diag.severity == sliceform::base::diag::Severity::Error)
        .map(|diag| format!("{}: {:?}", diag.rule, diag.detail))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    compiled
}

/// The fields of every object of a kind, with their names.
fn objects(compiled: &Compiled, kind: &str) -> Vec<(String, Value)> {
    let wanted = compiled.manifests.iter().filter(|manifest| manifest.object.kind == kind);
    wanted.map(|manifest| (manifest.object.name.clone(), emit::fields(kind, &manifest.tree).clone())).collect()
}

fn pools(slice: &str) -> Vec<(String, Value)> {
    objects(
        &compile(&format!("{HEAD}{CLUSTER}slice \"s\" {{\n  cluster = cluster.c\n{slice}\n}}\n")),
        "google_container_node_pool",
    )
}

#[test]
fn a_slice_of_several_hosts_is_a_pool_of_its_own_and_single_hosts_share_one() {
    let pools_of_two = pools("  accelerator = \"v5p\"\n  topology = \"2x2x2\"\n  num_slices = 3");
    assert_eq!(pools_of_two.len(), 3);
    assert_eq!(pools_of_two[0].1["node_count"], 2);
    assert_eq!(pools_of_two[0].1["placement_policy"]["tpu_topology"], "2x2x2");
    let single = pools("  accelerator = \"v6e\"\n  topology = \"2x4\"\n  chips_per_host = 8\n  num_slices = 3");
    assert_eq!(single.len(), 1);
    assert_eq!(single[0].1["node_count"], 3);
    assert_eq!(single[0].1.get("placement_policy"), None, "GKE refuses a topology on a single-host pool");
    assert_eq!(single[0].1["node_config"]["machine_type"], "ct6e-standard-8t");
    let two_hosts = pools("  accelerator = \"v6e\"\n  topology = \"2x4\"\n  chips_per_host = 4");
    assert_eq!(
        (two_hosts[0].1["node_count"].clone(), two_hosts[0].1["placement_policy"]["type"].clone()),
        (2.into(), "COMPACT".into())
    );
}

#[test]
fn ironwood_takes_a_workload_policy_and_never_compact() {
    let text = format!(
        "{HEAD}{CLUSTER}slice \"s\" {{\n  cluster = cluster.c\n  accelerator = \"tpu7x\"\n  topology = \"2x2x2\"\n  zone = \"us-central1-c\"\n}}\n"
    );
    let compiled = compile(&text);
    let policies = objects(&compiled, "google_compute_resource_policy");
    assert_eq!(policies[0].1["workload_policy"]["accelerator_topology"], "2x2x2");
    assert_eq!(policies[0].1["region"], "us-central1");
    let pool = &objects(&compiled, "google_container_node_pool")[0].1;
    assert_ne!(pool["placement_policy"]["type"], "COMPACT");
    assert!(pool["placement_policy"]["policy_name"].as_str().unwrap().contains("google_compute_resource_policy"));
}

#[test]
fn a_ladder_has_its_first_rung_fixed_and_the_others_from_zero() {
    let ladder = pools(
        "  accelerator = \"v6e\"\n  topology = \"4x4\"\n  num_slices = 1\n  capacity \"reservation\" {\n    name = \"r\"\n  }\n  capacity \"spot\" {}",
    );
    assert_eq!(ladder.len(), 2);
    assert_eq!(ladder[0].1["node_count"], 4);
    assert_eq!(ladder[1].1["autoscaling"]["max_node_count"], 4);
    assert_eq!(ladder[1].1["node_config"]["spot"], true);
    let flex = pools(
        "  accelerator = \"v6e\"\n  topology = \"4x4\"\n  capacity \"flex_start\" {\n    max_run_duration = \"7d\"\n  }",
    );
    assert_eq!(flex[0].1["management"]["auto_repair"], false);
    assert_eq!(flex[0].1["node_config"]["max_run_duration"], "604800s");
}

#[test]
fn nobody_makes_pools_for_existing_nodes_or_an_autopilot_cluster() {
    assert_eq!(pools("  accelerator = \"v6e\"\n  topology = \"4x4\"\n  provision = \"existing\""), []);
    let autopilot = CLUSTER.replace("location", "mode = \"autopilot\"\n  location");
    let text = format!(
        "{HEAD}{autopilot}slice \"s\" {{\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"4x4\"\n}}\n"
    );
    assert_eq!(objects(&compile(&text), "google_container_node_pool"), []);
}

/// The worker group of the one RayJob of a training block on a slice.
fn worker_group(slice: &str, train: &str) -> (Value, Value) {
    let text = format!(
        "{HEAD}{CLUSTER}slice \"s\" {{\n  cluster = cluster.c\n{slice}\n}}\ntrain \"t\" {{\n  slice = slice.s\n  image = \"i:1\"\n  storage_path = \"gs://b/r\"\n  train_loop_per_worker = \"m:f\"\n{train}\n}}\n"
    );
    let compiled = compile(&text);
    let job = &objects(&compiled, "RayJob")[0].1;
    let script = objects(&compiled, "ConfigMap")[0].1["data"]["train.py"].as_str().unwrap().to_owned();
    let spec = script.split("r'''").nth(1).and_then(|rest| rest.split("'''").next());
    let spec = spec.map_or_else(|| panic!("{script}"), |json| serde_json::from_str(json).unwrap());
    (job["spec"]["rayClusterSpec"]["workerGroupSpecs"][0].clone(), spec)
}

fn env<'a>(group: &'a Value, name: &str) -> Option<&'a str> {
    let env = group["template"]["spec"]["containers"][0]["env"].as_array()?;
    env.iter().find(|entry| entry["name"] == name)?["value"].as_str()
}

#[test]
fn pytorch_counts_devices_and_jax_counts_hosts() {
    let ironwood = "  accelerator = \"tpu7x\"\n  topology = \"2x2x2\"\n  zone = \"us-central1-c\"";
    let (group, spec) = worker_group(ironwood, "  framework = \"pytorch\"");
    assert_eq!(spec["scaling"]["num_workers"], 16, "8 chips with two devices each");
    assert_eq!(spec["scaling"]["resources_per_worker"]["TPU"], 1);
    assert_eq!(env(&group, "RAY_TPU_RESOURCE_PER_CHIP"), Some("2"));
    assert_eq!(group["resources"]["TPU"], "8");
    let limits = &group["template"]["spec"]["containers"][0]["resources"]["limits"];
    assert_eq!((group["numOfHosts"].clone(), limits["google.com/tpu"].clone()), (2.into(), "4".into()));

    let (group, spec) = worker_group(ironwood, "  framework = \"jax\"");
    assert_eq!(
        (spec["scaling"]["num_workers"].clone(), spec["scaling"]["resources_per_worker"]["TPU"].clone()),
        (2.into(), 4.into())
    );
    assert_eq!((env(&group, "RAY_TPU_RESOURCE_PER_CHIP"), group.get("resources")), (None, None));
    assert_eq!(env(&group, "JAX_PLATFORMS"), Some("tpu,cpu"));

    let single = "  accelerator = \"v6e\"\n  topology = \"2x4\"\n  chips_per_host = 8";
    let (group, spec) = worker_group(single, "  framework = \"pytorch\"");
    assert_eq!((spec["scaling"]["num_workers"].clone(), group["numOfHosts"].clone()), (8.into(), 1.into()));
    assert_eq!(env(&group, "VBAR_CONTROL_SERVICE_URL"), None, "only several hosts need it");
}

#[test]
fn what_the_stack_says_wins_over_what_is_derived_and_references_stay_in_order() {
    let slice = "  accelerator = \"v6e\"\n  topology = \"4x4\"";
    let train = "  framework = \"jax\"\n  env = { JAX_PLATFORMS = \"tpu\", ALSO = \"$(NODE_IP)\" }\n  worker {\n    cpu = 20\n    memory = \"200Gi\"\n    requests = { cpu = 8 }\n    shm_size = \"32Gi\"\n  }";
    let (group, _) = worker_group(slice, train);
    assert_eq!(env(&group, "JAX_PLATFORMS"), Some("tpu"));
    let container = &group["template"]["spec"]["containers"][0];
    let names: Vec<&str> =
        container["env"].as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    let place = |name: &str| names.iter().position(|known| *known == name).unwrap();
    assert!(place("NODE_IP") < place("VBAR_CONTROL_SERVICE_URL") && place("NODE_IP") < place("ALSO"));
    assert_eq!(container["resources"]["limits"]["cpu"], "20");
    assert_eq!(container["resources"]["requests"]["cpu"], "8");
    assert_eq!(container["resources"]["requests"]["memory"], "200Gi");
    assert_eq!(container["volumeMounts"][0]["mountPath"], "/dev/shm");
}

#[test]
fn a_slice_with_dranet_claims_devices_once_a_namespace() {
    let train = |name: &str, namespace: &str| {
        format!(
            "train \"{name}\" {{\n  framework = \"jax\"\n  slice = slice.s\n  image = \"i\"\n  namespace = \"{namespace}\"\n  train_loop_per_worker = \"a:b\"\n}}\n"
        )
    };
    let slice = "slice \"s\" {\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"4x4\"\n  num_slices = 3\n  dranet = 2\n}\n";
    let text = [HEAD, CLUSTER, slice, &train("a", "one"), &train("b", "one"), &train("c", "two")].concat();
    let compiled = compile(&text);
    let templates = objects(&compiled, "ResourceClaimTemplate");
    let places: Vec<&str> =
        templates.iter().map(|(_, template)| template["metadata"]["namespace"].as_str().unwrap()).collect();
    assert_eq!(places, ["one", "two"]);
    let exactly = &templates[0].1["spec"]["spec"]["devices"]["requests"][0]["exactly"];
    assert_eq!(exactly["deviceClassName"], "netdev.google.com");
    assert_eq!((exactly["allocationMode"].clone(), exactly["count"].clone()), ("ExactCount".into(), 2.into()));
    let spec = &objects(&compiled, "RayJob")[0].1["spec"]["rayClusterSpec"];
    let pod = &spec["workerGroupSpecs"][0]["template"]["spec"];
    assert_eq!(pod["resourceClaims"][0]["resourceClaimTemplateName"], "s-netdev-2");
    assert_eq!(pod["containers"][0]["resources"]["claims"][0]["name"], pod["resourceClaims"][0]["name"]);
    assert_eq!(spec["headGroupSpec"]["template"]["spec"].get("resourceClaims"), None, "a head has no such devices");
    let pool = &objects(&compiled, "google_container_node_pool")[0].1;
    assert_eq!(pool["network_config"]["accelerator_network_profile"], "auto");
    assert_eq!(pool["node_config"]["labels"]["cloud.google.com/gke-networking-dra-driver"], "true");
}

#[test]
fn further_networks_stand_on_the_pool_by_the_clusters_names() {
    let text = format!(
        "{HEAD}cluster \"c\" {{\n  project = \"demo\"\n  location = \"us-central1-c\"\n  manage = true\n  additional_networks = {{ data = {{ network = \"vpc\", subnetwork = \"sub\" }} }}\n}}\nslice \"s\" {{\n  cluster = cluster.c\n  accelerator = \"v5p\"\n  topology = \"2x2x1\"\n  zone = \"us-central1-a\"\n  networks = [\"data\"]\n}}\n"
    );
    let compiled = compile(&text);
    let pool = &objects(&compiled, "google_container_node_pool")[0].1;
    assert_eq!(pool["network_config"]["additional_node_network_configs"]["subnetwork"], "sub");
    assert_eq!(objects(&compiled, "google_container_cluster")[0].1["enable_multi_networking"], true);
}

/// The node selector of a JAX run's workers.
fn selector(cluster: &str, slice: &str) -> Value {
    let text = format!(
        "{HEAD}cluster \"c\" {{\n  project = \"demo\"\n  location = \"us-central1\"\n{cluster}\n}}\nslice \"s\" {{\n  cluster = cluster.c\n{slice}\n}}\ntrain \"t\" {{\n  framework = \"jax\"\n  slice = slice.s\n  image = \"i\"\n  train_loop_per_worker = \"a:b\"\n}}\n"
    );
    let compiled = compile(&text);
    assert_eq!(objects(&compiled, "google_container_node_pool"), []);
    let spec = &objects(&compiled, "RayJob")[0].1["spec"]["rayClusterSpec"];
    spec["workerGroupSpecs"][0]["template"]["spec"]["nodeSelector"].clone()
}

#[test]
fn where_gke_makes_the_nodes_pods_select_zone_capacity_and_placement() {
    const AUTOPILOT: &str = "  mode = \"autopilot\"";
    const TPU7X: &str = "  accelerator = \"tpu7x\"\n  topology = \"2x2x2\"\n  zone = \"us-central1-c\"\n";
    let reserved = selector(
        AUTOPILOT,
        &format!(
            "{TPU7X}  capacity \"reservation\" {{\n    name = \"r\"\n    project = \"p\"\n    block = \"b\"\n  }}"
        ),
    );
    let label = |selector: &Value, name: &str| selector[format!("cloud.google.com/{name}")].clone();
    assert_eq!(reserved["topology.kubernetes.io/zone"], "us-central1-c");
    for (name, value) in [
        ("gke-tpu-topology", "2x2x2"),
        ("reservation-affinity", "specific"),
        ("reservation-name", "r"),
        ("reservation-project", "p"),
        ("reservation-blocks", "b"),
        ("placement-policy-name", "s-tpu7x-2x2x2"),
    ] {
        assert_eq!(label(&reserved, name), value, "{name}");
    }
    let lent =
        selector(AUTOPILOT, &format!("{TPU7X}  capacity \"flex_start\" {{\n    max_run_duration = \"2h\"\n  }}"));
    assert_eq!(label(&lent, "gke-flex-start"), "true");
    assert_eq!(label(&lent, "gke-max-run-duration-seconds"), "7200");
    let existing = selector("", &format!("{TPU7X}  provision = \"existing\"\n  capacity \"spot\" {{}}"));
    assert_eq!(label(&existing, "gke-spot"), "true");
    assert_eq!(label(&existing, "placement-policy-name"), Value::Null, "their pool has its policy");
}

/// The RayCluster of a stack with two blocks of slices.
fn ray_cluster(kuberay: &str, block: &str) -> Value {
    let slices = "slice \"big\" {\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"4x4\"\n  num_slices = 2\n}\nslice \"small\" {\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"2x4\"\n  chips_per_host = 8\n}\n";
    let head = HEAD.replace("1.6.2", kuberay);
    let text = format!("{head}{CLUSTER}{slices}ray_cluster \"lab\" {{\n  image = \"i:1\"\n{block}\n}}\n");
    objects(&compile(&text), "RayCluster")[0].1["spec"].clone()
}

#[test]
fn a_ray_cluster_has_a_group_for_its_slice_or_for_each_of_its_groups() {
    let one = ray_cluster("1.6.2", "  slice = slice.big\n  num_slices = 2\n  worker {\n    cpu = 8\n  }");
    let group = &one["workerGroupSpecs"][0];
    assert_eq!((group["groupName"].clone(), group["replicas"].clone()), ("big".into(), 2.into()));
    assert_eq!((group["minReplicas"].clone(), group["numOfHosts"].clone()), (2.into(), 4.into()));
    assert_eq!(group["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"], "8");
    assert_eq!((one.get("enableInTreeAutoscaling"), one.get("upgradeStrategy")), (None, None));
    let two = ray_cluster(
        "1.6.2",
        "  upgrade = \"recreate\"\n  group \"a\" {\n    slice = slice.big\n    num_slices = 2\n    worker {\n      cpu = 8\n    }\n  }\n  group \"b\" {\n    slice = slice.small\n  }",
    );
    let names: Vec<&Value> =
        two["workerGroupSpecs"].as_array().unwrap().iter().map(|group| &group["groupName"]).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(two["workerGroupSpecs"][0]["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"], "8");
    assert_ne!(two["workerGroupSpecs"][1]["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"], "8");
    assert_eq!(two["upgradeStrategy"]["type"], "Recreate");
}

#[test]
fn work_lands_on_a_head_that_is_alone_or_has_gpus() {
    let params = |block: &str| ray_cluster("1.6.2", block)["headGroupSpec"]["rayStartParams"].clone();
    assert_eq!(params("  slice = slice.big\n  num_slices = 2")["num-cpus"], "0");
    assert_eq!(params(""), serde_json::json!({}));
    assert_eq!(params("  slice = slice.big\n  num_slices = 2\n  head {\n    gpus = 1\n  }"), serde_json::json!({}));
    let alone = ray_cluster("1.6.2", "  head {\n    gpus = 2\n  }");
    let resources = &alone["headGroupSpec"]["template"]["spec"]["containers"][0]["resources"];
    assert_eq!(
        (resources["limits"]["nvidia.com/gpu"].clone(), resources["requests"]["nvidia.com/gpu"].clone()),
        ("2".into(), "2".into())
    );
    assert_eq!(alone.get("workerGroupSpecs"), None);
}

#[test]
fn ray_scales_a_group_that_it_knows_the_resources_of() {
    let block = "  slice = slice.big\n  idle_timeout = \"10m\"\n  autoscale {\n    max_slices = 2\n  }";
    let cluster = ray_cluster("1.6.2", block);
    assert_eq!(cluster["autoscalerOptions"], serde_json::json!({"version": "v2", "idleTimeoutSeconds": 600}));
    let group = &cluster["workerGroupSpecs"][0];
    assert_eq!((group.get("replicas"), &group["minReplicas"], &group["maxReplicas"]), (None, &0.into(), &2.into()));
    assert_eq!(group["resources"], serde_json::json!({"accelerator_type:TPU-V6E": "1"}));
    // KubeRay takes resources in one place only: the options of `ray start` before 1.5, or where they hold a size already.
    let own = format!("{block}\n  worker {{\n    ray_start_params = {{ num-cpus = \"4\" }}\n  }}");
    for (kuberay, block) in [("1.4.2", block), ("1.6.2", own.as_str())] {
        let cluster = ray_cluster(kuberay, block);
        let group = &cluster["workerGroupSpecs"][0];
        assert_eq!(group.get("resources"), None);
        assert_eq!(group["rayStartParams"]["resources"], "'{\"accelerator_type:TPU-V6E\": 1}'");
    }
}

#[test]
fn a_managed_cluster_has_the_add_ons_networks_and_quiet_times_that_it_asks_for() {
    let text = format!(
        "{HEAD}cluster \"c\" {{\n  project = \"demo\"\n  location = \"us-central1-c\"\n  manage = true\n  addons = [\"lustre_csi_driver\"]\n  authorized_networks = [\"203.0.113.0/24\", \"2001:db8::/32\"]\n  maintenance_exclusion \"freeze\" {{\n    start_time = \"2026-12-20T00:00:00Z\"\n    end_time = \"2027-01-05T00:00:00Z\"\n  }}\n}}\n"
    );
    let cluster = &objects(&compile(&text), "google_container_cluster")[0].1;
    assert_eq!(cluster["addons_config"]["lustre_csi_driver_config"]["enabled"], true);
    assert_eq!(cluster["addons_config"].get("gcs_fuse_csi_driver_config"), None, "nothing mounts a bucket");
    let allowed = &cluster["master_authorized_networks_config"]["cidr_blocks"];
    assert_eq!(allowed[1]["cidr_block"], "2001:db8::/32");
    let policy = &cluster["maintenance_policy"];
    assert_eq!(policy["maintenance_exclusion"]["exclusion_options"]["scope"], "NO_UPGRADES");
    assert_eq!(policy["recurring_window"]["recurrence"], "FREQ=DAILY", "the provider refuses exclusions alone");
}

/// Ray passes engine arguments to a class of vLLM's, which reads no `8k`.
#[test]
fn engine_arguments_are_what_the_class_takes_and_a_mixture_leaves_room() {
    let slice = "slice \"s\" {\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"2x2\"\n}\n";
    let model = "    source = \"Qwen/Qwen3-30B-A3B\"\n    tensor_parallel_size = 4\n    max_model_len = \"8k\"\n    \
                 max_num_batched_tokens = \"2K\"\n    additional_config = \"{\\\"a\\\": 1}\"\n";
    let serve = format!(
        "serve \"s\" {{\n  runtime = \"ray\"\n  slice = slice.s\n  image = \"i:1\"\n  model \"m\" {{\n{model}  }}\n}}\n"
    );
    let services = objects(&compile(&format!("{HEAD}{CLUSTER}{slice}{serve}")), "RayService");
    let config = emit::read("c.yaml", services[0].1["spec"]["serveConfigV2"].as_str().unwrap()).unwrap();
    let engine = &config["applications"][0]["args"]["llm_configs"][0]["engine_kwargs"];
    assert_eq!(
        engine,
        &serde_json::json!({
            "tensor_parallel_size": 4, "max_model_len": 8000, "max_num_batched_tokens": 2048, "additional_config": {"a": 1},
            "distributed_executor_backend": "ray", "gpu_memory_utilization": 0.9
        })
    );
}

#[test]
fn a_bucket_is_granted_to_whoever_names_it_were_it_through_local_values() {
    let train = |path: &str| {
        let locals = "locals {\n  store = { runs = \"gs://${bucket.b.name}/r\" }\n  runs = local.store.runs\n}\n";
        let text = format!(
            "{HEAD}{CLUSTER}{locals}bucket \"b\" {{\n  name = \"demo-b\"\n}}\nslice \"s\" {{\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"4x4\"\n}}\ntrain \"t\" {{\n  slice = slice.s\n  framework = \"jax\"\n  image = \"i:1\"\n  storage_path = {path}\n  train_loop_per_worker = \"m:f\"\n}}\n"
        );
        objects(&compile(&text), "google_storage_bucket_iam_member").len()
    };
    assert_eq!(train("\"gs://${bucket.b.name}/r\""), 2);
    assert_eq!(train("local.runs"), 2);
    assert_eq!(train("\"gs://other/r\""), 0);
}

/// A `manifest` block: the object as it is, with the stack's namespace and marks, checked where there is a schema.
#[test]
fn a_kubernetes_object_is_written_as_it_is() {
    let object = |text: &str| format!("{HEAD}manifest \"m\" {{\n  object = {text}\n}}\n");
    let budget = "{ apiVersion = \"policy/v1\", kind = \"PodDisruptionBudget\", metadata = { name = \"chat\", labels = { a = \"b\" }, finalizers = [\"f\"] }, spec = { maxUnavailable = 0 } }";
    let compiled = compile(&object(budget));
    let manifest = &compiled.manifests[0];
    assert_eq!(manifest.path, "core/poddisruptionbudget-chat.yaml");
    insta::assert_snapshot!(manifest.text, @r"
    # manifest.m of stack s: written by sliceform; edit the stack, not this file
    apiVersion: policy/v1
    kind: PodDisruptionBudget
    metadata:
      name: chat
      namespace: default
      labels:
        a: b
        app.kubernetes.io/managed-by: sliceform
        sliceform.dev/stack: s
      annotations:
        sliceform.dev/address: manifest.m
      finalizers:
      - f
    spec:
      maxUnavailable: 0
    ");
    assert!(compiled.diags.iter().any(|diag| diag.summary.contains("no schema of policy/v1/PodDisruptionBudget")));
    let known = object("{ apiVersion = \"v1\", kind = \"ConfigMap\", metadata = { name = \"c\" }, data = { n = 1 } }");
    let files = Memory::with(&[("s.stack.hcl", &known)]);
    let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
    let error = compiled.diags.iter().find(|diag| diag.rule == "manifest-schema").unwrap();
    assert_eq!(error.detail.as_deref(), Some("ConfigMap \"c\": data.n must be a string, not 1."));
    for (text, label) in [
        ("{ apiVersion = \"v1\", kind = \"ConfigMap\", metadata = { name = \"../x\" } }", "metadata.name is no name"),
        (
            "{ apiVersion = \"v1\", kind = \"ConfigMap\", metadata = { generateName = \"x\" } }",
            "it has no metadata.name",
        ),
        ("{ apiVersion = \"v1\", kind = \"Secret\", metadata = { name = \"x\" }, data = {} }", "a Secret with values"),
        ("{ apiVersion = \"v1\", kind = \"List\", metadata = { name = \"x\" }, items = [] }", "a List"),
        ("[]", "not an object"),
    ] {
        let files = Memory::with(&[("s.stack.hcl", &object(text))]);
        let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
        let labels: Vec<_> =
            compiled.diags.iter().filter_map(|diag| Some(diag.primary.as_ref()?.text.clone())).collect();
        assert_eq!(labels.first().map(String::as_str), Some(label), "{text}");
        assert!(compiled.manifests.is_empty());
    }
}

/// Adapters: Ray's own names, and the engine argument without which vLLM would refuse them.
#[test]
fn a_model_loads_adapters_from_a_bucket() {
    let slice = "slice \"s\" {\n  cluster = cluster.c\n  accelerator = \"v6e\"\n  topology = \"2x2\"\n}\n";
    let serve = |path: &str| {
        format!(
            "{HEAD}{CLUSTER}{slice}serve \"s\" {{\n  runtime = \"ray\"\n  slice = slice.s\n  image = \"i:1\"\n  model \"m\" {{\n    source = \"Qwen/Qwen3-4B\"\n    tensor_parallel_size = 4\n    lora {{\n      dynamic_lora_loading_path = \"{path}\"\n      max_num_adapters_per_replica = 4\n      download_timeout = \"2m\"\n    }}\n  }}\n}}\n"
        )
    };
    let services = objects(&compile(&serve("gs://demo/lora/")), "RayService");
    let config = emit::read("c.yaml", services[0].1["spec"]["serveConfigV2"].as_str().unwrap()).unwrap();
    let model = &config["applications"][0]["args"]["llm_configs"][0];
    assert_eq!(
        model["lora_config"],
        serde_json::json!({
            "dynamic_lora_loading_path": "gs://demo/lora", "max_num_adapters_per_replica": 4, "download_timeout_s": 120
        })
    );
    assert_eq!(model["engine_kwargs"]["enable_lora"], true);
    let files = Memory::with(&[("s.stack.hcl", &serve("/data/lora"))]);
    let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
    assert!(compiled.diags.has_errors());
}
