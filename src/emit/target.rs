//! The targets: what a rendered directory can hold. A new one is one file and one row.

use std::collections::BTreeMap;

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::emit::{Executor, Manifest, core, gke, kuberay};
use crate::lower::intent::Intent;

/// What every object is told of the stack.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The stack's name: the value of the label `sliceform.dev/stack`.
    pub stack: &'a str,
    /// The Terraform resources of each block, for those that come after others; none while they are being named.
    pub resources: Option<&'a Resources>,
}

/// Terraform resources, `google_container_node_pool.x`, by the block that makes them.
pub type Resources = BTreeMap<Addr, Vec<String>>;

/// A way to spell intents.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// `gke/terraform`.
    pub name: &'static str,
    /// The manifest of an intent, or nothing where the intent is another target's; an error is why it can't be
    /// written.
    pub emit: fn(&Intent, &Context) -> Option<Result<Manifest, String>>,
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
    let ordered = |intent: &Intent| !intent.depends_on.is_empty() || !intent.lifecycle.replace_triggered_by.is_empty();
    let mut manifests = spell(intents, ctx)?;
    if intents.iter().any(ordered) {
        let resources = resources(&manifests);
        manifests = spell(intents, &Context { resources: Some(&resources), ..*ctx })?;
    }
    part_paths(&mut manifests);
    Ok(manifests)
}

fn resources(manifests: &[Manifest]) -> Resources {
    let mut resources = Resources::new();
    for manifest in manifests.iter().filter(|manifest| manifest.executor == Executor::Terraform) {
        let resource = format!("{}.{}", manifest.object.kind, manifest.object.name);
        resources.entry(manifest.addr.clone()).or_default().push(resource);
    }
    resources
}

fn spell(intents: &[Intent], ctx: &Context) -> Result<Vec<Manifest>, Diags> {
    let mut faults = Diags::default();
    let mut manifests = Vec::with_capacity(intents.len());
    for (intent, target) in intents.iter().flat_map(|intent| TARGETS.iter().map(move |target| (intent, target))) {
        match (target.emit)(intent, ctx) {
            None => {}
            Some(Ok(manifest)) => manifests.push(manifest),
            Some(Err(why)) => faults.push(unwritable(target, &why, intent)),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(manifests)
}

fn unwritable(target: &Target, why: &str, intent: &Intent) -> Diag {
    Diag::error("internal", "an object can't be written")
        .detail(format!("{}: {why}", target.name))
        .help("this is a fault of sliceform: please report it with the stack")
        .addr(&intent.addr)
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::base::addr::Key;
    use crate::emit::{read, samples};
    use crate::lower::intent::Object;

    const CTX: Context = Context { stack: "park", resources: None };

    #[test]
    fn each_intent_is_spelled_by_one_target_and_reads_back() {
        let intents = samples::all();
        for intent in &intents {
            let spelled = TARGETS.iter().filter(|target| (target.emit)(intent, &CTX).is_some());
            assert_eq!(spelled.count(), 1, "{:?}", intent.object);
        }
        let manifests = emit(&intents, &CTX).unwrap();
        for manifest in &manifests {
            assert_eq!(read(&manifest.path, &manifest.text).as_ref(), Some(&manifest.tree), "{}", manifest.text);
        }
        let paths: BTreeSet<&str> = manifests.iter().map(|manifest| manifest.path.as_str()).collect();
        assert_eq!(paths.len(), manifests.len());
        insta::assert_snapshot!(paths.into_iter().collect::<Vec<_>>().join("\n"));
    }

    #[test]
    fn marks_of_ownership_stay_out_of_pod_templates() {
        let manifests = emit(&[samples::ray_job(), samples::ray_service()], &CTX).unwrap();
        for manifest in manifests {
            assert_eq!(manifest.tree["metadata"]["labels"]["sliceform.dev/stack"], "park");
            assert!(!manifest.tree["spec"].to_string().contains("sliceform.dev"), "{}", manifest.text);
        }
    }

    #[test]
    fn same_names_in_two_namespaces_get_two_files_and_a_hostile_key_ends_no_comment() {
        let mut one = samples::ray_job();
        one.addr = Addr { key: Some(Key::Name("a\nb: c".into())), ..Addr::new("train", "dpo") };
        let mut two = one.clone();
        if let Object::RayJob(job) = &mut two.object {
            job.meta.namespace = "other".into();
        }
        let manifests = emit(&[one, two], &CTX).unwrap();
        let paths: Vec<&str> = manifests.iter().map(|manifest| manifest.path.as_str()).collect();
        assert_eq!(paths, ["kuberay/rayjob-dpo-1a2b3c4d.ml.yaml", "kuberay/rayjob-dpo-1a2b3c4d.other.yaml"]);
        assert_eq!(read(paths[0], &manifests[0].text).as_ref(), Some(&manifests[0].tree));
    }

    fn texts(intents: &[Intent]) -> String {
        let manifests = emit(intents, &CTX).unwrap();
        manifests.iter().flat_map(|manifest| ["== ", &manifest.path, "\n", &manifest.text]).collect()
    }

    #[test]
    fn a_job_on_a_multi_host_slice() {
        insta::assert_snapshot!(texts(&[samples::ray_job()]));
    }

    #[test]
    fn a_service_on_a_multi_host_slice() {
        insta::assert_snapshot!(texts(&[samples::ray_service()]));
    }

    #[test]
    fn everything_else() {
        let others = |intent: &Intent| !matches!(intent.object, Object::RayJob(_) | Object::RayService(_));
        insta::assert_snapshot!(texts(&samples::all().into_iter().filter(others).collect::<Vec<_>>()));
    }
}
