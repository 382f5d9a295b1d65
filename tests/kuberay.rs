//! KubeRay's checks of releases that no module has to run (the suite `kuberay` runs the others), and what nobody checks.

use std::path::Path;

use sliceform::base::diag::Severity;
use sliceform::cli::pipeline;
use sliceform::cli::source::Values;
use sliceform::world::memory::Memory;

/// What is found in an interactive cluster, patched so: rule, and the detail's first words, the path.
fn cluster(kuberay: &str, ray: &str, more: &str, patch: &str) -> Vec<String> {
    let text = format!(
        r#"stack "s" {{
  ray_version     = "{ray}"
  kuberay_version = "{kuberay}"
}}
cluster "c" {{
  project  = "demo"
  location = "us-central1"
}}
slice "v6e" {{
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "4x4"
  provision   = "existing"
}}
ray_cluster "dev" {{
  slice = slice.v6e
  image = "example.com/ray:{ray}"
  {more}
  patch {{
    merge = {patch}
  }}
}}
"#
    );
    found(&text)
}

fn found(text: &str) -> Vec<String> {
    let files = Memory::with(&[("s.stack.hcl", text)]);
    let compiled = pipeline::compile(&files, Path::new("s.stack.hcl"), &Values::default(), false);
    let grave = compiled.diags.iter().filter(|diag| diag.severity != Severity::Note);
    grave
        .map(|diag| {
            let check = diag.source.as_deref().and_then(|source| source.split_once('(')).map_or("", |(_, rest)| rest);
            let check = check.split(' ').next().unwrap_or_default();
            let path = diag.detail.as_deref().and_then(|detail| detail.split_once(": ")).map_or("", |(path, _)| path);
            format!("{} {check} {path}", diag.rule)
        })
        .collect()
}

const SCALED: &str = "autoscale {\n    min_slices = 0\n    max_slices = 1\n  }";
const GATE: &str = "behind-feature-gate";

fn seventeen(more: &str, patch: &str) -> Vec<String> {
    let of_operator = |found: &String| !found.starts_with(GATE);
    cluster("1.7.0", "2.60.0", more, patch).into_iter().filter(of_operator).collect()
}

