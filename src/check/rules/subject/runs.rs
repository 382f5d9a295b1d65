//! Training runs on slices of a sound shape, and what refuses them as a whole.

use crate::facts::ray::{self, Ray, ResourcePerChip, TorchMultiSlice, TorchTpuBackend};
use crate::facts::version::Version;
use crate::fit::shape::Shape;
use crate::fit::workers;
use crate::resolve::stack::{Framework, Program, Slice, Stack, Train};

/// A training run.
pub struct Run<'a> {
    /// Its block.
    pub train: &'a Train,
    /// Its slices.
    pub slice: &'a Slice,
    /// Their shape.
    pub shape: &'a Shape,
    /// Ray, as the stack pins it.
    pub version: Option<&'a Version>,
    /// What that Ray does; none where it is not pinned, or older than all that were read.
    pub ray: Option<&'static Ray>,
}

/// Every training run on slices of a sound shape.
pub fn runs(stack: &Stack) -> impl Iterator<Item = Run<'_>> {
    stack.trains().filter_map(|train| {
        let slice = stack.slice(&train.slice.as_ref()?.value)?;
        let version = stack.ray_version(&train.workload).map(|version| &version.value);
        let ray = version.and_then(|version| ray::row_for(version).row());
        Some(Run { train, slice, shape: slice.shape()?, version, ray })
    })
}

/// Every training run that no rule refuses as a whole: its numbers are worth a look.
pub fn accepted(stack: &Stack) -> impl Iterator<Item = Run<'_>> {
    runs(stack).filter(|run| !run.refused())
}

impl Run<'_> {
    /// Whether it trains with this framework.
    pub fn uses(&self, framework: Framework) -> bool {
        self.train.framework.as_ref().is_some_and(|written| written.value == framework)
    }

    fn torch_where(&self, says: impl Fn(&Ray) -> bool) -> bool {
        self.uses(Framework::Pytorch) && self.ray.is_some_and(says)
    }

    /// Whether it is PyTorch over several slices, without the opt-in or with a Ray that has none.
    pub fn over_slices(&self) -> bool {
        let opted = self.train.multi_slice.as_ref().is_some_and(|opted| opted.value);
        self.train.num_slices.value > 1
            && self.torch_where(|row| !(opted && row.torch_multi_slice == TorchMultiSlice::Megascale))
    }

    /// Whether it is PyTorch with a Ray that leaves the chips idle.
    pub fn on_cpu(&self) -> bool {
        self.torch_where(|row| row.torch_tpu_backend == TorchTpuBackend::Gloo)
    }

    /// Whether it is PyTorch on chips of several devices, with a Ray that gives a worker a whole chip.
    pub fn uncounted(&self) -> bool {
        !self.on_cpu()
            && self.shape.devices_per_chip > 1
            && self.torch_where(|row| row.resource_per_chip != ResourcePerChip::Full)
    }

    /// Whether Ray cannot ask for such slices. A driver of the user's own can, where Ray takes the chips of a host.
    pub fn unreachable(&self) -> bool {
        let own = matches!(self.train.program, Some(Program::Entrypoint(_)));
        let told = own && self.ray.is_some_and(|row| row.placement_chips_per_vm);
        !(self.shape.ray_expressible || told)
    }

    fn refused(&self) -> bool {
        self.over_slices() || self.on_cpu() || self.uncounted() || self.unreachable()
    }

    /// The devices of all its slices. None: beyond 32 bits.
    pub fn devices(&self) -> Option<u32> {
        self.shape.devices.checked_mul(self.train.num_slices.value)
    }

    /// The workers that it must have. None: no framework, or beyond 32 bits.
    pub fn workers(&self) -> Option<u32> {
        let num_slices = self.train.num_slices.value;
        match self.train.framework.as_ref()?.value {
            Framework::Pytorch => workers::torch_workers(self.shape, num_slices),
            Framework::Jax => workers::jax_workers(self.shape, num_slices),
        }
    }

    /// Whether the number of workers is left out, or as it must be.
    pub fn has_its_workers(&self) -> bool {
        self.train.num_workers.as_ref().is_none_or(|written| Some(written.value) == self.workers())
    }

    /// `2 slices of 4x4`, `slice.v6e (4x4)`.
    pub fn place(&self) -> String {
        let (addr, topology) = (&self.slice.head.addr, &self.shape.topology);
        match self.train.num_slices.value {
            1 => format!("{addr} ({} {topology})", self.shape.accelerator.id),
            several => format!("{several} slices of {addr} ({} {topology})", self.shape.accelerator.id),
        }
    }
}
