//! The rows: one GPU each, by age and size.

use crate::facts::accelerators::Offer;
use crate::facts::machines::{Arch, Gpu, GpuMachine, GpuNetwork, GpuPlacement};
use crate::facts::source::{Cited, Source};
use crate::facts::version::Version;

/// Every GPU that GKE has machine types of.
pub static GPUS: &[Gpu] =
    &[L4, RTX_PRO_6000, A100_40GB, A100_80GB, H100_80GB, H100_MEGA_80GB, H200_141GB, B200, GB200, GB300];

const AUTOSCALER: Source = Source("GKE cluster autoscaler (2026)");
const BOTH: Source =
    Source("GKE cluster autoscaler (2026); Cyclenerd/google-cloud-pricing-cost-calculator (2026-08-20)");
const MEASURED: Source = Source("ai-dynamo/aiconfigurator 095f58a5, systems/*.yaml");
const DRANET: Source = Source("GKE documentation on DRANET; Cluster Toolkit 1.95");

const DRANET_SINCE: Cited<Version> = Cited { value: Version::gke(1, 34, 1, 1_829_001), source: DRANET };

const fn hbm(value: u32) -> Cited<u32> {
    Cited { value, source: MEASURED }
}

/// A machine of the autoscaler's table: GPUs, (virtual CPUs, GB), local SSDs that come with it.
const fn machine(name: &'static str, gpus: u32, (vcpu, memory_gb): (u32, u32), local_ssds: u32) -> GpuMachine {
    GpuMachine { name, gpus, parts: 1, vcpu, memory_gb, local_ssds, no_flex_start: false, source: AUTOSCALER }
}

/// A machine with a part of a GPU, which Kubernetes counts as one.
const fn part(name: &'static str, parts: u32, size: (u32, u32)) -> GpuMachine {
    GpuMachine { parts, source: BOTH, ..machine(name, 1, size, 0) }
}

/// A machine that flex-start does not provision.
const fn without_flex_start(name: &'static str, gpus: u32, size: (u32, u32), local_ssds: u32) -> GpuMachine {
    GpuMachine { no_flex_start: true, ..machine(name, gpus, size, local_ssds) }
}

const A2_VOLUMES: &[&str] = &["hyperdisk-ml", "pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"];
const A3_VOLUMES: &[&str] = &[
    "hyperdisk-balanced",
    "hyperdisk-balanced-high-availability",
    "hyperdisk-extreme",
    "hyperdisk-ml",
    "hyperdisk-throughput",
    "pd-balanced",
    "pd-ssd",
];
const A4_VOLUMES: &[&str] = &["hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-ml"];

const L4: Gpu = Gpu {
    id: "l4",
    product: "NVIDIA L4",
    gke_label: "nvidia-l4",
    ray_accelerator_type: "L4",
    hbm_gib: hbm(24),
    machine_types: &[
        machine("g2-standard-4", 1, (4, 16), 0),
        machine("g2-standard-8", 1, (8, 32), 0),
        machine("g2-standard-12", 1, (12, 48), 0),
        machine("g2-standard-16", 1, (16, 64), 0),
        machine("g2-standard-32", 1, (32, 128), 0),
        machine("g2-standard-24", 2, (23, 96), 0),
        machine("g2-standard-48", 4, (48, 192), 0),
        machine("g2-standard-96", 8, (96, 384), 0),
    ],
    network: GpuNetwork::Plain,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["pd-balanced", "pd-ssd"],
    volume_disks: &["hyperdisk-ml", "hyperdisk-throughput", "pd-balanced", "pd-ssd", "pd-standard"],
    on_demand: true,
    flex_start: Offer::Disputed,
    dranet: None,
    zones: &[],
    source: BOTH,
};

const RTX_PRO_6000: Gpu = Gpu {
    id: "rtx-pro-6000",
    product: "NVIDIA RTX PRO 6000 Blackwell (G4)",
    gke_label: "nvidia-rtx-pro-6000",
    ray_accelerator_type: "RTX-PRO-6000",
    hbm_gib: hbm(96),
    machine_types: &[
        part("g4-standard-6", 8, (6, 22)),
        part("g4-standard-12", 4, (12, 45)),
        part("g4-standard-24", 2, (24, 90)),
        machine("g4-standard-48", 1, (48, 180), 0),
        machine("g4-standard-96", 2, (96, 360), 0),
        machine("g4-standard-192", 4, (192, 720), 0),
        machine("g4-standard-384", 8, (384, 1440), 0),
    ],
    network: GpuNetwork::Plain,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: &[
        "hyperdisk-balanced",
        "hyperdisk-balanced-high-availability",
        "hyperdisk-extreme",
        "hyperdisk-throughput",
    ],
    on_demand: true,
    flex_start: Offer::Disputed,
    dranet: None,
    zones: &[],
    source: BOTH,
};

