//! The schema self-check: every manifest against a closed JSON Schema of its kind and version, before it is written.
//!
//! The schemas under `schemas/manifests` are made by `schemas/import.py`. They are closed: a field that the API server
//! would prune in silence is an error here.

mod accept;
mod keywords;
mod store;
mod words;

use serde_json::Value;

use crate::base::diag::{Diag, Diags};
use crate::check::schema::store::Set;
use crate::check::schema::words::Fault;
use crate::emit::{self, Manifest};

/// The rule under which violations are reported.
pub const RULE: &str = "manifest-schema";

const SUMMARY: &str = "an emitted object doesn't fit the schema of its kind";
const HELP: &str =
    "This is a bug in Sliceform, or in a `patch` of the stack: please mend the patch, or report the bug.";

/// Checks every manifest against the closed schema of its kind, as version `kuberay` (`1.6.2`) of the operator knows it;
/// the newest schema at or below that version counts. One error per violation, in the order of the manifests.
///
/// An object that the API server would reject or silently prune is a fault of Sliceform's or of a `patch`. A kind
/// without a schema is an error too, except Terraform blocks of other providers and Terraform's own (`provider`).
pub fn check(manifests: &[Manifest], kuberay: &str) -> Diags {
    let mut diags = Diags::default();
    for manifest in manifests {
        // An object that the stack gives as it is may be of a kind that nothing here makes.
        let given = manifest.addr.kind == GIVEN;
        if given && !is_known(manifest, kuberay) {
            let object = &manifest.object;
            let unchecked =
                format!("There is no schema of {}/{} here: it is written as it is.", object.api_version, object.kind);
            diags.push(Diag::note("note", unchecked).addr(&manifest.addr));
            continue;
        }
        for fault in faults(manifest, kuberay) {
            let diag = diag(manifest, &fault);
            diags.push(if given { diag.help("Mend the object in the `manifest` block.") } else { diag });
        }
    }
    diags
}

/// The block whose objects are the stack's own text.
const GIVEN: &str = "manifest";

/// Whether a schema of some version has the kind.
fn is_known(manifest: &Manifest, kuberay: &str) -> bool {
    let name = format!("{}/{}", manifest.object.api_version, manifest.object.kind);
    store::sets(&manifest.object.api_version, kuberay).iter().any(|set| set.names().any(|known| *known == name))
}

fn diag(manifest: &Manifest, fault: &str) -> Diag {
    let object = &manifest.object;
    let detail = format!("{} {:?}: {fault}", object.kind, object.name);
    Diag::error(RULE, SUMMARY).detail(detail).help(HELP).addr(&manifest.addr)
}

/// What is wrong with one manifest, a sentence each.
fn faults(manifest: &Manifest, kuberay: &str) -> Vec<String> {
    let object = &manifest.object;
    let name = format!("{}/{}", object.api_version, object.kind);
    let tree = emit::fields(&object.kind, &manifest.tree);
    let sets = store::sets(&object.api_version, kuberay);
    if sets.first().and_then(|set| set.accepts(&name, tree)) == Some(true) {
        return Vec::new();
    }
    let knows = |set: &&Set| set.names().any(|known| *known == name);
    let Some(found) = sets.first().and_then(|set| violations(set, &name, tree)) else {
        let foreign = object.api_version == store::TERRAFORM && !object.kind.starts_with("google_");
        let missing = no_schema(&name, kuberay, sets.iter().find(knows).map(|set| set.version));
        return if foreign { Vec::new() } else { vec![missing] };
    };
    let since = |path: &str| {
        let accepts = |set: &&Set| {
            let found = violations(set, &name, tree).unwrap_or_default();
            knows(set) && !found.iter().any(|fault| fault.is_unknown_field(path))
        };
        sets[1..].iter().find(accepts).map(|set| set.version)
    };
    found.into_iter().map(|fault| fault.sentence(since, kuberay)).collect()
}

/// What the schema of a kind finds in a tree; nothing where the set lacks the kind.
fn violations(set: &Set, name: &str, tree: &Value) -> Option<Vec<Fault>> {
    let kind = set.kind(name)?;
    let mut found = Vec::new();
    for error in kind.validator.iter_errors(tree) {
        words::explain(&error, &kind.document, &mut found);
    }
    Some(found)
}

fn no_schema(kind: &str, kuberay: &str, since: Option<&str>) -> String {
    match since {
        Some(version) => format!("{kind} exists since KubeRay {version}; the stack pins {kuberay}."),
        None => format!("Sliceform has no schema for {kind}, so it can't know what the server would make of it."),
    }
}

#[cfg(test)]
mod tests;
