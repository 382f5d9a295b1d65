//! Machine types of nodes without TPUs: GPUs as rows, and what is known of CPU machines.

mod cpus;
mod gpus;

pub use cpus::{Disks, FAMILIES, Family};
pub use gpus::GPUS;

use crate::facts::accelerators::{ACCELERATORS, Offer};
use crate::facts::source::{Cited, Source};
use crate::facts::version::Version;

/// One GPU that GKE offers. Every column must be given.
#[derive(Debug)]
pub struct Gpu {
    /// `h100-80gb`.
    pub id: &'static str,
    /// What the vendor calls it: `NVIDIA H100 80GB (A3 High, A3 Edge)`.
    pub product: &'static str,
    /// The type of the pool's accelerators, and the value of the node label `cloud.google.com/gke-accelerator`.
    pub gke_label: &'static str,
    /// Ray's accelerator type, as Ray finds it on the node: `H100`.
    pub ray_accelerator_type: &'static str,
    /// Memory of one GPU, in GiB: the number of the product's name, or what a source measured where that is less.
    pub hbm_gib: Cited<u32>,
    /// The machine types, by GPUs.
    pub machine_types: &'static [GpuMachine],
    /// How the GPUs of several nodes reach each other.
    pub network: GpuNetwork,
    /// How GKE places the nodes.
    pub placement: GpuPlacement,
    /// The nodes' processors.
    pub arch: Arch,
    /// Disk types that a node may boot from, GKE's default first.
    pub boot_disks: &'static [&'static str],
    /// Disk types that a volume on the node may have.
    pub volume_disks: &'static [&'static str],
    /// True if it can be had on demand.
    pub on_demand: bool,
    /// Whether flex-start can provision it.
    pub flex_start: Offer,
    /// The oldest GKE version whose DRANET serves it. None: DRANET doesn't.
    pub dranet: Option<Cited<Version>>,
    /// Zones, as one table of unknown date has them. Empty: the table does not have it.
    pub zones: &'static [&'static str],
    /// Where the row was read.
    pub source: Source,
}

/// Where the zones of GPUs were read.
pub const GPU_ZONES: Source = Source("a third-party reservation table (undated)");

/// The processors of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    /// x86-64.
    Amd64,
    /// Images must be made for it.
    Arm64,
}

/// How the GPUs of several nodes reach each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuNetwork {
    /// Over the node's own network.
    Plain,
    /// GPUDirect-TCPX, on machines of 8 GPUs: four further networks, and a plug-in for NCCL.
    Tcpx,
    /// GPUDirect-TCPXO: eight further networks, and a plug-in for NCCL.
    Tcpxo,
    /// RDMA: GKE attaches the networks (a network profile), or DRANET does.
    Rdma,
}

/// How GKE places nodes with GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GpuPlacement {
    /// Anywhere.
    Free,
    /// In a domain of NVLink, which a workload policy with the topology `1x72` names.
    NvlinkDomain,
}

/// A machine type with GPUs.
#[derive(Debug, PartialEq, Eq)]
pub struct GpuMachine {
    /// `a3-highgpu-8g`.
    pub name: &'static str,
    /// GPUs that Kubernetes counts on it.
    pub gpus: u32,
    /// Into how many parts the one GPU is cut, of which the machine has one; else 1.
    pub parts: u32,
    /// Virtual CPUs.
    pub vcpu: u32,
    /// Memory, in GB.
    pub memory_gb: u32,
    /// Local SSDs that come with it, 375 GB each.
    pub local_ssds: u32,
    /// True if it can't be had through flex-start, whatever its GPU's row says.
    pub no_flex_start: bool,
    /// Where it was read.
    pub source: Source,
}

