//! What Ray Serve's schema takes of a deployment.

use crate::facts::source::Source;
use crate::facts::version::Version;

/// A key of a deployment, of its actor's options, or of its autoscaling.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The first Ray that has it, where that is later than the first that was read.
    pub since: Option<Version>,
    /// The numbers that it takes, both ends included; none where it takes others, or is no number.
    pub numbers: Option<(f64, f64)>,
}

const fn key(name: &'static str) -> Key {
    Key { name, since: None, numbers: None }
}

const fn since(name: &'static str, minor: u32, numbers: Option<(f64, f64)>) -> Key {
    Key { name, since: Some(Version::new(2, minor, 0)), numbers }
}

const fn number(name: &'static str, least: f64, most: f64) -> Key {
    Key { name, since: None, numbers: Some((least, most)) }
}

/// Where the keys were read.
pub const SCHEMA: Source = Source("Ray 2.54.0 to 2.60.0 serve/schema.py, serve/config.py");

/// More than nothing.
const SOME: f64 = f64::MIN_POSITIVE;

/// Keys of a deployment.
pub static DEPLOYMENT: &[Key] = &[
    key("autoscaling_config"),
    since("backpressure_config", 58, None),
    since("deployment_actors", 55, None),
    since("gang_scheduling_config", 55, None),
    number("graceful_shutdown_timeout_s", 0.0, f64::MAX),
    number("graceful_shutdown_wait_loop_s", 0.0, f64::MAX),
    number("health_check_period_s", SOME, f64::MAX),
    number("health_check_timeout_s", SOME, f64::MAX),
    key("logging_config"),
    number("max_ongoing_requests", 1.0, f64::MAX),
    key("max_queued_requests"),
    number("max_replicas_per_node", 1.0, 100.0),
    since("max_surge_percent", 60, Some((0.0, 100.0))),
    key("name"),
    number("num_replicas", 1.0, f64::MAX),
    key("placement_group_bundle_label_selector"),
    key("placement_group_bundles"),
    key("placement_group_strategy"),
    key("ray_actor_options"),
    key("request_router_config"),
    since("rolling_update_percentage", 56, Some((SOME, 1.0))),
    key("user_config"),
];

/// Keys of `ray_actor_options`.
pub static ACTOR_OPTIONS: &[Key] = &[
    key("accelerator_type"),
    key("fallback_strategy"),
    key("label_selector"),
    number("memory", 0.0, f64::MAX),
    number("num_cpus", 0.0, f64::MAX),
    number("num_gpus", 0.0, f64::MAX),
    key("resources"),
    key("runtime_env"),
];

/// Keys of `autoscaling_config`.
pub static AUTOSCALING: &[Key] = &[
    key("aggregation_function"),
    number("downscale_delay_s", 0.0, f64::MAX),
    key("downscale_smoothing_factor"),
    key("downscale_to_zero_delay_s"),
    key("downscaling_factor"),
    key("initial_replicas"),
    number("look_back_period_s", SOME, f64::MAX),
    number("max_replicas", 1.0, f64::MAX),
    number("metrics_interval_s", SOME, f64::MAX),
    number("min_replicas", 0.0, f64::MAX),
    key("policy"),
    key("smoothing_factor"),
    number("target_ongoing_requests", SOME, f64::MAX),
    number("upscale_delay_s", 0.0, f64::MAX),
    key("upscale_smoothing_factor"),
    key("upscaling_factor"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted() {
        for keys in [DEPLOYMENT, ACTOR_OPTIONS, AUTOSCALING] {
            assert!(keys.iter().map(|key| key.name).is_sorted());
        }
    }
}
