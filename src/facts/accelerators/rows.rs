//! The rows: one TPU generation each, by age.

use crate::facts::accelerators::{
    Accelerator, Cubes, Dranet, ListedTopology, Lister, MachineType, MinGke, MinVersion, Offer, Placement, RayCubes,
    RayNames, RefusedMachineType, RefusedTopology, ToolkitShortNames, Zone,
};
use crate::facts::source::{Cited, Source};
use crate::facts::version::Version;

/// Every TPU generation that GKE sells, oldest first.
pub static ACCELERATORS: &[Accelerator] = &[V4, V5E, V5P, V6E, TPU7X];

const AUTOSCALER: Source = Source("GKE cluster autoscaler (2026)");
const DOCS: Source = Source("GKE documentation (2026-11)");
const DOCS_OLDER: Source = Source("GKE documentation (older page)");
const RESERVATIONS: Source = Source("a third-party reservation table (undated)");
const SAMPLES: Source = Source("kubernetes-engine-samples 2b503651");
const TABLES: Source =
    Source("GKE cluster autoscaler (2026), Ray 2.60.0, xpk 1.16, Cluster Toolkit 1.95, GKE documentation");
const DRANET: Source = Source("GKE documentation on DRANET; Cluster Toolkit 1.95");

const ALL: &[Lister] = &[Lister::Gke, Lister::Xpk, Lister::Ray, Lister::Toolkit];
const ALL_BUT_XPK: &[Lister] = &[Lister::Gke, Lister::Ray, Lister::Toolkit];
const GKE_AND_XPK: &[Lister] = &[Lister::Gke, Lister::Xpk];

const ONLY_RAY: &str = "Ray's table has it, but GKE's documentation, xpk and Cluster Toolkit don't";
const NOT_ON_GKE: &str = "GKE's autoscaler knows no node pools of it";
const DEVICE_POOL: &str = "it makes single-host pools of another label (tpu-v5-lite-device), without flex-start; ct5lp does the same and more";
const ULTRANET: &str = "GKE gives it on explicit request only and nothing documents it";

/// A topology in every list, or in the lists given.
const fn listed(dims: &'static [u32], by: &'static [Lister]) -> ListedTopology {
    ListedTopology { dims, by }
}

const fn zone(name: &'static str, source: Source) -> Zone {
    Zone { name, source }
}

/// A machine type of the autoscaler's table.
const fn machine(
    name: &'static str,
    chips: u32,
    (vcpu, memory_gb): (u32, u32),
    single_host_topology: &'static [u32],
    multi_host: bool,
) -> MachineType {
    MachineType {
        name,
        chips,
        vcpu,
        memory_gb,
        single_host_topology: Some(single_host_topology),
        multi_host,
        source: AUTOSCALER,
    }
}

const fn refused(name: &'static str, chips: u32, reason: &'static str) -> RefusedMachineType {
    RefusedMachineType { name, chips, reason }
}

const SMALL_3D: &[ListedTopology] =
    &[listed(&[2, 2, 1], ALL), listed(&[2, 2, 2], ALL), listed(&[2, 2, 4], ALL), listed(&[2, 4, 4], ALL)];

const ONE_HOST_2D: &[&[u32]] = &[&[1, 1], &[2, 2], &[2, 4]];

const REFUSED_2D: &[RefusedTopology] = &[RefusedTopology { dims: &[2, 8], reason: ONLY_RAY }];

const FP4_KEPT: Cited<bool> =
    Cited { value: true, source: Source("tpu-recipes on gpt-oss-120b; tpu-inference 0.32.0") };

const FP4_WIDENED: Cited<bool> = Cited {
    value: false,
    source: Source("tpu-inference's support matrix of 2026-10-22: gpt-oss-120b does not fit v6e-8"),
};

const PLACED_SPOT: Cited<Offer> =
    Cited { value: Offer::Yes, source: Source("kubernetes-engine-samples and tpu-recipes, which do it") };

const UNKNOWN_MIN: MinGke = MinGke { standard: None, autopilot: None };

