//! The disk as a trait: what reading stacks and writing the rendered directory ask of it.

use std::io;
use std::path::{Path, PathBuf};

/// What stands at a path, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file of so many bytes.
    File(u64),
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A FIFO, socket or device.
    Other,
}

/// A held lock; dropping it lets go.
pub trait Lock {}

/// Why a lock could not be had.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it; this is what it wrote about itself.
    Held(String),
    /// The disk refused.
    Io(io::Error),
}

/// The disk. Relative paths are relative to the working directory of the run.
pub trait Files {
    /// A file's bytes. A FIFO, a device or a file above `limit` bytes is an error, not a hang.
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>>;
    /// What stands at `path` (the last component's link not followed), or nothing.
    fn kind(&self, path: &Path) -> io::Result<Option<Kind>>;
    /// The names in a directory, sorted.
    fn list(&self, dir: &Path) -> io::Result<Vec<String>>;
    /// The path with every link resolved.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// Makes a directory and its parents.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Writes a file whole or not at all: a temporary file beside it, synced, then renamed over it, mode 0644.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// As [`Files::write`], for what its owner alone may read: mode 0600.
    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// As [`Files::write`], over a file that is there, which keeps its mode.
    fn rewrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_dir(&self, path: &Path) -> io::Result<()>;
    /// Makes a directory's entries durable.
    fn sync_dir(&self, dir: &Path) -> io::Result<()>;
    /// Takes the exclusive lock file at `path`, writing `owner` into it, or says who has it.
    fn lock(&self, path: &Path, owner: &str) -> Result<Box<dyn Lock>, LockError>;
}
