//! Cuts the lines around a diagnostic's labels out of the source: sanitised, as wide as the terminal, labels moved along.

use std::ops::Range;

use crate::base::diag::{Diag, Label};
use crate::base::secrets;
use crate::base::span::{FileId, SourceFile, SourceMap};
use crate::view::sanitize;

/// A label over more lines than this marks only its first: an excerpt shows a place, not a whole block.
const MOST_LINES: usize = 6;

/// Columns that a label should find to the right of its place before the lines are moved to make room.
const LABEL_ROOM: usize = 32;

/// Some lines of one file that follow each other, with the labels that lie in them.
#[derive(Debug, PartialEq)]
pub(super) struct Excerpt {
    /// The file's name, sanitised.
    pub(super) name: String,
    /// The first line's number, from 0.
    pub(super) first_line: usize,
    /// Line and column, both from 0, of the anchor: the primary label, or else the first one.
    pub(super) position: (usize, usize),
    /// The lines as they are to be shown, each with its newline.
    pub(super) text: String,
    /// The labels, by place.
    pub(super) marks: Vec<Mark>,
}

/// A label in an excerpt.
#[derive(Debug, PartialEq)]
pub(super) struct Mark {
    /// Where, in bytes of the excerpt's text.
    pub(super) range: Range<usize>,
    /// What to say there, sanitised and broken into lines; may be empty.
    pub(super) label: String,
    /// Whether it is the problem itself.
    pub(super) primary: bool,
}

/// The columns to draw in: how many, and what stands for text that was cut away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Canvas {
    pub(super) width: usize,
    pub(super) ellipsis: &'static str,
}

/// The excerpts of a diagnostic: that of the primary label first, then the others by file and line.
pub(super) fn excerpts(diag: &Diag, map: &SourceMap, canvas: Canvas) -> Vec<Excerpt> {
    let labels = diag.primary.iter().map(|label| (label, true)).chain(diag.related.iter().map(|label| (label, false)));
    let mut places: Vec<Place> = labels.filter_map(|(label, primary)| Place::new(label, primary, map)).collect();
    let first_file = places.first().map(|place| place.id);
    places.sort_by_key(|place| (Some(place.id) != first_file, place.id, place.bytes.start));

    let mut groups: Vec<Vec<Place>> = Vec::new();
    for place in places {
        match groups.last_mut() {
            Some(group) if touches(group, &place) => group.push(place),
            _ => groups.push(vec![place]),
        }
    }
    groups.sort_by_key(|group| !group.iter().any(|place| place.primary));
    groups.iter().map(|group| excerpt(group, canvas)).collect()
}

/// A label's place in its file.
struct Place<'a> {
    id: FileId,
    file: &'a SourceFile,
    bytes: Range<usize>,
    /// From 0, the last one included.
    lines: (usize, usize),
    label: &'a str,
    primary: bool,
}

impl<'a> Place<'a> {
    fn new(label: &'a Label, primary: bool, map: &'a SourceMap) -> Option<Self> {
        let file = map.file(label.span.file).filter(|file| !file.hidden)?;
        let range = label.span.range();
        let start = boundary(&file.text, range.start);
        let mut end = boundary(&file.text, range.end).max(start);
        end = start + file.text[start..end].trim_end_matches(['\n', '\r']).len();
        let line_of = |byte: usize| file.line_col(u32::try_from(byte).unwrap_or(u32::MAX)).0 - 1;
        let mut lines = (line_of(start), line_of(end));
        if lines.1 - lines.0 >= MOST_LINES {
            end = start + file.text[start..].find(['\n', '\r']).unwrap_or(0);
            lines.1 = lines.0;
        }
        Some(Self { id: label.span.file, file, bytes: start..end, lines, label: &label.text, primary })
    }
}

/// The nearest character boundary at or before `byte`.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte.min(text.len())).rev().find(|byte| text.is_char_boundary(*byte)).unwrap_or(0)
}

/// Whether `place` is close enough to the lines of `group` to be shown in one piece: at most one line between.
fn touches(group: &[Place], place: &Place) -> bool {
    group.iter().any(|other| other.id == place.id && place.lines.0 <= other.lines.1 + 2)
}

