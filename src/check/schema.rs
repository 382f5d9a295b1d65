//! The schema self-check: every manifest against a closed JSON Schema of its kind and version, before it is written.

use crate::base::diag::{Diag, Diags};
use crate::emit::Manifest;

/// The rule under which violations are reported.
pub const RULE: &str = "manifest-schema";

/// Checks every manifest against the closed schema of its kind, as KubeRay `kuberay` (`1.6.2`) and the oldest supported
/// Kubernetes know it.
///
/// An object that the API server would reject or silently prune is a fault of Sliceform's or of a `patch` of the stack,
/// so each violation is an error. A kind that no schema covers is one too.
pub fn check(manifests: &[Manifest], kuberay: &str) -> Diags {
    manifests.iter().map(|manifest| unknown_kind(manifest, kuberay)).collect()
}

fn unknown_kind(manifest: &Manifest, kuberay: &str) -> Diag {
    let object = &manifest.object;
    Diag::error(RULE, format!("no schema for {} {}", object.api_version, object.kind))
        .detail(format!("{} is not a kind that Sliceform knows for KubeRay {kuberay}.", object.kind))
        .addr(&manifest.addr)
}
