//! What the Ray blocks become, and what is refused: applications, ranges, schedules, elastic runs.
#![expect(clippy::unwrap_used, reason = "a test may")]

use std::path::Path;

use serde_json::{Value, json};

use sliceform::base::diag::Severity;
use sliceform::cli::pipeline::{self, Compiled};
use sliceform::cli::source::Values;
use sliceform::emit;
use sliceform::world::memory::Memory;

const BASE: &str = r#"
cluster "c" {
  project  = "demo"
  location = "us-east5-b"
}
slice "big" {
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 4
  share       = true
}
slice "small" {
  cluster        = cluster.c
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
  num_slices     = 4
  share          = true
}
"#;

const MODEL: &str = "source = \"Qwen/Qwen3-30B-A3B\"";

fn compile_with(kuberay: &str, blocks: &str) -> Compiled {
    let head = format!("stack \"s\" {{\n  ray_version = \"2.60.0\"\n  kuberay_version = \"{kuberay}\"\n}}\n");
    let files = Memory::with(&[("s.stack.hcl", format!("{head}{BASE}{blocks}\n").as_str())]);
    pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false)
}

fn errors(compiled: &Compiled) -> Vec<String> {
    let grave = compiled.diags.iter().filter(|diag| diag.severity == Severity::Error);
    grave.map(|diag| format!("{}: {}", diag.rule, diag.summary)).collect()
}

/// The spec of the one object of a kind.
fn spec(kuberay: &str, blocks: &str, kind: &str) -> Value {
    let compiled = compile_with(kuberay, blocks);
    assert_eq!(errors(&compiled), Vec::<String>::new(), "{blocks}");
    let manifest = compiled.manifests.iter().find(|manifest| manifest.object.kind == kind).unwrap();
    emit::fields(kind, &manifest.tree)["spec"].clone()
}

fn refused(kuberay: &str, blocks: &str) -> Vec<String> {
    errors(&compile_with(kuberay, blocks))
}

fn serve(slice: &str, body: &str) -> String {
    format!("serve \"chat\" {{\n  runtime = \"ray\"\n  slice = slice.{slice}\n  image = \"i:1\"\n{body}\n}}")
}

fn train(body: &str) -> String {
    format!(
        "train \"t\" {{\n  framework = \"jax\"\n  slice = slice.big\n  image = \"i:1\"\n  storage_path = \"gs://b/r\"\n  train_loop_per_worker = \"m:f\"\n{body}\n}}"
    )
}

fn config(service: &Value) -> Value {
    serde_saphyr::from_str(service["serveConfigV2"].as_str().unwrap()).unwrap()
}

#[test]
fn applications_and_models_are_served_side_by_side() {
    let body = format!(
        "  model \"q\" {{\n    {MODEL}\n    tensor_parallel_size = 8\n  }}\n  application \"echo\" {{\n    import_path = \"echo.app:build\"\n    args = {{ greeting = \"hi\" }}\n    deployments = [{{ name = \"Echo\", num_replicas = 2 }}]\n    runtime_env {{\n      env_vars = {{ A = \"b\" }}\n    }}\n  }}\n  application \"v2\" {{\n    import_path = \"other:app\"\n    route_prefix = \"/next\"\n  }}"
    );
    let service = spec("1.6.2", &serve("small", &body), "RayService");
    let apps = config(&service)["applications"].clone();
    let names: Vec<(&Value, &Value)> =
        apps.as_array().unwrap().iter().map(|app| (&app["name"], &app["route_prefix"])).collect();
    assert_eq!(
        names,
        [(&json!("chat"), &json!("/")), (&json!("echo"), &json!("/echo")), (&json!("v2"), &json!("/next"))]
    );
    assert_eq!(apps[1]["args"], json!({"greeting": "hi"}));
    assert_eq!(apps[1]["deployments"], json!([{"name": "Echo", "num_replicas": 2}]));
    assert_eq!(apps[1]["runtime_env"], json!({"env_vars": {"A": "b"}}));
    let alone =
        spec("1.6.2", &serve("small", "  application \"echo\" {\n    import_path = \"echo:app\"\n  }"), "RayService");
    assert_eq!(config(&alone)["applications"][0]["route_prefix"], "/");
    assert!(!alone.to_string().contains("VLLM_"), "an application that is no vLLM gets nothing of vLLM");
}

