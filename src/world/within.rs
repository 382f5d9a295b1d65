//! A disk seen from another folder: what `--chdir` asks for. The process stays where it is.

use std::io;
use std::path::{Path, PathBuf};

use crate::world::files::{Files, Kind, Lock, LockError};

/// `files`, with relative paths relative to `dir`.
pub struct Within<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// The folder that relative paths start from.
    pub dir: PathBuf,
}

impl Within<'_> {
    fn at(&self, path: &Path) -> PathBuf {
        self.dir.join(path)
    }
}

impl Files for Within<'_> {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.files.read(&self.at(path), limit)
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        self.files.kind(&self.at(path))
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<String>> {
        self.files.list(&self.at(dir))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.files.canonical(&self.at(path))
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        self.files.create_dir(&self.at(path))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.write(&self.at(path), bytes)
    }

    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.write_private(&self.at(path), bytes)
    }

    fn rewrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.files.rewrite(&self.at(path), bytes)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.files.remove(&self.at(path))
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        self.files.remove_dir(&self.at(path))
    }

    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        self.files.sync_dir(&self.at(dir))
    }

    fn lock(&self, path: &Path, owner: &str) -> Result<Box<dyn Lock>, LockError> {
        self.files.lock(&self.at(path), owner)
    }
}
