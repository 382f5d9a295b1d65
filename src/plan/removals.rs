//! `removed` blocks: objects that the stack let go. With `destroy = false` they stay where they are: a Kubernetes object's
//! file goes, and a Terraform resource's file says so to Terraform for as long as the stack does.

use serde_json::Value;

use crate::emit;
use crate::plan::inventory::{Entry, digest};
use crate::plan::moves::History;
use crate::plan::prior::{Prior, Standing};
use crate::plan::steps::{Desired, Goal};
use crate::plan::{Action, Because, Class, Executor, Impact, Object, Step};
use crate::resolve::stack::{Lifecycle, Removed};

impl History {
    /// The `removed` block that an address falls under, as it is called today.
    fn removal(&self, address: &str) -> Option<&Removed> {
        if self.past.removed.is_empty() {
            return None;
        }
        self.past.removal(&address.parse().ok()?)
    }
}

impl Goal {
    /// Adds the files that tell Terraform of resources that it shall forget: new ones, and those that did so before.
    pub fn let_go(&mut self, prior: &Prior) {
        let listed = prior.inventory.iter().flat_map(|inventory| &inventory.files);
        let nothing = self.files.is_empty() && self.kept.is_empty();
        let mut added = false;
        for (path, entry) in listed {
            let address = self.history.owner(&entry.address).unwrap_or_else(|| entry.address.clone());
            let stays = self.history.removal(&address).is_some_and(|removed| !removed.destroy);
            if !stays || nothing || self.files.contains_key(path) || self.kept.contains_key(path) {
                continue;
            }
            let Some(text) = told(entry, path, prior, &address, &self.stack) else { continue };
            added = true;
            let digest = digest(text.as_bytes());
            let (tree, lifecycle, depends_on) = (Value::Null, Lifecycle::default(), Vec::new());
            let executor = Executor::Terraform;
            let path = path.clone();
            let file = Desired { path, address, object: None, executor, tree, text, digest, lifecycle, depends_on };
            self.files.insert(file.path.clone(), file);
        }
        if added {
            self.add_own_files(prior);
        }
    }
}

/// The text that tells Terraform; none for an object of Kubernetes.
fn told(entry: &Entry, path: &str, prior: &Prior, address: &str, stack: &str) -> Option<String> {
    match (&entry.object, prior.files.get(path)) {
        (Some(object), _) if object.api_version == "terraform" => {
            let stack = stack.split('/').next().unwrap_or(stack);
            Some(emit::moved::forgotten(address, stack, &object.kind, &object.name))
        }
        (None, Some(Standing::File { bytes, .. })) => Some(String::from_utf8_lossy(bytes).into_owned()),
        _ => None,
    }
}

/// Makes the step of a file that is all that is left of a resource one that forgets it. `before` is what was in it.
pub fn forget_resource(step: &mut Step, before: &Object) {
    step.object = Some(before.clone());
    (step.action, step.because) = (Action::Forget, Because::Removed);
    step.impact = Some(Impact {
        class: Class::None,
        text: "Terraform forgets the resource at its next apply, and leaves it as it is".to_owned(),
        source: Some("Terraform 1.7 and later: `removed` blocks".to_owned()),
    });
}

/// What keeps controllers from deleting an object that leaves the folder: Argo CD and Flux look at the live object.
fn annotate(object: &Object) -> String {
    let place = object.namespace.as_ref().map_or_else(String::new, |namespace| format!(" -n {namespace}"));
    format!(
        "kubectl annotate{place} {} {} argocd.argoproj.io/sync-options=Prune=false kustomize.toolkit.fluxcd.io/prune=disabled",
        object.kind.to_lowercase(),
        object.name
    )
}

/// What a reader must run before a controller that prunes sees that the file of a step is gone.
pub fn command(step: &Step) -> Option<String> {
    let stays = step.action == Action::Forget && step.because == Because::Removed && step.executor == Executor::Gitops;
    step.object.as_ref().filter(|_| stays).map(annotate)
}

/// Lets a step of something that the stack no longer has follow its `removed` block.
pub fn follow(step: &mut Step, history: &History) {
    let Some(removed) = history.removal(&step.address) else { return };
    if step.action != Action::Delete {
        return;
    }
    if removed.destroy {
        if step.because == Because::NotInStack {
            step.because = Because::Removed;
        }
    } else if let (Executor::Gitops, Some(object)) = (step.executor, &step.object) {
        step.impact = Some(Impact {
            class: Class::None,
            text: format!(
                "it stays in the cluster; a controller that prunes would delete what leaves the folder: before it syncs, run {}",
                annotate(object)
            ),
            source: Some("Argo CD: sync option Prune=false; Flux: Kustomization, garbage collection".to_owned()),
        });
        (step.action, step.because) = (Action::Forget, Because::Removed);
    }
}
