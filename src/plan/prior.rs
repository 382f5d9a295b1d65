//! What is on the disk before a plan: the inventory, and each file that it or the stack names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::base::diag::Diag;
use crate::plan::inventory::{self, Inventory};
use crate::world::files::{Files, Kind};

/// No manifest is larger.
const MAX_FILE: u64 = 64 << 20;

/// A rendered directory as it is.
#[derive(Clone, Debug, Default)]
pub struct Prior {
    /// Its inventory; none where it is new.
    pub inventory: Option<Inventory>,
    /// What stands at each path asked for, by path below the directory; absent paths are left out.
    pub files: BTreeMap<String, Standing>,
    /// Which of them stand in the folder that the stack had under its old name.
    pub elsewhere: BTreeSet<String>,
}

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A file.
    File {
        /// Digest of its bytes.
        digest: String,
        /// Its bytes.
        bytes: Vec<u8>,
    },
    /// Something that is no file of ours: a folder, a link, a device.
    Other(&'static str),
}

impl Prior {
    /// The digest of a file that is there.
    pub fn digest(&self, path: &str) -> Option<&str> {
        match self.files.get(path).filter(|_| !self.elsewhere.contains(path)) {
            Some(Standing::File { digest, .. }) => Some(digest),
            Some(Standing::Other(_)) | None => None,
        }
    }
}

/// Reads a directory: its inventory, the files in it, and the `wanted` paths.
pub fn read<'a>(
    files: &dyn Files,
    dir: &Path,
    stack: &str,
    wanted: impl Iterator<Item = &'a str>,
) -> Result<Prior, Box<Diag>> {
    read_of(files, dir, &[stack], wanted)
}

/// The same of a directory that belongs to any of some stacks, the first of them in messages.
pub fn read_of<'a>(
    files: &dyn Files,
    dir: &Path,
    stacks: &[&str],
    wanted: impl Iterator<Item = &'a str>,
) -> Result<Prior, Box<Diag>> {
    let shown = dir.display();
    match files.kind(dir).map_err(|error| Box::new(refused(dir, &error)))? {
        None => return Ok(Prior::default()),
        Some(Kind::Dir) => {}
        Some(_) => {
            return Err(Box::new(
                Diag::error("directory", format!("{shown} is not a folder"))
                    .detail("The manifests go into a folder of their own, which is never a link.")
                    .help("Move it away, or choose another `path` in `deploy \"directory\"`."),
            ));
        }
    }
    let inventory = read_inventory(files, dir, stacks)?;
    let mut paths: BTreeSet<String> = wanted.map(str::to_owned).collect();
    paths.extend(inventory.iter().flat_map(|inventory| inventory.files.keys().cloned()));
    let mut found = BTreeMap::new();
    for path in paths {
        if let Some(standing) = standing(files, dir, &path)? {
            found.insert(path, standing);
        }
    }
    Ok(Prior { inventory, files: found, elsewhere: BTreeSet::new() })
}

fn refused(path: &Path, error: &std::io::Error) -> Diag {
    Diag::error("directory", format!("Cannot read {}", path.display())).detail(error.to_string())
}

fn read_inventory(files: &dyn Files, dir: &Path, stacks: &[&str]) -> Result<Option<Inventory>, Box<Diag>> {
    let path = dir.join(inventory::FILE);
    match files.kind(&path).map_err(|error| Box::new(refused(&path, &error)))? {
        None => return Ok(None),
        Some(Kind::File(_)) => {}
        Some(_) => return Err(Box::new(refused(&path, &std::io::Error::other("it is not a regular file")))),
    }
    let bytes = files.read(&path, MAX_FILE).map_err(|error| Box::new(refused(&path, &error)))?;
    let wrong = |why: String| {
        Diag::error("directory", format!("{} cannot be read", path.display()))
            .detail(format!("{why}. It lists the files that Sliceform owns there; without it, none may be changed."))
            .help("Restore it from version control.")
    };
    let read = Inventory::read(&String::from_utf8_lossy(&bytes)).map_err(|why| Box::new(wrong(why)))?;
    if let Some(path) = read.files.keys().find(|path| !is_plain(path)) {
        return Err(Box::new(wrong(format!("it names {path:?}, which is not a path below the directory"))));
    }
    if !stacks.contains(&read.stack.as_str()) {
        return Err(Box::new(
            Diag::error("directory", format!("{} belongs to another stack", dir.display()))
                .detail(format!("Its inventory names the stack {:?}, not {:?}.", read.stack, stacks[0]))
                .help("Choose another `path` in `deploy \"directory\"`, or destroy the other stack first."),
        ));
    }
    Ok(Some(read))
}

/// Whether a path stays below its directory.
fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', ':'])
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && path != inventory::FILE
}

/// What stands at a path. A link in the way counts as something foreign: nothing is read or written through it.
pub fn standing(files: &dyn Files, dir: &Path, path: &str) -> Result<Option<Standing>, Box<Diag>> {
    let mut place = dir.to_owned();
    let parts: Vec<&str> = path.split('/').collect();
    for (index, part) in parts.iter().enumerate() {
        place.push(part);
        let last = index + 1 == parts.len();
        match files.kind(&place).map_err(|error| Box::new(refused(&place, &error)))? {
            None => return Ok(None),
            Some(Kind::Dir) if !last => {}
            Some(Kind::Dir) => return Ok(Some(Standing::Other("a folder"))),
            Some(Kind::Link) => return Ok(Some(Standing::Other("a link"))),
            Some(Kind::Other) => return Ok(Some(Standing::Other("a device or pipe"))),
            Some(Kind::File(_)) if !last => return Ok(Some(Standing::Other("below a file"))),
            Some(Kind::File(_)) => {}
        }
    }
    let bytes = files.read(&place, MAX_FILE).map_err(|error| Box::new(refused(&place, &error)))?;
    Ok(Some(Standing::File { digest: inventory::digest(&bytes), bytes }))
}