#[test]
fn names_and_routes_of_applications_are_their_own() {
    let app =
        |name: &str, more: &str| format!("  application \"{name}\" {{\n    import_path = \"a:b\"\n    {more}\n  }}\n");
    let model = format!("  model \"q\" {{\n    {MODEL}\n    tensor_parallel_size = 8\n  }}\n");
    let named = serve("small", &format!("{model}{}", app("chat", "")));
    assert_eq!(refused("1.6.2", &named), ["conflicting-attributes: Two applications have one name"]);
    let routed = serve("small", &format!("{model}{}", app("x", "route_prefix = \"/\"")));
    assert_eq!(refused("1.6.2", &routed), ["conflicting-attributes: Two applications answer at one route"]);
    for (more, name) in
        [("route_prefix = \"v2/\"", "route_prefix"), ("deployments = [{}]", "deployments"), ("args = 3", "args")]
    {
        let wrong = refused("1.6.2", &serve("small", &app("x", more)));
        assert!(wrong.len() == 1 && wrong[0].starts_with(&format!("type: `{name}` takes")), "{wrong:?}");
    }
    let path = "  application \"x\" {\n    import_path = \"rm -rf\"\n  }";
    assert_eq!(refused("1.6.2", &serve("small", path)).len(), 1);
    assert_eq!(refused("1.6.2", &serve("small", "")), ["missing-block: `model` is missing"]);
}

#[test]
fn replicas_scale_and_single_hosts_with_them() {
    let body = |tensor: u32| {
        format!(
            "  autoscale {{\n    max_replicas = 3\n    target_ongoing_requests = 32\n  }}\n  model \"q\" {{\n    {MODEL}\n    tensor_parallel_size = {tensor}\n  }}"
        )
    };
    let service = spec("1.6.2", &serve("small", &body(8)), "RayService");
    let deployment = &config(&service)["applications"][0]["args"]["llm_configs"][0]["deployment_config"];
    let range = json!({"min_replicas": 1, "max_replicas": 3, "target_ongoing_requests": 32});
    assert_eq!(*deployment, json!({"autoscaling_config": range}));
    let cluster = &service["rayClusterConfig"];
    let group = &cluster["workerGroupSpecs"][0];
    assert_eq!((&group["minReplicas"], &group["maxReplicas"], group.get("replicas")), (&json!(1), &json!(3), None));
    assert_eq!(cluster["autoscalerOptions"]["version"], "v2");

    // Ray's autoscaler cannot start slices of several hosts for Serve LLM: all of them stay up.
    let service = spec("1.6.2", &serve("big", &body(16)), "RayService");
    let group = &service["rayClusterConfig"]["workerGroupSpecs"][0];
    assert_eq!((&group["minReplicas"], &group["replicas"]), (&json!(3), &json!(3)));
    assert_eq!(service["rayClusterConfig"].get("enableInTreeAutoscaling"), None);
}

