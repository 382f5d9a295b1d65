//! `--replace`: objects that shall be made anew though nothing of them changed.
//!
//! Files alone cannot say that: the same content is the same file, and what applies it changes nothing. So a plan names
//! the command that does it, where there is one, and a job that runs once is told of the language's own way, `run`.

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::plan::partial::is_named;
use crate::plan::{Action, Because, Class, Executor, Impact, Object, Step};

/// Kubernetes kinds that are made anew when someone deletes them, with what that means.
const DELETED: &[(&str, &str)] = &[
    ("RayService", "delete the RayService, and what applies the files makes it anew; nothing is served meanwhile"),
    ("RayCluster", "delete the RayCluster, and what applies the files makes it anew; what runs on it is lost"),
];

/// Marks the steps of the blocks that shall be replaced, or says which of them cannot be.
pub fn mark(steps: &mut [Step], replaces: &[Addr]) -> Result<(), Diags> {
    let refused: Diags = replaces.iter().filter_map(|addr| of_block(steps, addr)).collect();
    if refused.is_empty() { Ok(()) } else { Err(refused) }
}

fn of_block(steps: &mut [Step], addr: &Addr) -> Option<Diag> {
    let named = |step: &Step| step.object.is_some() && step.address.parse().is_ok_and(|block| is_named(addr, &block));
    let mut found = 0;
    for step in steps.iter_mut().filter(|step| named(step)) {
        let Some(object) = &step.object else { continue };
        if object.kind == "RayJob" && matches!(step.action, Action::Keep | Action::Update | Action::Move) {
            return Some(runs_once(step, &object.name));
        }
        // A job whose name changes is replaced already.
        found += usize::from(object.kind == "RayJob");
        let Some(text) = meaning(step) else { continue };
        found += 1;
        if matches!(step.action, Action::Keep | Action::Update | Action::Import | Action::Move) {
            step.action = Action::Replace;
            if !matches!(step.because, Because::Drifted(_)) {
                step.because = Because::Requested;
            }
            step.impact = Some(Impact { class: Class::Replace, text, source: None });
        }
    }
    (found == 0).then(|| {
        Diag::error("replace", format!("Nothing of {addr} is replaced on request"))
            .detail("That can be a Ray cluster, a Ray service, or a resource of Terraform; and it must be in the plan.")
            .help("Name the block that runs, or makes nodes: serve.NAME, ray_cluster.NAME, slice.NAME.")
    })
}

/// What replacing the object of a step means; none where no one could.
fn meaning(step: &Step) -> Option<String> {
    let kind = step.object.as_ref()?.kind.as_str();
    let text = match (step.executor, kind) {
        (Executor::Terraform, "google_container_node_pool") => {
            "Terraform destroys the pool and makes it anew, and what ran on it is lost"
        }
        (Executor::Terraform, _) => "Terraform destroys it and makes it anew",
        _ => DELETED.iter().find(|(known, _)| *known == kind)?.1,
    };
    Some(text.to_owned())
}

fn runs_once(step: &Step, name: &str) -> Diag {
    let block = step
        .address
        .parse::<Addr>()
        .map_or_else(|_| step.address.clone(), |addr| format!("{} {:?}", addr.kind, addr.name));
    Diag::error("replace", "A job that runs once is not replaced on request")
        .detail(format!(
            "{}: the RayJob {name:?} has a name that follows its content. The same content is the same job, and what applies the files would not run it again.",
            step.address
        ))
        .help(format!("Give {block} a `run` that it has not had, such as run = \"2\": a new run is a new job."))
}

/// What tells Terraform to replace an object of the module that the folder is called as.
pub fn terraform_option(object: &Object) -> String {
    format!("-replace=module.NAME.{}.{}", object.kind, object.name)
}

/// What a reader must run for a step whose object keeps its name and is made anew: what applies files only updates.
pub fn command(step: &Step) -> Option<String> {
    let object = step.object.as_ref().filter(|_| step.action == Action::Replace && step.old_file.is_none())?;
    match (step.executor, &step.because) {
        (Executor::Gitops, _) => {
            let namespace = object.namespace.as_ref().map_or_else(String::new, |name| format!(" --namespace {name}"));
            Some(format!("kubectl delete {} {}{namespace}", object.kind.to_lowercase(), object.name))
        }
        // Terraform sees for itself what cannot change in place; what was asked for it must be told.
        (Executor::Terraform, Because::Requested | Because::Drifted(_)) => {
            Some(format!("terraform apply {}", terraform_option(object)))
        }
        _ => None,
    }
}
