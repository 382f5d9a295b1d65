//! TPU generations as rows: what GKE sells, what Ray calls it, which slices exist. Behaviour hangs on columns, never on a name.

mod names;
mod rows;

pub use names::{Dialect, Found, Meaning, REFUSED, Refused, find};
pub use rows::ACCELERATORS;

use crate::facts::source::{Cited, Source};
use crate::facts::version::Version;

/// One TPU generation that GKE sells. Every column must be given: a new row that forgets one doesn't compile.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // Each is a capability of its own, a column of the table.
pub struct Accelerator {
    /// What a stack writes: `v6e`.
    pub id: &'static str,
    /// Other spellings that are accepted, in lower case: `trillium`.
    pub aliases: &'static [&'static str],
    /// What the vendor calls it: `TPU v6e (Trillium)`.
    pub product: &'static str,
    /// The value of the node label `cloud.google.com/gke-tpu-accelerator`.
    pub gke_label: &'static str,
    /// The names and tables of Ray.
    pub ray: RayNames,
    /// What Cluster Toolkit takes the number in `v5p-8` for.
    pub toolkit_short_names: ToolkitShortNames,
    /// How many dimensions a topology has: 2 or 3.
    pub dims: usize,
    /// The machine types that GKE makes node pools of, by chips.
    pub machine_types: &'static [MachineType],
    /// Machine types that exist elsewhere but not in GKE node pools, with the reason.
    pub refused_machine_types: &'static [RefusedMachineType],
    /// The topologies that are listed one by one, smallest first.
    pub topologies: &'static [ListedTopology],
    /// Topologies that sources list and GKE doesn't sell, with the reason.
    pub refused_topologies: &'static [RefusedTopology],
    /// The larger topologies, made of 4x4x4 cubes. None: every topology is listed.
    pub cubes: Option<Cubes>,
    /// The largest slice that the vendor's page names, where sources list larger ones.
    pub largest_documented: Option<Cited<&'static [u32]>>,
    /// Chips of a whole pod: no slice is larger.
    pub pod_chips: u32,
    /// Devices that JAX, torch and vLLM see per chip.
    pub devices_per_chip: u32,
    /// Nominal memory of a device, in GiB.
    pub hbm_gib_per_device: u32,
    /// What a program may use of it (`bytes_limit`), in MiB. None: nobody has published it.
    pub usable_hbm_mib_per_device: Option<Cited<u32>>,
    /// True if vLLM keeps weights of four bits as they are; elsewhere they are widened to bfloat16 when they are loaded.
    pub fp4_weights: Cited<bool>,
    /// How a multi-host node pool is placed.
    pub placement: Placement,
    /// Disk types that a node may boot from, the default first.
    pub boot_disks: &'static [&'static str],
    /// Disk types that a volume on the node may have.
    pub volume_disks: &'static [&'static str],
    /// Whether flex-start can provision it.
    pub flex_start: Offer,
    /// True if Spot can provision it.
    pub spot: bool,
    /// Whether Spot takes a pool with a placement policy, which one of several hosts has. No: it was seen refused.
    pub placed_spot: Cited<Offer>,
    /// True if Autopilot can provision it.
    pub autopilot: bool,
    /// The oldest GKE versions.
    pub min_gke: MinGke,
    /// Whether DRANET gives pods its machines' further networks. None: it doesn't.
    pub dranet: Option<Dranet>,
    /// Where it is sold, as read in November 2026: zones come and go, so a zone that isn't here is a warning.
    pub zones: &'static [Zone],
    /// Where flex-start is offered.
    pub flex_start_zones: &'static [&'static str],
    /// Where the row was read.
    pub source: Source,
}

/// Whether something is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// Sources disagree.
    Disputed,
}

/// What Ray calls a generation, and what its tables know of it.
#[derive(Debug)]
pub struct RayNames {
    /// The accelerator type, a resource and a label value: `TPU-V6E`.
    pub accelerator_type: &'static str,
    /// The prefix of a pod type: `v6e` in `v6e-16`.
    pub generation: &'static str,
    /// Cores per chip in a pod type's number.
    pub cores_per_chip: u32,
    /// Topologies that Ray takes for one host; every other has 4 chips a host.
    pub whole_host: &'static [&'static [u32]],
}

/// What Cluster Toolkit takes the number of a short name for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolkitShortNames {
    /// Cores, as Ray and xpk do.
    Cores,
    /// Chips.
    Chips,
    /// It refuses a number.
    Refused,
}

/// A machine type and the slices it serves.
#[derive(Debug, PartialEq, Eq)]
pub struct MachineType {
    /// `ct6e-standard-4t`.
    pub name: &'static str,
    /// Chips of one machine.
    pub chips: u32,
    /// Virtual CPUs.
    pub vcpu: u32,
    /// Memory, in GB; where sources differ, the smaller number.
    pub memory_gb: u32,
    /// The topology that one machine is.
    pub single_host_topology: Option<&'static [u32]>,
    /// True if several of them make a larger slice.
    pub multi_host: bool,
    /// Where it was read.
    pub source: Source,
}

