//! `RayCronJob`: a job that runs again and again.

use crate::emit::Manifest;
use crate::emit::kuberay::{API_VERSION, ray_job};
use crate::emit::object::Kubernetes;
use crate::emit::target::Context;
use crate::emit::tree::Tree;
use crate::lower::intent::Intent;
use crate::lower::intent::ray::RayCronJob;

pub fn emit(cron: &RayCronJob, intent: &Intent, ctx: &Context) -> Result<Manifest, String> {
    let spec = Tree::new()
        .with("schedule", cron.schedule.clone())
        .some("timeZone", cron.time_zone.clone())
        .with("jobTemplate", ray_job::spec(&cron.job)?);
    let body = Tree::new().with("spec", spec);
    Kubernetes { folder: "kuberay", api_version: API_VERSION, kind: "RayCronJob", meta: &cron.job.meta, body }
        .manifest(intent, ctx)
}
