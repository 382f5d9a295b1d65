//! How many workers train on slices, and whether a mesh is made of them.

use crate::fit::parallelism::product;
use crate::fit::shape::Shape;

/// The workers of a training run on slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workers {
    /// How many.
    pub count: u32,
    /// What each asks of Ray as `TPU`.
    pub tpus_each: u32,
    /// One for each device (PyTorch); else one for each host (JAX).
    pub per_device: bool,
}

/// The workers of `TorchTrainer`. None: beyond 32 bits.
pub fn torch(shape: &Shape, num_slices: u32) -> Option<Workers> {
    Some(Workers { count: torch_workers(shape, num_slices)?, tpus_each: 1, per_device: true })
}

/// The workers of `JaxTrainer`. None: beyond 32 bits.
pub fn jax(shape: &Shape, num_slices: u32) -> Option<Workers> {
    Some(Workers { count: jax_workers(shape, num_slices)?, tpus_each: shape.chips_per_host, per_device: false })
}

/// Workers of `TorchTrainer` on `num_slices` slices: one for each device. None: beyond 32 bits.
pub fn torch_workers(shape: &Shape, num_slices: u32) -> Option<u32> {
    shape.devices.checked_mul(num_slices)
}

/// Workers of `JaxTrainer` on `num_slices` slices: one for each host. None: beyond 32 bits.
pub fn jax_workers(shape: &Shape, num_slices: u32) -> Option<u32> {
    shape.hosts.checked_mul(num_slices)
}

/// Devices of a mesh with these axes. None: beyond 32 bits.
pub fn mesh_devices(axes: &[u32]) -> Option<u32> {
    product(axes)
}

/// The size that the axis at `free` must have for the mesh to have `devices` devices. None: no whole number does it.
pub fn axis_that_fills(axes: &[u32], free: usize, devices: u32) -> Option<u32> {
    let others: Vec<u32> = axes.iter().enumerate().filter(|(at, _)| *at != free).map(|(_, size)| *size).collect();
    let rest = product(&others)?;
    (rest > 0 && devices > 0 && devices.is_multiple_of(rest)).then(|| devices / rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::accelerators::ACCELERATORS;
    use crate::fit::shape::shapes;
    use proptest::prelude::*;

    #[test]
    fn torch_counts_devices_and_jax_counts_hosts() {
        for row in ACCELERATORS {
            for slice in shapes(row).iter().take(30) {
                assert_eq!(torch_workers(slice, 2), Some(2 * slice.chips * row.devices_per_chip));
                assert_eq!(jax_workers(slice, 3), Some(3 * slice.hosts));
                assert_eq!(torch_workers(slice, u32::MAX).is_none(), slice.devices > 1);
            }
        }
    }

    #[test]
    fn a_free_axis_fills_the_mesh() {
        assert_eq!(axis_that_fills(&[1, 4], 0, 16), Some(4));
        assert_eq!(axis_that_fills(&[1, 5], 0, 16), None);
        assert_eq!(axis_that_fills(&[1, 0], 0, 16), None);
        assert_eq!(axis_that_fills(&[u32::MAX, u32::MAX, 1], 2, 16), None);
    }

    proptest! {
        #[test]
        fn a_filled_mesh_has_the_devices(axes in proptest::collection::vec(0u32..20, 1..4), devices in 0u32..5000) {
            if let Some(size) = axis_that_fills(&axes, 0, devices) {
                let mut filled = axes;
                filled[0] = size;
                prop_assert_eq!(mesh_devices(&filled), Some(devices));
            }
        }
    }
}
