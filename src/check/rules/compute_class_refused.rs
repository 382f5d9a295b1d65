//! A ComputeClass whose rules GKE refuses, or can make no node of.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::or;
use crate::emit::Manifest;
use crate::facts::accelerators::{ACCELERATORS, Accelerator, Offer, Placement};
use crate::fit::shape::machine_types;
use crate::fit::topology::Topology;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "compute-class-refused",
    severity: Severity::Error,
    summary: "A rule of a ComputeClass that GKE makes no nodes of",
    pass: Pass::Objects(check),
    docs: r#"
## What

In a ComputeClass of a `manifest` block, each of its `priorities`: `location.zones` and a specific reservation exclude each other;
`tpu.count` is the chips of a host of the topology; slices of several hosts that a workload policy places (tpu7x) name it in
`placement.policyName`; `flexStart` is for generations that flex-start lends.

## Why

GKE refuses the class, or its autoscaler makes no node, and the pods that select the class wait.

## Bad

```hcl
manifest "class" {
  object = {
    apiVersion = "cloud.google.com/v1"
    kind       = "ComputeClass"
    metadata   = { name = "v6e" }
    spec = {
      nodePoolAutoCreation = { enabled = true }
      priorities = [{
        tpu          = { type = "tpu-v6e-slice", count = 4, topology = "4x4" }
        location     = { zones = ["us-east5-b"] }
        reservations = { affinity = "Specific", specific = [{ name = "ml-v6e" }] }
      }]
    }
  }
}
```

```hcl
manifest "class" {
  object = {
    apiVersion = "cloud.google.com/v1"
    kind       = "ComputeClass"
    metadata   = { name = "v6e" }
    spec = {
      priorities = [{ tpu = { type = "tpu-v6e-slice", count = 16, topology = "4x4" } }]
    }
  }
}
```

## Good

```hcl
manifest "class" {
  object = {
    apiVersion = "cloud.google.com/v1"
    kind       = "ComputeClass"
    metadata   = { name = "v6e" }
    spec = {
      nodePoolAutoCreation = { enabled = true }
      priorities = [
        {
          tpu          = { type = "tpu-v6e-slice", count = 4, topology = "4x4" }
          reservations = { affinity = "Specific", specific = [{ name = "ml-v6e" }] }
        },
        {
          tpu      = { type = "tpu-v6e-slice", count = 4, topology = "4x4" }
          location = { zones = ["us-east5-b"] }
          spot     = true
        }
      ]
    }
  }
}
```

## Source

GKE documentation on ComputeClass; GKE's cluster autoscaler (2026): "location config with specific reservations enabled", "machine
family requires workload policy with topology", "they do not support DWS".
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for manifest in manifests.iter().filter(|manifest| manifest.object.kind == "ComputeClass") {
        let priorities = manifest.tree.pointer("/spec/priorities").and_then(Value::as_array).into_iter().flatten();
        for (at, rule) in priorities.enumerate() {
            for (why, help) in faults(rule) {
                let detail = format!("priorities[{at}] of {:?}: {why}.", manifest.object.name);
                let diag = found.in_object(stack, manifest, format!("priorities[{at}]")).detail(detail);
                found
                    .push(diag.source("GKE documentation on ComputeClass; GKE's cluster autoscaler (2026)").help(help));
            }
        }
    }
}

/// What is wrong with one rule of a class, and what to do.
fn faults(rule: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let zones = rule.pointer("/location/zones").and_then(Value::as_array).is_some_and(|zones| !zones.is_empty());
    let specific = rule.pointer("/reservations/affinity").and_then(Value::as_str) == Some("Specific");
    if zones && specific {
        found.push((
            "it names zones and a specific reservation, which is in a zone already".to_owned(),
            "Take `location` out, or put the zone into the entry of the reservation.".to_owned(),
        ));
    }
    let kind = rule.pointer("/tpu/type").and_then(Value::as_str).unwrap_or_default();
    if let Some(generation) = ACCELERATORS.iter().find(|row| row.gke_label == kind) {
        found.extend(of_tpu(rule, generation));
    }
    found
}

fn of_tpu(rule: &Value, generation: &'static Accelerator) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let topology = rule.pointer("/tpu/topology").and_then(Value::as_str).and_then(|text| text.parse::<Topology>().ok());
    let count = rule.pointer("/tpu/count").and_then(Value::as_u64);
    let flex = rule.pointer("/flexStart/enabled").and_then(Value::as_bool) == Some(true);
    if flex && generation.flex_start == Offer::No {
        found.push((
            format!("flex-start does not lend {}", generation.product),
            "Take `flexStart` out, or use another generation.".to_owned(),
        ));
    }
    let (Some(topology), Some(count)) = (topology, count) else { return found };
    let machines = machine_types(generation, &topology);
    let hosts: Vec<u32> = machines.iter().map(|machine| machine.chips).collect();
    if hosts.is_empty() {
        return found;
    }
    if !hosts.iter().any(|chips| u64::from(*chips) == count) {
        let chips = or(&hosts);
        found.push((
            format!(
                "a tpu.count of {count} for {topology}, whose hosts have {chips} chips: it counts those of one node"
            ),
            format!("Write count: {chips}."),
        ));
    } else if generation.placement == Placement::WorkloadPolicy
        && u64::from(topology.chips()) > count
        && rule.pointer("/placement/policyName").is_none()
    {
        found.push((
            format!("a {topology} slice of {} has several hosts, and no workload policy places them", generation.id),
            "Name a workload policy with this topology in placement.policyName.".to_owned(),
        ));
    }
    found
}
