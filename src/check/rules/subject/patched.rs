//! Objects with what a stack says of them: their block, its patches, the KubeRay that will read them.

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::check::kuberay::Fault;
use crate::check::rule::Findings;
use crate::emit::Manifest;
use crate::facts::version::Version;
use crate::resolve::stack::{Block, Stack};

/// An object and its block.
pub struct Object<'a> {
    /// The object.
    pub manifest: &'a Manifest,
    /// Its block.
    pub block: &'a Block,
    /// The KubeRay that reads it.
    pub kuberay: Option<&'a Spanned<Version>>,
}

/// The objects of a stack that have a block.
pub fn objects<'a>(stack: &'a Stack, manifests: &'a [Manifest]) -> impl Iterator<Item = Object<'a>> {
    manifests.iter().filter_map(move |manifest| {
        let block = stack.blocks.get(&manifest.addr)?;
        let of_stack = stack.settings.kuberay_version.as_ref();
        let kuberay = block.workload().map_or(of_stack, |workload| stack.kuberay_version(workload));
        Some(Object { manifest, block, kuberay })
    })
}

impl Object<'_> {
    /// A fault of the object, at its block; the patches that may have made it beside it.
    pub fn found(&self, found: &Findings, fault: &Fault) -> Diag {
        let (head, object) = (self.block.head(), &self.manifest.object);
        let diag = found.found(head.span, format!("becomes the {} {}", object.kind, object.name));
        let diag =
            diag.detail(format!("{}: {}.", fault.path, fault.says)).help(format!("{}.", fault.help)).addr(&head.addr);
        head.patches.iter().fold(diag, |diag, patch| diag.also(patch.span, "patched here"))
    }
}
