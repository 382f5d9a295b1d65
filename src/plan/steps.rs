//! What shall be there against what is there: the steps, their reasons, their sums.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::emit::imports::Imports;
use crate::emit::{self, Executor as Applier, Manifest, ObjectId};
use crate::lower::name;
use crate::plan::inventory::{Entry, Inventory, digest};
use crate::plan::keep;
use crate::plan::moves::{self, History};
use crate::plan::partial::Kept;
use crate::plan::prior::{Prior, Standing};
use crate::plan::takeover::OldFolder;
use crate::plan::{
    Action, Because, Change, Executor, FORMAT_VERSION, Object, Plan, Step, Totals, diff, impact, order, removals,
    requested,
};
use crate::resolve::stack::Lifecycle;

/// A file that shall be there.
#[derive(Clone, Debug, PartialEq)]
pub struct Desired {
    /// Its path below the directory.
    pub path: String,
    /// The block that it comes from.
    pub address: String,
    /// The object in it; none for the directory's own files.
    pub object: Option<Object>,
    /// Who carries it out in the end.
    pub executor: Executor,
    /// Its content as a tree.
    pub tree: Value,
    /// Its bytes.
    pub text: String,
    /// Their digest.
    pub digest: String,
    /// How the object may change.
    pub lifecycle: Lifecycle,
    /// The blocks that come before it, as addresses.
    pub depends_on: Vec<String>,
}

/// What a directory shall hold.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The stack, and its environment behind a `/` where it has several.
    pub stack: String,
    /// The directory, as people see it.
    pub directory: String,
    /// The files, by path.
    pub files: BTreeMap<String, Desired>,
    /// The outputs that may be shown.
    pub outputs: Map<String, Value>,
    /// TPU chips that the stack declares.
    pub chips: u64,
    /// The blocks with `prevent_destroy`.
    pub protected: BTreeSet<String>,
    /// What became of blocks and objects that the stack once had.
    pub history: History,
    /// The folder that the stack had under its old name.
    pub old: Option<OldFolder>,
    /// What was there before the stack, and becomes its own.
    pub imports: Imports,
    /// Whether what is not among the files goes because that was asked for, and not because the stack lost it.
    pub emptied: bool,
    /// The blocks that the goal is narrowed to; none: it is for the whole stack.
    pub targets: Vec<Addr>,
    /// The files outside of that which stay, by path.
    pub kept: BTreeMap<String, Kept>,
    /// The blocks that shall be replaced though nothing of them changed.
    pub replaces: Vec<Addr>,
}

impl Goal {
    /// The files of some manifests, and the directory's own: what kustomize and git read. No manifests: nothing at all.
    pub fn new(stack: &str, directory: String, manifests: Vec<Manifest>) -> Self {
        let protected = manifests.iter().filter(|manifest| manifest.lifecycle.prevent_destroy);
        let protected = protected.map(|manifest| manifest.addr.to_string()).collect();
        let files: BTreeMap<String, Desired> =
            manifests.into_iter().map(|manifest| (manifest.path.clone(), of_manifest(manifest))).collect();
        let mut goal = Self {
            stack: stack.to_owned(),
            directory,
            files,
            outputs: Map::new(),
            chips: 0,
            protected,
            emptied: false,
            targets: Vec::new(),
            kept: BTreeMap::new(),
            history: History::default(),
            old: None,
            imports: Imports::default(),
            replaces: Vec::new(),
        };
        goal.add_own_files(&Prior::default());
        goal
    }

    /// The directory's own files, for the others; none where nothing is there.
    pub(super) fn add_own_files(&mut self, prior: &Prior) {
        let is_kept =
            |(path, kept): &(&String, &Kept)| prior.digest(path).is_some() && is_gitops(kept.before.object.as_ref());
        let kept = self.kept.iter().filter(is_kept).map(|(path, _)| path);
        let resources = self.files.values().filter(|file| file.executor == Executor::Gitops).map(|file| &file.path);
        let resources: BTreeSet<&String> = resources.chain(kept).collect();
        if !self.files.is_empty() || !self.kept.is_empty() {
            for (path, text) in own_files(&resources) {
                self.files.insert(path.to_owned(), of_own(&self.stack, path, text));
            }
            if let Some(text) = &self.imports.text {
                let path = emit::imports::FILE;
                self.files.insert(path.to_owned(), of_own(&self.stack, path, text.clone()));
            }
        }
    }

