//! What Ray does, release by release: a row per minor release, a column per behaviour. Patch releases change none of it.

mod rows;
pub mod serve;
pub mod sources;
mod types;

pub use rows::ROWS;
pub use types::{ACCELERATOR_TYPES, AcceleratorType, Vendor};

use crate::facts::source::Source;
use crate::facts::table::{Lookup, Row, cells, columns, lookup};
use crate::facts::version::Version;

/// What `TorchTrainer` with `use_tpu` trains on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TorchTpuBackend {
    /// The CPU, through gloo, with the TPUs reserved and idle, and no error.
    Gloo,
    /// The TPUs, through torch_tpu.
    TpuDist,
}

/// What `TorchTrainer` does with workers of several slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TorchMultiSlice {
    /// Nothing: it trains on the CPU anyway.
    Silent,
    /// It raises a `ValueError` when the workers start, after the slices are reserved.
    Raises,
    /// It sets the `MEGASCALE_*` environment.
    Megascale,
}

/// What Ray Train does with a topology that its table lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadTopology {
    /// The run fails.
    Fails,
    /// The run tries again for ever, without a pause.
    RetriesForever,
}

/// What Ray does with `RAY_TPU_RESOURCE_PER_CHIP`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourcePerChip {
    /// It isn't read.
    Ignored,
    /// Workers are counted by it, but the wrong chips are shown to them.
    ArithmeticOnly,
    /// Workers are counted by it and see their own chip.
    Full,
}

/// The module in which Ray looks for vLLM's front-end arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VllmFrontend {
    /// `vllm.entrypoints.openai.cli_args`: in vllm-tpu 0.21 to 0.28.
    OpenAi,
    /// `vllm.entrypoints.launchers.cli_args`: in vLLM 0.29 to 0.32, gone in 0.33.
    Launchers,
}

impl VllmFrontend {
    /// The module's name.
    pub fn module(self) -> &'static str {
        match self {
            Self::OpenAi => "vllm.entrypoints.openai.cli_args",
            Self::Launchers => "vllm.entrypoints.launchers.cli_args",
        }
    }

    /// True if the release line of `vllm` has the module: it is all that is known to make Ray and vLLM fit.
    pub fn is_in(self, vllm: &Version) -> bool {
        let (major, minor) = vllm.line();
        match self {
            Self::OpenAi => major == 0 && minor <= 28,
            Self::Launchers => major == 0 && (29..=32).contains(&minor),
        }
    }
}

columns! {
    /// What one minor release of Ray does. Every column must be given: a new row that forgets one doesn't compile.
    #[derive(Debug)]
    #[allow(clippy::struct_excessive_bools)] // Each is a capability of its own, a column of the table.
    pub struct Ray {
        /// The release.
        pub since: Version,
        /// What `TorchTrainer` with `use_tpu` trains on.
        pub torch_tpu_backend: TorchTpuBackend,
        /// What `TorchTrainer` does with workers of several slices.
        pub torch_multi_slice: TorchMultiSlice,
        /// True if it warns of a torch worker with other than one TPU device (torch_tpu itself then fails).
        pub warns_unless_one_device: bool,
        /// True if it sets `TORCH_TPU_TOPOLOGY` and `TORCH_TPU_SLICEBUILDER_ADDRESSES`, which torch_tpu reads.
        pub sets_torch_tpu_env: bool,
        /// True if `JaxTrainer` trains on TPUs, over several slices too.
        pub jax_trainer: bool,
        /// True if `JaxTrainer` overwrites the pod's `MEGASCALE_COORDINATOR_ADDRESS`, `_NUM_SLICES` and `_SLICE_ID`; false: the pod's win.
        pub jax_overrides_megascale: bool,
        /// True if `num_workers` may be a `(min, max)` tuple with TPUs.
        pub elastic_num_workers: bool,
        /// Chips that it takes a host of a multi-host v5e or v6e slice to have.
        pub multi_host_chips_per_host: u32,
        /// What Ray Train does with a topology that its table lacks.
        pub bad_topology: BadTopology,
        /// True if Train waits for a slice as long as a worker group may take to start, and tries again; false: 100 seconds, then it fails.
        pub head_reservation_retried: bool,
        /// True if Train tells the autoscaler what it needs, so that slices can start from zero.
        pub requests_resources_from_autoscaler: bool,
        /// True if `slice_placement_group` takes `chips_per_vm`, without which 2x4 on two hosts can't be asked for.
        pub placement_chips_per_vm: bool,
        /// True if `subslice_placement_group` exists.
        pub subslices: bool,
        /// What it does with `RAY_TPU_RESOURCE_PER_CHIP`, which torch on tpu7x needs at 2.
        pub resource_per_chip: ResourcePerChip,
        /// True if the autoscaler knows tpu7x groups; false: it fails on them.
        pub autoscaler_tpu7x: bool,
        /// True if the autoscaler names the head resource of v5e slices right; false: it never scales them up.
        pub autoscaler_v5e: bool,
        /// True if Ray Serve LLM serves on TPUs; false: it falls back to the CPU without a word.
        pub llm_tpu: bool,
        /// True if `LLMConfig` takes `accelerator_config`.
        pub llm_accelerator_config: bool,
        /// True if `LLMConfig` takes `use_cpu`; false: it refuses it.
        pub llm_use_cpu: bool,
        /// True if `placement_group_config` takes `bundle_per_worker`.
        pub llm_bundle_per_worker: bool,
        /// The vLLM that `ray[llm]` asks for, as pip writes it.
        pub vllm_pin: &'static str,
        /// Where it looks for vLLM's front-end arguments: a vLLM that lacks the module doesn't start.
        pub vllm_frontend: VllmFrontend,
        /// True if a dataset has `iter_jax_batches`.
        pub iter_jax_batches: bool,
        /// True if a deployment takes `gang_scheduling_config` and `deployment_actors`.
        pub serve_gang_scheduling: bool,
        /// True if a deployment takes `rolling_update_percentage` and Serve `controller_options`.
        pub serve_rolling_update: bool,
        /// True if a deployment takes `backpressure_config`.
        pub serve_backpressure: bool,
        /// True if Serve takes `tracing_config`.
        pub serve_tracing: bool,
        /// True if a deployment takes `max_surge_percent`.
        pub serve_max_surge: bool,
        /// True if a label selector that all deployments share also steers where the application is built.
        pub serve_build_label_selector: bool,
        /// True if `RunConfig` takes `logging_config`.
        pub train_logging_config: bool,
        /// True if `FailureConfig` takes `max_preemption_failures`.
        pub max_preemption_failures: bool,
        /// True if `FailureConfig` takes `preemption_grace_s` and `relax_collectives_on_preemption`.
        pub preemption_grace: bool,
    }
}

