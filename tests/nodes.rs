//! `nodes` blocks: the pools that they become, what runs on them, and what `explain` says of them.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::fmt::Write as _;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Runs the binary on the stack of GPU and CPU nodes, with something replaced.
fn run(code: i32, from: &str, to: &str, args: &[&str]) -> (String, String) {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(Path::new("tests/nodes/fleet.stack.hcl")).unwrap();
    assert!(text.contains(from));
    std::fs::write(dir.path().join("fleet.stack.hcl"), text.replacen(from, to, 1)).unwrap();
    let mut command = Command::cargo_bin("sliceform").unwrap();
    let output = command.current_dir(dir.path()).env_clear().args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    (out, err)
}

/// The files below a folder of what is rendered, by path.
fn files(folder: &str) -> Vec<(String, String)> {
    let (out, _) = run(0, "", "", &["render", "--json"]);
    let all: Value = serde_json::from_str(&out).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = all["files"].as_array().unwrap().iter().map(|file| (text(&file["path"]), text(&file["text"])));
    files.filter(|(path, _)| path.starts_with(folder)).collect()
}

/// Reservations, Spot and flex-start, drivers, taints, networks, autoscaling, domains of NVLink: as GKE takes them.
#[test]
fn pools_of_gpu_and_cpu_nodes() {
    let mut shown = String::new();
    for (path, text) in files("gke/") {
        let _ = writeln!(shown, "## {path}\n{text}");
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_group_of_a_ray_cluster_runs_on_nodes() {
    let cluster = files("kuberay/").remove(0).1;
    for (group, replicas, gpus) in
        [("mega", 4, Some(8)), ("h200", 2, Some(8)), ("gb200", 20, Some(4)), ("cpu", 2, None)]
    {
        let (_, own) = cluster.split_once(&format!("groupName: {group}\n")).unwrap();
        let own = own.split("groupName:").next().unwrap();
        assert!(own.contains(&format!("replicas: {replicas}\n")) && own.contains("numOfHosts: 1\n"), "{own}");
        let taken = gpus.map(|count| format!("nvidia.com/gpu: \"{count}\""));
        assert!(taken.as_ref().is_none_or(|taken| own.contains(taken)), "{own}");
        assert_eq!(own.contains("nvidia.com/gpu:"), taken.is_some());
        assert_eq!(own.contains("resourceClaimTemplateName: h200-netdev-all"), group == "h200");
        assert_eq!(own.contains("key: team"), group == "mega");
    }
    let template = files("core/resourceclaimtemplate").remove(0).1;
    assert!(template.contains("deviceClassName: mrdma.google.com"), "{template}");
}

#[test]
fn explain_shows_the_arithmetic_of_nodes() {
    insta::assert_snapshot!(run(0, "", "", &["explain", "nodes.mega"]).0);
    insta::assert_snapshot!(run(0, "", "", &["explain", "nodes.cpu"]).0);
}

#[test]
fn existing_nodes_are_found_by_zone_and_capacity() {
    let existing = "  capacity \"flex_start\" {";
    let (out, _) = run(0, existing, &format!("  provision = \"existing\"\n{existing}"), &["render"]);
    let (_, own) = out.split_once("groupName: h200\n").unwrap();
    let own = own.split("groupName:").next().unwrap();
    for label in ["topology.kubernetes.io/zone: us-central1-b", "cloud.google.com/gke-flex-start: \"true\""] {
        assert!(own.contains(label), "{own}");
    }
    assert!(!out.contains("h200-0"));
}

#[test]
fn what_does_not_go_together_is_said() {
    let says = |from: &str, to: &str, wanted: &str| {
        let (out, err) = run(1, from, to, &["validate"]);
        let said = format!("{out}{err}");
        assert!(said.contains(wanted), "{said}");
    };
    says("replicas = 4", "num_slices = 4", "`num_slices` does not go with `nodes`");
    says("replicas = 4", "replicas = 5", "nodes-overbooked");
    says("    replicas = 4", "    autoscale {}", "`autoscale` of a group is for slices");
    says("  networks     = [\"rail0\"]", "  networks = [\"rail1\"]", "unknown-network");
    says("node_count   = 4", "dranet = 2", "dranet-not-offered");
    says("node_count   = 4", "provision = \"compute_class\"", "cloud.google.com/compute-class");
    says("us-central1-b", "us-east4-b", "zone-outside-cluster");
    says("version  = \"1.35\"", "version  = \"1.32.1-gke.1\"", "flex-start of GPUs needs 1.32.2-gke.1652000");
}
