//! `validate --fix`: carries out the edits that problems bring with them, where the answer is unique. Comments and layout stay.

use std::collections::BTreeMap;
use std::path::Path;

use similar::TextDiff;

use crate::base::diag::{Diag, Diags, Edit};
use crate::base::span::SourceMap;
use crate::parse;
use crate::view::sanitize;
use crate::world::files::Files;

const BOM: &str = "\u{feff}";

/// A file with its edits, and what becomes of it.
pub struct Mended {
    /// The file, as people see it.
    pub name: String,
    /// How many edits there are.
    pub edits: usize,
    before: String,
    after: String,
}

/// What the edits of all problems make of their files, by name. Files of values are left alone: they may hold secrets, and a
/// diff would show them. Of two edits that touch, the first is made; the other comes with the next run. Where a stack has
/// several environments, what mends one must mend them all.
pub fn mend<'a>(stacks: impl Iterator<Item = (&'a Diags, &'a SourceMap)>) -> Vec<Mended> {
    let mut files: BTreeMap<&str, Found<'_>> = BTreeMap::new();
    for (diags, map) in stacks {
        for file in map.files().filter(|file| !file.hidden) {
            let found = files.entry(&file.name).or_default();
            (found.text, found.readers) = (&file.text, found.readers + 1);
        }
        let mut told: Vec<(&str, &[Edit])> = Vec::new();
        for fix in diags.iter().map(|diag| diag.fix.as_slice()) {
            let Some(file) = fix.first().and_then(|edit| map.file(edit.span.file)) else { continue };
            let one_file = fix.iter().all(|edit| map.file(edit.span.file).is_some_and(|other| other.name == file.name));
            if one_file && !told.iter().any(|(name, known)| *name == file.name && same(known, fix)) {
                told.push((&file.name, fix));
            }
        }
        for (name, fix) in told {
            let Some(found) = files.get_mut(name) else { continue };
            match found.fixes.iter_mut().find(|(known, _)| same(known, fix)) {
                Some((_, count)) => *count += 1,
                None => found.fixes.push((fix, 1)),
            }
        }
    }
    files.into_iter().filter_map(|(name, found)| found.mended(name)).collect()
}

/// A file that was read, and the edits that problems bring for it.
#[derive(Default)]
struct Found<'a> {
    text: &'a str,
    /// How many stacks and environments read it.
    readers: usize,
    /// Each fix, with how many of them ask for it.
    fixes: Vec<(&'a [Edit], usize)>,
}

impl Found<'_> {
    fn mended(self, name: &str) -> Option<Mended> {
        let mut taken: Vec<&Edit> = Vec::new();
        for (fix, _) in self.fixes.iter().filter(|(_, count)| *count == self.readers) {
            let apart = |a: &Edit, b: &Edit| a.span.end <= b.span.start || b.span.end <= a.span.start;
            if fix.iter().all(|edit| taken.iter().all(|known| apart(edit, known))) {
                taken.extend(*fix);
            }
        }
        let (edits, after) = (taken.len(), applied(self.text, taken));
        (after != self.text).then(|| Mended { name: name.to_owned(), before: self.text.to_owned(), after, edits })
    }
}

/// Environments read the same file: their edits are the same where place and text are.
fn same(a: &[Edit], b: &[Edit]) -> bool {
    let key = |edit: &Edit| (edit.span.start, edit.span.end, edit.text.clone());
    a.iter().map(key).eq(b.iter().map(key))
}

fn applied(text: &str, mut edits: Vec<&Edit>) -> String {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut out = text.to_owned();
    for edit in edits {
        let mut range = edit.span.range();
        if edit.text.is_empty() {
            range = whole_line(&out, range);
        }
        if out.get(range.clone()).is_some() {
            out.replace_range(range, &edit.text);
        }
    }
    out
}

/// The range with the rest of its line, where nothing else stands on it: what is taken out leaves no empty line.
fn whole_line(text: &str, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(after.len(), |at| at + 1);
    let blank = |text: Option<&str>| text.is_some_and(|text| text.trim().is_empty());
    if blank(before.get(start..)) && blank(after.get(..end)) { start..range.end + end } else { range }
}

impl Mended {
    /// The difference, as `diff -u` writes it.
    pub fn diff(&self) -> String {
        let diff = TextDiff::from_lines(self.before.as_str(), self.after.as_str());
        let text = diff.unified_diff().context_radius(3).header(&self.name, &self.name).to_string();
        sanitize::lines(&text).into_owned()
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// The file is no longer what was read, or the disk refuses.
    pub fn write(&self, files: &dyn Files) -> Result<(), Diag> {
        let refused = |why: String| Diag::error("io", format!("{} cannot be mended", self.name)).detail(why);
        let path = files.canonical(Path::new(&self.name)).map_err(|error| refused(format!("{error}.")))?;
        let bytes = files.read(&path, parse::MAX_FILE).map_err(|error| refused(format!("{error}.")))?;
        let mark = if bytes.starts_with(BOM.as_bytes()) { BOM } else { "" };
        if bytes.get(mark.len()..) != Some(self.before.as_bytes()) {
            return Err(refused("It changed while it was checked.".to_owned()).help("Run the command again."));
        }
        let text = format!("{mark}{}", self.after);
        files.rewrite(&path, text.as_bytes()).map_err(|error| refused(format!("{error}.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::span::{FileId, Span};

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(FileId(0), start..end), text: text.to_owned() }
    }

    #[test]
    fn what_is_taken_out_takes_its_line_along_but_no_comment() {
        let text = "a = 1\n  b = 2\nc = 3 # why\n";
        assert_eq!(applied(text, vec![&edit(8, 13, "")]), "a = 1\nc = 3 # why\n");
        assert_eq!(applied(text, vec![&edit(14, 19, "")]), "a = 1\n  b = 2\n # why\n");
        assert_eq!(applied("a = 1", vec![&edit(0, 5, "")]), "");
        assert_eq!(applied(text, vec![&edit(4, 5, "9"), &edit(12, 13, "8")]), "a = 9\n  b = 8\nc = 3 # why\n");
    }

    #[test]
    fn of_two_edits_that_touch_the_first_is_made_and_the_same_one_once() {
        let mut map = SourceMap::default();
        let file = map.add("a.hcl", "a = 12345\n");
        let fault = |range: std::ops::Range<usize>, text: &str| Diag::error("r", "s").fix(Span::new(file, range), text);
        let first: Diags = [fault(4..7, "x"), fault(6..9, "y"), fault(4..7, "x")].into_iter().collect();
        let mended = mend([(&first, &map), (&first, &map)].into_iter());
        assert_eq!((mended[0].after.as_str(), mended[0].edits), ("a = x45\n", 1));
        let other: Diags = [fault(6..9, "y")].into_iter().collect();
        assert!(mend([(&first, &map), (&other, &map)].into_iter()).iter().all(|file| file.after == "a = 12y\n"));
    }
}
