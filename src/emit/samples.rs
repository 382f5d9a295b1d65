//! Intents made by hand, for tests: two workloads on a 4x4 v6e slice, and the cluster below them.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value, json};

use crate::base::addr::Addr;
use crate::lower::intent::gke::{
    AccountRef, Bucket, Capacity, ClusterRef, DefaultPool, GkeCluster, GoogleServiceAccount, IamBinding, IamTarget,
    KubernetesIdentity, Member, NodePool, Placement, PoolSize, Taint, WorkloadPolicy,
};
use crate::lower::intent::pod::{
    Claim, ClaimTemplate, ConfigMap, Container, Env, EnvValue, FileText, Meta, Mount, Namespace, Pod, Port, Resources,
    ServiceAccount, StorageClass, Volume, VolumeSource,
};
use crate::lower::intent::ray::{
    AppBody, Application, ClusterShape, Entrypoint, HeadGroup, LlmConfig, RayCluster, RayCronJob, RayJob, RayService,
    Replicas, ServeConfig, Submission, Upgrade, WorkerGroup,
};
use crate::lower::intent::train::{Axis, Checkpoint, Failure, Framework, Scaling, Strategy, TorchDevice, TrainDriver};
use crate::lower::intent::{Intent, Object};

fn strings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        other => panic!("{other} is no object"),
    }
}

fn meta(name: &str) -> Meta {
    Meta { name: name.into(), namespace: "ml".into(), ..Meta::default() }
}

fn resources(pairs: &[(&str, &str)]) -> Resources {
    Resources { limits: strings(pairs), requests: strings(pairs), claims: Vec::new() }
}

fn ports(pairs: &[(&str, u16)]) -> Vec<Port> {
    pairs.iter().map(|(name, port)| Port { name: (*name).into(), port: *port }).collect()
}

/// A pod with one container, a bucket at `/data`, and memory for `/dev/shm`.
fn pod(mut container: Container) -> Pod {
    let mount = |volume: &str, path: &str| Mount { volume: volume.into(), path: path.into(), ..Mount::default() };
    container.mounts = vec![mount("dshm", "/dev/shm"), mount("data", "/data")];
    let memory =
        |name: &str| Volume { name: name.into(), source: VolumeSource::EmptyDir { memory: true, size_limit: None } };
    let bucket = VolumeSource::GcsFuse {
        bucket: "demo-park".into(),
        mount_options: vec!["implicit-dirs".into()],
        read_only: false,
    };
    Pod {
        annotations: strings(&[
            ("gke-gcsfuse/volumes", "true"),
            ("gke-gcsfuse/cpu-limit", "0"),
            ("gke-gcsfuse/memory-limit", "0"),
            ("gke-gcsfuse/ephemeral-storage-limit", "0"),
        ]),
        containers: vec![container],
        volumes: vec![memory("dshm"), memory("gke-gcsfuse-cache"), Volume { name: "data".into(), source: bucket }],
        service_account: Some("park".into()),
        service_links: true,
        ..Pod::default()
    }
}

/// A head without chips, and one 4x4 slice of v6e on four hosts.
fn cluster(image: &str, env: Vec<Env>) -> ClusterShape {
    let head = Container {
        name: "ray-head".into(),
        image: image.into(),
        ports: ports(&[
            ("gcs-server", 6379),
            ("dashboard", 8265),
            ("client", 10001),
            ("serve", 8000),
            ("metrics", 8080),
        ]),
        resources: resources(&[("cpu", "8"), ("memory", "40G")]),
        ..Container::default()
    };
    let worker = Container {
        name: "ray-worker".into(),
        image: image.into(),
        env,
        ports: ports(&[("mxla", 8081)]),
        resources: resources(&[("cpu", "24"), ("google.com/tpu", "4"), ("memory", "200G")]),
        ..Container::default()
    };
    let mut worker = pod(worker);
    worker.node_selector = strings(&[
        ("cloud.google.com/gke-tpu-accelerator", "tpu-v6e-slice"),
        ("cloud.google.com/gke-tpu-topology", "4x4"),
    ]);
    ClusterShape {
        ray_version: "2.60.0".into(),
        head: HeadGroup { ray_start_params: strings(&[("num-cpus", "0")]), pod: pod(head) },
        groups: vec![WorkerGroup {
            name: "v6e".into(),
            replicas: 1,
            min: 1,
            max: 1,
            num_of_hosts: 4,
            ray_start_params: BTreeMap::new(),
            resources: BTreeMap::new(),
            pod: worker,
        }],
        autoscaling: None,
    }
}