const V4: Accelerator = Accelerator {
    id: "v4",
    aliases: &["tpu-v4", "tpuv4", "tpu-v4-podslice"],
    product: "TPU v4",
    gke_label: "tpu-v4-podslice",
    ray: RayNames { accelerator_type: "TPU-V4", generation: "v4", cores_per_chip: 2, whole_host: &[] },
    toolkit_short_names: ToolkitShortNames::Cores,
    dims: 3,
    machine_types: &[machine("ct4p-hightpu-4t", 4, (240, 407), &[2, 2, 1], true)],
    refused_machine_types: &[],
    topologies: SMALL_3D,
    refused_topologies: &[],
    cubes: Some(Cubes { xpk_any_order: true, ray: RayCubes::UpTo([12, 12, 16]) }),
    largest_documented: None,
    pod_chips: 4096,
    devices_per_chip: 1,
    hbm_gib_per_device: 32,
    usable_hbm_mib_per_device: Some(Cited { value: 31_488, source: Source("vllm-project/tpu-inference issue 898") }),
    fp4_weights: FP4_WIDENED,
    placement: Placement::CompactTopology,
    boot_disks: &["pd-balanced", "pd-ssd", "pd-standard"],
    volume_disks: &["pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"],
    flex_start: Offer::Disputed,
    spot: true,
    placed_spot: PLACED_SPOT,
    autopilot: true,
    min_gke: UNKNOWN_MIN,
    dranet: None,
    zones: &[zone("us-central2-b", DOCS)],
    flex_start_zones: &[],
    source: TABLES,
};

const V5E: Accelerator = Accelerator {
    id: "v5e",
    aliases: &[
        "v5litepod",
        "v5lite",
        "v5-lite",
        "tpu-v5e",
        "tpuv5e",
        "tpu-v5-lite",
        "tpu-v5litepod",
        "tpu-v5-lite-podslice",
    ],
    product: "TPU v5e",
    gke_label: "tpu-v5-lite-podslice",
    ray: RayNames {
        accelerator_type: "TPU-V5LITEPOD",
        generation: "v5litepod",
        cores_per_chip: 1,
        whole_host: ONE_HOST_2D,
    },
    toolkit_short_names: ToolkitShortNames::Chips,
    dims: 2,
    machine_types: &[
        machine("ct5lp-hightpu-1t", 1, (24, 48), &[1, 1], false),
        machine("ct5lp-hightpu-4t", 4, (112, 192), &[2, 2], true),
        machine("ct5lp-hightpu-8t", 8, (224, 384), &[2, 4], false),
    ],
    refused_machine_types: &[
        refused("ct5l-hightpu-1t", 1, DEVICE_POOL),
        refused("ct5l-hightpu-4t", 4, DEVICE_POOL),
        refused("ct5l-hightpu-8t", 8, DEVICE_POOL),
    ],
    topologies: &[
        listed(&[1, 1], ALL_BUT_XPK),
        listed(&[2, 2], ALL_BUT_XPK),
        listed(&[2, 4], ALL),
        listed(&[4, 4], ALL),
        listed(&[4, 8], ALL),
        listed(&[8, 8], ALL),
        listed(&[8, 16], ALL),
        listed(&[16, 16], ALL),
    ],
    refused_topologies: REFUSED_2D,
    cubes: None,
    largest_documented: None,
    pod_chips: 256,
    devices_per_chip: 1,
    hbm_gib_per_device: 16,
    usable_hbm_mib_per_device: Some(Cited { value: 16_128, source: Source("tpu-inference 0.32.0") }),
    fp4_weights: FP4_WIDENED,
    placement: Placement::CompactTopology,
    boot_disks: &["pd-balanced", "pd-ssd"],
    volume_disks: &["pd-balanced", "pd-ssd", "hyperdisk-ml"],
    flex_start: Offer::Yes,
    spot: true,
    placed_spot: PLACED_SPOT,
    autopilot: true,
    min_gke: UNKNOWN_MIN,
    dranet: None,
    zones: &[
        zone("europe-west4-b", RESERVATIONS),
        zone("us-central1-a", DOCS),
        zone("us-east5-a", DOCS_OLDER),
        zone("us-east5-b", DOCS_OLDER),
        zone("us-east5-c", DOCS_OLDER),
        zone("us-south1-a", DOCS),
        zone("us-west1-c", DOCS),
        zone("us-west4-a", DOCS),
        zone("us-west4-b", DOCS_OLDER),
    ],
    flex_start_zones: &["us-west4-a"],
    source: TABLES,
};

