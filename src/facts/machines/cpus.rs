//! CPU machines by family: virtual CPUs in the name, memory by a number for each.

use crate::facts::source::Source;

/// Disk types that machines take. A disk for confidential nodes alone is left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Disks {
    /// What a node boots from, GKE's default first.
    pub boot: &'static [&'static str],
    /// What a volume on the node may be.
    pub volume: &'static [&'static str],
}

/// A family of CPU machines, named FAMILY-VCPUS.
#[derive(Debug)]
pub struct Family {
    /// `e2-standard`.
    pub name: &'static str,
    /// Memory for each virtual CPU, in MB; where sizes differ, the least.
    pub mb_per_vcpu: u32,
    /// The sizes, in virtual CPUs.
    pub sizes: &'static [u32],
    /// The disks that its machines take.
    pub disks: &'static Disks,
    /// Where it was read.
    pub source: Source,
}

const AUTOSCALER: Source = Source("GKE cluster autoscaler (2026), machine families");

const fn family(name: &'static str, mb_per_vcpu: u32, sizes: &'static [u32], disks: &'static Disks) -> Family {
    Family { name, mb_per_vcpu, sizes, disks, source: AUTOSCALER }
}

const fn disks(boot: &'static [&'static str], volume: &'static [&'static str]) -> Disks {
    Disks { boot, volume }
}

const PD: &[&str] = &["pd-standard", "pd-balanced", "pd-ssd"];
const PD_OR_BALANCED: &[&str] = &["pd-balanced", "pd-ssd", "hyperdisk-balanced"];
const BALANCED: &[&str] = &["hyperdisk-balanced"];
const BALANCED_HA: &str = "hyperdisk-balanced-high-availability";

static OF_C2: Disks = disks(PD, &["pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"]);
static OF_C3: Disks = disks(
    PD_OR_BALANCED,
    &[
        "hyperdisk-balanced",
        BALANCED_HA,
        "hyperdisk-extreme",
        "hyperdisk-ml",
        "hyperdisk-throughput",
        "pd-balanced",
        "pd-extreme",
        "pd-ssd",
    ],
);
static OF_C3D: Disks = disks(
    PD_OR_BALANCED,
    &[
        "hyperdisk-balanced",
        BALANCED_HA,
        "hyperdisk-extreme",
        "hyperdisk-ml",
        "hyperdisk-throughput",
        "pd-balanced",
        "pd-ssd",
    ],
);
static OF_C4: Disks =
    disks(BALANCED, &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-extreme", "hyperdisk-ml", "hyperdisk-throughput"]);
static OF_C4D: Disks = disks(BALANCED, &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-extreme", "hyperdisk-ml"]);
static OF_C4N: Disks = disks(
    &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-ml", "hyperdisk-throughput"],
    &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-extreme", "hyperdisk-ml", "hyperdisk-throughput"],
);
static OF_E2: Disks =
    disks(PD, &[BALANCED_HA, "hyperdisk-throughput", "pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"]);
static OF_E4: Disks = disks(
    &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-ml", "hyperdisk-throughput"],
    &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-ml", "hyperdisk-throughput"],
);
static OF_H3: Disks =
    disks(&["pd-balanced", "hyperdisk-balanced"], &["hyperdisk-balanced", "hyperdisk-throughput", "pd-balanced"]);
static OF_H4D: Disks = disks(BALANCED, &["hyperdisk-balanced", BALANCED_HA]);
static OF_N1: Disks =
    disks(PD, &["hyperdisk-balanced", "hyperdisk-throughput", "pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"]);
static OF_N2: Disks = disks(
    PD,
    &[
        BALANCED_HA,
        "hyperdisk-extreme",
        "hyperdisk-ml",
        "hyperdisk-throughput",
        "pd-balanced",
        "pd-extreme",
        "pd-ssd",
        "pd-standard",
    ],
);
static OF_N2D: Disks = disks(PD, &["hyperdisk-throughput", "pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"]);
static OF_N4: Disks = disks(BALANCED, &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-ml", "hyperdisk-throughput"]);
/// The autoscaler's table has no volumes of N4D.
static OF_N4D: Disks = disks(BALANCED, &[]);
static OF_T2A: Disks = disks(PD, &["pd-balanced", "pd-extreme", "pd-ssd", "pd-standard"]);
static OF_T2D: Disks = disks(PD, &["hyperdisk-throughput", "pd-balanced", "pd-ssd", "pd-standard"]);
static OF_Z3: Disks = disks(
    PD_OR_BALANCED,
    &["hyperdisk-balanced", BALANCED_HA, "hyperdisk-extreme", "hyperdisk-throughput", "pd-balanced", "pd-ssd"],
);

const C2D: &[u32] = &[2, 4, 8, 16, 32, 56, 112];
const C3: &[u32] = &[4, 8, 22, 44, 88, 176];
const C3D: &[u32] = &[4, 8, 16, 30, 60, 90, 180, 360];
const C4: &[u32] = &[2, 4, 8, 16, 24, 32, 48, 64, 96, 144, 192, 288];
const C4A: &[u32] = &[1, 2, 4, 8, 16, 32, 48, 64, 72];
const C4D: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 96, 192, 384];
const C4N: &[u32] = &[2, 4, 8, 16, 24, 32, 48, 96, 192];
const E4: &[u32] = &[2, 4, 8, 16, 32];
const N1: &[u32] = &[2, 4, 8, 16, 32, 64, 96];
const N2: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80, 96, 128];
const N2D: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224];
const N4: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80];
const N4A: &[u32] = &[1, 2, 4, 8, 16, 32, 48, 64];
const N4D: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80, 96];