fn tpu_env() -> Vec<Env> {
    vec![
        Env { name: "NODE_IP".into(), value: EnvValue::Field("status.hostIP".into()) },
        Env::plain("VBAR_CONTROL_SERVICE_URL", "$(NODE_IP):8353"),
        Env::plain("JAX_PLATFORMS", "tpu,cpu"),
        Env::plain("ENABLE_PJRT_COMPATIBILITY", "true"),
    ]
}

/// `train.dpo`: a Torch driver on 16 devices.
pub fn train_driver() -> TrainDriver {
    TrainDriver {
        framework: Framework::Torch {
            strategy: Strategy::Fsdp2,
            device: TorchDevice::Tpu { topology: "4,4,1".into() },
        },
        train_loop: "recipes.dpo:train_loop_per_worker".into(),
        config: object(json!({"lr": 1e-5, "epochs": 1, "prompt": "it's {{not}} '''code'''\n"})),
        axes: vec![
            Axis { name: "data".into(), size: 4, shard: true },
            Axis { name: "tensor".into(), size: 4, shard: false },
        ],
        scaling: Scaling {
            workers: (16, 16),
            use_tpu: true,
            use_gpu: false,
            topology: Some("4x4".into()),
            accelerator_type: Some("TPU-V6E".into()),
            resources_per_worker: BTreeMap::from([("CPU".into(), Number::from(1)), ("TPU".into(), Number::from(1))]),
        },
        run_name: "dpo".into(),
        storage_path: Some("gs://demo-park/runs".into()),
        checkpoint: Checkpoint { num_to_keep: Some(2), ..Checkpoint::default() },
        failure: Failure { max_failures: 3, max_preemption_failures: None },
        worker_group_start_timeout_s: 1800,
    }
}

/// A JAX driver on two slices of four hosts, elastic down to one.
pub fn jax_driver() -> TrainDriver {
    let mut driver = train_driver();
    driver.framework = Framework::Jax;
    driver.scaling.workers = (4, 8);
    driver.scaling.resources_per_worker = BTreeMap::from([("TPU".into(), Number::from(4))]);
    driver.config = Map::new();
    driver
}

/// `train.dpo`: the job.
pub fn ray_job() -> Intent {
    let job = RayJob {
        meta: meta("dpo-1a2b3c4d"),
        entrypoint: Entrypoint::Argv(vec!["python".into(), "/etc/sliceform/train.py".into()]),
        runtime_env: Some(object(json!({"env_vars": {"TOKENIZERS_PARALLELISM": "false"}}))),
        submission: Submission::K8sJob,
        shutdown_after_finished: true,
        ttl_s: Some(3600),
        active_deadline_s: Some(259_200),
        pre_running_deadline_s: Some(3600),
        backoff_limit: Some(0),
        submitter_backoff_limit: None,
        cluster: cluster("us-docker.pkg.dev/demo/ml/torch-tpu:2.60.0", tpu_env()),
    };
    Intent::new(Addr::new("train", "dpo"), Object::RayJob(job))
}

/// `train.nightly`: the same job, every night.
fn ray_cron_job() -> Intent {
    let Object::RayJob(job) = ray_job().object else { panic!("a job") };
    let job = RayJob { meta: meta("nightly"), ..job };
    let cron = RayCronJob { schedule: "0 3 * * *".into(), time_zone: Some("Etc/UTC".into()), job };
    Intent::new(Addr::new("train", "nightly"), Object::RayCronJob(cron))
}

