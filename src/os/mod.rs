//! The real disk, clock and environment; the only module allowed to touch them.
#![expect(clippy::disallowed_methods, reason = "the shell around the pure core")]

pub mod files;
pub mod terminal;

/// The environment's `SLICEFORM_VAR_NAME`s, as name and value, sorted by name.
pub fn variables() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter_map(|(name, value)| Some((name.strip_prefix("SLICEFORM_VAR_")?.to_owned(), value)))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    found.sort();
    found
}

/// Whether the environment asks for no colour.
pub fn no_color() -> bool {
    std::env::var("NO_COLOR").is_ok_and(|value| !value.is_empty())
        || std::env::var("TERM").is_ok_and(|term| term == "dumb")
}

/// Text that nobody can guess, for a plan file's digests of secrets: the keys that the standard library draws from the
/// system for its hash tables.
pub fn salt() -> String {
    use std::hash::{BuildHasher, RandomState};
    let (one, other) = (RandomState::new(), RandomState::new());
    format!("{:016x}{:016x}", one.hash_one(0), other.hash_one(1))
}

/// Who runs: user, host and process, for a lock to name.
pub fn owner() -> String {
    let name = |key: &str| std::env::var(key).ok().filter(|value| !value.is_empty());
    let user = name("USER").or_else(|| name("USERNAME")).unwrap_or_else(|| "someone".to_owned());
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|host| host.trim().to_owned());
    let host =
        host.or_else(|| name("HOSTNAME")).or_else(|| name("COMPUTERNAME")).unwrap_or_else(|| "this host".to_owned());
    format!("{user}@{host}, process {}", std::process::id())
}
