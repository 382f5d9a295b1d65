//! A stack's directory among others: whose folder it lies in, what lies beside it that no stack owns any more, and whether git
//! sees it at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::base::diag::{Diag, Diags};
use crate::cli::reader::Below;
use crate::cli::source::{self, Instance, STACK_SUFFIX};
use crate::cli::target;
use crate::emit::{self, Executor, Manifest, ObjectId};
use crate::plan::inventory::{self, Inventory};
use crate::resolve::stack::{Field, Stack};
use crate::world::files::{Files, Kind};

/// No larger inventory is read.
const MAX_INVENTORY: u64 = 64 << 20;

/// What a command that writes must know beforehand: the folder is the stack's own, and no link leads out of it.
pub fn refusals(files: &dyn Files, instance: &Instance, stack: &Stack) -> Diags {
    let (dir, rendered) = (target::dir(instance, stack), target::rendered(instance, stack));
    let home = instance.path.parent().unwrap_or(Path::new(""));
    let mut diags = Diags::default();
    for above in dir.ancestors().skip(1).take_while(|above| *above != home && above.starts_with(home)) {
        if matches!(files.kind(above), Ok(Some(Kind::Link))) {
            diags.push(is_link(above));
        }
        let Some(owner) = owner(files, above).filter(|owner| *owner != stack.name.value) else { continue };
        diags.push(
            Diag::error("directory", format!("{} lies inside the folder of another stack", dir.display()))
                .detail(format!("{} belongs to {owner}: both would own the same files.", above.display()))
                .help("Choose another `path` in `deploy \"directory\"`."),
        );
    }
    if instance.env.is_none() && dir != rendered {
        for (inside, owner) in owned_below(files, &dir) {
            // Folders of environments that the stack no longer has are told as such.
            if owner.split('/').next() != Some(stack.name.value.as_str()) {
                diags.push(
                    Diag::error("directory", format!("{} holds the folder of another stack", dir.display()))
                        .detail(format!("{} belongs to {owner}.", inside.display()))
                        .help("Choose another `path` in one of them."),
                );
            }
        }
    }
    diags
}

/// Directories of one run that lie in each other.
pub fn overlaps(dirs: &[(String, PathBuf)]) -> Diags {
    let mut sorted: Vec<&(String, PathBuf)> = dirs.iter().collect();
    sorted.sort_by(|a, b| a.1.cmp(&b.1));
    let pairs = sorted.iter().enumerate().filter_map(|(at, (name, dir))| {
        let inside = sorted[at + 1..].iter().take_while(|(_, other)| other.starts_with(dir));
        inside.map(move |(other, inner)| (name, dir, other, inner)).next()
    });
    pairs
        .map(|(name, dir, other, inner)| {
            Diag::error("directory", "Two stacks would own the same files")
                .detail(format!("{name} goes to {}, and {other} to {}.", dir.display(), inner.display()))
                .help("Choose another `path` in `deploy \"directory\"` of one of them.")
        })
        .collect()
}

/// Objects that two stacks, or two environments, of one run write for one cluster. Where a stack has no cluster or several,
/// nobody knows which one an object goes to, and nothing is said.
pub fn shared(stacks: &[(&str, &Stack, &[Manifest])]) -> Diags {
    let mut seen: BTreeMap<(String, ObjectId), &str> = BTreeMap::new();
    let mut diags = Diags::default();
    for (name, stack, manifests) in stacks {
        let mut clusters = stack.clusters();
        let (Some(cluster), None) = (clusters.next(), clusters.next()) else { continue };
        let text = |field: &Field<String>| field.as_ref().map(|text| text.value.clone()).unwrap_or_default();
        let cluster = [text(&cluster.project), text(&cluster.location), cluster.head.name.value.clone()].join("/");
        for (manifest, object) in manifests.iter().filter_map(|manifest| Some((manifest, made(manifest)?))) {
            let Some(first) = seen.insert((cluster.clone(), object.clone()), name) else { continue };
            let end = match manifest.executor {
                Executor::Gitops => "each apply would undo the other's",
                Executor::Terraform => "the second apply finds that it exists, and is refused",
            };
            let place = object
                .namespace
                .as_ref()
                .map_or_else(String::new, |namespace| format!(" in the namespace {namespace}"));
            diags.push(
                Diag::error("object-of-two-stacks", "Two stacks write the same object")
                    .detail(format!(
                        "{first} and {name} both write the {} {:?}{place} of the cluster {cluster}: {end}.",
                        object.kind, object.name
                    ))
                    .help("Give one of them another name or namespace, or let one of them only refer to it (`manage = false`).")
                    .addr(&manifest.addr),
            );
        }
    }
    diags
}

/// Resources of Terraform with a name of their own in Google Cloud, beside that of the module.
const NAMED: &[&str] = &["google_container_cluster", "google_container_node_pool", "google_storage_bucket"];

/// What applying a manifest makes, as its system calls it; none where its name is the stack's own affair.
fn made(manifest: &Manifest) -> Option<ObjectId> {
    let object = manifest.object.clone();
    match manifest.executor {
        Executor::Gitops => Some(object),
        Executor::Terraform => {
            let name = emit::fields(&object.kind, &manifest.tree).get("name")?.as_str()?.to_owned();
            NAMED.contains(&object.kind.as_str()).then_some(ObjectId { name, ..object })
        }
    }
}