const V5P: Accelerator = Accelerator {
    id: "v5p",
    aliases: &["tpu-v5p", "tpuv5p", "tpuv5", "tpu-v5p-slice"],
    product: "TPU v5p",
    gke_label: "tpu-v5p-slice",
    ray: RayNames { accelerator_type: "TPU-V5P", generation: "v5p", cores_per_chip: 2, whole_host: &[] },
    toolkit_short_names: ToolkitShortNames::Chips,
    dims: 3,
    machine_types: &[machine("ct5p-hightpu-4t", 4, (208, 448), &[2, 2, 1], true)],
    refused_machine_types: &[refused("ct5p-hightpu-1t", 1, NOT_ON_GKE), refused("ct5p-hightpu-2t", 2, NOT_ON_GKE)],
    topologies: SMALL_3D,
    refused_topologies: &[],
    cubes: Some(Cubes { xpk_any_order: false, ray: RayCubes::UpTo([16, 16, 24]) }),
    largest_documented: Some(Cited { value: &[16, 16, 24], source: Source("Cloud TPU documentation on v5p") }),
    pod_chips: 8960,
    devices_per_chip: 1,
    hbm_gib_per_device: 95,
    usable_hbm_mib_per_device: None,
    fp4_weights: FP4_WIDENED,
    placement: Placement::CompactTopology,
    boot_disks: &["pd-balanced", "pd-ssd"],
    volume_disks: &["pd-balanced", "pd-ssd", "hyperdisk-ml"],
    flex_start: Offer::Yes,
    spot: true,
    placed_spot: Cited { value: Offer::No, source: Source("tpu-recipes (2026-08)") },
    autopilot: true,
    min_gke: UNKNOWN_MIN,
    dranet: None,
    zones: &[
        zone("europe-west4-b", DOCS),
        zone("us-central1-a", DOCS),
        zone("us-east5-a", DOCS),
        zone("us-east5-c", DOCS_OLDER),
    ],
    flex_start_zones: &["us-east5-a"],
    source: TABLES,
};

const V6E: Accelerator = Accelerator {
    id: "v6e",
    aliases: &["trillium", "tpu-v6e", "tpuv6e", "tpu-v6e-slice"],
    product: "TPU v6e (Trillium)",
    gke_label: "tpu-v6e-slice",
    ray: RayNames { accelerator_type: "TPU-V6E", generation: "v6e", cores_per_chip: 1, whole_host: ONE_HOST_2D },
    toolkit_short_names: ToolkitShortNames::Chips,
    dims: 2,
    machine_types: &[
        machine("ct6e-standard-1t", 1, (44, 176), &[1, 1], false),
        machine("ct6e-standard-4t", 4, (180, 720), &[2, 2], true),
        machine("ct6e-standard-8t", 8, (180, 1440), &[2, 4], false),
    ],
    refused_machine_types: &[],
    topologies: &[
        listed(&[1, 1], ALL),
        listed(&[2, 2], ALL),
        listed(&[2, 4], ALL),
        listed(&[4, 4], ALL),
        listed(&[4, 8], ALL),
        listed(&[8, 8], ALL),
        listed(&[8, 16], ALL),
        listed(&[16, 16], ALL),
    ],
    refused_topologies: REFUSED_2D,
    cubes: None,
    largest_documented: None,
    pod_chips: 256,
    devices_per_chip: 1,
    hbm_gib_per_device: 32,
    usable_hbm_mib_per_device: Some(Cited { value: 32_000, source: Source("tpu-inference 0.32.0") }),
    fp4_weights: FP4_WIDENED,
    placement: Placement::CompactTopology,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: &["hyperdisk-balanced", "hyperdisk-ml"],
    flex_start: Offer::Yes,
    spot: true,
    placed_spot: PLACED_SPOT,
    autopilot: true,
    min_gke: MinGke {
        standard: Some(MinVersion {
            required: Version::gke(1, 31, 1, 1_846_000),
            advised: Some(Version::gke(1, 31, 2, 1_384_000)),
            source: Source("kubernetes-engine-samples 2b503651 (1.31.1); Ray documentation (1.31.2)"),
        }),
        autopilot: Some(MinVersion {
            required: Version::gke(1, 31, 2, 1_384_000),
            advised: None,
            source: Source("GKE documentation on TPUs in Autopilot"),
        }),
    },
    dranet: Some(Dranet {
        min_gke: Version::gke(1, 34, 1, 1_829_001),
        machine_types: &["ct6e-standard-1t", "ct6e-standard-4t", "ct6e-standard-8t"],
        source: DRANET,
    }),
    zones: &[
        zone("asia-northeast1-b", DOCS),
        zone("europe-west4-a", DOCS),
        zone("southamerica-west1-a", SAMPLES),
        zone("us-central1-b", DOCS),
        zone("us-east1-d", DOCS),
        zone("us-east5-a", DOCS),
        zone("us-east5-b", DOCS),
        zone("us-south1-ai1b", DOCS),
    ],
    flex_start_zones: &["asia-northeast1-b", "us-east5-a", "us-east5-b"],
    source: TABLES,
};

