//! The directory target. The inventory is written first, with what was and what comes, so that after a kill at any point
//! every file has an owner and the next apply finishes.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::apply::old_folder;
use crate::base::diag::Diag;
use crate::plan::inventory::{self, Inventory};
use crate::plan::prior::{self, Standing};
use crate::plan::steps::Goal;
use crate::plan::{Action, Plan, Step};
use crate::world::files::{Files, Kind, Lock, LockError};

/// The lock's file in the directory.
pub const LOCK: &str = ".sliceform.lock";

/// Why an apply stopped.
#[derive(Debug)]
pub enum Stopped {
    /// Another apply is at work, or the directory is no longer what was planned: nothing was changed.
    Stale(Diag),
    /// The disk refused, maybe half-way: running it again finishes.
    Failed(Diag),
}

/// Carries a plan out. `events` hears of each step before it is done.
pub fn apply(
    files: &dyn Files,
    dir: &Path,
    goal: &Goal,
    plan: &Plan,
    owner: &str,
    events: &mut dyn FnMut(&Step),
) -> Result<(), Stopped> {
    let fault = |path: &Path, error: &io::Error| Stopped::Failed(failed(path, error));
    let old = goal.old.as_ref().zip(plan.takes_over.as_ref());
    if files.kind(dir).map_err(|error| fault(dir, &error))?.is_none() && goal.files.is_empty() && old.is_none() {
        return Ok(());
    }
    files.create_dir(dir).map_err(|error| fault(dir, &error))?;
    let held = locked_folder(files, dir, owner)?;
    let before = unchanged(files, dir, goal, plan)?;
    let old = match old {
        Some((old, seen)) => Some((old, seen, old_folder::hold(files, old, seen, &goal.stack, owner)?)),
        None => None,
    };
    let walk = Walk { files, dir };
    let result = walk.run(goal, plan, before, events);
    let result = result.and_then(|()| match old {
        Some((old, seen, held)) => old_folder::clear(files, old, seen, &goal.stack, held),
        None => Ok(()),
    });
    let result = result.map_err(|(path, error)| fault(&path, &error));
    if result.is_ok() && goal.files.is_empty() {
        // Nothing of ours is left: the lock and the folder go too, the lock while it is held. A folder that holds others'
        // files stays.
        let _ = files.remove(&dir.join(LOCK));
        let _ = files.remove_dir(dir);
    }
    drop(held);
    result
}

/// The lock of a folder that is there.
pub fn locked_folder(files: &dyn Files, dir: &Path, owner: &str) -> Result<Box<dyn Lock>, Stopped> {
    let lock = dir.join(LOCK);
    files.lock(&lock, owner).map_err(|error| match error {
        LockError::Held(holder) => Stopped::Stale(locked(dir, &holder)),
        LockError::Io(error) => Stopped::Failed(failed(&lock, &error)),
    })
}

/// What was planned is not what is there.
pub fn stale(what: String) -> Stopped {
    Stopped::Stale(
        Diag::error("stale-plan", "The directory has changed since the plan")
            .detail(what)
            .help("Plan again, and look at what has changed."),
    )
}

fn failed(path: &Path, error: &io::Error) -> Diag {
    Diag::error("directory", format!("Cannot write {}", path.display()))
        .detail(error.to_string())
        .help("Nothing is lost: run apply again, and it finishes from here.")
}

fn locked(dir: &Path, holder: &str) -> Diag {
    let who = if holder.trim().is_empty() { "another process" } else { holder.trim() };
    Diag::error("locked", format!("{} is locked", dir.display()))
        .detail(format!("Held by {who}."))
        .help("Wait until it has ended; the lock goes with its process.")
}

/// The inventory as it is now, if the files are what the plan saw.
fn unchanged(files: &dyn Files, dir: &Path, goal: &Goal, plan: &Plan) -> Result<Option<Inventory>, Stopped> {
    let now = prior::read(files, dir, &plan.stack, plan.steps.iter().map(|step| step.file.as_str()))
        .map_err(|diag| Stopped::Failed(*diag))?;
    for step in &plan.steps {
        let file = step.old_file.as_ref().unwrap_or(&step.file);
        let seen = match now.files.get(file) {
            Some(Standing::File { digest, .. }) => Some(digest.as_str()),
            Some(Standing::Other(what)) => return Err(stale(format!("{file} is now {what}."))),
            None => None,
        };
        if seen != step.before_digest.as_deref() {
            return Err(stale(format!("{file} is not what it was.")));
        }
        if step.old_file.is_some() && now.files.contains_key(&step.file) {
            return Err(stale(format!("{} has appeared.", step.file)));
        }
    }
    // What is written of the files outside of a part is what the inventory said of them.
    let listed = |path: &String| now.inventory.as_ref().and_then(|inventory| inventory.files.get(path));
    if let Some((path, _)) = goal.kept.iter().find(|(path, kept)| listed(path) != Some(&kept.before)) {
        return Err(stale(format!("Its inventory says something else of {path} than it did.")));
    }
    Ok(now.inventory)
}

