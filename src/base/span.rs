//! Places in source text: byte ranges in a file, and the map that turns them into lines and columns.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A byte range in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file that the range lies in.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`. Offsets beyond 4 GiB saturate; files that large are refused earlier.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The range as indices into the file's text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The smallest range that covers both. Ranges of different files give the first.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), span: self.span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

/// One source file: its name as people see it, and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path to show, relative to where the command runs.
    pub name: String,
    /// The text, without a byte order mark.
    pub text: Arc<str>,
    /// The text must not be shown: it holds values of variables, and a neighbour of a wrong one may be a secret.
    pub hidden: bool,
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: Arc<str>) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let line_starts =
            std::iter::once(0).chain(breaks.map(|(i, _)| u32::try_from(i + 1).unwrap_or(u32::MAX))).collect();
        Self { name, text, hidden: false, line_starts }
    }

    /// Line and column (both from 1; the column counts characters) of a byte offset.
    pub fn line_col(&self, offset: u32) -> (usize, usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let column = self.text.get(start..end).map_or(0, |before| before.chars().count());
        (line, column + 1)
    }

    /// Byte offset of the first character of `line` (from 1), or the end of the text.
    pub fn line_start(&self, line: usize) -> usize {
        self.line_starts.get(line.saturating_sub(1)).map_or(self.text.len(), |start| *start as usize)
    }

    /// How many lines the file has; an empty file has one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// Every file that a run has read.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Takes a file in and gives its id.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile::new(name.into(), text.into()));
        id
    }

    /// Takes a file in whose text must not be shown.
    pub fn add_hidden(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = self.add(name, text);
        if let Some(file) = self.files.last_mut() {
            file.hidden = true;
        }
        id
    }

    /// The file behind an id, if this map gave it out.
    pub fn file(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// Every file, in the order in which they were read.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The text of a span, empty where the span is not of this map.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).and_then(|file| file.text.get(span.range())).unwrap_or("")
    }

    /// `file:line:column` of a span's start.
    pub fn position(&self, span: Span) -> String {
        self.file(span.file).map_or_else(String::new, |file| {
            let (line, column) = file.line_col(span.start);
            format!("{}:{line}:{column}", file.name)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let mut map = SourceMap::default();
        let id = map.add("a", "ab\nhé!\n");
        let file = map.file(id).unwrap();
        assert_eq!(file.line_col(0), (1, 1));
        assert_eq!(file.line_col(3), (2, 1));
        assert_eq!(file.line_col(6), (2, 3));
        assert_eq!(file.line_col(8), (3, 1));
        assert_eq!(file.line_col(999), (3, 1));
        assert_eq!(map.text(Span::new(id, 3..6)), "hé");
    }
}