const TPU7X: Accelerator = Accelerator {
    id: "tpu7x",
    aliases: &["v7x", "ironwood", "tpu-v7x", "tpu7x-slice", "tpu-v7x-slice"],
    product: "TPU7x (Ironwood)",
    gke_label: "tpu7x",
    ray: RayNames { accelerator_type: "TPU-V7X", generation: "v7x", cores_per_chip: 2, whole_host: &[] },
    toolkit_short_names: ToolkitShortNames::Refused,
    dims: 3,
    machine_types: &[
        // The autoscaler's table has 248 and 992 GB; the machine family's page, which is the smaller, 240 and 960.
        machine("tpu7x-standard-1t", 1, (56, 240), &[1, 1, 1], false),
        machine("tpu7x-standard-4t", 4, (224, 960), &[2, 2, 1], true),
    ],
    refused_machine_types: &[refused("tpu7x-ultranet-4t", 4, ULTRANET)],
    topologies: &[
        listed(&[1, 1, 1], GKE_AND_XPK),
        listed(&[2, 2, 1], ALL),
        listed(&[2, 2, 2], ALL),
        listed(&[2, 2, 4], ALL),
        listed(&[2, 4, 4], ALL),
    ],
    refused_topologies: &[],
    cubes: Some(Cubes {
        xpk_any_order: false,
        ray: RayCubes::Listed(&[[4, 4, 4], [4, 4, 8], [4, 8, 8], [8, 8, 8], [8, 8, 16], [8, 16, 16]]),
    }),
    largest_documented: None,
    pod_chips: 9216,
    devices_per_chip: 2,
    hbm_gib_per_device: 96,
    usable_hbm_mib_per_device: Some(Cited { value: 97_024, source: Source("tpu-inference 0.32.0") }),
    fp4_weights: FP4_KEPT,
    placement: Placement::WorkloadPolicy,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: &["hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-throughput", "hyperdisk-ml"],
    flex_start: Offer::Yes,
    spot: true,
    placed_spot: PLACED_SPOT,
    autopilot: true,
    min_gke: MinGke {
        standard: Some(MinVersion {
            required: Version::gke(1, 34, 0, 2_201_000),
            advised: Some(Version::gke(1, 34, 3, 1_318_000)),
            source: Source("GKE documentation on tpu7x (1.34.0); Cluster Toolkit 1.95 README (1.34.3)"),
        }),
        autopilot: Some(MinVersion {
            required: Version::gke(1, 34, 1, 3_084_001),
            advised: Some(Version::gke(1, 34, 3, 1_318_000)),
            source: Source("GKE documentation on tpu7x (1.34.1); Cluster Toolkit 1.95 README (1.34.3)"),
        }),
    },
    dranet: Some(Dranet {
        min_gke: Version::gke(1, 34, 1, 1_829_001),
        machine_types: &["tpu7x-standard-4t"],
        source: DRANET,
    }),
    zones: &[zone("us-central1-ai1a", DOCS), zone("us-central1-c", DOCS)],
    flex_start_zones: &["us-central1-c"],
    source: TABLES,
};
