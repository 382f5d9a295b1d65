//! Where each column of the Ray table was read: a constant for each, of the same name.

use crate::facts::source::Source;
use crate::facts::table::sources;

/// For the column of this name.
pub const TORCH_TPU_BACKEND: Source =
    Source("Ray 2.57.0 and 2.58.0 train/v2/torch/torch_trainer.py; 2.60.0 train/torch/config.py:264");
/// For the column of this name.
pub const TORCH_MULTI_SLICE: Source =
    Source("Ray 2.59.0 train/torch/config.py:196-203; 2.60.0 train/torch/config.py:197-252");
/// For the column of this name.
pub const WARNS_UNLESS_ONE_DEVICE: Source = Source("Ray 2.60.0 train/torch/config.py:186-194");
/// For the column of this name.
pub const SETS_TORCH_TPU_ENV: Source = Source("Ray 2.54.0 to 2.60.0: no TORCH_TPU_ variable in the package");
/// For the column of this name.
pub const JAX_TRAINER: Source = Source("Ray 2.54.0 to 2.60.0 train/v2/jax/jax_trainer.py");
/// For the column of this name.
pub const JAX_OVERRIDES_MEGASCALE: Source = Source("Ray 2.60.0 train/v2/jax/config.py:29-35,102");
/// For the column of this name.
pub const ELASTIC_NUM_WORKERS: Source = Source("Ray 2.55.0 train/v2/api/config.py");
/// For the column of this name.
pub const MULTI_HOST_CHIPS_PER_HOST: Source = Source("Ray 2.55.0; 2.60.0 _private/accelerators/tpu.py:325");
/// For the column of this name.
pub const BAD_TOPOLOGY: Source = Source("Ray 2.60.0 worker_group.py:625, failure_handling/default.py:20-23");
/// For the column of this name.
pub const HEAD_RESERVATION_RETRIED: Source = Source("Ray 2.54.0 to 2.60.0, the wheels compared");
/// For the column of this name.
pub const REQUESTS_RESOURCES_FROM_AUTOSCALER: Source = Source("Ray 2.54.0 to 2.60.0, the wheels compared");
/// For the column of this name.
pub const PLACEMENT_CHIPS_PER_VM: Source = Source("Ray 2.60.0 util/tpu.py:474,917");
/// For the column of this name.
pub const SUBSLICES: Source = Source("Ray 2.60.0 util/tpu.py:2160");
/// For the column of this name.
pub const RESOURCE_PER_CHIP: Source = Source("Ray 2.60.0 _private/accelerators/tpu.py:632-648,821-827");
/// For the column of this name.
pub const AUTOSCALER_TPU7X: Source = Source("Ray 2.60.0 autoscaler/_private/kuberay/utils.py:13");
/// For the column of this name.
pub const AUTOSCALER_V5E: Source = Source("Ray 2.55.0; 2.60.0 autoscaler/_private/kuberay/utils.py:13");
/// For the column of this name.
pub const LLM_TPU: Source = Source("Ray 2.56.0 llm/_internal/serve/core/configs/accelerators.py");
/// For the column of this name.
pub const LLM_ACCELERATOR_CONFIG: Source = Source("Ray 2.60.0 llm/_internal/serve/core/configs/llm_config.py:505-538");
/// For the column of this name.
pub const LLM_USE_CPU: Source = Source("Ray 2.55.0 and 2.56.0 llm/_internal/serve/core/configs/llm_config.py");
/// For the column of this name.
pub const LLM_BUNDLE_PER_WORKER: Source = Source("Ray 2.60.0 llm/_internal/common/placement.py");
/// For the column of this name.
pub const VLLM_PIN: Source = Source("the METADATA of each Ray wheel, extra llm");
/// For the column of this name.
pub const VLLM_FRONTEND: Source = Source("the wheels of Ray 2.59.0, 2.60.0 and vllm-tpu 0.21.0 to 0.32.0");
/// For the column of this name.
pub const ITER_JAX_BATCHES: Source = Source("Ray 2.54.0 to 2.60.0, the wheels compared");
/// For the column of this name.
pub const SERVE_GANG_SCHEDULING: Source = Source("Ray 2.55.0 serve/schema.py");
/// For the column of this name.
pub const SERVE_ROLLING_UPDATE: Source = Source("Ray 2.56.0 serve/schema.py");
/// For the column of this name.
pub const SERVE_BACKPRESSURE: Source = Source("Ray 2.58.0 serve/schema.py");
/// For the column of this name.
pub const SERVE_TRACING: Source = Source("Ray 2.59.0 serve/schema.py");
/// For the column of this name.
pub const SERVE_MAX_SURGE: Source = Source("Ray 2.60.0 serve/schema.py");
/// For the column of this name.
pub const SERVE_BUILD_LABEL_SELECTOR: Source = Source("Ray 2.60.0 serve/_private/application_state.py:1686");
/// For the column of this name.
pub const TRAIN_LOGGING_CONFIG: Source = Source("Ray 2.56.0 train/v2/api/config.py");
/// For the column of this name.
pub const MAX_PREEMPTION_FAILURES: Source = Source("Ray 2.58.0 train/v2/api/config.py");
/// For the column of this name.
pub const PREEMPTION_GRACE: Source = Source("Ray 2.60.0 train/v2/api/config.py");
/// For the list of accelerator types.
pub const ACCELERATOR_TYPES: Source = Source("Ray 2.60.0 util/accelerators/accelerators.py");
/// For the checks of `ScalingConfig`.
pub const SCALING_CONFIG: Source = Source("Ray 2.60.0 train/v2/api/config.py:105-278");
/// For the topologies, the chips per host and the pod types of TPUs.
pub const TPU_TABLES: Source = Source("Ray 2.60.0 _private/accelerators/tpu.py:105-131,292,325");
/// For the fields and checks of `LLMConfig`.
pub const LLM_CONFIG: Source = Source("Ray 2.60.0 llm/_internal/serve/core/configs/llm_config.py");
/// For the bundles of a Serve LLM replica on TPUs.
pub const LLM_BUNDLES: Source = Source("Ray 2.60.0 llm/_internal/serve/core/configs/accelerators.py:205,248");
/// For the engine arguments that `LLMConfig` refuses.
pub const LLM_ENGINE_KWARGS: Source = Source("Ray 2.60.0 vllm_models.py:141-229");

