//! The engine arguments of served models, and the vLLM releases that may read them.

use crate::check::rules::subject::engines::ray_of;
use crate::facts::vllm::{self, Backend, Known, Surface};
use crate::resolve::stack::{Serve, Stack, VllmBackend};

/// The releases that may read an application's arguments: the pinned one, else all that were read and that its Ray goes with.
/// None: nothing that was read is among them.
pub fn surfaces(stack: &Stack, serve: &Serve) -> Vec<Surface> {
    let backend = match stack.settings.vllm_backend.as_ref().map(|backend| backend.value) {
        _ if serve.nodes.is_some() => Backend::Gpu,
        Some(VllmBackend::TorchTpu) => Backend::TorchTpu,
        Some(VllmBackend::TpuInference) | None => Backend::TpuInference,
    };
    if let Some(version) = &stack.settings.vllm_version {
        return vllm::surface(backend, &version.value).into_iter().collect();
    }
    let Some(row) = ray_of(stack, serve) else { return Vec::new() };
    let read = vllm::versions().into_iter().filter(|version| row.vllm_frontend.is_in(version));
    read.filter_map(|version| vllm::surface(backend, &version)).collect()
}

/// What is known of an argument that none of the releases has; none where one may have it.
pub fn missing(surfaces: &[Surface], name: &str) -> Option<Known> {
    let may = surfaces.iter().any(|surface| matches!(surface.find(name), Known::Yes(_) | Known::Perhaps(_)));
    if may { None } else { surfaces.last().map(|surface| surface.find(name)) }
}

/// The releases in words: `vLLM 0.32.0`, `the vLLM of Ray 2.60 (0.29.0 or 0.32.0)`.
pub fn words(stack: &Stack, serve: &Serve, surfaces: &[Surface]) -> String {
    let versions: Vec<String> = surfaces.iter().map(|surface| surface.version.to_string()).collect();
    match (&stack.settings.vllm_version, stack.ray_version(&serve.workload)) {
        (None, Some(ray)) => {
            let (major, minor) = ray.value.line();
            format!("the vLLM that goes with Ray {major}.{minor} ({})", super::words::or(&versions))
        }
        _ => format!("vLLM {}", versions.concat()),
    }
}
