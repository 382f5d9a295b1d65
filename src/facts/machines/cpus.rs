//! CPU machines by family: virtual CPUs in the name, memory by a number for each.

use crate::facts::source::Source;

/// A family of CPU machines, named FAMILY-VCPUS.
#[derive(Debug)]
pub struct Family {
    /// `e2-standard`.
    pub name: &'static str,
    /// Memory for each virtual CPU, in MB; where sizes differ, the least.
    pub mb_per_vcpu: u32,
    /// The sizes, in virtual CPUs.
    pub sizes: &'static [u32],
    /// Where it was read.
    pub source: Source,
}

const AUTOSCALER: Source = Source("GKE cluster autoscaler (2026), machine families");

const fn family(name: &'static str, mb_per_vcpu: u32, sizes: &'static [u32]) -> Family {
    Family { name, mb_per_vcpu, sizes, source: AUTOSCALER }
}

const C2D: &[u32] = &[2, 4, 8, 16, 32, 56, 112];
const C3: &[u32] = &[4, 8, 22, 44, 88, 176];
const C3D: &[u32] = &[4, 8, 16, 30, 60, 90, 180, 360];
const C4: &[u32] = &[2, 4, 8, 16, 24, 32, 48, 64, 96, 144, 192, 288];
const C4A: &[u32] = &[1, 2, 4, 8, 16, 32, 48, 64, 72];
const E4: &[u32] = &[2, 4, 8, 16, 32];
const N2: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80, 96, 128];
const N2D: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224];
const N4: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80];
const N4A: &[u32] = &[1, 2, 4, 8, 16, 32, 48, 64];

/// Every family that was read.
pub static FAMILIES: &[Family] = &[
    family("c2-standard", 4000, &[4, 8, 16, 30, 60]),
    family("c2d-highcpu", 2000, C2D),
    family("c2d-highmem", 8000, C2D),
    family("c2d-standard", 4000, C2D),
    family("c3-highcpu", 2000, C3),
    family("c3-highmem", 8000, C3),
    family("c3-standard", 4000, C3),
    family("c3d-highcpu", 1966, C3D),
    family("c3d-highmem", 8000, C3D),
    family("c3d-standard", 4000, C3D),
    family("c4-highcpu", 2000, C4),
    family("c4-highmem", 7750, C4),
    family("c4-standard", 3750, C4),
    family("c4a-highcpu", 2000, C4A),
    family("c4a-highmem", 8000, C4A),
    family("c4a-standard", 4000, C4A),
    family("e2-highcpu", 1000, E4),
    family("e2-highmem", 8000, &[2, 4, 8, 16]),
    family("e2-standard", 4000, E4),
    family("e4-highcpu", 1000, E4),
    family("e4-highmem", 8000, &[2, 4, 8, 16]),
    family("e4-standard", 4000, E4),
    family("h3-standard", 4000, &[88]),
    family("h4d-highmem", 7750, &[192]),
    family("h4d-standard", 3750, &[192]),
    family("n2-highcpu", 1000, N2),
    family("n2-highmem", 8000, &[2, 4, 8, 16, 32, 48, 64, 80, 96]),
    family("n2-standard", 4000, N2),
    family("n2d-highcpu", 1000, N2D),
    family("n2d-highmem", 8000, &[2, 4, 8, 16, 32, 48, 64, 80, 96]),
    family("n2d-standard", 4000, N2D),
    family("n4-highcpu", 2000, N4),
    family("n4-highmem", 8000, N4),
    family("n4-standard", 4000, N4),
    family("n4a-highcpu", 2000, N4A),
    family("n4a-highmem", 8000, N4A),
    family("n4a-standard", 4000, N4A),
    family("n4d-standard", 4000, &[2, 4, 8, 16, 32, 48, 64, 80, 96]),
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
    fn a_name_is_a_family_and_a_size_of_it() {
        let of = |name| find(name).map(|(family, vcpus)| (vcpus, vcpus * family.mb_per_vcpu / 1000));
        assert_eq!(of("e2-standard-16"), Some((16, 64)));
        assert_eq!(of("c4-highmem-8-lssd"), Some((8, 62)));
        assert_eq!([of("e2-standard-5"), of("a3-highgpu-8g"), of("e2-medium"), of("")], [None; 4]);
    }
}
