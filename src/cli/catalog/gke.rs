//! The tables of what GKE sells: TPUs, GPUs, machines, disks, zones, and where sources disagree about them.

use serde_json::{Value, json};

use crate::cli::catalog::Rows;
use crate::facts::accelerators::{ACCELERATORS, Offer, ZONES_READ};
use crate::facts::conflicts::CONFLICTS;
use crate::facts::gke;
use crate::facts::machines::{Arch, FAMILIES, GPU_ZONES, GPUS, GpuNetwork};
use crate::facts::source::Source;
use crate::fit::shape::shapes;

/// Larger slices than this are listed only by a filter: a generation of cubes has hundreds.
const SHOWN_CHIPS: u32 = 512;

/// TPU generations.
pub fn accelerators() -> Rows {
    let columns = &[
        "accelerator",
        "product",
        "gke_label",
        "ray_type",
        "machine_types",
        "devices_per_chip",
        "hbm_gib_per_device",
        "pod_chips",
        "source",
    ];
    let rows = ACCELERATORS.iter().map(|row| {
        let machines: Vec<&str> = row.machine_types.iter().map(|machine| machine.name).collect();
        vec![
            json!(row.id),
            json!(row.product),
            json!(row.gke_label),
            json!(row.ray.accelerator_type),
            json!(machines),
            json!(row.devices_per_chip),
            json!(row.hbm_gib_per_device),
            json!(row.pod_chips),
            json!(row.source.to_string()),
        ]
    });
    (columns, rows.collect())
}

/// Slices, with what each is made of; `short`: not the largest.
pub fn topologies(short: bool) -> Rows {
    let columns = &[
        "accelerator",
        "topology",
        "chips",
        "hosts",
        "chips_per_host",
        "devices",
        "machine_type",
        "ray_pod_type",
        "ray",
    ];
    let all = ACCELERATORS.iter().flat_map(shapes);
    let rows = all.filter(|shape| !short || shape.chips <= SHOWN_CHIPS).map(|shape| {
        vec![
            json!(shape.accelerator.id),
            json!(shape.topology.to_string()),
            json!(shape.chips),
            json!(shape.hosts),
            json!(shape.chips_per_host),
            json!(shape.devices),
            json!(shape.machine_type.name),
            json!(shape.ray_pod_type),
            json!(shape.ray_expressible),
        ]
    });
    (columns, rows.collect())
}

/// Where each generation and each GPU is sold.
pub fn zones() -> Rows {
    let columns = &["accelerator", "zone", "flex_start", "read", "source"];
    let gpus = GPUS.iter().flat_map(|gpu| {
        let row =
            |zone: &&str| vec![json!(gpu.id), json!(zone), Value::Null, Value::Null, json!(GPU_ZONES.to_string())];
        gpu.zones.iter().map(row)
    });
    let rows = ACCELERATORS.iter().flat_map(|row| {
        row.zones.iter().map(|zone| {
            vec![
                json!(row.id),
                json!(zone.name),
                json!(row.flex_start_zones.contains(&zone.name)),
                json!(ZONES_READ),
                json!(zone.source.to_string()),
            ]
        })
    });
    (columns, rows.chain(gpus).collect())
}

/// Where sources disagree.
pub fn conflicts() -> Rows {
    let columns = &["conflict", "topic", "source", "says", "used"];
    let rows = CONFLICTS.iter().flat_map(|conflict| {
        conflict.positions.iter().map(|position| {
            vec![
                json!(conflict.id),
                json!(conflict.topic),
                json!(position.source),
                json!(position.says),
                json!(conflict.used),
            ]
        })
    });
    (columns, rows.collect())
}

