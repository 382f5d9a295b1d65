//! Where each column of the KubeRay table was read: a constant for each, of the same name.

use crate::facts::source::Source;
use crate::facts::table::sources;

/// For the column of this name.
pub const MAX_CLUSTER_NAME: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/constant.go:372-385");
/// For the column of this name.
pub const MAX_JOB_NAME: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/constant.go:372-385");
/// For the column of this name.
pub const MAX_CRON_JOB_NAME: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/validation.go:971");
/// For the column of this name.
pub const MAX_MULTI_HOST_CLUSTER_NAME: Source = Source(
    "KubeRay v1.7.0 ray-operator/controllers/ray/common/service.go:300; kuberay-tpu-webhook ef658db main.go:264-270",
);
/// For the column of this name.
pub const MAX_MULTI_HOST_JOB_NAME: Source = Source(
    "KubeRay v1.7.0 ray-operator/controllers/ray/common/service.go:300; kuberay-tpu-webhook ef658db main.go:264-270",
);
/// For the column of this name.
pub const MAX_MULTI_HOST_CRON_JOB_NAME: Source = Source(
    "KubeRay v1.7.0 ray-operator/controllers/ray/raycronjob_controller.go:166; kuberay-tpu-webhook ef658db main.go:264-270",
);
/// For the column of this name.
pub const AUTOSCALER_VERSION: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const RAY_START_PARAMS_OPTIONAL: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const GROUP_LABELS: Source = Source("KubeRay v1.7.0 ray-operator/apis/ray/v1/raycluster_types.go");
/// For the column of this name.
pub const SIDECAR_MODE: Source = Source("KubeRay v1.7.0 ray-operator/apis/ray/v1/rayjob_types.go:208-301");
/// For the column of this name.
pub const DELETION_RULES: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const DELETION_RULE_DEPLOYMENT_STATUS: Source =
    Source("KubeRay v1.7.0 ray-operator/apis/ray/v1/rayjob_types.go:208-301");
/// For the column of this name.
pub const INCREMENTAL_UPGRADE: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const CLUSTER_DELETION_DELAY: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const INITIALIZING_TIMEOUT: Source =
    Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/validation.go:652-677");
/// For the column of this name.
pub const AUTH_OPTIONS: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/util.go:796");
/// For the column of this name.
pub const AUTH_SECRET_NAME: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const CLUSTER_RECREATE: Source =
    Source("KubeRay v1.7.0 ray-operator/controllers/ray/raycluster_controller.go:1463-1502");
/// For the column of this name.
pub const RAY_CRON_JOB: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const CRON_TIME_ZONE: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const PRE_RUNNING_DEADLINE: Source = Source("KubeRay v1.7.0 ray-operator/apis/ray/v1/rayjob_types.go:208-301");
/// For the column of this name.
pub const RAY_SERVICE_MANAGED_BY: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const RAY_SERVICE_SUSPEND: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const HTTP_PROBES: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/common/pod.go:721-792");
/// For the column of this name.
pub const MIN_MAX_REQUIRED: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/validation.go:125");
/// For the column of this name.
pub const TOLERATIONS_OUTSIDE_HASH: Source =
    Source("KubeRay PR 4569; v1.7.0 ray-operator/controllers/ray/utils/util.go:645-668");
/// For the column of this name.
pub const MULTI_HOST_INDEXING: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const MIN_TPU_WEBHOOK: Source = Source("kuberay-tpu-webhook ef658db");
/// For the column of this name.
pub const GROUP_PRIORITY: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/utils/validation.go:1113-1141");
/// For the column of this name.
pub const AUTOSCALER_COMMAND: Source = Source("KubeRay tags v1.3.0 to v1.7.0 compared");
/// For the column of this name.
pub const INGRESS_OPTIONS: Source = Source("KubeRay v1.7.0 ray-operator/controllers/ray/raycluster_controller.go:579");
/// For the column of this name.
pub const REDIS_ADDRESS_REQUIRED: Source =
    Source("KubeRay v1.6.0 and v1.7.0 ray-operator/apis/ray/v1/raycluster_types.go");
/// For the column of this name.
pub const ROCKSDB: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const NETWORK_POLICY: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const TLS_OPTIONS: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");
/// For the column of this name.
pub const HISTORY_SERVER: Source = Source("KubeRay v1.7.0 ray-operator/pkg/features/features.go:107-119");

sources!(
    MAX_CLUSTER_NAME,
    MAX_JOB_NAME,
    MAX_CRON_JOB_NAME,
    MAX_MULTI_HOST_CLUSTER_NAME,
    MAX_MULTI_HOST_JOB_NAME,
    MAX_MULTI_HOST_CRON_JOB_NAME,
    AUTOSCALER_VERSION,
    RAY_START_PARAMS_OPTIONAL,
    GROUP_LABELS,
    SIDECAR_MODE,
    DELETION_RULES,
    DELETION_RULE_DEPLOYMENT_STATUS,
    INCREMENTAL_UPGRADE,
    CLUSTER_DELETION_DELAY,
    INITIALIZING_TIMEOUT,
    AUTH_OPTIONS,
    AUTH_SECRET_NAME,
    CLUSTER_RECREATE,
    RAY_CRON_JOB,
    CRON_TIME_ZONE,
    PRE_RUNNING_DEADLINE,
    RAY_SERVICE_MANAGED_BY,
    RAY_SERVICE_SUSPEND,
    HTTP_PROBES,
    MIN_MAX_REQUIRED,
    TOLERATIONS_OUTSIDE_HASH,
    MULTI_HOST_INDEXING,
    MIN_TPU_WEBHOOK,
    GROUP_PRIORITY,
    AUTOSCALER_COMMAND,
    INGRESS_OPTIONS,
    REDIS_ADDRESS_REQUIRED,
    ROCKSDB,
    NETWORK_POLICY,
    TLS_OPTIONS,
    HISTORY_SERVER,
);
