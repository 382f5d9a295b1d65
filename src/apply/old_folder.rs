//! Clears away the folder that a stack had under its old name, once all is in the new one. Its inventory goes last, and
//! says first whose the folder is now: a killed apply is finished by the next one, and the old stack can't come back into it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::apply::directory::{Fault, LOCK, Stopped, Walk, locked_folder, stale};
use crate::plan::inventory::{self, Inventory};
use crate::plan::prior::{self, Standing};
use crate::plan::takeover::{OldFolder, TakeOver};
use crate::world::files::{Files, Kind, Lock};

/// The folder, locked, and as the plan saw it.
pub struct Held {
    inventory: Inventory,
    lock: Box<dyn Lock>,
}

/// Locks the folder, and makes sure that its files are what the plan saw.
pub fn hold(files: &dyn Files, old: &OldFolder, plan: &TakeOver, stack: &str, owner: &str) -> Result<Held, Stopped> {
    let lock = locked_folder(files, &old.dir, owner)?;
    let known = plan.files.keys().map(String::as_str);
    let now = prior::read_of(files, &old.dir, &[&old.stack, stack], known).map_err(|diag| Stopped::Failed(*diag))?;
    let gone = || stale(format!("The inventory in {} is not what it was.", plan.directory));
    let inventory = now.inventory.filter(|inventory| *inventory == old.inventory).ok_or_else(gone)?;
    for (path, digest) in &plan.files {
        match now.files.get(path) {
            Some(Standing::File { digest: seen, .. }) if seen == digest => {}
            _ => return Err(stale(format!("{path} in {} is not what it was.", plan.directory))),
        }
    }
    Ok(Held { inventory, lock })
}

/// Removes what is the stack's own, and the folder unless others have files in it.
pub fn clear(files: &dyn Files, old: &OldFolder, plan: &TakeOver, stack: &str, held: Held) -> Result<(), Fault> {
    let walk = Walk { files, dir: &old.dir };
    walk.remove_leftovers(Some(&held.inventory))?;
    let mine = Inventory { stack: stack.to_owned(), applying: true, ..held.inventory };
    walk.write_inventory(&mine)?;
    let mut folders = BTreeSet::new();
    for path in plan.files.keys() {
        walk.remove(path, &mut folders)?;
    }
    for folder in &folders {
        sync(files, folder)?;
    }
    let path = old.dir.join(inventory::FILE);
    files.remove(&path).map_err(|error| (path, error))?;
    sync(files, &old.dir)?;
    walk.remove_empty_folders(&folders);
    // The lock goes while it is held; a folder that holds others' files stays.
    let _ = files.remove(&old.dir.join(LOCK));
    let _ = files.remove_dir(&old.dir);
    // Environments have a folder each in that of the stack.
    if let (true, Some(parent)) = (old.stack.contains('/'), old.dir.parent()) {
        let _ = files.remove_dir(parent);
    }
    drop(held.lock);
    Ok(())
}

/// A folder that is gone was synced when it was there.
fn sync(files: &dyn Files, folder: &Path) -> Result<(), Fault> {
    let failed = |error: io::Error| -> Fault { (PathBuf::from(folder), error) };
    match files.kind(folder).map_err(failed)? {
        Some(Kind::Dir) => files.sync_dir(folder).map_err(failed),
        _ => Ok(()),
    }
}