    /// Takes over what was there before the stack.
    pub fn take_over(&mut self, imports: Imports) {
        self.imports = imports;
        self.add_own_files(&Prior::default());
    }

    /// Makes it a goal of nothing: everything shall go.
    pub fn empty(&mut self) {
        self.files.clear();
        self.chips = 0;
        self.emptied = true;
    }

    /// Leaves the fields of `ignore_changes` as they are in the directory. Those of Terraform's resources are Terraform's
    /// affair: the resource itself says so.
    pub fn keep_ignored(&mut self, prior: &Prior) {
        for file in self.files.values_mut().filter(|file| file.executor == Executor::Gitops) {
            let Some(Standing::File { bytes, .. }) = prior.files.get(&file.path) else { continue };
            let Some(before) = emit::read(&file.path, &String::from_utf8_lossy(bytes)) else { continue };
            let mut kept = false;
            for path in &file.lifecycle.ignore_changes {
                kept |= keep::keep(&before, &mut file.tree, path);
            }
            if let Some(text) = emit::with_tree(&file.text, &file.tree).filter(|_| kept) {
                file.digest = digest(text.as_bytes());
                file.text = text;
            }
        }
    }

    /// The inventory of a directory that holds the goal.
    pub fn inventory(&self) -> Inventory {
        let entry = |file: &Desired| Entry {
            address: file.address.clone(),
            object: file.object.clone(),
            digest: file.digest.clone(),
        };
        let kept = self.kept.iter().filter_map(|(path, kept)| Some((path.clone(), kept.after.clone()?)));
        Inventory {
            format_version: crate::plan::inventory::FORMAT_VERSION.to_owned(),
            stack: self.stack.clone(),
            applying: false,
            chips: self.chips,
            files: self.files.iter().map(|(path, file)| (path.clone(), entry(file))).chain(kept).collect(),
        }
    }
}

fn of_manifest(manifest: Manifest) -> Desired {
    let ObjectId { api_version, kind, namespace, name } = manifest.object;
    Desired {
        path: manifest.path,
        address: manifest.addr.to_string(),
        object: Some(Object { api_version, kind, namespace, name }),
        executor: match manifest.executor {
            Applier::Gitops => Executor::Gitops,
            Applier::Terraform => Executor::Terraform,
        },
        digest: digest(manifest.text.as_bytes()),
        tree: manifest.tree,
        text: manifest.text,
        lifecycle: manifest.lifecycle,
        depends_on: manifest.depends_on.iter().map(ToString::to_string).collect(),
    }
}

/// Whether a controller or kubectl carries an object out.
fn is_gitops(object: Option<&Object>) -> bool {
    object.is_some_and(|object| object.api_version != "terraform")
}

