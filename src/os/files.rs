//! The real disk: writes whole files or none, holds locks, and never waits on a pipe.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::world::files::{Files, Kind, Lock, LockError};

/// The process's own disk.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

/// An empty path is the working directory.
fn dir(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// A lock is the operating system's on a file that stays: removing it would let two processes lock two files of one name.
struct Held {
    file: File,
}

impl Lock for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // The words in the file are for people; with the lock gone they would mislead.
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

impl Files for Disk {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        // Opening a FIFO would wait for a writer, so what it is comes first.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            let what = if metadata.is_dir() { "it is a directory" } else { "it is not a regular file" };
            return Err(io::Error::other(what));
        }
        let too_large = || io::Error::other(format!("it is larger than {} MiB", limit >> 20));
        if metadata.len() > limit {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
    }

    fn kind(&self, path: &Path) -> io::Result<Option<Kind>> {
        let metadata = match fs::symlink_metadata(dir(path)) {
            Ok(metadata) => metadata,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let kind = metadata.file_type();
        Ok(Some(if kind.is_symlink() {
            Kind::Link
        } else if kind.is_dir() {
            Kind::Dir
        } else if kind.is_file() {
            Kind::File(metadata.len())
        } else {
            Kind::Other
        }))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(dir(path))? {
            // A name that is no Unicode cannot be one of ours.
            if let Ok(name) = entry?.file_name().into_string() {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(dir(path))
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(dir(path))
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        write(path, bytes, readable)
    }

    fn write_private(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        // Temporary files are for their owner alone, and so is what they become.
        write(path, bytes, |_| Ok(()))
    }

    fn rewrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let permissions = fs::metadata(path)?.permissions();
        write(path, bytes, |file| file.set_permissions(permissions.clone()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // Only on Unix can a directory be opened and synced; elsewhere a rename is durable by itself.
        if cfg!(unix) { File::open(dir(path))?.sync_all() } else { Ok(()) }
    }

    fn lock(&self, path: &Path, owner: &str) -> Result<Box<dyn Lock>, LockError> {
        for _ in 0..LOCK_TRIES {
            let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
            let mut file = open.map_err(LockError::Io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = file.take(4096).read_to_string(&mut holder);
                    return Err(LockError::Held(holder));
                }
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
            }
            // Whoever held it may have removed the file as its last act: then this lock is on a file that is no more.
            if !is_at(&file, path).map_err(LockError::Io)? {
                continue;
            }
            let written = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(owner.as_bytes()));
            written.map_err(LockError::Io)?;
            return Ok(Box::new(Held { file }));
        }
        Err(LockError::Held(String::new()))
    }
}

/// Writes a file whole or not at all; `open` says who may read it.
fn write(path: &Path, bytes: &[u8], open: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    let folder = dir(path.parent().unwrap_or(Path::new(".")));
    let mut file = tempfile::Builder::new().prefix(".sliceform-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    open(file.as_file())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// How often a lock whose file was removed meanwhile is tried anew.
const LOCK_TRIES: usize = 8;

/// Whether the open file is the one that stands at the path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (ours, there) = (file.metadata()?, fs::metadata(path));
    Ok(there.is_ok_and(|there| there.ino() == ours.ino() && there.dev() == ours.dev()))
}

/// Where an open file cannot be removed, it is.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// Manifests are for everyone who reads the repository.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> io::Result<()> {
    Ok(())
}
