//! The targets: what a rendered directory can hold. A new one is one file and one row.

use std::collections::BTreeMap;

use crate::base::diag::{Diag, Diags};
use crate::emit::{Manifest, core, gke, kuberay};
use crate::lower::intent::Intent;

/// What every object is told of the stack.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The stack's name: the value of the label `sliceform.dev/stack`.
    pub stack: &'a str,
}

/// A way to spell intents.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// `gke/terraform`.
    pub name: &'static str,
    /// The manifest of an intent, or nothing where the intent is another target's.
    pub emit: fn(&Intent, &Context) -> Result<Option<Manifest>, Diag>,
}

/// Every target. Each intent is one target's.
pub const TARGETS: &[Target] = &[
    Target { name: "gke/terraform", emit: gke::terraform::emit },
    Target { name: "kuberay", emit: kuberay::emit },
    Target { name: "core", emit: core::emit },
];

/// The manifests of all intents, in their order, each at a path of its own.
///
/// # Errors
/// Only where an object can't be written, which is a fault of Sliceform's own.
pub fn emit(intents: &[Intent], ctx: &Context) -> Result<Vec<Manifest>, Diags> {
    let mut faults = Diags::default();
    let mut manifests = Vec::with_capacity(intents.len());
    for (intent, target) in intents.iter().flat_map(|intent| TARGETS.iter().map(move |target| (intent, target))) {
        match (target.emit)(intent, ctx) {
            Ok(manifest) => manifests.extend(manifest),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    part_paths(&mut manifests);
    Ok(manifests)
}

/// Objects of one kind and name in several namespaces would share a file: their paths get the namespace.
fn part_paths(manifests: &mut [Manifest]) {
    let mut users: BTreeMap<String, usize> = BTreeMap::new();
    for manifest in manifests.iter() {
        *users.entry(manifest.path.clone()).or_default() += 1;
    }
    for manifest in manifests.iter_mut().filter(|manifest| users.get(&manifest.path).is_some_and(|count| *count > 1)) {
        if let (Some(namespace), Some((stem, extension))) = (&manifest.object.namespace, manifest.path.rsplit_once('.'))
        {
            manifest.path = format!("{stem}.{namespace}.{extension}");
        }
    }
}
