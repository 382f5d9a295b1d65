//! One pass over the text before it is parsed: finds where items start, what is never closed, and blanks what carries
//! no meaning (comments, line ends inside brackets), so that the parser sees plain text with every byte in its place.

use hcl_edit::Ident;
use std::collections::BTreeMap;
use std::ops::Range;

/// Most entries that an object may be written with; the parser takes time in the square of it.
const MAX_KEYS: usize = 4096;

/// Most faults that a scan reports; a file with more of them is no stack file.
const MAX_FAULTS: usize = 1000;

/// Deepest nesting of brackets, templates and blocks; the parser's own limit is the same.
pub(super) const MAX_NESTING: usize = 64;

/// A fault that the scan sees itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    /// What to show.
    pub(super) at: Range<usize>,
    /// What it has to do with: the opening bracket.
    pub(super) opener: Option<Range<usize>>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// A string does not end on its line.
    OpenString,
    /// A heredoc whose closing marker never comes.
    OpenHeredoc(String),
    /// A `/*` without `*/`.
    OpenComment,
    /// A bracket that is never closed; the text closes with what is given.
    OpenBracket(char),
    /// A closing bracket where another one (or none) was due.
    WrongCloser { found: char, wanted: Option<char> },
    /// `<<` without a marker and a line end.
    HeredocStart,
    /// A dot at the end of a line.
    TrailingDot,
    /// More than `MAX_KEYS` entries.
    TooManyKeys,
    /// More than `MAX_NESTING` levels.
    TooDeep,
}

impl Fault {
    /// Whether what follows the faulty item is scanned as if the fault were not there.
    pub(super) fn is_local(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::OpenString
                | FaultKind::OpenComment
                | FaultKind::HeredocStart
                | FaultKind::TrailingDot
                | FaultKind::TooManyKeys
        )
    }
}

/// Where an attribute or block starts, or a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) offset: usize,
    /// How many bodies it is inside of.
    pub(super) depth: usize,
    /// A closing brace of the body at `depth`.
    pub(super) closes: bool,
}

/// What the scan found.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The text, as long as the original, with what carries no meaning blanked.
    pub(super) plain: String,
    /// Starts of top-level items.
    pub(super) starts: Vec<usize>,
    pub(super) marks: Vec<Mark>,
    pub(super) faults: Vec<Fault>,
}

#[derive(Debug, PartialEq, Eq)]
enum Frame {
    Body,
    Object {
        keys: usize,
    },
    ForObject,
    Paren,
    Bracket,
    /// Inside `${ }` or `%{ }`.
    Interpolation,
    String,
    Heredoc {
        marker: String,
    },
}

impl Frame {
    /// Whether a line end separates things here.
    fn lines_count(&self) -> bool {
        matches!(self, Self::Body | Self::Object { .. })
    }

    fn closer(&self) -> char {
        match self {
            Self::Paren => ')',
            Self::Bracket => ']',
            Self::String => '"',
            _ => '}',
        }
    }
}

/// Scans a whole file. A second scan that cuts at whatever looks like a block runs only when something is not closed:
/// otherwise a file that is merely not indented would be cut to pieces.
pub(super) fn scan(text: &str) -> Scan {
    let first = Scanner::new(text, false).run();
    if first.faults.iter().all(Fault::is_local) { first } else { Scanner::new(text, true).run() }
}

/// Scans one expression: line ends carry no meaning between its parts.
pub(super) fn scan_expr(text: &str) -> Scan {
    let mut scanner = Scanner::new(text, false);
    scanner.stack.push((Frame::Interpolation, 0..0));
    scanner.floor = 1;
    scanner.run()
}

/// Scans the text of a template file.
pub(super) fn scan_template(text: &str) -> Scan {
    let mut scanner = Scanner::new(text, false);
    scanner.stack.push((Frame::Heredoc { marker: String::new() }, 0..0));
    scanner.floor = 1;
    scanner.run()
}

#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own")]
struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Open brackets, and where each was opened.
    stack: Vec<(Frame, Range<usize>)>,
    /// Frames that the text did not open itself.
    floor: usize,
    /// Whether nothing but blanks came on this line.
    fresh_line: bool,
    /// The last token in a body was a name or a string: a `{` after it opens a block.
    after_label: bool,
    /// Cut where a line looks like the start of a block, whatever is still open.
    resync: bool,
    /// The rest is not worth the work.
    stop: bool,
    /// Where each word that has a line to itself comes last: what could close a heredoc.
    lone_words: BTreeMap<&'a str, usize>,
    plain: Vec<u8>,
    out: Scan,
}

