//! Files that a stack's functions may read: below the stack's root, links resolved, nothing hidden.

use std::path::{Component, Path, PathBuf};

use crate::parse;
use crate::resolve::Reader;
use crate::world::files::{Files, Kind};

/// No larger file is read by a function.
const MAX_FILE: u64 = 4 << 20;

/// How many files `fileset` looks at.
const MAX_FILES: usize = 10_000;

/// Reads below `root`, relative to `folder`.
pub struct Below<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// The git work tree, else the stack's own folder.
    pub root: PathBuf,
    /// The stack's folder.
    pub folder: PathBuf,
}

impl<'a> Below<'a> {
    /// A reader for a stack file: its root is the nearest folder above it that holds `.git`.
    pub fn of(files: &'a dyn Files, stack: &Path) -> Self {
        let folder = stack.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = files.canonical(folder).unwrap_or_else(|_| folder.to_owned());
        let is_tree = |dir: &&Path| matches!(files.kind(&dir.join(".git")), Ok(Some(_)));
        let root = folder.ancestors().find(is_tree).unwrap_or(&folder).to_owned();
        Self { files, root, folder }
    }

    fn resolve(&self, path: &str) -> Result<PathBuf, String> {
        let outside = || format!("{path:?} is outside {}; a stack reads files below it only", self.root.display());
        let plain = Path::new(path);
        if plain.components().any(|part| matches!(part, Component::Prefix(_))) {
            return Err(outside());
        }
        let wanted = self.folder.join(plain);
        let canonical = match self.files.canonical(&wanted) {
            Ok(canonical) => canonical,
            Err(error) => return Err(format!("{path:?} cannot be read: {error}")),
        };
        let inside = canonical.strip_prefix(&self.root).map_err(|_| outside())?;
        let hidden = |part: Component<'_>| part.as_os_str().to_string_lossy().starts_with('.');
        if inside.components().any(hidden) {
            return Err(format!("{path:?} is hidden; a stack does not read hidden files"));
        }
        Ok(canonical)
    }
}

impl Reader for Below<'_> {
    fn read(&self, path: &str) -> Result<String, String> {
        let resolved = self.resolve(path)?;
        let bytes =
            self.files.read(&resolved, MAX_FILE).map_err(|error| format!("{path:?} cannot be read: {error}"))?;
        parse::decode(&bytes).map_err(|why| format!("{path:?} cannot be read: {why}"))
    }

    fn exists(&self, path: &str) -> Result<bool, String> {
        let wanted = self.folder.join(path);
        if matches!(self.files.kind(&wanted), Ok(None)) {
            return Ok(false);
        }
        let resolved = self.resolve(path)?;
        Ok(matches!(self.files.kind(&resolved), Ok(Some(Kind::File(_)))))
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, String> {
        let top = self.resolve(folder)?;
        let mut found = Vec::new();
        let mut open = vec![(top, String::new())];
        while let Some((dir, prefix)) = open.pop() {
            let names = self.files.list(&dir).map_err(|error| format!("{folder:?} cannot be listed: {error}"))?;
            for name in names.into_iter().filter(|name| !name.starts_with('.')) {
                let path = dir.join(&name);
                match self.files.kind(&path) {
                    Ok(Some(Kind::Dir)) => open.push((path, format!("{prefix}{name}/"))),
                    Ok(Some(Kind::File(_))) => found.push(format!("{prefix}{name}")),
                    _ => {}
                }
                if found.len() > MAX_FILES {
                    return Err(format!("{folder:?} holds more than {MAX_FILES} files"));
                }
            }
        }
        found.sort();
        Ok(found)
    }
}