fn excerpt(group: &[Place], canvas: Canvas) -> Excerpt {
    let anchor = group.iter().find(|place| place.primary).unwrap_or(&group[0]);
    let file = anchor.file;
    let (first, last) = with_context(file, group);
    let numbers = (last + 1).to_string().len() + 4;
    let arrows = if group.iter().any(|place| place.lines.0 < place.lines.1) { 4 } else { 0 };
    let width = canvas.width.saturating_sub(numbers + arrows + 2 * canvas.ellipsis.len()).max(20);
    let window = Window::around(anchor, Canvas { width, ..canvas });

    let mut text = String::new();
    let mut starts = Vec::new();
    for line in first..=last {
        starts.push(text.len());
        text.push_str(&window.show(&secrets::masked(line_text(file, line))));
        text.push('\n');
    }
    let locate = |byte: usize, line: usize| {
        let before = &file.text[file.line_start(line + 1)..byte];
        let shown = window.show(before.trim_end_matches('\r'));
        (starts[line - first] + shown.len(), columns(&shown))
    };
    let mark = |place: &Place| {
        let (start, from) = locate(place.bytes.start, place.lines.0);
        let (end, to) = locate(place.bytes.end, place.lines.1);
        let middle = if place.lines.0 == place.lines.1 { from.midpoint(to) } else { 0 };
        let room = width.saturating_sub(middle + 5).max(20);
        Mark {
            range: start..end,
            label: wrap(&sanitize::lines(&sanitize::brief(place.label)), room).join("\n"),
            primary: place.primary,
        }
    };
    let (line, column) = file.line_col(u32::try_from(anchor.bytes.start).unwrap_or(u32::MAX));
    Excerpt {
        name: sanitize::text(&file.name).into_owned(),
        first_line: first,
        position: (line - 1, column - 1),
        marks: group.iter().map(mark).collect(),
        text,
    }
}

/// The lines of a group, with one more on each side where that one says something.
fn with_context(file: &SourceFile, group: &[Place]) -> (usize, usize) {
    let first = group.iter().map(|place| place.lines.0).min().unwrap_or(0);
    let last = group.iter().map(|place| place.lines.1).max().unwrap_or(0);
    let says = |line: usize| !line_text(file, line).trim().is_empty();
    let above = first.checked_sub(1).filter(|line| says(*line)).unwrap_or(first);
    let below = if last + 1 < file.line_count() && says(last + 1) { last + 1 } else { last };
    (above, below)
}

/// A line, from 0, without its end.
fn line_text(file: &SourceFile, line: usize) -> &str {
    file.text[file.line_start(line + 1)..file.line_start(line + 2)].trim_end_matches(['\n', '\r'])
}

/// The columns of the source lines that are shown.
struct Window {
    from: usize,
    to: usize,
    ellipsis: &'static str,
}

impl Window {
    /// From the first column if the anchor and its label find room so, else with the anchor in the left half.
    fn around(anchor: &Place, canvas: Canvas) -> Self {
        let all = Self { from: 0, to: usize::MAX, ellipsis: "" };
        let column =
            |byte: usize, line: usize| columns(&all.show(&anchor.file.text[anchor.file.line_start(line + 1)..byte]));
        let start = column(anchor.bytes.start, anchor.lines.0);
        let middle = start.midpoint(column(anchor.bytes.end, anchor.lines.1).max(start));
        let needs = LABEL_ROOM.min(anchor.label.chars().count() + 5);
        let from = if middle + needs <= canvas.width { 0 } else { start.saturating_sub(canvas.width / 4) };
        Self { from, to: from + canvas.width, ellipsis: canvas.ellipsis }
    }

    /// What is seen of a line. Of the first part of a line it gives the first part of what is seen of the whole, so
    /// that its length says where the next character goes.
    fn show(&self, line: &str) -> String {
        let mut out = String::new();
        let mut column = 0;
        for (at, c) in line.char_indices() {
            let stand_in = sanitize::shown_after(&line[..at], c);
            let next = column + stand_in.as_ref().map_or(char_columns(c), |text| columns(text));
            if next > self.to {
                out.push_str(self.ellipsis);
                break;
            }
            if column < self.from {
                out.clear();
                out.push_str(self.ellipsis);
            } else if let Some(text) = stand_in {
                out.push_str(&text);
            } else {
                out.push(c);
            }
            column = next;
        }
        out
    }
}

