//! The versions that a stack pins, and how each stands to the releases that were read.

use crate::base::span::{Span, Spanned};
use crate::check::rules::subject::uses::workloads;
use crate::facts::table::Lookup;
use crate::facts::version::Version;
use crate::facts::vllm::{self, Backend, Standing};
use crate::facts::{kuberay, ray};
use crate::resolve::stack::{Stack, VllmBackend};

/// A version that stands in the stack.
pub struct Pinned {
    /// What it is a version of.
    pub product: &'static str,
    /// The version.
    pub version: Version,
    /// Where it stands.
    pub span: Span,
    /// The oldest release that was read.
    pub first: Version,
    /// The newest release that was read.
    pub last: Version,
    /// How it stands to them.
    pub place: Place,
}

/// How a version stands to the releases that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Older than the first.
    Below,
    /// Among them.
    Within,
    /// Newer than the last.
    Above,
}

/// Every version that the stack and its workloads pin.
pub fn pinned(stack: &Stack) -> Vec<Pinned> {
    let settings = &stack.settings;
    let mut found: Vec<Pinned> = Vec::new();
    found.extend(settings.ray_version.as_ref().and_then(ray_of));
    found.extend(settings.kuberay_version.as_ref().and_then(kuberay_of));
    found.extend(vllm_of(stack));
    for (_, workload) in workloads(stack) {
        found.extend(workload.ray_version.as_ref().and_then(ray_of));
        found.extend(workload.kuberay_version.as_ref().and_then(kuberay_of));
    }
    found
}

fn place<T>(lookup: Lookup<T>) -> Place {
    match lookup {
        Lookup::Exact(_) => Place::Within,
        Lookup::BelowFirst => Place::Below,
        Lookup::AboveLast(_) => Place::Above,
    }
}

fn ray_of(version: &Spanned<Version>) -> Option<Pinned> {
    let (first, last) = (ray::ROWS.first()?.since.clone(), ray::ROWS.last()?.since.clone());
    let place = place(ray::row_for(&version.value));
    Some(Pinned { product: "Ray", version: version.value.clone(), span: version.span, first, last, place })
}

fn kuberay_of(version: &Spanned<Version>) -> Option<Pinned> {
    let (first, last) = (kuberay::ROWS.first()?.since.clone(), kuberay::ROWS.last()?.since.clone());
    let place = place(kuberay::row_for(&version.value));
    Some(Pinned { product: "KubeRay", version: version.value.clone(), span: version.span, first, last, place })
}

/// Whether all that is served is served on GPUs.
fn on_gpus(stack: &Stack) -> bool {
    stack.serves().next().is_some() && stack.serves().all(|serve| serve.nodes.is_some())
}

fn vllm_of(stack: &Stack) -> Option<Pinned> {
    let version = stack.settings.vllm_version.as_ref()?;
    let backend = match stack.settings.vllm_backend.as_ref().map(|backend| backend.value) {
        Some(VllmBackend::TorchTpu) => Backend::TorchTpu,
        None if on_gpus(stack) => Backend::Gpu,
        Some(VllmBackend::TpuInference) | None => Backend::TpuInference,
    };
    let read = backend.versions();
    let place = match vllm::surface(backend, &version.value) {
        None => Place::Below,
        Some(surface) if surface.standing == Standing::AboveLast => Place::Above,
        Some(_) => Place::Within,
    };
    let (first, last) = (read.first()?.clone(), read.last()?.clone());
    Some(Pinned { product: backend.package(), version: version.value.clone(), span: version.span, first, last, place })
}