#[test]
fn an_incremental_upgrade_needs_what_kuberay_needs() {
    let scale = "  autoscale {\n    max_replicas = 2\n    target_ongoing_requests = 8\n  }\n";
    let upgrade = "  upgrade {\n    strategy = \"incremental\"\n    max_surge = 50\n    step_size = 10\n    interval = \"30s\"\n    gateway_class = \"istio\"\n  }\n";
    let model = format!("  model \"q\" {{\n    {MODEL}\n    tensor_parallel_size = 8\n  }}\n");
    let whole = serve("small", &format!("{scale}{upgrade}{model}"));
    assert_eq!(
        spec("1.7.0", &whole, "RayService")["upgradeStrategy"],
        json!({
            "type": "NewClusterWithIncrementalUpgrade",
            "clusterUpgradeOptions": {"maxSurgePercent": 50, "stepSizePercent": 10, "intervalSeconds": 30, "gatewayClassName": "istio"},
        })
    );
    assert_eq!(refused("1.4.2", &whole), ["kuberay-too-old: The pinned KubeRay does not know this"]);
    let fixed = refused("1.7.0", &serve("small", &format!("{upgrade}{model}")));
    assert_eq!(fixed, ["conflicting-attributes: An incremental upgrade needs replicas that scale"]);
    let other = upgrade.replace("incremental", "none");
    assert_eq!(refused("1.7.0", &serve("small", &format!("{scale}{other}{model}"))).len(), 4);
    let steep = upgrade.replace("step_size = 10", "step_size = 60");
    assert_eq!(
        refused("1.7.0", &serve("small", &format!("{scale}{steep}{model}"))),
        ["type: `step_size` takes at most `max_surge`"]
    );
}

#[test]
fn a_schedule_is_a_job_that_runs_again_and_keeps_its_name() {
    let nightly = train("  schedule = \"0 3 * * *\"\n  time_zone = \"Europe/Berlin\"");
    let compiled = compile_with("1.7.0", &nightly);
    assert_eq!(errors(&compiled), Vec::<String>::new());
    let cron = compiled.manifests.iter().find(|manifest| manifest.object.kind == "RayCronJob").unwrap();
    assert_eq!(cron.object.name, "t");
    let spec = &emit::fields("RayCronJob", &cron.tree)["spec"];
    assert_eq!((&spec["schedule"], &spec["timeZone"]), (&json!("0 3 * * *"), &json!("Europe/Berlin")));
    assert_eq!(spec["jobTemplate"]["shutdownAfterJobFinishes"], true);
    assert_eq!(spec["jobTemplate"]["rayClusterSpec"]["workerGroupSpecs"][0]["numOfHosts"], 4);
    assert!(compiled.manifests.iter().all(|manifest| manifest.object.kind != "RayJob"));

    let old = ["kuberay-too-old: The pinned KubeRay does not know this"];
    assert_eq!(refused("1.5.1", &train("  schedule = \"@daily\"")), old);
    assert_eq!(refused("1.6.2", &nightly), old, "the time zone came with 1.7");
    assert_eq!(refused("1.7.0", &train("  schedule = \"0 3 * *\"")), ["type: `schedule` takes a cron schedule"]);
    assert_eq!(refused("1.7.0", &train("  schedule = \"@daily\"\n  time_zone = \"Local\"")).len(), 1);
    assert_eq!(refused("1.7.0", &train("  schedule = \"@daily\"\n  run = \"2\"")).len(), 1);
    assert_eq!(refused("1.7.0", &train("  time_zone = \"UTC\"")).len(), 1);
}

#[test]
fn an_elastic_run_starts_with_its_fewest_slices() {
    let elastic = |more: &str| {
        train(&format!("  failure {{\n    max_failures = 3\n  }}\n  elastic {{\n    max_slices = 3\n  }}\n{more}"))
    };
    let compiled = compile_with("1.6.2", &elastic(""));
    assert_eq!(errors(&compiled), Vec::<String>::new());
    let job = compiled.manifests.iter().find(|manifest| manifest.object.kind == "RayJob").unwrap();
    let cluster = &emit::fields("RayJob", &job.tree)["spec"]["rayClusterSpec"];
    let group = &cluster["workerGroupSpecs"][0];
    assert_eq!((&group["minReplicas"], &group["maxReplicas"], group.get("replicas")), (&json!(1), &json!(3), None));
    assert_eq!(group["resources"], json!({"accelerator_type:TPU-V6E": "1"}));
    let map = compiled.manifests.iter().find(|manifest| manifest.object.kind == "ConfigMap").unwrap();
    let script = emit::fields("ConfigMap", &map.tree)["data"]["train.py"].as_str().unwrap().to_owned();
    let json = script.split("r'''").nth(1).and_then(|rest| rest.split("'''").next()).unwrap();
    let driver: Value = serde_json::from_str(json).unwrap();
    assert_eq!(driver["scaling"]["num_workers"], json!([4, 12]), "a worker a host, 4 hosts a slice");
}

