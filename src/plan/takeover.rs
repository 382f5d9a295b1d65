//! `renamed_from`: the folder that the stack had under its old name is where its objects were, so that they come to the
//! new folder instead of ending in the one and beginning in the other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::diag::Diag;
use crate::plan::inventory::Inventory;
use crate::plan::prior::{self, Prior, Standing};
use crate::world::files::Files;

/// The folder of the old name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OldFolder {
    /// Where it is.
    pub dir: PathBuf,
    /// The old stack, and its environment behind a `/` where it has several.
    pub stack: String,
    /// Its inventory.
    pub inventory: Inventory,
    /// What stands in it at each path that the inventory or the new stack names.
    files: BTreeMap<String, Standing>,
}

/// What a plan says of the folder of the old name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakeOver {
    /// The folder, as people see it.
    pub directory: String,
    /// The old stack, and its environment behind a `/` where it has several.
    pub stack: String,
    /// Its own files, which go once all is in the new folder, with their digests.
    pub files: BTreeMap<String, String>,
}

impl OldFolder {
    /// Reads the folder; none where it is gone, or holds nothing of the old stack. `new` is the stack's name of today: a
    /// folder that an apply has begun to clear away names that.
    pub fn read<'a>(
        files: &dyn Files,
        dir: &Path,
        (old, new): (&str, &str),
        wanted: impl Iterator<Item = &'a str>,
    ) -> Result<Option<Self>, Box<Diag>> {
        let prior = prior::read_of(files, dir, &[old, new], wanted)?;
        let found = |inventory| Self { dir: dir.to_owned(), stack: old.to_owned(), inventory, files: prior.files };
        Ok(prior.inventory.map(found))
    }

    /// Whether all of it has come to the new folder already, and an apply was cut short while it cleared this one away.
    fn is_leftover(&self, new: &str) -> bool {
        self.inventory.stack == new
    }

    /// What a plan says of it.
    pub fn plan(&self) -> TakeOver {
        let digest = |path: &String| match self.files.get(path) {
            Some(Standing::File { digest, .. }) => Some((path.clone(), digest.clone())),
            Some(Standing::Other(_)) | None => None,
        };
        TakeOver {
            directory: self.dir.display().to_string(),
            stack: self.stack.clone(),
            files: self.inventory.files.keys().filter_map(digest).collect(),
        }
    }
}

impl Prior {
    /// What was there in both folders: what the new one lacks stands in the old one.
    #[must_use]
    pub fn with_old(mut self, old: &OldFolder, stack: &str) -> Self {
        if old.is_leftover(stack) {
            return self;
        }
        let mut inventory = self.inventory.unwrap_or_else(|| Inventory {
            files: BTreeMap::new(),
            stack: stack.to_owned(),
            ..old.inventory.clone()
        });
        // A file that stands in the new folder, and that no inventory of it lists, is someone else's.
        let foreign: BTreeSet<String> =
            self.files.keys().filter(|path| !inventory.files.contains_key(*path)).cloned().collect();
        for (path, entry) in old.inventory.files.iter().filter(|(path, _)| !foreign.contains(*path)) {
            inventory.files.entry(path.clone()).or_insert_with(|| entry.clone());
        }
        self.inventory = Some(inventory);
        for (path, standing) in &old.files {
            if !self.files.contains_key(path) && old.inventory.files.contains_key(path) {
                self.files.insert(path.clone(), standing.clone());
                self.elsewhere.insert(path.clone());
            }
        }
        self
    }
}
