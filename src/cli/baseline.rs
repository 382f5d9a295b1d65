//! `validate --baseline FILE`: the problems that an old repository has already, and that a pull request need not mend.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::base::diag::{Diag, Diags};
use crate::base::span::SourceMap;
use crate::check;
use crate::cli::source;
use crate::view::{count, sarif};
use crate::world::files::{Files, Kind};

/// The version of the file's form.
const FORMAT_VERSION: &str = "1.0";

/// The largest file that is read.
const MAX_FILE: u64 = 16 << 20;

/// One problem that is known: it stays known when its lines move, and is new when its text changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    file: String,
    rule: String,
    fingerprint: String,
    count: usize,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    format_version: String,
    known: Vec<Known>,
}

/// What a baseline leaves.
pub struct Left {
    /// How many problems are known.
    pub known: usize,
    /// How many known problems are no longer found.
    pub gone: usize,
}

/// A problem's place in a baseline. Only what a rule finds can be known: a stack that can't be read can't be judged.
fn key(diag: &Diag, map: &SourceMap) -> Option<(String, String, String)> {
    check::find(diag.rule)?;
    let file = map.file(diag.primary.as_ref()?.span.file)?;
    Some((file.name.clone(), diag.rule.to_owned(), sarif::fingerprint(diag, map)))
}

fn counted<'a>(stacks: impl Iterator<Item = (&'a Diags, &'a SourceMap)>) -> BTreeMap<(String, String, String), usize> {
    let mut found = BTreeMap::new();
    for key in stacks.flat_map(|(diags, map)| diags.iter().filter_map(move |diag| key(diag, map))) {
        *found.entry(key).or_insert(0) += 1;
    }
    found
}

/// The text of a baseline that knows all problems of these stacks: sorted, one a line, so that git can merge it.
pub fn write<'a>(stacks: impl Iterator<Item = (&'a Diags, &'a SourceMap)>) -> String {
    let known = counted(stacks).into_iter();
    let lines: Vec<String> = known
        .map(|((file, rule, fingerprint), count)| Known { file, rule, fingerprint, count })
        .filter_map(|known| serde_json::to_string(&known).ok())
        .collect();
    let list = if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join(",\n")) };
    format!("{{\"format_version\":\"{FORMAT_VERSION}\",\"known\":[{list}]}}\n")
}

/// Takes out of the stacks' problems what the file knows.
///
/// # Errors
/// There is no such file, or it is no baseline.
pub fn apply(files: &dyn Files, path: &Path, stacks: &mut [(&mut Diags, &SourceMap)]) -> Result<Left, Diag> {
    let mut left = read(files, path)?;
    let mut known = 0;
    for (diags, map) in stacks.iter_mut() {
        diags.retain(|diag| {
            let Some(count) = key(diag, map).and_then(|key| left.get_mut(&key)).filter(|count| **count > 0) else {
                return true;
            };
            *count -= 1;
            known += 1;
            false
        });
    }
    let read: BTreeSet<&str> = stacks.iter().flat_map(|(_, map)| map.files().map(|file| file.name.as_str())).collect();
    // Stacks that this run did not look at say nothing.
    let gone = left.iter().filter(|((file, ..), _)| read.contains(file.as_str())).map(|(_, count)| count).sum();
    Ok(Left { known, gone })
}

fn read(files: &dyn Files, path: &Path) -> Result<BTreeMap<(String, String, String), usize>, Diag> {
    if !matches!(files.kind(path), Ok(Some(Kind::File(_) | Kind::Link))) {
        let diag = Diag::error("io", format!("There is no baseline {}", path.display()));
        return Err(diag.help("Add --update-baseline to write one that knows the problems of today."));
    }
    let bytes = files.read(path, MAX_FILE).map_err(|error| source::io(path, &error))?;
    let baseline: Result<Baseline, _> = serde_json::from_slice(&bytes);
    let baseline = baseline.ok().filter(|baseline| baseline.format_version == FORMAT_VERSION);
    let Some(baseline) = baseline else {
        let diag = Diag::error("io", format!("{} is no baseline of this Sliceform", path.display()));
        return Err(diag.help("Write it anew with --update-baseline."));
    };
    let entry = |known: Known| ((known.file, known.rule, known.fingerprint), known.count);
    Ok(baseline.known.into_iter().map(entry).collect())
}

impl Left {
    /// What to say of it; nothing where the baseline knows nothing.
    pub fn words(&self) -> String {
        let mut words = String::new();
        if self.known > 0 {
            words = format!("{} of the baseline not shown\n", count(self.known, "known problem"));
        }
        if self.gone > 0 {
            let gone = count(self.gone, "problem");
            words.push_str(&format!("{gone} of the baseline no longer found: --update-baseline takes them out\n"));
        }
        words
    }
}