/// Every family that was read.
pub static FAMILIES: &[Family] = &[
    family("c2-standard", 4000, &[4, 8, 16, 30, 60], &OF_C2),
    family("c2d-highcpu", 2000, C2D, &OF_C2),
    family("c2d-highmem", 8000, C2D, &OF_C2),
    family("c2d-standard", 4000, C2D, &OF_C2),
    family("c3-highcpu", 2000, C3, &OF_C3),
    family("c3-highmem", 8000, C3, &OF_C3),
    family("c3-standard", 4000, C3, &OF_C3),
    family("c3d-highcpu", 1966, C3D, &OF_C3D),
    family("c3d-highmem", 8000, C3D, &OF_C3D),
    family("c3d-standard", 4000, C3D, &OF_C3D),
    family("c4-highcpu", 2000, C4, &OF_C4),
    family("c4-highmem", 7750, C4, &OF_C4),
    family("c4-standard", 3750, C4, &OF_C4),
    family("c4a-highcpu", 2000, C4A, &OF_C4),
    family("c4a-highmem", 8000, C4A, &OF_C4),
    family("c4a-standard", 4000, C4A, &OF_C4),
    family("c4d-highcpu", 1875, C4D, &OF_C4D),
    family("c4d-highmem", 7875, C4D, &OF_C4D),
    family("c4d-standard", 3875, C4D, &OF_C4D),
    family("c4n-highcpu", 2000, C4N, &OF_C4N),
    family("c4n-highmem", 7750, C4N, &OF_C4N),
    family("c4n-standard", 3750, C4N, &OF_C4N),
    family("e2-highcpu", 1000, E4, &OF_E2),
    family("e2-highmem", 8000, &[2, 4, 8, 16], &OF_E2),
    family("e2-standard", 4000, E4, &OF_E2),
    family("e4-highcpu", 1000, E4, &OF_E4),
    family("e4-highmem", 8000, &[2, 4, 8, 16], &OF_E4),
    family("e4-standard", 4000, E4, &OF_E4),
    family("h3-standard", 4000, &[88], &OF_H3),
    family("h4d-highmem", 7750, &[192], &OF_H4D),
    family("h4d-standard", 3750, &[192], &OF_H4D),
    family("n1-highcpu", 900, N1, &OF_N1),
    family("n1-highmem", 6500, N1, &OF_N1),
    family("n1-standard", 3750, &[1, 2, 4, 8, 16, 32, 64, 96], &OF_N1),
    family("n2-highcpu", 1000, N2, &OF_N2),
    family("n2-highmem", 8000, &[2, 4, 8, 16, 32, 48, 64, 80, 96], &OF_N2),
    family("n2-standard", 4000, N2, &OF_N2),
    family("n2d-highcpu", 1000, N2D, &OF_N2D),
    family("n2d-highmem", 8000, &[2, 4, 8, 16, 32, 48, 64, 80, 96], &OF_N2D),
    family("n2d-standard", 4000, N2D, &OF_N2D),
    family("n4-highcpu", 2000, N4, &OF_N4),
    family("n4-highmem", 8000, N4, &OF_N4),
    family("n4-standard", 4000, N4, &OF_N4),
    family("n4a-highcpu", 2000, N4A, &OF_N4),
    family("n4a-highmem", 8000, N4A, &OF_N4),
    family("n4a-standard", 4000, N4A, &OF_N4),
    family("n4d-highcpu", 2000, N4D, &OF_N4D),
    family("n4d-highmem", 8000, N4D, &OF_N4D),
    family("n4d-standard", 4000, N4D, &OF_N4D),
    family("t2a-standard", 4000, &[1, 2, 4, 8, 16, 32, 48], &OF_T2A),
    family("t2d-standard", 4000, &[1, 2, 4, 8, 16, 32, 48, 60], &OF_T2D),
    family("z3-highmem", 8000, &[8, 14, 22, 30, 36, 44, 88, 176], &OF_Z3),
];

/// The family and the virtual CPUs of a machine type; `-lssd` after them adds local SSDs.
pub fn find(name: &str) -> Option<(&'static Family, u32)> {
    let name = name.strip_suffix("-lssd").unwrap_or(name);
    let (family, vcpus) = name.rsplit_once('-')?;
    let vcpus = vcpus.parse().ok()?;
    let family = FAMILIES.iter().find(|row| row.name == family)?;
    family.sizes.contains(&vcpus).then_some((family, vcpus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_sorted_and_their_sizes_too() {
        assert!(FAMILIES.is_sorted_by_key(|family| family.name));
        assert!(FAMILIES.iter().all(|family| family.sizes.is_sorted() && (900..9000).contains(&family.mb_per_vcpu)));
    }

    #[test]
    fn a_machine_boots_from_what_it_also_takes_as_a_volume() {
        for Family { name, disks, .. } in FAMILIES {
            assert!(disks.volume.is_sorted(), "{name}");
            let hyper = |disks: &[&str]| disks.iter().all(|disk| disk.starts_with("hyperdisk-"));
            assert!(!disks.boot.is_empty() && (!hyper(disks.boot) || hyper(disks.volume)), "{name}");
        }
    }

    #[test]
    fn a_name_is_a_family_and_a_size_of_it() {
        let of = |name| find(name).map(|(family, vcpus)| (vcpus, vcpus * family.mb_per_vcpu / 1000));
        assert_eq!(of("e2-standard-16"), Some((16, 64)));
        assert_eq!(of("c4-highmem-8-lssd"), Some((8, 62)));
        assert_eq!([of("n1-highcpu-96"), of("c4d-highcpu-2")], [Some((96, 86)), Some((2, 3))]);
        assert_eq!([of("e2-standard-5"), of("a3-highgpu-8g"), of("e2-medium"), of("")], [None; 4]);
    }
}