/// GPUs, with the machines that have them.
pub fn gpus() -> Rows {
    let columns = &[
        "gpu",
        "product",
        "gke_accelerator",
        "ray_type",
        "hbm_gib",
        "machine_types",
        "processors",
        "network",
        "on_demand",
        "flex_start",
        "dranet_from_gke",
        "source",
    ];
    let rows = GPUS.iter().map(|gpu| {
        let machines: Vec<&str> = gpu.machine_types.iter().map(|machine| machine.name).collect();
        vec![
            json!(gpu.id),
            json!(gpu.product),
            json!(gpu.gke_label),
            json!(gpu.ray_accelerator_type),
            json!(gpu.hbm_gib.value),
            json!(machines),
            json!(match gpu.arch {
                Arch::Amd64 => "amd64",
                Arch::Arm64 => "arm64",
            }),
            json!(match gpu.network {
                GpuNetwork::Plain => "the node's own",
                GpuNetwork::Tcpx => "GPUDirect-TCPX on machines of 8",
                GpuNetwork::Tcpxo => "GPUDirect-TCPXO",
                GpuNetwork::Rdma => "RDMA",
            }),
            json!(gpu.on_demand),
            json!(match gpu.flex_start {
                Offer::Yes => "yes",
                Offer::No => "no",
                Offer::Disputed => "sources disagree",
            }),
            json!(gpu.dranet.as_ref().map(|since| since.value.to_string())),
            json!(gpu.source.to_string()),
        ]
    });
    (columns, rows.collect())
}

/// Every machine type: of TPUs, of GPUs, of CPUs alone.
pub fn machines() -> Rows {
    let columns = &["machine_type", "accelerator", "count", "vcpu", "memory_gb", "local_ssds", "source"];
    let tpus = ACCELERATORS.iter().flat_map(|row| {
        row.machine_types.iter().map(|machine| {
            let size = [json!(machine.chips), json!(machine.vcpu), json!(machine.memory_gb), json!(0)];
            of_machine(machine.name, json!(row.id), size, machine.source)
        })
    });
    let gpus = GPUS.iter().flat_map(|gpu| {
        gpu.machine_types.iter().map(|machine| {
            let count = if machine.parts > 1 { json!(format!("1/{}", machine.parts)) } else { json!(machine.gpus) };
            let size = [count, json!(machine.vcpu), json!(machine.memory_gb), json!(machine.local_ssds)];
            of_machine(machine.name, json!(gpu.id), size, machine.source)
        })
    });
    let cpus = FAMILIES.iter().flat_map(|family| {
        family.sizes.iter().map(|vcpu| {
            let memory = vcpu.saturating_mul(family.mb_per_vcpu) / 1000;
            let size = [Value::Null, json!(vcpu), json!(memory), Value::Null];
            of_machine(&format!("{}-{vcpu}", family.name), Value::Null, size, family.source)
        })
    });
    (columns, tpus.chain(gpus).chain(cpus).collect())
}

fn of_machine(name: &str, accelerator: Value, size: [Value; 4], source: Source) -> Vec<Value> {
    [json!(name), accelerator].into_iter().chain(size).chain([json!(source.to_string())]).collect()
}

/// Which disks machines boot from, and which volumes they take.
pub fn disks() -> Rows {
    let columns = &["machines", "boots_from", "volumes", "source"];
    let row = |machines: &str, boot: &[&str], volume: &[&str], source: Source| {
        vec![json!(machines), json!(boot), json!(volume), json!(source.to_string())]
    };
    let tpus = ACCELERATORS.iter().map(|tpu| row(tpu.id, tpu.boot_disks, tpu.volume_disks, tpu.source));
    let gpus = GPUS.iter().map(|gpu| row(gpu.id, gpu.boot_disks, gpu.volume_disks, gpu.source));
    let cpus = FAMILIES.iter().map(|family| row(family.name, family.disks.boot, family.disks.volume, family.source));
    (columns, tpus.chain(gpus).chain(cpus).collect())
}

/// The oldest GKE versions, of generations and features.
pub fn versions() -> impl Iterator<Item = Vec<Value>> {
    let row = |version: String, notes: String| vec![json!("gke"), json!(version), json!(notes)];
    let generations = ACCELERATORS.iter().flat_map(move |accelerator| {
        let modes = [("Standard", &accelerator.min_gke.standard), ("Autopilot", &accelerator.min_gke.autopilot)];
        modes.into_iter().filter_map(move |(mode, min)| {
            let min = min.as_ref()?;
            let advised = min.advised.as_ref().map_or_else(String::new, |version| format!("; one source: {version}"));
            let notes = format!("{} in {mode}{advised} ({})", accelerator.id, min.source);
            Some(row(min.required.to_string(), notes))
        })
    });
    let features = gke::FEATURES.iter();
    generations.chain(
        features.map(move |feature| {
            row(feature.min.value.to_string(), format!("{} ({})", feature.name, feature.min.source))
        }),
    )
}