/// `serve.chat`: Qwen3 30B over the whole slice.
pub fn ray_service() -> Intent {
    let mut env = tpu_env();
    env.push(Env::plain("TPU_MULTIHOST_BACKEND", "ray"));
    env.push(Env {
        name: "HF_TOKEN".into(),
        value: EnvValue::SecretKey { name: "hf".into(), key: "hf_api_token".into(), optional: false },
    });
    let model = LlmConfig {
        model_id: "qwen3-30b-a3b".into(),
        model_source: "Qwen/Qwen3-30B-A3B".into(),
        accelerator_type: Some("TPU-V6E".into()),
        topology: Some("4x4".into()),
        engine_kwargs: object(json!({
            "tensor_parallel_size": 16,
            "enable_expert_parallel": true,
            "max_model_len": 8192,
            "distributed_executor_backend": "ray",
        })),
        replicas: Replicas::Fixed(1),
        max_ongoing_requests: None,
        ray_actor_options: Map::new(),
        runtime_env: Some(object(json!({"env_vars": {"VLLM_XLA_CACHE_PATH": "/tmp/vllm_xla_cache"}}))),
        lora: None,
    };
    let app = Application {
        name: "llm".into(),
        route_prefix: "/".into(),
        runtime_env: None,
        body: AppBody::Llm(vec![model]),
    };
    let service = RayService {
        meta: meta("chat"),
        serve: ServeConfig { host: "0.0.0.0".into(), port: 8000, applications: vec![app] },
        upgrade: Upgrade::None,
        cluster: cluster("us-docker.pkg.dev/demo/ml/ray-llm-tpu:2.60.0", env),
    };
    Intent::new(Addr::new("serve", "chat"), Object::RayService(service))
}

/// A multi-host pool: one slice.
pub fn node_pool(capacity: Capacity, placement: Placement, size: PoolSize) -> NodePool {
    NodePool {
        name: "v6e-4x4-0".into(),
        cluster: ClusterRef {
            name: "tpu".into(),
            project: "demo".into(),
            location: "us-east5".into(),
            managed: Some("tpu".into()),
        },
        zone: Some("us-east5-b".into()),
        machine_type: "ct6e-standard-4t".into(),
        size,
        placement,
        auto_repair: !matches!(capacity, Capacity::FlexStart { .. }),
        capacity,
        disk_type: Some("hyperdisk-balanced".into()),
        disk_size_gib: Some(100),
        max_pods_per_node: Some(15),
        labels: strings(&[("team", "ml"), ("example.com/use", "train")]),
        taints: vec![],
        service_account: Some(AccountRef::Managed("park-nodes".into())),
        accelerator_network: false,
        networks: Vec::new(),
        gpus: None,
    }
}

/// A cluster that the stack makes.
pub fn gke_cluster() -> GkeCluster {
    GkeCluster {
        resource: "tpu".into(),
        name: "tpu".into(),
        project: "demo".into(),
        location: "us-east5".into(),
        autopilot: false,
        release_channel: Some("REGULAR".into()),
        min_version: Some("1.35".into()),
        network: Some("ml".into()),
        subnetwork: None,
        addons: ["lustre_csi_driver".to_owned()].into(),
        exclusions: Vec::new(),
        multi_networking: false,
        private_nodes: false,
        authorized_networks: vec!["10.0.0.0/8".into(), "192.168.0.0/16".into()],
        workload_identity: true,
        ray_addon: true,
        gcs_fuse: true,
        dataplane_v2: true,
        deletion_protection: true,
        default_pool: DefaultPool::Keep { node_count: 1, machine_type: Some("e2-standard-8".into()) },
        labels: BTreeMap::new(),
    }
}

fn iam(name: &str, target: IamTarget, role: &str, member: Member) -> Object {
    Object::IamBinding(IamBinding { name: name.into(), role: role.into(), target, member })
}

