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
    std::env::var("NO_COLOR").is_ok_and(|value| !value.is_empty()) || std::env::var("TERM").is_ok_and(|term| term == "dumb")
}
