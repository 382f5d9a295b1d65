//! Plans for the tests of the views: made by the planner from two versions of one stack.

use serde_json::{Value, json};

use crate::base::addr::Addr;
use crate::emit::{Executor, Manifest, ObjectId};
use crate::plan::prior::{Prior, Standing};
use crate::plan::steps::{Goal, plan};
use crate::plan::{Plan, inventory};

fn kubernetes(addr: (&str, &str), kind: &str, name: &str, mut tree: Value) -> Manifest {
    let api_version = if kind.starts_with("Ray") { "ray.io/v1" } else { "v1" };
    tree["apiVersion"] = api_version.into();
    tree["kind"] = kind.into();
    tree["metadata"] = json!({"name": name, "namespace": "ml"});
    let folder = if kind.starts_with("Ray") { "kuberay" } else { "core" };
    Manifest {
        addr: Addr::new(addr.0, addr.1),
        path: format!("{folder}/{}-{name}.yaml", kind.to_lowercase()),
        object: ObjectId {
            api_version: api_version.into(),
            kind: kind.into(),
            namespace: Some("ml".into()),
            name: name.into(),
        },
        executor: Executor::Gitops,
        text: serde_saphyr::to_string(&tree).unwrap(),
        tree,
        lifecycle: crate::resolve::stack::Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

fn pool(spot: bool, nodes: u32) -> Manifest {
    let text = format!(
        "resource \"google_container_node_pool\" \"v6e\" {{\n  name = \"v6e-4x4\"\n  node_count = {nodes}\n\n  \
         node_config {{\n    machine_type = \"ct6e-standard-4t\"\n    spot = {spot}\n  }}\n}}\n"
    );
    Manifest {
        addr: Addr::new("slice", "v6e"),
        path: "gke/v6e.tf".into(),
        object: ObjectId {
            api_version: "terraform".into(),
            kind: "google_container_node_pool".into(),
            namespace: None,
            name: "v6e".into(),
        },
        executor: Executor::Terraform,
        tree: crate::emit::read("gke/v6e.tf", &text).unwrap(),
        text,
        lifecycle: crate::resolve::stack::Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

fn service(image: &str, replicas: u32, tensor_parallel: u32) -> Manifest {
    let app =
        format!("applications:\n- name: llm\n  args:\n    tensor_parallel_size: {tensor_parallel}\n    model: gemma\n");
    let container = json!({"name": "ray-worker", "image": image, "resources": {"limits": {"google.com/tpu": 4}}});
    let group = json!({"groupName": "v6e", "replicas": replicas, "numOfHosts": 4, "template": {"spec": {"containers": [container]}}});
    let spec = json!({"serveConfigV2": app, "rayClusterConfig": {"rayVersion": "2.58.0", "workerGroupSpecs": [group]}});
    kubernetes(("serve", "chat"), "RayService", "chat", json!({ "spec": spec }))
}

fn job(name: &str, entrypoint: &str, learning_rate: &str, args: &[&str]) -> [Manifest; 2] {
    let head = "import ray\nfrom ray.train import ScalingConfig\nfrom ray.train.torch import TorchTrainer\n\n";
    let tail = "\n\ndef main():\n    trainer = TorchTrainer(train, scaling_config=SCALING)\n    trainer.fit()\n";
    let script = format!("{head}LEARNING_RATE = {learning_rate}\nSCALING = ScalingConfig(num_workers=16){tail}");
    let env = json!([{"name": "HF_HOME", "value": "/models"}, {"name": "RUN", "value": name}]);
    let container = json!({"name": "ray-worker", "env": env, "args": args});
    let spec = json!({"entrypoint": entrypoint, "rayClusterSpec": {"headGroupSpec": {"template": {"spec": {"containers": [container]}}}}});
    [
        kubernetes(("train", "dpo"), "RayJob", &format!("dpo-{name}"), json!({ "spec": spec })),
        kubernetes(("train", "dpo"), "ConfigMap", &format!("dpo-driver-{name}"), json!({"data": {"train.py": script}})),
    ]
}

fn tokenizer() -> Manifest {
    kubernetes(("train", "old"), "ConfigMap", "tokenizer", json!({"data": {"a": "1"}}))
}

fn batch() -> Manifest {
    let spec = json!({"entrypoint": "python3 /stack/batch.py", "shutdownAfterJobFinishes": true});
    kubernetes(("batch", "embed"), "RayJob", "embed-bbbbbb", json!({ "spec": spec }))
}

fn goal(manifests: impl IntoIterator<Item = Manifest>, chips: u64) -> Goal {
    let mut goal = Goal::new("park", "rendered/park".into(), manifests.into_iter().collect());
    goal.chips = chips;
    goal
}

fn before() -> Goal {
    let entry =
        "python3 /stack/train.py --model google/gemma-3-27b-it --dataset gs://data/preference/v1 --epochs 3 --bf16";
    let first = job("bbbbbb", entry, "1e-4", &["--tp=8", "--max-model-len=8192", "--remat"]);
    let others = [pool(false, 4), service("rayproject/ray:2.58.0", 1, 8), tokenizer()];
    goal(first.into_iter().chain(others), 32)
}

fn after() -> Goal {
    let entry =
        "python3 /stack/train.py --model google/gemma-3-27b-it --dataset gs://data/preference/v2 --epochs 3 --bf16";
    let second = job("cccccc", entry, "2e-4", &["--tp=8", "--max-model-len=16384", "--remat"]);
    let mut goal =
        goal(second.into_iter().chain([pool(true, 4), service("rayproject/ray:2.59.1", 2, 16), batch()]), 48);
    goal.outputs.insert("endpoint".into(), "http://chat-serve-svc.ml:8000/v1".into());
    goal
}

/// A directory that holds a goal, with what someone did to it by hand: another text, or nothing.
fn prior(goal: &Goal, by_hand: &[(&str, Option<&str>)]) -> Prior {
    let mut prior = Prior { inventory: Some(goal.inventory()), ..Prior::default() };
    let mut put = |path: &str, text: &str| {
        let standing = Standing::File { digest: inventory::digest(text.as_bytes()), bytes: text.as_bytes().to_vec() };
        prior.files.insert(path.to_owned(), standing);
    };
    for (path, file) in &goal.files {
        match by_hand.iter().find(|(edited, _)| edited == path) {
            None => put(path, &file.text),
            Some((_, Some(text))) => put(path, text),
            Some((_, None)) => {}
        }
    }
    prior
}

/// The first apply.
pub fn fresh() -> Plan {
    plan(&before(), &Prior::default()).unwrap()
}

/// Nothing differs.
pub fn idle() -> Plan {
    plan(&before(), &prior(&before(), &[])).unwrap()
}

/// Something of everything: a new job, a job and a pool replaced, a service that rolls, something gone.
pub fn mixed() -> Plan {
    plan(&after(), &prior(&before(), &[])).unwrap()
}

/// Someone changed a service, removed a file and wrote into the list of resources.
pub fn drifted() -> Plan {
    let edited = before().files["kuberay/rayservice-chat.yaml"].text.replace("2.58.0", "2.57.0");
    let by_hand = [
        ("kuberay/rayservice-chat.yaml", Some(edited.as_str())),
        ("core/configmap-tokenizer.yaml", None),
        ("kustomization.yaml", Some("resources: []\n")),
    ];
    plan(&before(), &prior(&before(), &by_hand)).unwrap()
}

/// A hostile value.
pub fn hostile() -> Plan {
    let image = "ray\u{1b}[31m\u{202e}\n::error file=x::y\n";
    let hostile = goal([service(image, 1, 8)], 0);
    plan(&hostile, &prior(&goal([service("ray", 1, 8)], 0), &[])).unwrap()
}

/// All goes.
pub fn destroyed() -> Plan {
    let mut nothing = before();
    nothing.empty();
    plan(&nothing, &prior(&before(), &[])).unwrap()
}

/// Only the inventory is behind: an apply was killed before its last write.
pub fn unfinished() -> Plan {
    let mut prior = prior(&before(), &[]);
    if let Some(inventory) = &mut prior.inventory {
        inventory.applying = true;
    }
    plan(&before(), &prior).unwrap()
}

/// Each of them.
pub fn all() -> Vec<Plan> {
    vec![fresh(), idle(), mixed(), drifted(), hostile(), destroyed(), unfinished()]
}