/// One of everything, in the order in which it would be made.
pub fn all() -> Vec<Intent> {
    let compact = Placement::Compact { topology: "4x4".into() };
    let reservation =
        Capacity::Reservation { name: "ml-v6e".into(), project: Some("shared".into()), block: Some("b0".into()) };
    let flex = Capacity::FlexStart { queued: false, max_run_duration_s: Some(604_800) };
    let mut single = node_pool(Capacity::Spot, Placement::None, PoolSize::Fixed(1));
    single.name = "v6e-2x4-0".into();
    single.cluster.managed = None;
    single.taints = vec![Taint { key: "team".into(), value: "ml".into(), effect: "NoSchedule".into() }];
    let mut scaled = node_pool(flex, compact.clone(), PoolSize::Scaled { min: 0, max: 4 });
    scaled.name = "v6e-4x4-1".into();
    let mut ironwood =
        node_pool(Capacity::OnDemand, Placement::WorkloadPolicy("tpu7x-4x4x8".into()), PoolSize::Fixed(32));
    ironwood.name = "tpu7x-4x4x8-0".into();
    ironwood.accelerator_network = true;
    let identity = || KubernetesIdentity { project: "demo".into(), namespace: "ml".into(), name: "park".into() };
    let bucket = |managed| IamTarget::Bucket { name: "demo-park".into(), managed };
    let park = AccountRef::Managed("park-nodes".into());
    let objects = vec![
        Object::GkeCluster(gke_cluster()),
        Object::NodePool(node_pool(reservation, compact, PoolSize::Fixed(4))),
        Object::NodePool(scaled),
        Object::NodePool(single),
        Object::WorkloadPolicy(WorkloadPolicy {
            name: "tpu7x-4x4x8".into(),
            project: "demo".into(),
            region: "us-east5".into(),
            topology: "4x4x8".into(),
        }),
        Object::NodePool(ironwood),
        Object::GoogleServiceAccount(GoogleServiceAccount {
            account_id: "park-nodes".into(),
            project: "demo".into(),
            display_name: Some("Nodes of ${park}".into()),
        }),
        Object::Bucket(Bucket {
            name: "demo-park".into(),
            project: "demo".into(),
            location: "us-east5".into(),
            labels: BTreeMap::new(),
        }),
        iam("park-data", bucket(true), "roles/storage.objectUser", Member::Principal(identity())),
        iam("nodes-data", bucket(false), "roles/storage.objectUser", Member::Account(park.clone())),
        iam(
            "park-acts",
            IamTarget::Account { account: park, project: "demo".into() },
            "roles/iam.workloadIdentityUser",
            Member::WorkloadIdentityUser(identity()),
        ),
        Object::Namespace(Namespace { name: "ml".into(), labels: BTreeMap::new() }),
        Object::ServiceAccount(ServiceAccount {
            meta: meta("park"),
            google_service_account: Some("park@demo.iam.gserviceaccount.com".into()),
        }),
        Object::ConfigMap(ConfigMap {
            meta: meta("dpo-driver-1a2b3c4d"),
            files: [
                ("train.py".to_owned(), FileText::TrainDriver(Box::new(train_driver()))),
                ("note".to_owned(), FileText::Text("yes".into())),
            ]
            .into(),
        }),
        Object::ClaimTemplate(ClaimTemplate {
            meta: meta("v6e-netdev-2"),
            device_class: "netdev.google.com".into(),
            count: Some(2),
        }),
        Object::ClaimTemplate(ClaimTemplate {
            meta: meta("v6e-netdev-all"),
            device_class: "netdev.google.com".into(),
            count: None,
        }),
        Object::StorageClass(StorageClass {
            meta: Meta { namespace: String::new(), ..meta("scratch") },
            disk_type: "hyperdisk-balanced".into(),
        }),
        Object::Claim(Claim {
            meta: meta("scratch"),
            storage_class: Some("scratch".into()),
            access_mode: "ReadWriteOnce".into(),
            size: "200Gi".into(),
        }),
        Object::RayCluster(RayCluster {
            meta: meta("lab"),
            recreate_on_change: true,
            cluster: cluster("rayproject/ray:2.60.0-py312", tpu_env()),
        }),
    ];
    let made = objects.into_iter().map(|object| Intent::new(Addr::new("slice", "v6e"), object));
    made.chain([ray_job(), ray_cron_job(), ray_service()]).collect()
}