/// A machine type that a GKE node pool can't have.
#[derive(Debug, PartialEq, Eq)]
pub struct RefusedMachineType {
    /// Its name.
    pub name: &'static str,
    /// Its chips.
    pub chips: u32,
    /// Why not.
    pub reason: &'static str,
}

/// A topology that is listed by itself, and by whom.
#[derive(Debug, PartialEq, Eq)]
pub struct ListedTopology {
    /// Its dimensions, in order.
    pub dims: &'static [u32],
    /// Who lists it.
    pub by: &'static [Lister],
}

/// A topology that a source lists although GKE has no such slice.
#[derive(Debug, PartialEq, Eq)]
pub struct RefusedTopology {
    /// Its dimensions, in order.
    pub dims: &'static [u32],
    /// Why not.
    pub reason: &'static str,
}

/// Who lists a topology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lister {
    /// GKE's documentation and cluster autoscaler.
    Gke,
    /// xpk 1.16.
    Xpk,
    /// Ray 2.54 to 2.60.
    Ray,
    /// Cluster Toolkit 1.95.
    Toolkit,
}

impl Lister {
    /// The name that people know.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gke => "GKE",
            Self::Xpk => "xpk",
            Self::Ray => "Ray",
            Self::Toolkit => "Cluster Toolkit",
        }
    }
}

/// The rule for slices of whole 4x4x4 cubes: every dimension a multiple of 4, no more chips than a pod.
#[derive(Debug)]
pub struct Cubes {
    /// True if xpk takes the dimensions in any order; false: ascending only. Cluster Toolkit takes ascending ones only.
    pub xpk_any_order: bool,
    /// What Ray's table has.
    pub ray: RayCubes,
}

/// The cube slices in Ray's table.
#[derive(Debug)]
pub enum RayCubes {
    /// Every combination of multiples of 4 up to these dimensions.
    UpTo([u32; 3]),
    /// These only.
    Listed(&'static [[u32; 3]]),
}

/// The longest dimension that xpk lists.
const XPK_MAX_DIM: u32 = 256;

/// How GKE keeps the hosts of a multi-host slice together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// `placement_policy { type = "COMPACT", tpu_topology }` on the pool.
    CompactTopology,
    /// A workload policy (`HIGH_THROUGHPUT` with the topology) that the pool names; COMPACT is refused.
    WorkloadPolicy,
}

/// The oldest GKE versions that offer a generation.
#[derive(Debug)]
pub struct MinGke {
    /// In Standard clusters. None: no source names one.
    pub standard: Option<MinVersion>,
    /// In Autopilot clusters. None: no source names one.
    pub autopilot: Option<MinVersion>,
}

/// A minimum, and where sources disagree the one that all of them accept.
#[derive(Debug)]
pub struct MinVersion {
    /// Older than this can't work.
    pub required: Version,
    /// Older than this, one source says that it doesn't work.
    pub advised: Option<Version>,
    /// Where both were read.
    pub source: Source,
}

/// What DRANET needs of a generation.
#[derive(Debug)]
pub struct Dranet {
    /// The oldest GKE version.
    pub min_gke: Version,
    /// The machine types that have further networks.
    pub machine_types: &'static [&'static str],
    /// Where both were read.
    pub source: Source,
}

/// When the zones were read: they come and go, so that a zone that is not here is a warning and no error.
pub const ZONES_READ: &str = "November 2026";

/// A zone that sells a generation.
#[derive(Debug, PartialEq, Eq)]
pub struct Zone {
    /// `us-east5-b`.
    pub name: &'static str,
    /// Where it was read.
    pub source: Source,
}

impl Accelerator {
    /// Who lists a topology with these dimensions, in this order. Empty: nobody, or the number of dimensions is wrong.
    pub fn listers(&self, dims: &[u32]) -> Vec<Lister> {
        if let Some(listed) = self.topologies.iter().find(|listed| listed.dims == dims) {
            return listed.by.to_vec();
        }
        match (&self.cubes, dims) {
            (Some(cubes), &[a, b, c]) => cubes.listers([a, b, c], self.pod_chips),
            _ => Vec::new(),
        }
    }

    /// The machine type called `name`.
    pub fn machine_type(&self, name: &str) -> Option<&'static MachineType> {
        self.machine_types.iter().find(|machine| machine.name == name)
    }

    /// The zone called `name`, if it sells this generation.
    pub fn zone(&self, name: &str) -> Option<&'static Zone> {
        self.zones.iter().find(|zone| zone.name == name)
    }

    /// Ray's name of a slice of `chips` chips: `v6e-16`.
    pub fn ray_pod_type(&self, chips: u32) -> String {
        format!("{}-{}", self.ray.generation, u64::from(chips) * u64::from(self.ray.cores_per_chip))
    }

    /// How many chips Ray (2.56 and later) takes a host of this topology to have.
    pub fn ray_chips_per_host(&self, dims: &[u32]) -> u32 {
        if self.ray.whole_host.contains(&dims) { dims.iter().product() } else { 4 }
    }
}