cells!("{:?}": TorchTpuBackend, TorchMultiSlice, BadTopology, ResourcePerChip, VllmFrontend);

impl Row for Ray {
    fn since(&self) -> &Version {
        &self.since
    }
}

/// Whether a release does something: a column of the table.
pub type Does = fn(&Ray) -> bool;

/// What a release must do for its autoscaler to start slices of a generation, where not every release does.
pub fn scaling_of(generation: &str) -> Option<(Does, Source)> {
    match generation {
        "v5e" => Some((|row| row.autoscaler_v5e, sources::AUTOSCALER_V5E)),
        "tpu7x" => Some((|row| row.autoscaler_tpu7x, sources::AUTOSCALER_TPU7X)),
        _ => None,
    }
}

/// The row of a Ray version.
pub fn row_for(version: &Version) -> Lookup<Ray> {
    lookup(ROWS, version)
}

/// The accelerator type spelled exactly so.
pub fn accelerator_type(name: &str) -> Option<&'static AcceleratorType> {
    ACCELERATOR_TYPES.iter().find(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_has_a_source() {
        let sourced: Vec<String> = sources::COLUMNS.iter().map(|(name, _)| name.to_lowercase()).collect();
        let columns: Vec<&str> = ROWS[0].columns().iter().map(|column| column.name).collect();
        // A column whose name only says what it is for.
        let missing: Vec<&&str> =
            columns.iter().skip(1).filter(|name| !sourced.contains(&(**name).to_owned())).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(sourced.len() + 1, columns.len());
    }

    fn row(version: &str) -> &'static Ray {
        row_for(&version.parse().unwrap()).row().unwrap()
    }

    #[test]
    fn rows_ascend_by_minor_release() {
        for pair in ROWS.windows(2) {
            assert!(pair[0].since < pair[1].since);
            assert_eq!(pair[0].since.line().1 + 1, pair[1].since.line().1);
        }
    }

    #[test]
    fn torch_on_tpu_changes_in_2_58_and_2_60() {
        assert_eq!(row("2.57.1").torch_tpu_backend, TorchTpuBackend::Gloo);
        assert_eq!(row("2.58.0").torch_tpu_backend, TorchTpuBackend::TpuDist);
        assert_eq!(row("2.58.1").torch_multi_slice, TorchMultiSlice::Raises);
        assert_eq!(row("2.59.0").torch_multi_slice, TorchMultiSlice::Raises);
        assert_eq!(row("2.60.0").torch_multi_slice, TorchMultiSlice::Megascale);
        assert!(ROWS.iter().all(|row| !row.sets_torch_tpu_env && row.jax_trainer));
    }

    #[test]
    fn versions_outside_the_table_are_told_apart() {
        let of = |text: &str| row_for(&text.parse().unwrap());
        assert!(matches!(of("2.53.0"), Lookup::BelowFirst));
        assert!(matches!(of("2.54"), Lookup::Exact(_)));
        assert!(matches!(of("2.60.3"), Lookup::Exact(_)));
        assert!(matches!(of("2.60.0rc1"), Lookup::Exact(row) if row.since == Version::new(2, 60, 0)));
        assert!(matches!(of("2.61.0"), Lookup::AboveLast(row) if row.since == Version::new(2, 60, 0)));
        assert!(matches!(of("3.0.0.dev0"), Lookup::AboveLast(_)));
    }

    #[test]
    fn ray_2_60_needs_a_vllm_between_0_29_and_0_32() {
        let fits = |ray: &str, vllm: &str| row(ray).vllm_frontend.is_in(&vllm.parse().unwrap());
        assert!(fits("2.60.0", "0.29.0") && fits("2.60.0", "0.32.0"));
        assert!(!fits("2.60.0", "0.33.0") && !fits("2.60.0", "0.28.0"));
        assert!(fits("2.59.0", "0.27.0") && !fits("2.59.0", "0.29.0"));
    }

    #[test]
    fn accelerator_types_are_unique_and_cover_every_tpu_on_gke() {
        let names: std::collections::BTreeSet<&str> = ACCELERATOR_TYPES.iter().map(|row| row.name).collect();
        assert_eq!((names.len(), ACCELERATOR_TYPES.len()), (62, 62));
        for row in crate::facts::accelerators::ACCELERATORS {
            assert_eq!(accelerator_type(row.ray.accelerator_type).map(|found| found.vendor), Some(Vendor::Tpu));
        }
        assert_eq!(accelerator_type("B300").map(|row| row.since.line()), Some((2, 55)));
        assert!(accelerator_type("tpu-v6e").is_none());
        assert!(!accelerator_type("A100-80G").unwrap().detected);
    }
}