/// Columns that a text takes at most.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(char_columns).sum()
}

/// Wide scripts and symbols begin at U+1100. Taking everything above it for wide may cut a line early, never late.
fn char_columns(c: char) -> usize {
    if c < '\u{1100}' { 1 } else { 2 }
}

/// Breaks a text between words into lines of at most `width` columns. Line breaks and the blanks that indent a line
/// stay: the writer meant them. A word that is too long stands alone.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    for paragraph in text.trim_end().split('\n') {
        let words = paragraph.trim_start();
        let indent = &paragraph[..paragraph.len() - words.len()];
        let mut line = indent.to_owned();
        let mut used = columns(indent);
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            let first = line.len() == indent.len();
            let needs = columns(word) + usize::from(!first);
            if !first && used + needs > width {
                out.push(std::mem::replace(&mut line, format!("{indent}{word}")));
                used = columns(&line);
                continue;
            }
            if !first {
                line.push(' ');
            }
            line.push_str(word);
            used += needs;
        }
        out.push(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::span::Span;

    const CANVAS: Canvas = Canvas { width: 80, ellipsis: "…" };

    fn of(source: &str, range: Range<usize>) -> Vec<Excerpt> {
        let mut map = SourceMap::default();
        let file = map.add("a.hcl", source);
        excerpts(&Diag::error("rule", "Wrong").at(Span::new(file, range), "here"), &map, CANVAS)
    }

    #[test]
    fn places_far_apart_are_shown_apart_and_the_problem_first() {
        let mut map = SourceMap::default();
        let other = map.add("other.hcl", "x\n");
        let file = map.add("a.hcl", "a\n\nb\n3\n4\n5\n6\nc\n");
        let place = |text: &str| {
            let at = map.file(file).unwrap().text.find(text).unwrap();
            Span::new(file, at..at + 1)
        };
        let diag = Diag::error("rule", "Wrong")
            .at(place("c"), "")
            .also(Span::new(other, 0..1), "")
            .also(place("b"), "")
            .also(place("a"), "");
        let shown = excerpts(&diag, &map, CANVAS);
        let texts: Vec<_> = shown.iter().map(|excerpt| (excerpt.first_line, excerpt.text.as_str())).collect();
        assert_eq!(texts, [(6, "6\nc\n"), (0, "a\n\nb\n3\n"), (0, "x\n")]);
    }

    #[test]
    fn a_span_inside_a_character_or_past_the_end_is_brought_back() {
        let cut = &of("é = 1", 1..1)[0];
        assert_eq!((cut.marks[0].range.clone(), cut.position), (0..0, (0, 0)));
        let past = &of("a = 1\n", 4..99)[0];
        assert_eq!(&past.text[past.marks[0].range.clone()], "1");
        assert_eq!(of("a\r\n", 0..3)[0].marks[0].range, 0..1);
    }

    #[test]
    fn words_wrap_and_indents_stay() {
        assert_eq!(wrap("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrap("  a bb\ncccccccc d\n", 5), ["  a", "  bb", "cccccccc", "d"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("切片 切片", 7), ["切片", "切片"]);
    }

    proptest::proptest! {
        #[test]
        fn what_is_marked_is_what_was_meant(
            before in "(\\PC|[\\t\u{1b}\u{202e}切]){0,60}",
            meant in "(\\PC|[\\t\u{7f}\u{200b}é]){1,5}",
            after in "(\\PC|[\\t\u{9b}]){0,200}",
        ) {
            let source = format!("{before}{meant}{after}\r\nnext\n");
            let excerpt = &of(&source, before.len()..before.len() + meant.len())[0];
            // What a character becomes hangs on what stands before it on the line.
            let line = format!("{before}{meant}");
            let shown = |(at, c): (usize, char)| {
                let at = before.len() + at;
                sanitize::shown_after(&line[..at], c).map_or_else(|| c.to_string(), std::borrow::Cow::into_owned)
            };
            let expected: String = meant.char_indices().map(shown).collect();
            proptest::prop_assert_eq!(&excerpt.text[excerpt.marks[0].range.clone()], expected);
            proptest::prop_assert!(excerpt.text.lines().all(|line| columns(line) <= CANVAS.width), "{}", excerpt.text);
        }
    }
}