/// A directory that is being changed.
pub struct Walk<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// The directory.
    pub dir: &'a Path,
}

/// What the disk refused, and where.
pub type Fault = (PathBuf, io::Error);

impl Walk<'_> {
    fn run(
        &self,
        goal: &Goal,
        plan: &Plan,
        before: Option<Inventory>,
        events: &mut dyn FnMut(&Step),
    ) -> Result<(), Fault> {
        let after = goal.inventory();
        let idle = plan
            .steps
            .iter()
            .all(|step| step.action == Action::Keep || (step.action == Action::Replace && !step.writes()));
        if idle && before.as_ref() == Some(&after) {
            return Ok(());
        }
        self.remove_leftovers(before.as_ref())?;
        self.write_inventory(&both(before, &after))?;
        let mut folders = BTreeSet::new();
        for step in &plan.steps {
            if !step.writes() {
                continue;
            }
            events(step);
            match goal.files.get(&step.file) {
                Some(file) => {
                    let path = self.writable(&step.file, &mut folders)?;
                    self.files.write(&path, file.text.as_bytes()).map_err(|error| (path, error))?;
                    if let Some(old) = &step.old_file {
                        self.remove(old, &mut folders)?;
                    }
                }
                None => self.remove(&step.file, &mut folders)?,
            }
        }
        for folder in &folders {
            self.files.sync_dir(folder).map_err(|error| (folder.clone(), error))?;
        }
        if goal.files.is_empty() {
            let path = self.dir.join(inventory::FILE);
            self.files.remove(&path).map_err(|error| (path, error))?;
        } else {
            self.write_inventory(&after)?;
        }
        self.remove_empty_folders(&folders);
        Ok(())
    }

    /// Writes an inventory for good.
    pub fn write_inventory(&self, inventory: &Inventory) -> Result<(), Fault> {
        let path = self.dir.join(inventory::FILE);
        self.files.write(&path, inventory.text().as_bytes()).map_err(|error| (path, error))?;
        self.files.sync_dir(self.dir).map_err(|error| (self.dir.to_owned(), error))
    }

    /// The path of a file that is to be written: its folder is made, and no link may lead out of the directory.
    fn writable(&self, file: &str, folders: &mut BTreeSet<PathBuf>) -> Result<PathBuf, Fault> {
        let mut place = self.dir.to_owned();
        let parts: Vec<&str> = file.split('/').collect();
        for part in &parts[..parts.len() - 1] {
            place.push(part);
            match self.files.kind(&place).map_err(|error| (place.clone(), error))? {
                Some(Kind::Dir) => {}
                None => self.files.create_dir(&place).map_err(|error| (place.clone(), error))?,
                Some(_) => return Err((place, io::Error::other("it is in the way, and not a folder"))),
            }
        }
        folders.insert(place.clone());
        Ok(place.join(parts[parts.len() - 1]))
    }

    /// Removes a file, if it is there, and notes its folder.
    pub fn remove(&self, file: &str, folders: &mut BTreeSet<PathBuf>) -> Result<(), Fault> {
        let path = self.dir.join(file);
        if let Some(parent) = path.parent() {
            folders.insert(parent.to_owned());
        }
        match self.files.remove(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err((path, error)),
            _ => Ok(()),
        }
    }

    /// Temporary files of an apply that was killed.
    pub fn remove_leftovers(&self, before: Option<&Inventory>) -> Result<(), Fault> {
        let mut folders = BTreeSet::from([self.dir.to_owned()]);
        for path in before.iter().flat_map(|inventory| inventory.files.keys()) {
            folders.extend(self.dir.join(path).parent().map(Path::to_owned));
        }
        for folder in folders {
            if self.files.kind(&folder).map_err(|error| (folder.clone(), error))? != Some(Kind::Dir) {
                continue;
            }
            for name in self.files.list(&folder).map_err(|error| (folder.clone(), error))? {
                let path = folder.join(&name);
                let ours =
                    name.starts_with(".sliceform-") && Path::new(&name).extension().is_some_and(|end| end == "tmp");
                if ours && matches!(self.files.kind(&path), Ok(Some(Kind::File(_)))) {
                    self.files.remove(&path).map_err(|error| (path, error))?;
                }
            }
        }
        Ok(())
    }

    /// Folders that hold nothing any more. One that does stays, without a word.
    pub fn remove_empty_folders(&self, folders: &BTreeSet<PathBuf>) {
        for folder in folders.iter().rev().filter(|folder| folder.as_path() != self.dir) {
            let _ = self.files.remove_dir(folder);
        }
    }
}

/// What is listed while an apply is at work: the files before and after it. A file of both keeps the digest of what is on
/// the disk until it is written.
fn both(before: Option<Inventory>, after: &Inventory) -> Inventory {
    let mut both = Inventory { applying: true, ..after.clone() };
    for (path, entry) in before.into_iter().flat_map(|inventory| inventory.files) {
        both.files.insert(path, entry);
    }
    both
}