sources!(
    TORCH_TPU_BACKEND,
    TORCH_MULTI_SLICE,
    WARNS_UNLESS_ONE_DEVICE,
    SETS_TORCH_TPU_ENV,
    JAX_TRAINER,
    JAX_OVERRIDES_MEGASCALE,
    ELASTIC_NUM_WORKERS,
    MULTI_HOST_CHIPS_PER_HOST,
    BAD_TOPOLOGY,
    HEAD_RESERVATION_RETRIED,
    REQUESTS_RESOURCES_FROM_AUTOSCALER,
    PLACEMENT_CHIPS_PER_VM,
    SUBSLICES,
    RESOURCE_PER_CHIP,
    AUTOSCALER_TPU7X,
    AUTOSCALER_V5E,
    LLM_TPU,
    LLM_ACCELERATOR_CONFIG,
    LLM_USE_CPU,
    LLM_BUNDLE_PER_WORKER,
    VLLM_PIN,
    VLLM_FRONTEND,
    ITER_JAX_BATCHES,
    SERVE_GANG_SCHEDULING,
    SERVE_ROLLING_UPDATE,
    SERVE_BACKPRESSURE,
    SERVE_TRACING,
    SERVE_MAX_SURGE,
    SERVE_BUILD_LABEL_SELECTOR,
    TRAIN_LOGGING_CONFIG,
    MAX_PREEMPTION_FAILURES,
    PREEMPTION_GRACE,
);