#[test]
fn an_elastic_run_that_cannot_be_is_refused() {
    let elastic = |more: &str| train(&format!("  elastic {{\n    max_slices = 3\n  }}\n{more}"));
    let only = |blocks: &str, wanted: &str| assert_eq!(refused("1.6.2", blocks), [wanted]);
    only(&elastic("  num_slices = 2"), "conflicting-attributes: `num_slices` and `max_slices` are two numbers");
    only(&elastic("  num_workers = 12"), "conflicting-attributes: An elastic run has no fixed number of workers");
    only(&elastic("  ray_version = \"2.54.0\""), "ray-too-old: The pinned Ray does not do this");
    let torch = refused("1.6.2", &elastic("").replace("\"jax\"", "\"pytorch\""));
    assert!(torch.contains(&"conflicting-attributes: Elastic training is for JAX".to_owned()), "{torch:?}");
    only(
        &train("  elastic {\n    min_slices = 3\n    max_slices = 2\n  }"),
        "type: `min_slices` is more than `max_slices`",
    );
    only(
        &elastic("").replace("max_slices = 3", "max_slices = 9"),
        "chips-overbooked: Workloads take more slices than there are",
    );
}

#[test]
fn pools_scale_between_the_fewest_slices_and_all() {
    let pools = |slice: &str| {
        let block = format!("slice \"s\" {{\n  cluster = cluster.c\n  accelerator = \"v6e\"\n{slice}\n}}");
        let compiled = compile_with("1.6.2", &block);
        assert_eq!(errors(&compiled), Vec::<String>::new());
        let pools = compiled.manifests.iter().filter(|manifest| manifest.addr.name == "s");
        pools.map(|pool| emit::fields(&pool.object.kind, &pool.tree).clone()).collect::<Vec<_>>()
    };
    let several = pools("  topology = \"4x4\"\n  autoscale {\n    min_slices = 1\n    max_slices = 3\n  }");
    assert_eq!(several.len(), 3);
    assert_eq!(several[0]["node_count"], 4);
    let scaled = &several[1]["autoscaling"];
    assert_eq!((several[1].get("node_count"), &scaled["max_node_count"]), (None, &json!(4)));
    assert_eq!(scaled["min_node_count"], 0);
    let single = pools("  topology = \"2x4\"\n  chips_per_host = 8\n  num_slices = 3\n  autoscale {}");
    let scaled = &single[0]["autoscaling"];
    assert_eq!((single.len(), &scaled["min_node_count"], &scaled["max_node_count"]), (1, &json!(0), &json!(3)));
}

#[test]
fn a_group_of_a_ray_cluster_has_its_place() {
    let only = |body: &str, wanted: &str| {
        let block = format!("ray_cluster \"lab\" {{\n  image = \"i:1\"\n{body}\n}}");
        assert_eq!(refused("1.6.2", &block), [wanted]);
    };
    let group = "  group \"a\" {\n    slice = slice.small\n  }\n";
    only(
        &format!("{group}  slice = slice.big"),
        "conflicting-attributes: `slice` is for the workers of `slice` or `nodes`",
    );
    only("  worker {\n    cpu = 8\n  }", "conflicting-attributes: `worker` is for the workers of `slice` or `nodes`");
    only(
        &format!("{group}  idle_timeout = \"5m\""),
        "conflicting-attributes: `idle_timeout` is for workers that Ray scales",
    );
    only(&group.replace("\"a\"", "\"A_b\""), "illegal-name: A group's name is not a DNS label");
}
