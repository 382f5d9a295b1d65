//! The in-memory stand-in of the disk, for tests: it can be told to break at any operation.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::world::files::{Files, Kind, Lock, LockError};

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A file with its bytes.
    File(Vec<u8>),
    /// A directory.
    Dir,
    /// A link with where it leads.
    Link(PathBuf),
}

/// A disk in memory.
#[derive(Debug, Default)]
pub struct Memory {
    nodes: RefCell<BTreeMap<PathBuf, Node>>,
    locks: Rc<RefCell<BTreeMap<PathBuf, String>>>,
    /// How many changing operations still succeed, and what happens then; none: all succeed.
    left: Cell<Option<(usize, Fault)>>,
    met: Cell<bool>,
}

/// What an operation of a disk meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process is killed: this and every later operation does nothing, but for a write that leaves half a temporary file.
    Kill,
    /// The disk refuses this one operation: it is full, or read-only for a moment.
    Refuse(io::ErrorKind),
}

impl Memory {
    /// A disk that holds these text files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let memory = Self::default();
        for (path, text) in files {
            memory.put(path, text.as_bytes());
        }
        memory
    }

    /// Puts a file there, past every fault.
    pub fn put(&self, path: &str, bytes: &[u8]) {
        let path = plain(Path::new(path));
        let mut nodes = self.nodes.borrow_mut();
        for parent in path.ancestors().skip(1) {
            nodes.entry(parent.to_owned()).or_insert(Node::Dir);
        }
        nodes.insert(path, Node::File(bytes.to_vec()));
    }

    /// Puts a link there.
    pub fn link(&self, path: &str, target: &str) {
        self.put(path, b"");
        self.nodes.borrow_mut().insert(plain(Path::new(path)), Node::Link(plain(Path::new(target))));
    }

    /// Removes what is there, past every fault.
    pub fn take(&self, path: &str) {
        self.nodes.borrow_mut().remove(&plain(Path::new(path)));
    }

    /// From now on so many changing operations succeed; the next one meets the fault.
    pub fn break_after(&self, operations: usize, fault: Fault) {
        self.left.set(Some((operations, fault)));
        self.met.set(false);
    }

    /// Whether the fault has been met.
    pub fn is_hit(&self) -> bool {
        self.met.get()
    }

    /// The disk is back, as for a new process: locks of the dead one are free.
    pub fn revive(&self) {
        self.left.set(None);
        self.locks.borrow_mut().clear();
    }

    /// Every file with its bytes.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let nodes = self.nodes.borrow();
        let files = nodes.iter().filter_map(|(path, node)| match node {
            Node::File(bytes) => Some((path.to_string_lossy().into_owned(), bytes.clone())),
            Node::Dir | Node::Link(_) => None,
        });
        files.collect()
    }

    fn change(&self) -> io::Result<()> {
        match self.left.get() {
            Some((0, Fault::Kill)) => {
                self.met.set(true);
                Err(io::Error::other("the process is gone"))
            }
            Some((0, Fault::Refuse(kind))) => {
                self.met.set(true);
                self.left.set(None);
                Err(io::Error::from(kind))
            }
            Some((left, fault)) => {
                self.left.set(Some((left - 1, fault)));
                Ok(())
            }
            None => Ok(()),
        }
    }
}

/// The path without `.` and with `..` resolved; the root of a relative path is the working directory.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

fn absent() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}

struct Held {
    path: PathBuf,
    locks: Rc<RefCell<BTreeMap<PathBuf, String>>>,
}

impl Lock for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        self.locks.borrow_mut().remove(&self.path);
    }
}

impl Files for Memory {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        let mut path = plain(path);
        for _ in 0..8 {
            let target = match self.nodes.borrow().get(&path) {
                Some(Node::File(bytes)) if bytes.len() as u64 > limit => {
                    return Err(io::Error::other(format!("it is larger than {limit} bytes")));
                }
                Some(Node::File(bytes)) => return Ok(bytes.clone()),
                Some(Node::Link(target)) => target.clone(),
                Some(Node::Dir) => return Err(io::Error::other("it is a directory")),
                None => return Err(absent()),
            };
            path = target;
        }
        Err(io::Error::other("too many links"))
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        let path = plain(path);
        if path.as_os_str().is_empty() {
            return Ok(Some(Kind::Dir));
        }
        Ok(self.nodes.borrow().get(&path).map(|node| match node {
            Node::File(bytes) => Kind::File(bytes.len() as u64),
            Node::Dir => Kind::Dir,
            Node::Link(_) => Kind::Link,
        }))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        let dir = plain(dir);
        let nodes = self.nodes.borrow();
        let inside = nodes.keys().filter(|path| path.parent() == Some(dir.as_path()) && !path.as_os_str().is_empty());
        Ok(inside.filter_map(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned()).collect())
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        let path = plain(path);
        match self.nodes.borrow().get(&path) {
            Some(Node::Link(target)) => Ok(target.clone()),
            Some(_) => Ok(path),
            None if path.as_os_str().is_empty() => Ok(path),
            None => Err(absent()),
        }
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        let path = plain(path);
        for part in path.ancestors() {
            self.nodes.borrow_mut().entry(part.to_owned()).or_insert(Node::Dir);
        }
        Ok(())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = plain(path);
        if self.left.get() == Some((0, Fault::Kill)) {
            let torn = path.with_file_name(".sliceform-torn.tmp");
            self.nodes.borrow_mut().insert(torn, Node::File(bytes[..bytes.len() / 2].to_vec()));
        }
        self.change()?;
        if path.parent().is_some_and(|dir| !dir.as_os_str().is_empty() && !self.nodes.borrow().contains_key(dir)) {
            return Err(absent());
        }
        self.nodes.borrow_mut().insert(path, Node::File(bytes.to_vec()));
        Ok(())
    }

    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write(path, bytes)
    }

    fn rewrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write(path, bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        self.nodes.borrow_mut().remove(&plain(path)).map(drop).ok_or_else(absent)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.change()?;
        if !self.list(path)?.is_empty() {
            return Err(io::Error::from(io::ErrorKind::DirectoryNotEmpty));
        }
        self.nodes.borrow_mut().remove(&plain(path)).map(drop).ok_or_else(absent)
    }

    fn sync_dir(&self, _: &Path) -> io::Result<()> {
        self.change()
    }

    fn lock(&self, path: &Path, owner: &str) -> Result<Box<dyn Lock>, LockError> {
        let path = plain(path);
        if let Some(holder) = self.locks.borrow().get(&path) {
            return Err(LockError::Held(holder.clone()));
        }
        self.locks.borrow_mut().insert(path.clone(), owner.to_owned());
        Ok(Box::new(Held { path, locks: Rc::clone(&self.locks) }))
    }
}