impl<'a> Scanner<'a> {
    fn new(text: &'a str, resync: bool) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            stack: Vec::new(),
            floor: 0,
            fresh_line: true,
            after_label: false,
            resync,
            stop: false,
            lone_words: if resync { lone_words(text) } else { BTreeMap::new() },
            plain: text.as_bytes().to_vec(),
            out: Scan::default(),
        }
    }

    fn run(mut self) -> Scan {
        while self.at < self.bytes.len() && !self.stop {
            if self.at == 0 || self.bytes[self.at - 1] == b'\n' {
                self.line_start();
            }
            if self.stop {
                break;
            }
            match self.stack.last() {
                Some((Frame::String, _)) => self.string(),
                Some((Frame::Heredoc { .. }, _)) => self.heredoc(),
                _ => self.code(),
            }
        }
        if !self.stop {
            self.unclosed();
        }
        self.out.faults.sort_by_key(|fault| fault.at.start);
        // Only whole characters were replaced, each by as many blanks as it has bytes.
        self.out.plain = String::from_utf8(self.plain).unwrap_or_else(|_| self.text.to_owned());
        self.out
    }

    fn line_start(&mut self) {
        let in_text = matches!(self.stack.last(), Some((Frame::String | Frame::Heredoc { .. }, _)));
        if self.stack.len() > self.floor && self.resync && looks_like_block(&self.text[self.at..]) {
            self.unclosed();
        } else if in_text {
            return;
        }
        self.fresh_line = true;
        self.after_label = false;
        if self.stack.is_empty() && is_name_start(self.text, self.at) {
            self.out.starts.push(self.at);
        }
    }

    /// Reports what is still open and closes it.
    fn unclosed(&mut self) {
        let open = self.stack.split_off(self.floor.min(self.stack.len()));
        // The outermost heredoc or string swallowed everything after it; otherwise the innermost bracket is at fault.
        let text = open.iter().position(|(frame, _)| matches!(frame, Frame::Heredoc { .. } | Frame::String));
        let Some((frame, at)) = text.map_or(open.last(), |index| open.get(index)) else { return };
        let kind = match frame {
            Frame::String => FaultKind::OpenString,
            Frame::Heredoc { marker } => FaultKind::OpenHeredoc(marker.clone()),
            other => FaultKind::OpenBracket(other.closer()),
        };
        self.fault(kind, at.clone(), None);
    }

    fn fault(&mut self, kind: FaultKind, at: Range<usize>, opener: Option<Range<usize>>) {
        // Nothing that comes after such depth, or so many faults, is worth the work.
        if kind == FaultKind::TooDeep || self.out.faults.len() == MAX_FAULTS {
            self.stop = true;
        }
        self.out.faults.push(Fault { kind, at, opener });
    }

    fn open(&mut self, frame: Frame, len: usize) {
        if self.stack.len() == MAX_NESTING + self.floor {
            return self.fault(FaultKind::TooDeep, self.at..self.at + len, None);
        }
        self.stack.push((frame, self.at..self.at + len));
        self.at += len;
    }

    fn blank(&mut self, range: Range<usize>) {
        self.plain[range].fill(b' ');
    }

    fn starts(&self, what: &str) -> bool {
        self.bytes[self.at..].starts_with(what.as_bytes())
    }

    fn code(&mut self) {
        let byte = self.bytes[self.at];
        let fresh = self.fresh_line;
        match byte {
            b'\n' | b'\r' | b' ' | b'\t' => return self.white(byte),
            b'#' => return self.line_comment(),
            b'/' if self.starts("//") => return self.line_comment(),
            b'/' if self.starts("/*") => return self.block_comment(),
            _ => self.fresh_line = false,
        }
        let in_body = matches!(self.stack.last(), None | Some((Frame::Body, _)));
        if fresh && in_body && byte != b'}' {
            self.mark(false);
        }
        let opens_block = in_body && self.after_label;
        self.after_label = false;
        match byte {
            b'"' => {
                self.after_label = in_body;
                self.open(Frame::String, 1);
            }
            b'(' => self.open(Frame::Paren, 1),
            b'[' => self.open(Frame::Bracket, 1),
            b'{' if opens_block => self.open(Frame::Body, 1),
            b'{' if self.for_follows() => self.open(Frame::ForObject, 1),
            b'{' => self.open(Frame::Object { keys: 0 }, 1),
            b')' | b']' | b'}' => self.close(byte),
            b'<' if self.starts("<<") => self.heredoc_start(),
            b'=' | b':' => self.assign(),
            b'.' => self.dot(),
            _ if is_name_start(self.text, self.at) => {
                self.after_label = in_body;
                self.at += name_len(&self.text[self.at..]);
            }
            _ => self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8),
        }
    }

    fn mark(&mut self, closes: bool) {
        let depth = self.stack.iter().filter(|(frame, _)| *frame == Frame::Body).count();
        self.out.marks.push(Mark { offset: self.at, depth, closes });
    }

    fn white(&mut self, byte: u8) {
        let keeps_lines = self.stack.last().is_none_or(|(frame, _)| frame.lines_count());
        if byte == b'\n' {
            self.fresh_line = true;
            self.after_label = false;
        }
        if (byte == b'\n' && !keeps_lines) || byte == b'\r' {
            self.blank(self.at..self.at + 1);
        }
        self.at += 1;
    }

    fn line_comment(&mut self) {
        let len = self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
        self.blank(self.at..self.at + len);
        self.at += len;
    }

    fn block_comment(&mut self) {
        let start = self.at;
        if let Some(len) = self.text[start + 2..].find("*/") {
            self.at = start + 2 + len + 2;
            self.blank(start..self.at);
            return;
        }
        self.fault(FaultKind::OpenComment, start..start + 2, None);
        // Go on behind its first line, as a line comment would: the rest may hold faults worth reporting.
        self.line_comment();
    }

    fn for_follows(&self) -> bool {
        let mut rest = self.text[self.at + 1..].trim_start();
        while let Some(comment) = rest.strip_prefix('#').or_else(|| rest.strip_prefix("//")) {
            rest = comment.split_once('\n').map_or("", |(_, after)| after).trim_start();
        }
        rest.starts_with("for") && name_len(rest) == 3 && rest[3..].starts_with([' ', '\t', '\r', '\n', '#', '/'])
    }

    fn close(&mut self, byte: u8) {
        let found = char::from(byte);
        let at = self.at..self.at + 1;
        let wanted = self.stack.get(self.floor..).and_then(<[_]>::last).map(|(frame, at)| (frame.closer(), at.clone()));
        match wanted {
            Some((closer, _)) if closer == found => {
                if matches!(self.stack.last(), Some((Frame::Body, _))) {
                    self.mark(true);
                }
                self.stack.pop();
            }
            Some((closer, opener)) => {
                self.fault(FaultKind::WrongCloser { found, wanted: Some(closer) }, at, Some(opener));
                // What it does close, if anything, ends with all that is open inside of it.
                let same = |(frame, _): &(Frame, _)| frame.closer() == found && *frame != Frame::String;
                if let Some(index) = self.stack.iter().rposition(same).filter(|index| *index >= self.floor) {
                    self.stack.truncate(index);
                }
            }
            None => self.fault(FaultKind::WrongCloser { found, wanted: None }, at, None),
        }
        self.at += 1;
    }

    /// The parser would look for the name on the next line, and blame that.
    fn dot(&mut self) {
        let next = self.text[self.at + 1..].trim_start_matches([' ', '\t', '\r']);
        let ends = next.is_empty() || next.starts_with(['\n', '#']) || next.starts_with("//");
        if ends && self.stack.last().is_none_or(|(frame, _)| frame.lines_count()) {
            self.fault(FaultKind::TrailingDot, self.at..self.at + 1, None);
        }
        self.at += 1;
    }

    fn assign(&mut self) {
        let two = self.starts("==") || self.starts("=>") || self.starts("::");
        let compares = self.at > 0 && matches!(self.bytes[self.at - 1], b'!' | b'<' | b'>');
        if let (Some((Frame::Object { keys }, _)), false, false) = (self.stack.last_mut(), two, compares) {
            *keys += 1;
            if *keys == MAX_KEYS + 1 {
                self.fault(FaultKind::TooManyKeys, self.at..self.at + 1, None);
            }
        }
        self.at += if two { 2 } else { 1 };
    }

    fn string(&mut self) {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b'"' => {
                self.stack.pop();
                self.at += 1;
            }
            b'\n' => self.string_broken(),
            b'\\' if rest.len() > 1 && rest[1] != b'\n' => {
                self.at += 1 + self.text[self.at + 1..].chars().next().map_or(0, char::len_utf8);
            }
            _ => self.template_byte(),
        }
    }

    /// A line end within quotes: the outermost string of this line is the one that is not closed.
    fn string_broken(&mut self) {
        let line = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
        let outermost = |(frame, at): &(Frame, Range<usize>)| *frame == Frame::String && at.start >= line;
        let index = self.stack.iter().position(outermost).unwrap_or(self.stack.len() - 1);
        let start = self.stack[index].1.start;
        self.fault(FaultKind::OpenString, start..self.text[..self.at].trim_end().len().max(start + 1), None);
        self.stack.truncate(index);
    }

    /// A byte of a string or heredoc that may open an interpolation.
    fn template_byte(&mut self) {
        if self.starts("$${") || self.starts("%%{") {
            self.at += 3;
        } else if self.starts("${") || self.starts("%{") {
            self.open(Frame::Interpolation, 2);
        } else {
            self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        }
    }

    fn heredoc_start(&mut self) {
        let start = self.at;
        let after = &self.text[start + 2..];
        let name = after.strip_prefix('-').unwrap_or(after);
        let dash = after.len() - name.len();
        let marker = &name[..name_len(name)];
        let end = start + 2 + dash + marker.len();
        let line = self.text[end..].strip_prefix('\r').unwrap_or(&self.text[end..]);
        if marker.is_empty() || !line.starts_with('\n') {
            self.fault(FaultKind::HeredocStart, start..end, None);
        }
        if marker.is_empty() {
            self.at = end;
            return;
        }
        let marker = marker.to_owned();
        self.open(Frame::Heredoc { marker }, end - start);
        // The line end belongs to the opening.
        self.at += self.text[self.at..].find('\n').map_or(0, |len| len + 1);
        self.heredoc_end();
    }

    fn heredoc(&mut self) {
        let ends_line = self.bytes[self.at] == b'\n';
        self.template_byte();
        if ends_line {
            if self.resync && looks_like_block(&self.text[self.at..]) && !self.marker_comes() {
                self.unclosed();
            } else {
                self.heredoc_end();
            }
        }
    }

    /// Whether the closing marker of the heredoc stands on some line to come.
    fn marker_comes(&self) -> bool {
        match self.stack.last() {
            Some((Frame::Heredoc { marker }, _)) => {
                self.lone_words.get(marker.as_str()).is_some_and(|last| *last >= self.at)
            }
            _ => false,
        }
    }

    /// At the start of a line: closes the heredoc if the line holds its marker and nothing else.
    fn heredoc_end(&mut self) {
        let Some((Frame::Heredoc { marker }, _)) = self.stack.last() else { return };
        let rest = self.text[self.at..].trim_start_matches([' ', '\t']);
        if marker.is_empty() || !rest.starts_with(marker.as_str()) || name_len(rest) != marker.len() {
            return;
        }
        let start = self.text.len() - rest.len();
        let end = start + marker.len();
        let line = self.text[end..].split('\n').next().unwrap_or("");
        if line.trim().is_empty() {
            self.at = end;
            self.stack.pop();
            self.fresh_line = false;
        } else {
            // The parser would take it for the end: it reads another word there. The text is taken from the source.
            let other = if self.plain[start] == b'_' { b'x' } else { b'_' };
            self.plain[start..end].fill(other);
        }
    }
}

fn lone_words(text: &str) -> BTreeMap<&str, usize> {
    let mut words = BTreeMap::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line.trim();
        if !word.is_empty() && name_len(word) == word.len() {
            words.insert(word, at);
        }
        at += line.len();
    }
    words
}

/// `name "label" … {` at the very start of a line.
pub(super) fn looks_like_block(line: &str) -> bool {
    let line = line.split('\n').next().unwrap_or("");
    let len = name_len(line);
    let Some((header, _)) = line.split_once('{') else { return false };
    len > 0 && line[len..].starts_with([' ', '\t', '{']) && !header.contains(['=', ':', '(', '[', '$', '%', ','])
}

fn is_name_start(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_some_and(|c| in_name(c, true))
}

/// How many bytes of a name stand at the start of the text.
pub(super) fn name_len(text: &str) -> usize {
    let end = text.char_indices().find(|(at, c)| !in_name(*c, *at == 0));
    end.map_or(text.len(), |(at, _)| at)
}

fn in_name(c: char, first: bool) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '_' => true,
        '0'..='9' | '-' => !first,
        c if c.is_ascii() => false,
        c if first => Ident::try_new(c.to_string()).is_ok(),
        c => Ident::try_new(format!("a{c}")).is_ok(),
    }
}
