//! Files that a stack's functions may read: below the stack's root, links resolved, nothing hidden, nothing that git ignores.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::parse;
use crate::resolve::Reader;
use crate::world::files::{Files, Kind};

/// No larger file is read by a function.
const MAX_FILE: u64 = 4 << 20;

/// No larger `.gitignore` is read.
const MAX_IGNORE: u64 = 256 << 10;

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
    /// What `.gitignore` says in each folder that was asked about.
    ignores: RefCell<BTreeMap<PathBuf, Rc<Gitignore>>>,
}

impl<'a> Below<'a> {
    /// A reader for a stack file: its root is the nearest folder above it that holds `.git`.
    pub fn of(files: &'a dyn Files, stack: &Path) -> Self {
        let folder = stack.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = files.canonical(folder).unwrap_or_else(|_| folder.to_owned());
        let is_tree = |dir: &&Path| matches!(files.kind(&dir.join(".git")), Ok(Some(_)));
        let root = folder.ancestors().find(is_tree).unwrap_or(&folder).to_owned();
        Self { files, root, folder, ignores: RefCell::default() }
    }

    /// Whether git ignores a folder, of which the last parts may not be there yet.
    pub fn ignores(&self, dir: &Path) -> bool {
        let mut rest = PathBuf::new();
        for above in dir.ancestors() {
            let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
            if let Ok(real) = self.files.canonical(above) {
                let whole = real.join(&rest).join("x");
                return whole.strip_prefix(&self.root).is_ok_and(|inside| self.ignored(inside).unwrap_or(false));
            }
            rest = above.file_name().map_or(rest.clone(), |name| Path::new(name).join(&rest));
        }
        false
    }

    /// Whether git ignores a path below the root. What it ignores holds secrets and whatever else shall not leave the
    /// machine. A person's own ignore file does not count: the same repository reads the same everywhere.
    fn ignored(&self, inside: &Path) -> Result<bool, String> {
        let mut place = PathBuf::new();
        for part in inside {
            place.push(part);
            let is_dir = place != inside;
            for folder in place.ancestors().skip(1) {
                let below = place.strip_prefix(folder).unwrap_or(&place);
                match self.ignores_of(folder)?.matched(below, is_dir) {
                    Match::Ignore(_) => return Ok(true),
                    Match::Whitelist(_) => break,
                    Match::None => {}
                }
            }
        }
        Ok(false)
    }

    /// The patterns of a folder below the root; at the root also those of `.git/info/exclude`, which weigh less.
    fn ignores_of(&self, folder: &Path) -> Result<Rc<Gitignore>, String> {
        if let Some(known) = self.ignores.borrow().get(folder) {
            return Ok(Rc::clone(known));
        }
        let mut builder = GitignoreBuilder::new("");
        let sources =
            if folder.as_os_str().is_empty() { &[".git/info/exclude", ".gitignore"][..] } else { &[".gitignore"] };
        for source in sources {
            let path = self.root.join(folder).join(source);
            // Git follows no link here.
            if !matches!(self.files.kind(&path), Ok(Some(Kind::File(_)))) {
                continue;
            }
            let unreadable = |why: String| format!("{} cannot be read: {why}", folder.join(source).display());
            let bytes = self.files.read(&path, MAX_IGNORE).map_err(|error| unreadable(error.to_string()))?;
            for line in String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').lines() {
                // A pattern that is none matches nothing, as in git.
                let _ = builder.add_line(None, line);
            }
        }
        let built = Rc::new(builder.build().map_err(|why| format!(".gitignore cannot be read: {why}"))?);
        self.ignores.borrow_mut().insert(folder.to_owned(), Rc::clone(&built));
        Ok(built)
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
        if self.ignored(inside)? {
            return Err(format!("git ignores {path:?}; a stack reads what its repository holds"));
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
                let inside = path.strip_prefix(&self.root).unwrap_or(&path);
                if self.ignored(inside)? {
                    continue;
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::Memory;

    #[test]
    fn what_git_ignores_is_not_read() {
        let files = Memory::with(&[
            ("repo/.git/HEAD", ""),
            ("repo/.git/info/exclude", "local.txt\n"),
            ("repo/.gitignore", "*.key\n/build/\n!public.key\n"),
            ("repo/stacks/.gitignore", "secret*\n!secret-not.txt\n"),
            ("repo/stacks/secret.txt", "x"),
            ("repo/stacks/secret-not.txt", "x"),
            ("repo/stacks/a.key", "x"),
            ("repo/stacks/public.key", "x"),
            ("repo/stacks/local.txt", "x"),
            ("repo/stacks/plain.txt", "x"),
            ("repo/build/public.key", "x"),
            ("repo/stacks/build/out.txt", "x"),
            ("repo/stacks/s.stack.hcl", ""),
        ]);
        let below = Below::of(&files, Path::new("repo/stacks/s.stack.hcl"));
        for (path, why) in [
            ("plain.txt", ""),
            ("public.key", ""),
            ("secret-not.txt", ""),
            ("build/out.txt", ""),
            ("a.key", "git ignores"),
            ("secret.txt", "git ignores"),
            ("local.txt", "git ignores"),
            ("../build/public.key", "git ignores"),
            ("../.git/HEAD", "hidden"),
            ("../../x", "cannot be read"),
        ] {
            let read = below.read(path).err().unwrap_or_default();
            assert!(if why.is_empty() { read.is_empty() } else { read.contains(why) }, "{path}: {read}");
        }
        let listed = below.list(".").unwrap();
        assert_eq!(listed, ["build/out.txt", "plain.txt", "public.key", "s.stack.hcl", "secret-not.txt"]);
    }
}
