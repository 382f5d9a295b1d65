//! Good objects pass on every version; each way to be wrong is named.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{check, keywords, store};
use crate::base::addr::Addr;
use crate::emit::{Executor, Manifest, ObjectId};

fn manifest(tree: Value) -> Manifest {
    let text = |key: &str| tree[key].as_str().unwrap_or_default().to_string();
    let object = ObjectId {
        api_version: text("apiVersion"),
        kind: text("kind"),
        namespace: None,
        name: tree["metadata"]["name"].as_str().unwrap_or_default().into(),
    };
    let addr = Addr::new("train", "dpo");
    Manifest {
        addr,
        path: "x.yaml".into(),
        object,
        executor: Executor::Gitops,
        tree,
        text: String::new(),
        lifecycle: crate::resolve::stack::Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

fn terraform(kind: &str, tree: Value) -> Manifest {
    let object = ObjectId { api_version: "terraform".into(), kind: kind.into(), namespace: None, name: "x".into() };
    let addr = Addr::new("slice", "v6e");
    Manifest {
        addr,
        path: "x.tf".into(),
        object,
        executor: Executor::Terraform,
        tree,
        text: String::new(),
        lifecycle: crate::resolve::stack::Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

/// The details of the errors, without the object's name in front.
fn faults_of(manifest: Manifest, kuberay: &str) -> Vec<String> {
    let detail = |diag: &crate::base::diag::Diag| diag.detail.clone().unwrap();
    check(&[manifest], kuberay).iter().map(|d| detail(d).split_once(": ").unwrap().1.to_string()).collect()
}

fn faults(tree: Value, kuberay: &str) -> Vec<String> {
    faults_of(manifest(tree), kuberay)
}

/// The object with a change at a JSON pointer, which must exist; null removes nothing, it is set.
fn with(mut tree: Value, pointer: &str, field: &str, value: Value) -> Value {
    tree.pointer_mut(pointer).unwrap()[field] = value;
    tree
}

fn template() -> Value {
    let limits = json!({"google.com/tpu": "4", "cpu": "100", "memory": "200Gi"});
    json!({
        "metadata": {"annotations": {"gke-gcsfuse/volumes": "true"}},
        "spec": {
            "serviceAccountName": "trainer",
            "nodeSelector": {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "4x4"},
            "restartPolicy": "Never",
            "containers": [{
                "name": "ray-worker", "image": "rayproject/ray:2.60.0-py312-tpu", "imagePullPolicy": "IfNotPresent",
                "env": [{"name": "JAX_PLATFORMS", "value": "tpu,cpu"},
                        {"name": "NODE_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.hostIP"}}}],
                "ports": [{"containerPort": 8081, "name": "mxla"}],
                "resources": {"requests": limits.clone(), "limits": limits},
                "securityContext": {"runAsNonRoot": true},
                "volumeMounts": [{"name": "code", "mountPath": "/code", "readOnly": true}],
            }],
            "tolerations": [{"key": "google.com/tpu", "operator": "Exists", "effect": "NoSchedule"}],
            "volumes": [
                {"name": "code", "configMap": {"name": "driver", "defaultMode": 292}},
                {"name": "data", "csi": {"driver": "gcsfuse.csi.storage.gke.io", "volumeAttributes": {"bucketName": "b"}}},
                {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}},
            ],
        },
    })
}

fn cluster_spec() -> Value {
    json!({
        "rayVersion": "2.60.0",
        "enableInTreeAutoscaling": true,
        "autoscalerOptions": {"version": "v2", "idleTimeoutSeconds": 60},
        "headGroupSpec": {"rayStartParams": {"num-cpus": "0"}, "template": template()},
        "workerGroupSpecs": [{
            "groupName": "v6e", "replicas": 1, "minReplicas": 1, "maxReplicas": 1, "numOfHosts": 4,
            "rayStartParams": {}, "template": template(),
        }],
    })
}

fn ray(kind: &str, spec: impl Into<Value>) -> Value {
    let labels = json!({"app.kubernetes.io/managed-by": "sliceform", "kueue.x-k8s.io/queue-name": "tpu"});
    json!({
        "apiVersion": "ray.io/v1", "kind": kind, "spec": spec.into(),
        "metadata": {"name": "dpo", "namespace": "ml", "labels": labels, "annotations": {"sliceform.dev/address": "train.dpo"}},
    })
}

fn cluster() -> Value {
    ray("RayCluster", cluster_spec())
}

fn job_spec() -> Value {
    json!({
        "entrypoint": "python /code/train.py", "submissionMode": "K8sJobMode", "backoffLimit": 2,
        "activeDeadlineSeconds": 86400, "shutdownAfterJobFinishes": true, "ttlSecondsAfterFinished": 600,
        "runtimeEnvYAML": "env_vars: {}\n", "entrypointNumCpus": 0.5, "rayClusterSpec": cluster_spec(),
    })
}

fn service() -> Value {
    ray(
        "RayService",
        json!({
            "serveConfigV2": "applications: []\n", "upgradeStrategy": {"type": "NewCluster"}, "rayClusterConfig": cluster_spec(),
        }),
    )
}

fn core(api: &str, kind: &str, rest: impl Into<Value>) -> Value {
    let mut tree = json!({"apiVersion": api, "kind": kind, "metadata": {"name": "driver", "namespace": "ml"}});
    tree.as_object_mut().unwrap().extend(rest.into().as_object().unwrap().clone());
    tree
}

fn cluster_wide(api: &str, kind: &str, rest: impl Into<Value>) -> Value {
    with(core(api, kind, rest), "", "metadata", json!({"name": "driver"}))
}

const GROUP: &str = "/spec/workerGroupSpecs/0";
const CONTAINER: &str = "/spec/workerGroupSpecs/0/template/spec/containers/0";

#[test]
fn every_schema_compiles() {
    for api in ["ray.io/v1", "v1", store::TERRAFORM] {
        for set in store::sets(api, "0") {
            assert!(set.names().count() >= 3, "{api} {}", set.version);
            for name in set.names() {
                assert!(set.kind(name).is_some(), "{name} {}", set.version);
            }
        }
    }
}

#[test]
fn good_objects_pass_on_every_version() {
    let claim = json!({"spec": {"devices": {"requests": [{"name": "nic", "exactly": {"deviceClassName": "netdev.google.com", "allocationMode": "All"}}]}}});
    let volume = json!({"accessModes": ["ReadWriteMany"], "storageClassName": "fast", "resources": {"requests": {"storage": "1Ti"}}});
    let port = json!({"name": "http", "port": 80, "targetPort": "serve", "protocol": "TCP"});
    let good = [
        cluster(),
        ray("RayJob", job_spec()),
        service(),
        core("v1", "ConfigMap", json!({"data": {"train.py": "print()\n"}, "immutable": true})),
        core("v1", "ServiceAccount", json!({"automountServiceAccountToken": false})),
        core("v1", "Service", json!({"spec": {"selector": {"app": "x"}, "ports": [port], "type": "ClusterIP"}})),
        core("v1", "PersistentVolumeClaim", json!({"spec": volume})),
        core("resource.k8s.io/v1", "ResourceClaimTemplate", json!({"spec": claim})),
        cluster_wide("v1", "Namespace", json!({})),
        cluster_wide(
            "storage.k8s.io/v1",
            "StorageClass",
            json!({"provisioner": "pd.csi.storage.gke.io", "volumeBindingMode": "WaitForFirstConsumer"}),
        ),
    ];
    for kuberay in ["1.3.2", "1.4.0", "v1.5.0", "1.5.1", "1.6.2", "1.7.0", "1.12.0"] {
        for tree in &good {
            assert_eq!(faults(tree.clone(), kuberay), Vec::<String>::new(), "{} on {kuberay}", tree["kind"]);
        }
    }
}

#[test]
fn an_unknown_field_is_caught_at_any_depth_with_the_near_name() {
    let wrong = [
        with(cluster(), "/spec/workerGroupSpecs/0/template/spec", "contaners", json!([])),
        with(core("v1", "ConfigMap", json!({})), "", "dataa", json!({})),
        with(cluster(), "/metadata", "creationTimestamp", Value::Null),
        with(service(), "", "status", json!({})),
    ];
    insta::assert_snapshot!(wrong.map(|tree| faults(tree, "1.6.2").join("\n")).join("\n"), @r#"
    spec.workerGroupSpecs[0].template.spec.contaners isn't a field of this kind: it would be dropped in silence or refused. Did you mean "containers"?
    dataa isn't a field of this kind: it would be dropped in silence or refused. Did you mean "data"?
    metadata.creationTimestamp isn't a field of this kind: it would be dropped in silence or refused.
    status isn't a field of this kind: it would be dropped in silence or refused.
    "#);
}

/// JSON pointers of every object in a tree.
fn objects(tree: &Value, at: &str, found: &mut Vec<String>) {
    match tree {
        Value::Object(fields) => {
            found.push(at.into());
            fields.iter().for_each(|(key, field)| objects(field, &format!("{at}/{}", key.replace('/', "~1")), found));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn nothing_is_open_a_stray_field_is_caught_in_every_object() {
    let claim = json!({"devices": {"requests": [{"name": "nic", "exactly": {"deviceClassName": "netdev"}}]}});
    let cron = ray("RayCronJob", json!({"schedule": "@daily", "jobTemplate": job_spec()}));
    let claim = core("resource.k8s.io/v1", "ResourceClaimTemplate", json!({"spec": {"spec": claim}}));
    for tree in [service(), ray("RayJob", job_spec()), cron, claim] {
        let mut places = Vec::new();
        objects(&tree, "", &mut places);
        for place in places {
            // A list is wrong as a field's value in maps of strings and of quantities too.
            assert_ne!(faults(with(tree.clone(), &place, "zzz", json!([])), "1.7.0"), Vec::<String>::new(), "{place}");
        }
    }
}

#[test]
fn wrong_values_are_named() {
    let wrong = [
        with(cluster(), GROUP, "maxReplicas", json!(3_000_000_000_u32)),
        with(cluster(), GROUP, "replicas", json!(1.0)),
        with(cluster(), GROUP, "replicas", json!(1.5)),
        with(cluster(), GROUP, "replicas", json!("1")),
        with(cluster(), GROUP, "numOfHosts", Value::Null),
        with(cluster(), "/spec/autoscalerOptions", "version", json!("V2")),
        with(cluster(), CONTAINER, "imagePullPolicy", json!("ifNotPresent")),
        with(cluster(), CONTAINER, "resources", json!({"limits": {"memory": true}})),
        with(cluster(), CONTAINER, "resources", json!({"limits": {"memory": "16 GB"}})),
        with(cluster(), CONTAINER, "env", json!([{"name": "A"}, {"name": "B"}, {"name": "A"}])),
        with(cluster(), CONTAINER, "ports", json!([{"containerPort": 1}, {"containerPort": 1, "protocol": "TCP"}])),
        with(cluster(), CONTAINER, "env", json!([{"value": "x"}])),
        with(cluster(), GROUP, "rayStartParams", json!({"num-cpus": 0})),
        with(cluster(), "/metadata", "labels", json!({"a b": "x", "c": "-d"})),
        with(ray("RayJob", job_spec()), "/spec", "submissionMode", json!("K8SJobMode")),
        with(ray("RayJob", job_spec()), "/spec", "managedBy", json!("me")),
        with(core("v1", "ConfigMap", json!({})), "", "data", json!({"a/b": "x"})),
        with(core("v1", "Service", json!({"spec": {}})), "/metadata", "name", json!("1x")),
    ];
    let all: Vec<String> = wrong.into_iter().flat_map(|tree| faults(tree, "1.6.2")).collect();
    insta::assert_snapshot!(all.join("\n"), @r#"
    spec.workerGroupSpecs[0].maxReplicas must be at most 2147483647, not 3000000000.
    spec.workerGroupSpecs[0].replicas must be written as an integer, without a decimal point.
    spec.workerGroupSpecs[0].replicas must be an integer, not 1.5.
    spec.workerGroupSpecs[0].replicas must be an integer, not the string "1".
    spec.workerGroupSpecs[0].numOfHosts must be an integer, not null.
    spec.autoscalerOptions.version must be "v1" or "v2", not "V2" (did you mean "v2"?).
    spec.workerGroupSpecs[0].template.spec.containers[0].imagePullPolicy must be "Always", "IfNotPresent" or "Never", not "ifNotPresent" (did you mean "IfNotPresent"?).
    spec.workerGroupSpecs[0].template.spec.containers[0].resources.limits.memory must be an integer or a string, not true.
    spec.workerGroupSpecs[0].template.spec.containers[0].resources.limits.memory must be a quantity such as "500m" or "16Gi", not "16 GB".
    spec.workerGroupSpecs[0].template.spec.containers[0].env has two items with name "A".
    spec.workerGroupSpecs[0].template.spec.containers[0].ports has two items with containerPort 1 and protocol "TCP".
    spec.workerGroupSpecs[0].template.spec.containers[0].env[0] lacks "name".
    spec.workerGroupSpecs[0].rayStartParams.num-cpus must be a string, not 0.
    metadata.labels.c must be of the form ^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$, not "-d".
    metadata.labels has the key "a b", which isn't of the form ^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]$.
    spec.submissionMode must be "HTTPMode", "InteractiveMode", "K8sJobMode" or "SidecarMode", not "K8SJobMode" (did you mean "K8sJobMode"?).
    spec.managedBy must be "kueue.x-k8s.io/multikueue" or "ray.io/kuberay-operator", not "me".
    data has the key "a/b", which isn't of the form ^[-._a-zA-Z0-9]+$.
    metadata.name must be of the form ^[a-z]([-a-z0-9]*[a-z0-9])?$, not "1x".
    "#);
}

#[test]
fn the_rules_that_were_written_in_cel_hold() {
    let deletion =
        |strategy: Value| faults(with(ray("RayJob", job_spec()), "/spec", "deletionStrategy", strategy), "1.6.2");
    let rule = |condition: Value| json!({"deletionRules": [{"policy": "DeleteSelf", "condition": condition}]});
    let both = json!({"onSuccess": {"policy": "DeleteSelf"}, "onFailure": {"policy": "DeleteNone"}});
    assert_eq!(deletion(both.clone()), Vec::<String>::new());
    assert_eq!(deletion(rule(json!({"jobDeploymentStatus": "Failed"}))), Vec::<String>::new());
    let wrong = [
        json!({"onSuccess": {"policy": "DeleteSelf"}}),
        with(both, "", "deletionRules", rule(json!({"jobStatus": "FAILED"}))["deletionRules"].clone()),
        rule(json!({"jobStatus": "FAILED", "jobDeploymentStatus": "Failed"})),
        rule(json!({"ttlSeconds": 1})),
    ];
    insta::assert_snapshot!(wrong.map(|strategy| deletion(strategy).join("\n")).join("\n"), @r#"
    spec.deletionStrategy needs deletionRules, or onFailure.
    spec.deletionStrategy has fields that exclude each other.
    spec.deletionStrategy.deletionRules[0].condition has fields that exclude each other.
    spec.deletionStrategy.deletionRules[0].condition needs jobStatus, or jobDeploymentStatus.
    "#);
}

#[test]
fn a_field_or_kind_newer_than_the_pinned_version_is_refused() {
    let recreate = with(cluster(), "/spec", "upgradeStrategy", json!({"type": "Recreate"}));
    assert_eq!(faults(recreate.clone(), "1.6.0"), Vec::<String>::new());
    let auth = with(cluster(), "/spec", "authOptions", json!({"mode": "token"}));
    assert_eq!(faults(auth.clone(), "1.5.1"), Vec::<String>::new());
    let deadline = ray("RayJob", with(job_spec(), "", "preRunningDeadlineSeconds", json!(600)));
    assert_eq!(faults(deadline.clone(), "1.6.0"), Vec::<String>::new());
    let cron = ray("RayCronJob", json!({"schedule": "0 3 * * *", "timeZone": "Etc/UTC", "jobTemplate": job_spec()}));
    assert_eq!(faults(cron.clone(), "1.7.0"), Vec::<String>::new());
    let redis =
        with(cluster(), "/spec", "gcsFaultToleranceOptions", json!({"backend": "rocksdb", "storage": {"size": "1Gi"}}));
    assert_eq!(faults(redis.clone(), "1.7.0"), Vec::<String>::new());
    let groups = with(cluster(), GROUP, "labels", json!({"ray.io/accelerator-type": "TPU-V6E"}));
    let all = [
        (recreate, "1.5.1"),
        (auth, "1.5.0"),
        (deadline, "1.5.1"),
        (cron.clone(), "1.5.0"),
        (cron, "1.6.2"),
        (redis, "1.6.2"),
        (groups, "1.4.2"),
    ];
    insta::assert_snapshot!(all.map(|(tree, kuberay)| faults(tree, kuberay).join("\n")).join("\n"), @r#"
    spec.upgradeStrategy exists since KubeRay 1.6; KubeRay 1.5.1 would drop it in silence.
    spec.authOptions exists since KubeRay 1.5.1; KubeRay 1.5.0 would drop it in silence.
    spec.preRunningDeadlineSeconds exists since KubeRay 1.6; KubeRay 1.5.1 would drop it in silence.
    ray.io/v1/RayCronJob exists since KubeRay 1.6; the stack pins 1.5.0.
    spec.timeZone exists since KubeRay 1.7; KubeRay 1.6.2 would drop it in silence.
    spec.gcsFaultToleranceOptions.backend exists since KubeRay 1.7; KubeRay 1.6.2 would drop it in silence.
    spec.gcsFaultToleranceOptions.storage exists since KubeRay 1.7; KubeRay 1.6.2 would drop it in silence.
    spec.gcsFaultToleranceOptions lacks "redisAddress".
    spec.workerGroupSpecs[0].labels exists since KubeRay 1.5; KubeRay 1.4.2 would drop it in silence.
    "#);
}

#[test]
fn a_kind_without_a_schema_is_refused() {
    let wrong = [
        manifest(core("v1", "Secret", json!({}))),
        manifest(with(cluster(), "", "apiVersion", json!("ray.io/v1alpha1"))),
        terraform("google_storage_bukket", json!({})),
    ];
    insta::assert_snapshot!(wrong.map(|manifest| faults_of(manifest, "1.6.2").join("\n")).join("\n"), @r#"
    Sliceform has no schema for v1/Secret, so it can't know what the server would make of it.
    Sliceform has no schema for ray.io/v1alpha1/RayCluster, so it can't know what the server would make of it.
    Sliceform has no schema for terraform/google_storage_bukket, so it can't know what the server would make of it.
    "#);
    assert_eq!(faults_of(terraform("provider", json!({"google": {}})), "1.6.2"), Vec::<String>::new());
}

fn pool() -> Value {
    json!({
        "name": "v6e-4x4", "cluster": "${google_container_cluster.tpu.name}", "location": "us-east5", "node_count": 4,
        "node_locations": ["us-east5-b"], "max_pods_per_node": 15, "placement_policy": {"type": "COMPACT", "tpu_topology": "4x4"},
        "autoscaling": {"min_node_count": 0, "max_node_count": "${var.hosts}", "location_policy": "ANY"},
        "node_config": [{
            "machine_type": "ct6e-standard-4t", "spot": false, "flex_start": true, "max_run_duration": "604800s",
            "reservation_affinity": {"consume_reservation_type": "SPECIFIC_RESERVATION", "key": "k", "values": ["r"]},
            "labels": {"a": "b"}, "oauth_scopes": ["https://www.googleapis.com/auth/cloud-platform"],
            "taint": [{"key": "a", "value": "b", "effect": "NO_SCHEDULE"}, {"key": "c", "value": "d", "effect": "NO_EXECUTE"}],
        }],
        "lifecycle": {"prevent_destroy": true}, "depends_on": ["google_project_iam_member.x"],
    })
}

#[test]
fn terraform_resources_are_held_to_their_attributes() {
    let good = [
        ("google_container_node_pool", pool()),
        (
            "google_container_cluster",
            json!({
                "name": "tpu", "location": "us-east5", "deletion_protection": true, "datapath_provider": "ADVANCED_DATAPATH",
                "addons_config": {"ray_operator_config": {"enabled": true, "ray_cluster_logging_config": {"enabled": true}}},
                "workload_identity_config": {"workload_pool": "p.svc.id.goog"},
            }),
        ),
        (
            "google_compute_resource_policy",
            json!({
                "name": "w", "region": "us-central1", "workload_policy": {"type": "HIGH_THROUGHPUT", "accelerator_topology": "4x4x8"},
            }),
        ),
        ("google_storage_bucket", json!({"name": "b", "location": "US", "uniform_bucket_level_access": true})),
        ("google_service_account", json!({"account_id": "trainer"})),
        ("google_service_account_iam_member", json!({"service_account_id": "${x}", "role": "r", "member": "m"})),
        ("google_storage_bucket_iam_member", json!({"bucket": "b", "role": "r", "member": "m"})),
        ("google_project_iam_member", json!({"project": "p", "role": "r", "member": "m", "for_each": ["a"]})),
    ];
    for (kind, tree) in good {
        assert_eq!(faults_of(terraform(kind, tree), "1.6.2"), Vec::<String>::new(), "{kind}");
    }
    let wrong = [
        with(pool(), "/node_config/0", "machine_typ", json!("x")),
        with(pool(), "/autoscaling", "max_node_count", json!("four")),
        with(pool(), "", "node_locations", json!("us-east5-b")),
        with(pool(), "", "placement_policy", json!([{"type": "COMPACT"}, {"type": "COMPACT"}])),
        with(pool(), "/node_config/0/taint/0", "effects", json!("x")),
        json!({"name": "p"}),
    ];
    let all = wrong.map(|tree| faults_of(terraform("google_container_node_pool", tree), "1.6.2").join("\n"));
    insta::assert_snapshot!(all.join("\n"), @r#"
    node_config[0].machine_typ isn't a field of this kind: it would be dropped in silence or refused. Did you mean "machine_type"?
    autoscaling.max_node_count must be a value of the attribute's type, or an expression such as "${var.name}", not "four".
    node_locations must be a value of the attribute's type, or an expression such as "${var.name}", not "us-east5-b".
    placement_policy must have at most 1 items.
    node_config[0].taint[0].effects isn't a field of this kind: it would be dropped in silence or refused. Did you mean "effect"?
    the object lacks "cluster".
    "#);
}

/// Every rule of every committed schema, once.
fn rules(schema: &Value, found: &mut BTreeMap<String, Value>) {
    let Value::Object(rules_here) = schema else { return };
    for (keyword, rule) in rules_here.iter().filter(|(keyword, _)| *keyword != "$ref") {
        let mut alone = json!({keyword: rule});
        if keyword == "additionalProperties" {
            alone["properties"] = rules_here.get("properties").cloned().unwrap_or(json!({}));
        }
        found.insert(alone.to_string(), alone);
        match (keyword.as_str(), rule) {
            ("properties", Value::Object(fields)) => fields.values().for_each(|field| rules(field, found)),
            ("anyOf" | "oneOf" | "allOf", Value::Array(options)) => {
                for option in options {
                    rules(option, found);
                }
            }
            ("items" | "additionalProperties" | "propertyNames" | "not", rule) => rules(rule, found),
            _ => {}
        }
    }
}

#[test]
fn the_cheap_answer_is_the_real_validators_for_every_rule_in_the_files() {
    let texts = ["", "a", "A.b_c", "100m", "1.5Gi", "${var.x}", "HTTPMode", "x/y/z", "HugePages-2Mi", &"x".repeat(400)];
    let named = json!([{"name": "a"}, {"name": "a", "port": 1}, {"name": "b", "port": 1, "protocol": "TCP"}]);
    let pool = json!([null, true, 0, 1, -1, 1.0, 1.5, u64::MAX, [], [1, 1], [{}], {}, {"name": "a"}, {"a b": 1},
        ["a"], {"onSuccess": {}}, {"jobStatus": "x", "jobDeploymentStatus": "y"}, named]);
    let mut pool: Vec<Value> = pool.as_array().unwrap().clone();
    pool.extend(texts.map(Value::from));
    for api in ["ray.io/v1", "v1", store::TERRAFORM] {
        for set in store::sets(api, "0") {
            let mut found = BTreeMap::new();
            set.schemas().for_each(|schema| rules(schema, &mut found));
            assert!(found.len() > 20, "{api}");
            for rule in found.values() {
                let real = keywords::options().build(&set.standalone(rule)).unwrap();
                for value in &pool {
                    let (cheap, real) = (set.fits(rule, value), real.is_valid(value));
                    // Of fractions and giants the cheap answer may doubt what is right: no good object has one.
                    let odd = value.is_f64() || value.as_u64() == Some(u64::MAX);
                    assert!(cheap == real || (!cheap && odd), "{rule} says {real} of {value}");
                }
            }
        }
    }
}

#[test]
fn the_cheap_answer_to_a_good_object_is_yes() {
    let config = core("v1", "ConfigMap", json!({"data": {"a": "b"}}));
    for tree in [cluster(), ray("RayJob", job_spec()), service(), config] {
        let api = tree["apiVersion"].as_str().unwrap();
        let name = format!("{api}/{}", tree["kind"].as_str().unwrap());
        assert_eq!(store::sets(api, "1.7.0")[0].accepts(&name, &tree), Some(true), "{name}");
    }
    let set = &store::sets(store::TERRAFORM, "")[0];
    assert_eq!(set.accepts("terraform/google_container_node_pool", &pool()), Some(true));
}