impl Cubes {
    fn listers(&self, dims: [u32; 3], pod_chips: u32) -> Vec<Lister> {
        let chips: u64 = dims.iter().map(|dim| u64::from(*dim)).product();
        if chips > u64::from(pod_chips) || dims.iter().any(|dim| *dim == 0 || dim % 4 != 0) {
            return Vec::new();
        }
        let ascending = dims.is_sorted();
        let mut listers = Vec::new();
        if (ascending || self.xpk_any_order) && dims.iter().all(|dim| *dim <= XPK_MAX_DIM) {
            listers.push(Lister::Xpk);
        }
        let in_ray = match self.ray {
            RayCubes::UpTo(max) => dims.iter().zip(max).all(|(dim, max)| *dim <= max),
            RayCubes::Listed(listed) => listed.contains(&dims),
        };
        if in_ray {
            listers.push(Lister::Ray);
        }
        if ascending {
            listers.push(Lister::Toolkit);
        }
        listers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unique_and_complete() {
        let ids: std::collections::BTreeSet<&str> = ACCELERATORS.iter().map(|row| row.id).collect();
        assert_eq!(ids.len(), ACCELERATORS.len());
        for row in ACCELERATORS {
            assert!(row.machine_types.is_sorted_by_key(|machine| machine.chips), "{}", row.id);
            assert!(row.zones.is_sorted_by_key(|zone| zone.name), "{}", row.id);
            assert!(row.flex_start_zones.iter().all(|name| row.zone(name).is_some()), "{}", row.id);
            assert!(row.flex_start == Offer::Yes || row.flex_start_zones.is_empty(), "{}", row.id);
            assert!(!row.boot_disks.is_empty() && !row.zones.is_empty(), "{}", row.id);
            assert_eq!(row.cubes.is_some(), row.dims == 3, "{}", row.id);
            let usable = row.usable_hbm_mib_per_device.as_ref();
            assert!(usable.is_none_or(|usable| usable.value < row.hbm_gib_per_device * 1024), "{}", row.id);
            for min in [&row.min_gke.standard, &row.min_gke.autopilot].into_iter().flatten() {
                assert!(min.advised.as_ref().is_none_or(|advised| min.required < *advised), "{}", row.id);
            }
        }
    }

    #[test]
    fn every_listed_topology_is_whole_hosts_of_some_machine() {
        for row in ACCELERATORS {
            let chips = |dims: &[u32]| dims.iter().product::<u32>();
            assert!(row.topologies.is_sorted_by_key(|listed| (chips(listed.dims), listed.dims)), "{}", row.id);
            for listed in row.topologies {
                assert_eq!(listed.dims.len(), row.dims);
                assert!(!listed.by.is_empty() && listed.by.is_sorted());
                let fits = |machine: &MachineType| chips(listed.dims).is_multiple_of(machine.chips);
                assert!(row.machine_types.iter().any(fits), "{} {:?}", row.id, listed.dims);
            }
            for machine in row.machine_types {
                let suffix = format!("-{}t", machine.chips);
                assert!(machine.name.ends_with(&suffix), "{}", machine.name);
                assert_eq!(machine.single_host_topology.map(chips), Some(machine.chips), "{}", machine.name);
            }
        }
    }

    /// Ray 2.60's table has 40 topologies of v4, 100 of v5p and 10 of tpu7x.
    #[test]
    fn rays_table_is_reproduced() {
        let steps = || (1..=6).map(|step| step * 4);
        for (id, count) in [("v4", 40), ("v5p", 100), ("tpu7x", 10)] {
            let row = ACCELERATORS.iter().find(|row| row.id == id).unwrap();
            let small = row.topologies.iter().filter(|listed| listed.by.contains(&Lister::Ray)).count();
            let cubes = steps().flat_map(|a| steps().flat_map(move |b| steps().map(move |c| [a, b, c])));
            let large = cubes.filter(|dims| row.listers(dims).contains(&Lister::Ray)).count();
            assert_eq!(small + large, count, "{id}");
        }
    }

    #[test]
    fn pod_types_are_rays() {
        let of = |id: &str, chips| find_row(id).ray_pod_type(chips);
        assert_eq!(
            [of("v6e", 16), of("v4", 4), of("tpu7x", 8), of("v5e", 8)],
            ["v6e-16", "v4-8", "v7x-16", "v5litepod-8"]
        );
        assert_eq!(find_row("v6e").ray_chips_per_host(&[2, 4]), 8);
        assert_eq!(find_row("v6e").ray_chips_per_host(&[4, 4]), 4);
    }

    fn find_row(id: &str) -> &'static Accelerator {
        ACCELERATORS.iter().find(|row| row.id == id).unwrap()
    }
}
