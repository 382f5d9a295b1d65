//! `KubeRay` objects (`ray.io/v1`): one file a kind, the shape of the cluster shared.

use crate::emit::Manifest;
use crate::emit::target::Context;
use crate::lower::intent::{Intent, Object};

/// The version of every kind here.
const API_VERSION: &str = "ray.io/v1";

mod cluster;
mod ray_cluster;
mod ray_cron_job;
mod ray_job;
mod ray_service;

/// The manifest of a Ray object.
pub fn emit(intent: &Intent, ctx: &Context) -> Option<Result<Manifest, String>> {
    match &intent.object {
        Object::RayCluster(cluster) => Some(ray_cluster::emit(cluster, intent, ctx)),
        Object::RayCronJob(job) => Some(ray_cron_job::emit(job, intent, ctx)),
        Object::RayJob(job) => Some(ray_job::emit(job, intent, ctx)),
        Object::RayService(service) => Some(ray_service::emit(service, intent, ctx)),
        _ => None,
    }
}