#[test]
fn checks_of_1_7_hold_from_then_on() {
    let refused = |check: &str, path: &str| vec![format!("refused-by-kuberay {check} {path}")];
    let priority = r#"{ spec = { workerGroupSpecs = [{ groupName = "v6e", priority = 5 }] } }"#;
    assert_eq!(seventeen(SCALED, priority), [""; 0]);
    assert_eq!(seventeen("", priority), refused("C12", "spec.workerGroupSpecs[v6e].priority"));
    let history = |env: &str| {
        format!(
            r#"{{ spec = {{ historyServerOptions = {{ collectorOptions = {{ image = "c", env = [{env}] }} }} }} }}"#
        )
    };
    let at = "spec.historyServerOptions.collectorOptions.env";
    assert_eq!(seventeen("", &history(r#"{ name = "STORAGE_BACKEND", value = "GCS" }"#)), refused("C25", at));
    let whole = history(r#"{ name = "STORAGE_BACKEND", value = "GCS" }, { name = "GCS_BUCKET", value = "b" }"#);
    assert_eq!(seventeen("", &whole), [""; 0]);
    assert_eq!(
        seventeen("", &history(r#"{ name = "POD_IP", value = "x" }"#)),
        refused("C25", &format!("{at}[POD_IP]"))
    );
    let ft = |options: &str| format!("{{ spec = {{ gcsFaultToleranceOptions = {{ {options} }} }} }}");
    let options = "spec.gcsFaultToleranceOptions";
    assert_eq!(
        seventeen("", &ft(r#"backend = "rocksdb", redisAddress = "r:1""#)),
        refused("C16", &format!("{options}.redisAddress"))
    );
    assert_eq!(
        seventeen("", &ft(r#"backend = "rocksdb", storage = { claimName = "c", size = "1Gi" }"#)),
        refused("C16", &format!("{options}.storage.size"))
    );
    assert_eq!(seventeen("", &ft(r#"backend = "rocksdb", storage = { size = "1Gi" }"#)), [""; 0]);
    assert_eq!(
        seventeen("", &ft(r#"redisAddress = "r:1", storage = { size = "1Gi" }"#)),
        refused("C17", &format!("{options}.storage"))
    );
    let start =
        r#"{ spec = { autoscalerOptions = { env = [{ name = "KUBERAY_GEN_AUTOSCALER_START_CMD", value = "x" }] } } }"#;
    assert_eq!(seventeen(SCALED, start), refused("C24", "spec.autoscalerOptions.env"));
    let policy = |fields: &str| format!("{{ spec = {{ networkPolicy = {{ {fields} }} }} }}");
    let rules = "head = { ingressRules = [{ from = [] }] }";
    assert_eq!(
        seventeen("", &policy(&format!(r#"mode = "DenyAllEgress", {rules}"#))),
        refused("C28", "spec.networkPolicy.head.ingressRules")
    );
    assert_eq!(seventeen("", &policy(&format!(r#"mode = "DenyAllIngress", {rules}"#))), [""; 0]);
    assert_eq!(
        seventeen("", &policy(r#"workerGroups = [{ groupName = "v5e" }]"#)),
        refused("C28", "spec.networkPolicy.workerGroups")
    );
    let tls = r"{ spec = { tlsOptions = { enabled = true } } }";
    assert_eq!(
        seventeen("env = { RAY_USE_TLS = \"1\" }", tls),
        [
            "refused-by-kuberay C29 spec.headGroupSpec.template.spec.containers[0].env[RAY_USE_TLS]",
            "refused-by-kuberay C29 spec.workerGroupSpecs[v6e].template.spec.containers[0].env[RAY_USE_TLS]",
        ]
    );
    assert_eq!(seventeen("", tls), [""; 0]);
}

#[test]
fn a_check_of_a_later_release_is_none_of_an_older_one() {
    // KubeRay 1.5 does not look at bounds; 1.6 does.
    let bounds =
        r#"{ spec = { workerGroupSpecs = [{ groupName = "v6e", replicas = 1, minReplicas = 2, maxReplicas = 1 }] } }"#;
    let of = |kuberay: &str| cluster(kuberay, "2.60.0", "", bounds);
    assert_eq!(of("1.5.1"), [""; 0]);
    assert_eq!(of("1.6.2"), ["refused-by-kuberay C10 spec.workerGroupSpecs[v6e]"]);
    let tokens = r#"{ spec = { authOptions = { mode = "token" }, rayVersion = "2.51.0" } }"#;
    assert_eq!(cluster("1.5.1", "2.60.0", "", tokens), ["refused-by-kuberay C26 spec.authOptions.mode"]);
}

#[test]
fn what_a_gate_hides_is_told() {
    let policy = r#"{ spec = { networkPolicy = { mode = "DenyAll" } } }"#;
    assert_eq!(
        cluster("1.7.0", "2.60.0", "", policy),
        [format!("{GATE} KubeRay spec.networkPolicy").replace("KubeRay ", " ")]
    );
}

#[test]
fn what_nobody_checks_is_found() {
    let of = |more: &str, patch: &str| cluster("1.6.2", "2.60.0", more, patch);
    let group = |fields: &str| format!(r#"{{ spec = {{ workerGroupSpecs = [{{ groupName = "v6e", {fields} }}] }} }}"#);
    let pod = |spec: &str| group(&format!("template = {{ spec = {{ {spec} }} }}"));
    let broken = |path: &str| vec![format!("broken-in-silence  {path}")];
    let ignored = |path: &str| vec![format!("ignored-by-kuberay  {path}")];
    assert_eq!(of("", &group("numOfHosts = 0")), broken("spec.workerGroupSpecs[v6e].numOfHosts"));
    assert_eq!(
        of("", &pod(r#"nodeSelector = { "cloud.google.com/gke-tpu-topology" = null }"#)),
        broken("spec.workerGroupSpecs[v6e].template.spec.nodeSelector")
    );
    let chips = |limits: u32, requests: u32| {
        let resources = format!(
            r#"resources = {{ limits = {{ "google.com/tpu" = "{limits}" }}, requests = {{ "google.com/tpu" = "{requests}" }} }}"#
        );
        of("", &pod(&format!(r#"containers = [{{ name = "ray-worker", {resources} }}]"#)))
    };
    assert_eq!(chips(4, 2), broken("spec.workerGroupSpecs[v6e].template.spec.containers[0].resources"));
    assert_eq!(chips(3, 4).len(), 1, "one fault, one problem: {:?}", chips(3, 4));
    assert!(chips(3, 4)[0].starts_with("request-above-limit"));
    let labels = r#"template = { metadata = { labels = { "ray.io/identifier" = "x" } } }"#;
    assert_eq!(
        of("", &group(labels)),
        broken("spec.workerGroupSpecs[v6e].template.metadata.labels[ray.io/identifier]")
    );
    assert_eq!(
        of("", &group("replicas = 2, minReplicas = 0, maxReplicas = 1")),
        ignored("spec.workerGroupSpecs[v6e].replicas")
    );
    assert_eq!(of("", &group(r#"resources = { cpu = "4" }"#)), ignored("spec.workerGroupSpecs[v6e].resources.cpu"));
    assert_eq!(of("", &group(r#"resources = { CPU = "four" }"#)), ignored("spec.workerGroupSpecs[v6e].resources.CPU"));
    assert_eq!(of("", &group(r#"resources = { CPU = "4" }"#)), [""; 0]);
    assert_eq!(of("", r#"{ spec = { authOptions = { secretName = "x" } } }"#), ignored("spec.authOptions"));
    assert_eq!(of(SCALED, r"{ spec = { workerGroupSpecs = null } }"), broken("spec.enableInTreeAutoscaling"));
}

#[test]
fn a_manifest_of_the_stack_is_checked_too() {
    let text = r#"stack "s" {
  kuberay_version = "1.6.2"
}
manifest "twice" {
  object = {
    apiVersion = "ray.io/v1"
    kind       = "RayCluster"
    metadata   = { name = "twice" }
    spec = {
      headGroupSpec = { template = { spec = { containers = [{ name = "h", image = "r:1" }] } } }
      workerGroupSpecs = [for index in [1, 2] : {
        groupName   = "a"
        minReplicas = 1
        maxReplicas = 1
        template    = { spec = { containers = [{ name = "w", image = "r:1" }] } }
      }]
    }
  }
}
"#;
    assert_eq!(found(text), ["broken-in-silence  spec.workerGroupSpecs[a].groupName"]);
    assert_eq!(found(&text.replace("groupName   = \"a\"", "groupName   = \"a${index}\"")), [""; 0]);
}

#[test]
fn one_comment_silences_a_rule_over_objects_and_a_useless_one_is_told() {
    let allowed = |rule: &str, patch: &str| {
        cluster(
            "1.6.2",
            "2.60.0",
            "",
            &format!(
                "{patch}\n  }}\n}}\n# allow: {rule} -- test\nbucket \"b\" {{\n  name = \"b\"\n  lifecycle {{\n    prevent_destroy = true"
            ),
        )
    };
    // A comment on another block silences nothing, and says so.
    let found = allowed("ignored-by-kuberay", r#"{ spec = { authOptions = { secretName = "x" } } }"#);
    assert!(found.iter().any(|one| one.starts_with("ignored-by-kuberay")), "{found:?}");
    assert!(found.iter().any(|one| one.starts_with("useless-allow")), "{found:?}");
}