/// A machine type of nodes, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Virtual CPUs.
    pub vcpu: u32,
    /// Memory, in GB; where it is not whole, rounded down.
    pub memory_gb: u32,
    /// Its GPUs.
    pub gpus: Option<Gpus>,
    /// Disk types that it boots from, GKE's default first.
    pub boot_disks: &'static [&'static str],
    /// Disk types that a volume on it may have. Empty: no table says.
    pub volume_disks: &'static [&'static str],
}

/// The GPUs of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Gpus {
    /// Which.
    pub gpu: &'static Gpu,
    /// On which machine.
    pub machine: &'static GpuMachine,
}

impl PartialEq for Gpus {
    fn eq(&self, other: &Self) -> bool {
        self.machine == other.machine
    }
}

impl Eq for Gpus {}

impl Gpus {
    /// How many Kubernetes counts.
    pub fn count(self) -> u32 {
        self.machine.gpus
    }

    /// Memory of one, in GiB. None: a part of a GPU, whose memory no source names.
    pub fn hbm_gib(self) -> Option<u32> {
        (self.machine.parts == 1).then_some(self.gpu.hbm_gib.value)
    }
}

/// What a name of a machine type means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A machine of GPUs or CPUs.
    Machine(Machine),
    /// A machine with TPUs of this generation: slices are made of them.
    Tpu(&'static str),
    /// No table has it.
    Unknown,
}

/// What is known of a machine type.
pub fn find(name: &str) -> Found {
    for gpu in GPUS {
        if let Some(machine) = gpu.machine_types.iter().find(|machine| machine.name == name) {
            let gpus = Some(Gpus { gpu, machine });
            return Found::Machine(Machine {
                vcpu: machine.vcpu,
                memory_gb: machine.memory_gb,
                gpus,
                boot_disks: gpu.boot_disks,
                volume_disks: gpu.volume_disks,
            });
        }
    }
    if let Some((family, vcpu)) = cpus::find(name) {
        let memory_gb = vcpu.saturating_mul(family.mb_per_vcpu) / 1000;
        return Found::Machine(Machine {
            vcpu,
            memory_gb,
            gpus: None,
            boot_disks: family.disks.boot,
            volume_disks: family.disks.volume,
        });
    }
    match ACCELERATORS.iter().find(|row| row.machine_type(name).is_some()) {
        Some(row) => Found::Tpu(row.id),
        None => Found::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::facts::ray::ACCELERATOR_TYPES;

    #[test]
    fn gpu_rows_are_unique_and_complete() {
        let ids: BTreeSet<&str> = GPUS.iter().map(|gpu| gpu.id).collect();
        let labels: BTreeSet<&str> = GPUS.iter().map(|gpu| gpu.gke_label).collect();
        assert_eq!((ids.len(), labels.len()), (GPUS.len(), GPUS.len()));
        let names: Vec<&str> = GPUS.iter().flat_map(|gpu| gpu.machine_types).map(|machine| machine.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for gpu in GPUS {
            assert!(gpu.machine_types.is_sorted_by_key(|machine| machine.gpus), "{}", gpu.id);
            assert!(gpu.zones.is_sorted() && !gpu.boot_disks.is_empty(), "{}", gpu.id);
            assert!(ACCELERATOR_TYPES.iter().any(|known| known.name == gpu.ray_accelerator_type), "{}", gpu.id);
        }
    }

    #[test]
    fn a_machine_is_known_by_its_name() {
        let Found::Machine(machine) = find("a3-highgpu-8g") else { panic!() };
        let gpus = machine.gpus.unwrap();
        assert_eq!((machine.vcpu, machine.memory_gb, gpus.count(), gpus.hbm_gib()), (208, 1872, 8, Some(80)));
        let Found::Machine(part) = find("g4-standard-12") else { panic!() };
        assert_eq!(part.gpus.map(|gpus| (gpus.count(), gpus.hbm_gib())), Some((1, None)));
        assert_eq!([find("ct6e-standard-4t"), find("a3-highgpu-9g")], [Found::Tpu("v6e"), Found::Unknown]);
    }
}