fn of_own(stack: &str, path: &str, text: String) -> Desired {
    Desired {
        path: path.to_owned(),
        address: Addr::new("stack", stack.split('/').next().unwrap_or(stack)).to_string(),
        object: None,
        executor: Executor::Sliceform,
        tree: Value::Null,
        digest: digest(text.as_bytes()),
        text,
        lifecycle: Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

/// `kustomization.yaml` lists the Kubernetes objects; the others keep git from changing line ends and from taking locks in.
fn own_files(resources: &BTreeSet<&String>) -> [(&'static str, String); 3] {
    let list: String = resources.iter().map(|path| format!("- {path}\n")).collect();
    let list = if list.is_empty() { "resources: []\n".to_owned() } else { format!("resources:\n{list}") };
    [
        ("kustomization.yaml", format!("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n{list}")),
        (".gitattributes", "* text eol=lf\n".to_owned()),
        (".gitignore", "/.sliceform.lock\n.sliceform-*.tmp\n".to_owned()),
    ]
}

/// Plans the way from what is there to the goal.
pub fn plan(goal: &Goal, prior: &Prior) -> Result<Plan, Diags> {
    let mut foreign = Diags::default();
    let mut steps = Vec::with_capacity(goal.files.len());
    for file in goal.files.values() {
        match wanted(file, goal, prior) {
            Ok(step) => steps.push(step),
            Err(diag) => foreign.push(*diag),
        }
    }
    for (path, entry) in prior.inventory.iter().flat_map(|inventory| &inventory.files) {
        if !goal.files.contains_key(path) && !goal.kept.contains_key(path) {
            match unwanted(path, entry, goal, prior) {
                Ok(mut step) => {
                    removals::follow(&mut step, &goal.history);
                    steps.push(step);
                }
                Err(diag) => foreign.push(*diag),
            }
        }
    }
    if !foreign.is_empty() {
        return Err(foreign);
    }
    pair_renames(&mut steps, goal, prior);
    pair_replacements(&mut steps, goal, prior);
    requested::mark(&mut steps, &goal.replaces)?;
    let refused: Diags = steps.iter().filter_map(|step| refuse_destruction(step, goal)).collect();
    if !refused.is_empty() {
        return Err(refused);
    }
    order::sort(&mut steps, &goal.files);
    let totals = totals(&steps, goal, prior);
    let inventory = (!goal.files.is_empty()).then(|| goal.inventory());
    Ok(Plan {
        inventory_behind: prior.inventory != inventory,
        format_version: FORMAT_VERSION.to_owned(),
        stack: goal.stack.clone(),
        sliceform_version: env!("CARGO_PKG_VERSION").to_owned(),
        targets: goal.targets.iter().map(ToString::to_string).collect(),
        replaces: goal.replaces.iter().map(ToString::to_string).collect(),
        target: "directory".to_owned(),
        directory: goal.directory.clone(),
        base_digest: base_digest(prior),
        source_digest: source_digest(goal),
        steps,
        takes_over: goal.old.as_ref().map(OldFolder::plan),
        outputs: goal.outputs.clone(),
        totals,
    })
}

fn wanted(file: &Desired, goal: &Goal, prior: &Prior) -> Result<Step, Box<Diag>> {
    let entry = prior.inventory.as_ref().and_then(|inventory| inventory.files.get(&file.path));
    let applying = prior.inventory.as_ref().is_some_and(|inventory| inventory.applying);
    let standing = prior.files.get(&file.path);
    let (action, because) = match (entry, standing) {
        (_, Some(Standing::Other(what))) => return Err(Box::new(in_the_way(&file.path, what))),
        (None, Some(Standing::File { digest, .. })) if *digest == file.digest => (Action::Import, Because::Unchanged),
        (None, Some(Standing::File { bytes, .. })) if goal.imports.files.contains(&file.path) => {
            is_same_object(file, bytes)?;
            (Action::Import, Because::Requested)
        }
        (None, None) if goal.imports.resources.contains_key(&file.path) => (Action::Import, Because::Requested),
        (None, Some(Standing::File { .. })) => return Err(Box::new(in_the_way(&file.path, "a file"))),
        (None, None) => (Action::Create, Because::NotInPrior),
        // An apply that was cut short had listed the file before it came.
        (Some(_), None) if applying => (Action::Create, Because::NotInPrior),
        (Some(_), None) => (Action::Create, Because::Drifted(file.path.clone())),
        (Some(_), Some(Standing::File { digest, .. })) if *digest == file.digest => (Action::Keep, Because::Unchanged),
        // What is there only tells of a resource that the stack let go.
        (Some(entry), Some(Standing::File { .. })) if entry.object.is_none() && file.object.is_some() => {
            (Action::Create, Because::NotInPrior)
        }
        (Some(entry), Some(Standing::File { digest, .. })) if *digest == entry.digest || applying => {
            (Action::Update, Because::Changed(String::new()))
        }
        (Some(_), Some(Standing::File { .. })) => (Action::Update, Because::Drifted(file.path.clone())),
    };
    let owner = entry.map(|entry| &entry.address).filter(|owner| **owner != file.address);
    let moved_from = owner.filter(|owner| goal.history.owner(owner).as_ref() == Some(&file.address)).cloned();
    let mut step = Step {
        address: file.address.clone(),
        object: file.object.clone(),
        executor: file.executor,
        file: file.path.clone(),
        old_file: None,
        moved_from,
        keep_name: None,
        action,
        because,
        changes: Vec::new(),
        unchanged: 0,
        lines: Some(file.text.lines().count()),
        impact: None,
        before_digest: prior.digest(&file.path).map(str::to_owned),
        after_digest: Some(file.digest.clone()),
    };
    match (step.action, &file.object) {
        (Action::Update | Action::Import, _) if standing.is_some() => compare(&mut step, file, standing, goal, None),
        (Action::Import, _) => {
            step.impact = goal.imports.resources.get(&file.path).map(|id| moves::taken_over(id));
        }
        (Action::Create, Some(object)) => {
            step.changes = diff::diff(&Value::Object(Map::new()), emit::fields(&object.kind, &file.tree));
        }
        _ => {}
    }
    if let (None, Some(before)) = (&file.object, entry.and_then(|entry| entry.object.as_ref())) {
        removals::forget_resource(&mut step, before);
        return Ok(step);
    }
    let elsewhere = prior.elsewhere.contains(&file.path);
    let stays = (step.moved_from.is_some() || elsewhere) && matches!(step.because, Because::Changed(_));
    if elsewhere && step.action == Action::Keep {
        (step.action, step.because) = match step.object {
            Some(_) => (Action::Move, Because::Moved),
            None => (Action::Create, Because::NotInPrior),
        };
    }
    if step.action == Action::Update && stays && step.changes.iter().all(moves::is_mark) {
        (step.action, step.because, step.impact) = (Action::Move, Because::Moved, None);
    }
    Ok(step)
}

/// `prevent_destroy` of a block whose object would go.
fn refuse_destruction(step: &Step, goal: &Goal) -> Option<Diag> {
    let object = step.object.as_ref()?;
    let going = matches!(step.action, Action::Delete | Action::Replace);
    if !going || !goal.protected.contains(&step.address) {
        return None;
    }
    let why = match &step.because {
        Because::Immutable(path) => format!("{path} can't change in place: the object would be replaced"),
        Because::Requested if step.action == Action::Replace => "It would be replaced".to_owned(),
        _ => "It would be deleted".to_owned(),
    };
    let keeps = step.keep_name.as_ref().map(|name| format!("Write `name = {name:?}` in the block to keep its name. "));
    Some(
        Diag::error("prevent-destroy", "A protected object would be destroyed")
            .detail(format!("{}: {} {:?}. {why}.", step.address, object.kind, object.name))
            .help(format!(
                "{}Take the change back, or take `prevent_destroy` out of the block's `lifecycle` first.",
                keeps.unwrap_or_default()
            )),
    )
}

/// An import is of the object that the file is for.
fn is_same_object(file: &Desired, bytes: &[u8]) -> Result<(), Box<Diag>> {
    let text = String::from_utf8_lossy(bytes);
    let there = emit::read(&file.path, &text).unwrap_or_default();
    let of = |pointer: &str| there.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (kind, name, namespace) = (of("/kind"), of("/metadata/name"), of("/metadata/namespace"));
    let Some(object) = &file.object else { return Ok(()) };
    let elsewhere = !namespace.is_empty() && object.namespace.as_deref() != Some(namespace);
    if kind == object.kind && name == object.name && !elsewhere {
        return Ok(());
    }
    let holds =
        if kind.is_empty() { "no object that can be read".to_owned() } else { format!("{kind} {namespace}/{name}") };
    let holds = holds.replace(" /", " ");
    Err(Box::new(
        Diag::error("import", format!("{} is not the object of {}", file.path, file.address))
            .detail(format!("It holds {holds}, and is to hold {} {}.", object.kind, object.name))
            .help("Import the file of that object, or move this one away."),
    ))
}

fn in_the_way(path: &str, what: &str) -> Diag {
    Diag::error("directory", format!("{what} that Sliceform does not own is in the way"))
        .detail(format!("{path} is to be written, but {what} is there that the inventory does not list."))
        .help("Move it away, or take it over with an `import` block; Sliceform changes only files that it wrote.")
}

/// Fills in what differs, and what that does.
fn compare(step: &mut Step, file: &Desired, before: Option<&Standing>, goal: &Goal, old: Option<&Object>) {
    let Some(Standing::File { bytes, .. }) = before else { return };
    let text = String::from_utf8_lossy(bytes);
    let Some(object) = &file.object else { return };
    let after = emit::fields(&object.kind, &file.tree);
    if let Some(mut tree) = emit::read(&file.path, &text) {
        if file.executor == Executor::Terraform {
            let names = old.map(|old| (old.name.as_str(), object.name.as_str()));
            goal.history.follow_references(&mut tree, names);
        }
        step.changes = diff::diff(emit::fields(&object.kind, &tree), after);
        step.unchanged = diff::unchanged(after, &step.changes);
    } else {
        // Whatever it is, it is no manifest any more.
        step.changes = vec![Change {
            path: file.path.clone(),
            before: Some(text.into_owned().into()),
            after: Some(file.text.clone().into()),
            forces: false,
        }];
    }
    let impact = impact::of(&object.kind, &mut step.changes);
    step.impact = impact.map(|impact| impact::in_context(impact, &file.tree, &step.changes));
    let forced = step.changes.iter().find(|change| change.forces).map(|change| change.path.clone());
    match (&step.because, forced) {
        (Because::Changed(_), Some(path)) => {
            step.action = Action::Replace;
            step.because = Because::Immutable(path);
        }
        (Because::Changed(_), None) => {
            let first = step.changes.first().map_or_else(|| file.path.clone(), |change| change.path.clone());
            step.because = Because::Changed(first);
        }
        _ => {}
    }
}

fn unwanted(path: &str, entry: &Entry, goal: &Goal, prior: &Prior) -> Result<Step, Box<Diag>> {
    let applying = prior.inventory.as_ref().is_some_and(|inventory| inventory.applying);
    let (action, edited) = match prior.files.get(path) {
        Some(Standing::Other(what)) => return Err(Box::new(in_the_way(path, what))),
        Some(Standing::File { digest, .. }) => (Action::Delete, *digest != entry.digest && !applying),
        None => (Action::Forget, false),
    };
    let owner = goal.history.owner(&entry.address);
    Ok(Step {
        address: owner.clone().unwrap_or_else(|| entry.address.clone()),
        object: entry.object.clone(),
        executor: match &entry.object {
            None => Executor::Sliceform,
            Some(object) if is_gitops(Some(object)) => Executor::Gitops,
            Some(_) => Executor::Terraform,
        },
        file: path.to_owned(),
        old_file: None,
        moved_from: owner.map(|_| entry.address.clone()),
        keep_name: None,
        action,
        because: if edited {
            Because::Drifted(path.to_owned())
        } else if goal.emptied {
            Because::Requested
        } else {
            Because::NotInStack
        },
        changes: Vec::new(),
        unchanged: 0,
        lines: None,
        impact: None,
        before_digest: prior.digest(path).map(str::to_owned),
        after_digest: None,
    })
}

/// An object whose name follows its content (a run-once job, the driver that it mounts) goes and comes under another name.
/// Where a block loses one object of a kind and gains one, that is a replacement, shown as one step with what differs.
fn pair_replacements(steps: &mut Vec<Step>, goal: &Goal, prior: &Prior) {
    let mut comings: BTreeMap<(String, String, String), Vec<usize>> = BTreeMap::new();
    let mut goings = comings.clone();
    for (index, step) in steps.iter().enumerate() {
        let side = match (step.action, &step.because) {
            (Action::Create, Because::NotInPrior) => &mut comings,
            (Action::Delete, _) => &mut goings,
            _ => continue,
        };
        if let Some(key) = content_key(step) {
            side.entry(key).or_default().push(index);
        }
    }
    let mut gone = BTreeSet::new();
    for (key, going) in goings {
        if let ([going], Some([coming])) = (going.as_slice(), comings.get(&key).map(Vec::as_slice)) {
            let old_file = steps[*going].file.clone();
            replace(&mut steps[*coming], old_file, goal, prior);
            gone.insert(*going);
        }
    }
    drop_all(steps, &gone);
}

fn drop_all(steps: &mut Vec<Step>, gone: &BTreeSet<usize>) {
    let mut index = 0;
    steps.retain(|_| {
        index += 1;
        !gone.contains(&(index - 1))
    });
}

/// An object of a block that moved, or that is named after one, under its name of today.
fn pair_renames(steps: &mut Vec<Step>, goal: &Goal, prior: &Prior) {
    let pairs = moves::pairs(steps, &goal.history);
    for (coming, going) in &pairs {
        let old = steps[*going].clone();
        let step = &mut steps[*coming];
        step.before_digest = prior.digest(&old.file).map(str::to_owned);
        if let Some(file) = goal.files.get(&step.file) {
            compare(step, file, prior.files.get(&old.file), goal, old.object.as_ref());
        }
        moves::rename(step, &old, &goal.history);
    }
    drop_all(steps, &pairs.into_iter().map(|(_, going)| going).collect());
}

/// Block, kind and the name without its hash, of an object whose name has one.
fn content_key(step: &Step) -> Option<(String, String, String)> {
    let object = step.object.as_ref()?;
    Some((step.address.clone(), object.kind.clone(), name::without_suffix(&object.name)?.to_owned()))
}

/// Makes a step that creates one that replaces the object in `old_file`.
fn replace(step: &mut Step, old_file: String, goal: &Goal, prior: &Prior) {
    step.before_digest = prior.digest(&old_file).map(str::to_owned);
    if let Some(file) = goal.files.get(&step.file) {
        compare(step, file, prior.files.get(&old_file), goal, None);
    }
    // The new name is how the replacement is made, not what the reader changed.
    step.changes.retain(|change| change.path != "metadata.name");
    step.action = Action::Replace;
    let cause = step.changes.iter().find(|change| change.forces).or(step.changes.first());
    step.because = Because::Immutable(cause.map_or_else(|| "metadata.name".to_owned(), |change| change.path.clone()));
    step.old_file = Some(old_file);
}

fn totals(steps: &[Step], goal: &Goal, prior: &Prior) -> Totals {
    let mut totals = Totals {
        chips_before: prior.inventory.as_ref().map_or(0, |inventory| inventory.chips),
        chips_after: goal.chips,
        ..Totals::default()
    };
    for step in steps.iter().filter(|step| step.object.is_some()) {
        match step.action {
            Action::Create => totals.add += 1,
            Action::Update => totals.change += 1,
            Action::Replace => totals.replace += 1,
            Action::Delete => totals.destroy += 1,
            Action::Import if step.before_digest.is_some() && step.writes() => totals.change += 1,
            Action::Keep | Action::Import => totals.keep += 1,
            Action::Move => totals.moved += 1,
            Action::Forget => {}
        }
        if matches!(step.because, Because::Drifted(_)) {
            totals.drifted += 1;
        }
    }
    totals
}

fn base_digest(prior: &Prior) -> String {
    let mut text = prior.inventory.as_ref().map_or_else(String::new, Inventory::text);
    for (path, standing) in &prior.files {
        if let Standing::File { digest, .. } = standing {
            text.push_str(&format!("{path} {digest}\n"));
        }
    }
    digest(text.as_bytes())
}

fn source_digest(goal: &Goal) -> String {
    let lines: String = goal.files.values().map(|file| format!("{} {}\n", file.path, file.digest)).collect();
    digest(format!("{}\n{lines}", goal.stack).as_bytes())
}
