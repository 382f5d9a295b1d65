//! Pods of emitted objects that take TPU chips: which, and how many.

use serde_json::{Map, Value};

use crate::check::rules::subject::pods::{Pod, text};
use crate::emit::Manifest;
use crate::facts::accelerators::{ACCELERATORS, Accelerator, MachineType};
use crate::facts::gke::{TPU_RESOURCE, labels};
use crate::fit::shape::machine_types;
use crate::fit::topology::Topology;

/// What a pod's selectors and containers say of its chips.
pub struct Chips {
    /// The generation.
    pub generation: &'static Accelerator,
    /// The topology.
    pub topology: Topology,
    /// What its containers ask for, together.
    pub asked: u32,
}

/// The chips of a pod that selects a generation and a topology, and asks for some.
pub fn of(pod: &Pod<'_>) -> Option<Chips> {
    let selector = pod.spec.get("nodeSelector")?.as_object()?;
    let generation = ACCELERATORS.iter().find(|row| row.gke_label == text(selector, labels::TPU_ACCELERATOR))?;
    let topology = text(selector, labels::TPU_TOPOLOGY).parse().ok()?;
    let asked = asked(pod)?;
    (asked > 0).then_some(Chips { generation, topology, asked })
}

/// The chips that a pod's containers ask for together; none where a number can't be read, or is above its limit, which is
/// another fault.
pub fn asked(pod: &Pod<'_>) -> Option<u32> {
    let mut sum = 0_u32;
    for container in pod.spec.get("containers").and_then(Value::as_array)? {
        let of = |name: &str| container.get("resources")?.get(name)?.get(TPU_RESOURCE);
        let number = |count: &Value| count.as_u64().or_else(|| count.as_str()?.parse().ok());
        let (limit, request) = (of("limits").map(number), of("requests").map(number));
        let Some(count) = limit.or(request) else { continue };
        let count = count?;
        if request.flatten().is_some_and(|request| request > count) {
            return None;
        }
        sum = sum.checked_add(u32::try_from(count).ok()?)?;
    }
    Some(sum)
}

impl Chips {
    /// The machines whose hosts make such slices.
    pub fn machines(&self) -> Vec<&'static MachineType> {
        machine_types(self.generation, &self.topology)
    }

    /// Whether the pod takes the chips of one host.
    pub fn of_a_host(&self) -> bool {
        self.machines().iter().any(|machine| machine.chips == self.asked)
    }
}

/// A group of Ray workers in an object.
pub struct Group<'a> {
    /// The object.
    pub manifest: &'a Manifest,
    /// Its fields.
    pub fields: &'a Map<String, Value>,
    /// Its pods.
    pub pod: Pod<'a>,
}

impl Group<'_> {
    /// How many pods a replica has.
    pub fn hosts(&self) -> u64 {
        self.fields.get("numOfHosts").and_then(Value::as_u64).unwrap_or(1)
    }
}

/// Every group of Ray workers in the objects.
pub fn groups(manifests: &[Manifest]) -> Vec<Group<'_>> {
    let mut found = Vec::new();
    for manifest in manifests {
        collect(manifest, &manifest.tree, &mut found);
    }
    found
}

fn collect<'a>(manifest: &'a Manifest, value: &'a Value, found: &mut Vec<Group<'a>>) {
    let Value::Object(fields) = value else { return };
    for (key, value) in fields {
        if key != "workerGroupSpecs" {
            collect(manifest, value, found);
            continue;
        }
        for fields in value.as_array().into_iter().flatten().filter_map(Value::as_object) {
            let spec = fields.get("template").and_then(|template| template.get("spec")?.as_object());
            found.extend(spec.map(|spec| Group { manifest, fields, pod: Pod { manifest, spec } }));
        }
    }
}