const A100_40GB: Gpu = Gpu {
    id: "a100-40gb",
    product: "NVIDIA A100 40GB",
    gke_label: "nvidia-tesla-a100",
    ray_accelerator_type: "A100",
    hbm_gib: hbm(40),
    machine_types: &[
        machine("a2-highgpu-1g", 1, (12, 85), 0),
        machine("a2-highgpu-2g", 2, (24, 170), 0),
        machine("a2-highgpu-4g", 4, (48, 340), 0),
        machine("a2-highgpu-8g", 8, (96, 680), 0),
        machine("a2-megagpu-16g", 16, (96, 1360), 0),
    ],
    network: GpuNetwork::Plain,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["pd-standard", "pd-balanced", "pd-ssd"],
    volume_disks: A2_VOLUMES,
    on_demand: true,
    flex_start: Offer::Disputed,
    dranet: None,
    zones: &[],
    source: BOTH,
};

const A100_80GB: Gpu = Gpu {
    id: "a100-80gb",
    product: "NVIDIA A100 80GB",
    gke_label: "nvidia-a100-80gb",
    ray_accelerator_type: "A100",
    hbm_gib: hbm(80),
    machine_types: &[
        machine("a2-ultragpu-1g", 1, (12, 170), 1),
        machine("a2-ultragpu-1g-nolssd", 1, (12, 170), 0),
        machine("a2-ultragpu-2g", 2, (24, 340), 2),
        machine("a2-ultragpu-2g-nolssd", 2, (24, 340), 0),
        machine("a2-ultragpu-4g", 4, (48, 680), 4),
        machine("a2-ultragpu-4g-nolssd", 4, (48, 680), 0),
        machine("a2-ultragpu-8g", 8, (96, 1360), 8),
        machine("a2-ultragpu-8g-nolssd", 8, (96, 1360), 0),
    ],
    network: GpuNetwork::Plain,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["pd-standard", "pd-balanced", "pd-ssd"],
    volume_disks: A2_VOLUMES,
    on_demand: true,
    flex_start: Offer::Disputed,
    dranet: None,
    zones: &["asia-southeast1-c", "europe-west4-a", "us-central1-a", "us-central1-c", "us-east4-c", "us-east5-a"],
    source: AUTOSCALER,
};

const H100_80GB: Gpu = Gpu {
    id: "h100-80gb",
    product: "NVIDIA H100 80GB (A3 High, A3 Edge)",
    gke_label: "nvidia-h100-80gb",
    ray_accelerator_type: "H100",
    hbm_gib: hbm(80),
    machine_types: &[
        machine("a3-highgpu-1g", 1, (26, 234), 2),
        machine("a3-highgpu-1g-nolssd", 1, (26, 234), 0),
        machine("a3-highgpu-2g", 2, (52, 468), 4),
        machine("a3-highgpu-2g-nolssd", 2, (52, 468), 0),
        machine("a3-highgpu-4g", 4, (104, 936), 8),
        machine("a3-highgpu-4g-nolssd", 4, (104, 936), 0),
        machine("a3-highgpu-8g", 8, (208, 1872), 16),
        machine("a3-highgpu-8g-nolssd", 8, (208, 1872), 0),
        without_flex_start("a3-edgegpu-8g", 8, (208, 1872), 16),
        without_flex_start("a3-edgegpu-8g-nolssd", 8, (208, 1872), 0),
    ],
    network: GpuNetwork::Tcpx,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["pd-balanced", "pd-ssd", "hyperdisk-balanced"],
    volume_disks: A3_VOLUMES,
    on_demand: true,
    flex_start: Offer::Yes,
    dranet: None,
    zones: &[
        "asia-east1-c",
        "asia-northeast1-b",
        "asia-southeast1-b",
        "asia-southeast1-c",
        "europe-west1-b",
        "europe-west1-c",
        "europe-west4-c",
        "us-central1-a",
        "us-central1-c",
        "us-east4-a",
        "us-east4-b",
        "us-east5-a",
        "us-west1-a",
        "us-west1-b",
        "us-west4-a",
    ],
    source: AUTOSCALER,
};