/// What nobody owns any more beside the stack's directory, and a directory that git does not see. For one instance of each
/// folder of rendered stacks.
pub fn warnings(files: &dyn Files, instance: &Instance, stack: &Stack) -> Diags {
    let (dir, rendered) = (target::dir(instance, stack), target::rendered(instance, stack));
    let mut diags = Diags::default();
    if Below::of(files, &instance.path).ignores(&dir) {
        diags.push(
            Diag::warning("directory", format!("Git ignores {}", dir.display()))
                .detail("Nobody sees there what a change of the stack does, and a controller that watches the repository never gets it.")
                .help("Take it out of .gitignore, and commit what is rendered."),
        );
    }
    let renamed = stack.settings.renamed_from.as_ref().map(|old| old.value.as_str());
    for (folder, owner) in owned_below(files, &rendered) {
        let (name, env) = match owner.split_once('/') {
            Some((name, env)) => (name, Some(env)),
            None => (owner.as_str(), None),
        };
        if Some(name) == renamed {
            continue;
        }
        let file = instance.path.with_file_name(format!("{name}{STACK_SUFFIX}"));
        let why = match stack_of(files, &folder, name, env) {
            Ok(None) => format!("there is no {} any more", file.display()),
            Ok(Some(Above::Owns(_))) | Err(_) => continue,
            Ok(Some(Above::Other)) => match env {
                None => format!("{} has environments now, each with a folder of its own", file.display()),
                Some(env) => format!("{} has no environment {env} any more", file.display()),
            },
        };
        diags.push(
            Diag::warning("orphaned-directory", format!("No stack owns {} any more", folder.display()))
                .detail(format!("It was written for {owner}, and {why}. What it describes still runs, and is paid for, until it is destroyed."))
                .help(format!(
                    "Run sliceform destroy {}; or let a stack take it over with `renamed_from`.",
                    folder.display()
                )),
        );
    }
    diags
}

/// What is said of a link in the way of a stack's directory.
pub fn is_link(place: &Path) -> Diag {
    Diag::error("directory", format!("{} is a link", place.display()))
        .detail("What a stack writes stays below the stack's own folder: no link is followed out of it.")
        .help("Make it a folder, or choose another `path` in `deploy \"directory\"`.")
}

/// A stack of a directory's owner's name, in a folder above it.
pub enum Above {
    /// It writes this directory, or did before its `path` was changed.
    Owns(PathBuf),
    /// It has no such environment, or has environments now.
    Other,
}

/// The stack that a directory belongs to, looked for in every folder above: `path` may be several folders deep, and nobody
/// knows from the directory alone how many. One too many keeps a directory; one too few would destroy what a stack owns.
pub fn stack_of(files: &dyn Files, dir: &Path, name: &str, env: Option<&str>) -> Result<Option<Above>, Diag> {
    let real = files.canonical(dir).map_err(|error| {
        Diag::error("directory", format!("{} can't be read", dir.display())).detail(error.to_string())
    })?;
    let mut found = None;
    for above in real.ancestors().skip(1) {
        let file = above.join(format!("{name}{STACK_SUFFIX}"));
        if !matches!(files.kind(&file), Ok(Some(_))) {
            continue;
        }
        let known = source::environments(files, &file)?;
        if env.map_or(known.is_empty(), |env| known.iter().any(|known| known == env)) {
            let here = files.canonical(Path::new(".")).unwrap_or_default();
            return Ok(Some(Above::Owns(file.strip_prefix(here).map(Path::to_owned).unwrap_or(file))));
        }
        found = Some(Above::Other);
    }
    Ok(found)
}

/// The stack that owns a folder, where one does.
pub fn owner(files: &dyn Files, dir: &Path) -> Option<String> {
    let path = dir.join(inventory::FILE);
    if !matches!(files.kind(&path), Ok(Some(Kind::File(_)))) {
        return None;
    }
    let bytes = files.read(&path, MAX_INVENTORY).ok()?;
    Inventory::read(std::str::from_utf8(&bytes).ok()?).ok().map(|inventory| inventory.stack)
}

/// The folders with an owner in a folder, and those in them: stacks, and their environments.
fn owned_below(files: &dyn Files, dir: &Path) -> Vec<(PathBuf, String)> {
    let folders = |dir: &Path| -> Vec<PathBuf> {
        let is_folder = |path: &PathBuf| matches!(files.kind(path), Ok(Some(Kind::Dir)));
        let names = if is_folder(&dir.to_owned()) { files.list(dir).unwrap_or_default() } else { Vec::new() };
        names.into_iter().filter(|name| !name.starts_with('.')).map(|name| dir.join(name)).filter(is_folder).collect()
    };
    let mut found = Vec::new();
    for folder in folders(dir) {
        found.extend(owner(files, &folder).map(|owner| (folder.clone(), owner)));
        for inner in folders(&folder) {
            found.extend(owner(files, &inner).map(|owner| (inner.clone(), owner)));
        }
    }
    found
}