const H100_MEGA_80GB: Gpu = Gpu {
    id: "h100-mega-80gb",
    product: "NVIDIA H100 Mega (A3 Mega)",
    gke_label: "nvidia-h100-mega-80gb",
    ray_accelerator_type: "H100",
    hbm_gib: hbm(80),
    machine_types: &[machine("a3-megagpu-8g", 8, (208, 1872), 16), machine("a3-megagpu-8g-nolssd", 8, (208, 1872), 0)],
    network: GpuNetwork::Tcpxo,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["pd-balanced", "pd-ssd", "hyperdisk-balanced"],
    volume_disks: A3_VOLUMES,
    on_demand: true,
    flex_start: Offer::Yes,
    dranet: None,
    zones: &[
        "asia-east1-c",
        "asia-northeast1-b",
        "asia-southeast1-b",
        "asia-southeast1-c",
        "australia-southeast1-c",
        "europe-west1-b",
        "europe-west1-c",
        "europe-west4-b",
        "europe-west4-c",
        "us-central1-a",
        "us-central1-b",
        "us-central1-c",
        "us-east4-a",
        "us-east4-b",
        "us-east4-c",
        "us-east5-a",
        "us-west1-a",
        "us-west1-b",
        "us-west4-a",
    ],
    source: AUTOSCALER,
};

const H200_141GB: Gpu = Gpu {
    id: "h200-141gb",
    product: "NVIDIA H200 (A3 Ultra)",
    gke_label: "nvidia-h200-141gb",
    ray_accelerator_type: "H200",
    hbm_gib: hbm(141),
    machine_types: &[
        machine("a3-ultragpu-8g", 8, (224, 2952), 32),
        machine("a3-ultragpu-8g-nolssd", 8, (224, 2952), 0),
    ],
    network: GpuNetwork::Rdma,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: A3_VOLUMES,
    on_demand: false,
    flex_start: Offer::Yes,
    dranet: Some(DRANET_SINCE),
    zones: &[
        "asia-south1-b",
        "asia-south2-c",
        "europe-west1-b",
        "europe-west4-a",
        "us-central1-b",
        "us-east1-d",
        "us-east4-b",
        "us-east5-a",
        "us-south1-b",
        "us-west1-c",
    ],
    source: AUTOSCALER,
};

const B200: Gpu = Gpu {
    id: "b200",
    product: "NVIDIA B200 (A4)",
    gke_label: "nvidia-b200",
    ray_accelerator_type: "B200",
    hbm_gib: hbm(180),
    machine_types: &[machine("a4-highgpu-8g", 8, (224, 3968), 32), machine("a4-highgpu-8g-nolssd", 8, (224, 3968), 0)],
    network: GpuNetwork::Rdma,
    placement: GpuPlacement::Free,
    arch: Arch::Amd64,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: A4_VOLUMES,
    on_demand: false,
    flex_start: Offer::Yes,
    dranet: Some(DRANET_SINCE),
    zones: &[
        "asia-northeast1-b",
        "asia-southeast1-b",
        "europe-west4-b",
        "us-central1-b",
        "us-east1-b",
        "us-east4-b",
        "us-south1-b",
        "us-west2-c",
        "us-west3-b",
        "us-west3-c",
    ],
    source: AUTOSCALER,
};

const GB200: Gpu = Gpu {
    id: "gb200",
    product: "NVIDIA GB200 (A4X)",
    gke_label: "nvidia-gb200",
    ray_accelerator_type: "GB200",
    hbm_gib: hbm(185),
    machine_types: &[machine("a4x-highgpu-4g", 4, (140, 884), 4), machine("a4x-highgpu-4g-nolssd", 4, (140, 884), 0)],
    network: GpuNetwork::Rdma,
    placement: GpuPlacement::NvlinkDomain,
    arch: Arch::Arm64,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: A4_VOLUMES,
    on_demand: false,
    flex_start: Offer::Yes,
    dranet: Some(DRANET_SINCE),
    zones: &["us-central1-a"],
    source: AUTOSCALER,
};

const GB300: Gpu = Gpu {
    id: "gb300",
    product: "NVIDIA GB300 (A4X Max)",
    gke_label: "nvidia-gb300",
    ray_accelerator_type: "GB300",
    hbm_gib: hbm(277),
    machine_types: &[machine("a4x-maxgpu-4g-metal", 4, (144, 960), 4)],
    network: GpuNetwork::Rdma,
    placement: GpuPlacement::NvlinkDomain,
    arch: Arch::Arm64,
    boot_disks: &["hyperdisk-balanced"],
    volume_disks: A4_VOLUMES,
    on_demand: false,
    flex_start: Offer::Yes,
    dranet: Some(DRANET_SINCE),
    zones: &["us-central1-b", "us-east4-b", "us-east5-c"],
    source: AUTOSCALER,
};
