//! Text to a tree with spans; returns what it could read, and all errors at once.

pub mod tree;

mod convert;
mod explain;
mod scan;
mod template;

pub use tree::{Attr, Block, Body, Expr, ExprKind};

use crate::base::diag::Diags;
use crate::base::span::{FileId, Span, Spanned};
use convert::Converter;
use scan::{Fault, FaultKind, Mark, Scan};
use std::collections::BTreeMap;
use std::ops::Range;

/// Largest file that is read, in bytes.
pub const MAX_FILE: u64 = 4 << 20;

/// Most blocks at the top of a file. Every stage looks at each of them, and some at each pair.
const MAX_BLOCKS: usize = 4000;

/// Most blocks and attributes of a file together.
const MAX_ITEMS: usize = 50_000;

/// Most faults looked for within one top-level block.
const MAX_RETRIES: usize = 20;

/// Most bytes read again and again to find them.
const MAX_REREAD: usize = 4 << 20;

/// A file's bytes as text: without a byte order mark, or why it is not text.
pub fn decode(bytes: &[u8]) -> Result<String, String> {
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("the file has {} bytes; the limit is {MAX_FILE}", bytes.len()));
    }
    let line = |at: usize| bytes[..at].split(|byte| *byte == b'\n').count();
    let text =
        std::str::from_utf8(bytes).map_err(|fault| format!("line {} is not UTF-8 text", line(fault.valid_up_to())))?;
    if let Some(at) = text.find('\0') {
        return Err(format!("line {} holds a NUL byte: this is not a text file", line(at)));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
}

/// Why a text has too much in it to be read; in a sentence.
pub fn excess(text: &str) -> Option<String> {
    let scan = scan::scan(text);
    let items = scan.marks.iter().filter(|mark| !mark.closes).count();
    if scan.starts.len() > MAX_BLOCKS {
        Some(format!("the file has {} blocks; the limit is {MAX_BLOCKS}", scan.starts.len()))
    } else {
        (items > MAX_ITEMS).then(|| format!("the file has {items} blocks and attributes; the limit is {MAX_ITEMS}"))
    }
}

/// Reads a file. Each top-level block is read on its own, so that one broken block hides no other; within a block,
/// what is broken is left out and the rest is read. Such a block is marked [`Block::broken`].
pub fn parse(file: FileId, text: &str) -> (Body, Diags) {
    let scan = scan::scan(text);
    let mut diags: Diags = scan.faults.iter().map(|fault| explain::fault(file, fault)).collect();
    let mut body = Body { attrs: Vec::new(), blocks: Vec::new(), span: Span::new(file, 0..text.len()) };
    for chunk in chunks(&scan) {
        let part = Chunk { file, text, scan: &scan, range: chunk.clone() };
        let first = scan.faults.partition_point(|fault| fault.at.start < chunk.start);
        let after = scan.faults.partition_point(|fault| fault.at.start < chunk.end);
        let faults = &scan.faults[first..after.max(first)];
        if faults.iter().all(Fault::is_local) {
            part.read(faults, &mut body, &mut diags);
        } else {
            body.blocks.extend(part.header());
        }
    }
    refuse_duplicates(&mut body, &mut diags);
    diags.sort();
    (body, diags)
}

/// Reads one expression: the value of `--var NAME=VALUE`.
pub fn parse_expr(file: FileId, text: &str) -> Result<Expr, Diags> {
    let scan = scan::scan_expr(text);
    let lead = scan.plain.len() - scan.plain.trim_start().len();
    faults(file, &scan)?;
    let parsed = scan.plain.trim().parse::<hcl_edit::expr::Expression>();
    let parsed = parsed.map_err(|fault| {
        let at = lead + fault.location().offset();
        Diags::from(explain::parser(file, &scan.plain, at, fault.message(), &scan.marks))
    })?;
    Ok(Converter { file, text, base: lead }.expr(&parsed))
}

/// Reads the text of a template file.
pub fn parse_template(file: FileId, text: &str) -> Result<Expr, Diags> {
    let scan = scan::scan_template(text);
    faults(file, &scan)?;
    let parsed = scan.plain.parse::<hcl_edit::template::Template>().map_err(|fault| {
        Diags::from(explain::parser(file, &scan.plain, fault.location().offset(), fault.message(), &scan.marks))
    })?;
    let kind = template::file(&Converter { file, text, base: 0 }, &parsed);
    Ok(Expr { kind, span: Span::new(file, 0..text.len()) })
}

fn faults(file: FileId, scan: &Scan) -> Result<(), Diags> {
    let diags: Diags = scan.faults.iter().map(|fault| explain::fault(file, fault)).collect();
    if diags.is_empty() { Ok(()) } else { Err(diags) }
}

/// The text cut at the starts of top-level items. What stands before the first is a piece too, unless it is blank.
fn chunks(scan: &Scan) -> Vec<Range<usize>> {
    let ends = scan.starts.iter().copied().chain([scan.plain.len()]);
    let mut from = 0;
    let mut pieces = Vec::new();
    for end in ends {
        if !scan.plain[from..end].trim().is_empty() {
            pieces.push(from..end);
        }
        from = end;
    }
    pieces
}

/// A top-level block or attribute with its place.
struct Chunk<'a> {
    file: FileId,
    /// The whole file.
    text: &'a str,
    scan: &'a Scan,
    range: Range<usize>,
}

impl Chunk<'_> {
    /// Parses the piece without the items that have `faults`; where that fails, reports it, blanks the faulty item
    /// and tries again.
    fn read(&self, faults: &[Fault], body: &mut Body, diags: &mut Diags) {
        let mut text = self.scan.plain[self.range.clone()].to_owned();
        let mut broken = false;
        // An open comment is blanked already, and belongs to no item.
        for fault in faults.iter().filter(|fault| fault.kind != FaultKind::OpenComment) {
            broken = true;
            match self.item_around(fault.at.start) {
                Some(item) => blank(&mut text, item),
                None => return body.blocks.extend(self.header()),
            }
        }
        let mut last = None;
        for _ in 0..(MAX_REREAD / text.len().max(1)).clamp(1, MAX_RETRIES) {
            match hcl_edit::parser::parse_body(&text) {
                Ok(parsed) => {
                    let converter = Converter { file: self.file, text: self.text, base: self.range.start };
                    let mut part = converter.body(&parsed, Span::new(self.file, self.range.clone()));
                    part.blocks.iter_mut().for_each(|block| block.broken |= broken);
                    body.attrs.append(&mut part.attrs);
                    body.blocks.append(&mut part.blocks);
                    return;
                }
                Err(fault) => {
                    let at = self.range.start + fault.location().offset();
                    if last.is_some_and(|last| at <= last) {
                        break;
                    }
                    let before = &self.scan.plain[..self.range.end];
                    diags.push(explain::parser(self.file, before, at, fault.message(), &self.scan.marks));
                    last = Some(at);
                    broken = true;
                    let Some(item) = self.item_around(at) else { break };
                    blank(&mut text, item);
                }
            }
        }
        body.blocks.extend(self.header());
    }

    /// The attribute within a block that holds `at`, as a range of the piece; none if a block starts there.
    fn item_around(&self, at: usize) -> Option<Range<usize>> {
        let marks: &[Mark] = &self.scan.marks;
        let index = marks.partition_point(|mark| mark.offset <= at).checked_sub(1)?;
        let item = marks[index];
        let end = marks.get(index + 1).filter(|next| next.depth <= item.depth)?;
        let inside = item.depth > 0 && !item.closes && item.offset >= self.range.start && end.offset <= self.range.end;
        inside.then(|| item.offset - self.range.start..end.offset - self.range.start)
    }

    /// The block that the piece starts with, if its header can be told, without its body.
    fn header(&self) -> Option<Block> {
        let text = &self.scan.plain[self.range.clone()];
        let line = text.lines().next().filter(|line| scan::looks_like_block(line))?;
        let header = format!("{}{{}}", line.split('{').next().unwrap_or(""));
        let parsed = hcl_edit::parser::parse_body(&header).ok()?;
        let converter = Converter { file: self.file, text: self.text, base: self.range.start };
        let span = Span::new(self.file, self.range.start..self.range.start + text.trim_end().len());
        let mut block = converter.body(&parsed, span).blocks.pop()?;
        block.body.span = Span { start: block.header.end, ..span };
        block.span = span;
        block.broken = true;
        Some(block)
    }
}

/// Puts blanks in the place of a part: as many bytes, and the line ends stay.
fn blank(text: &mut String, part: Range<usize>) {
    let blanks = |c: char| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) };
    let blanked: String = text[part.clone()].chars().map(blanks).collect();
    text.replace_range(part, &blanked);
}

/// Top-level attributes were read piece by piece, so the parser could not see that one is there twice.
fn refuse_duplicates(body: &mut Body, diags: &mut Diags) {
    let mut seen: BTreeMap<String, Span> = BTreeMap::new();
    body.attrs.retain(|attr| {
        let Spanned { value, span } = attr.name.clone();
        let first = *seen.entry(value.clone()).or_insert(span);
        if first != span {
            diags.push(explain::twice(span.file, &value, span.range()).also(first, "first here"));
        }
        first == span
    });
}

#[cfg(test)]
mod tests;
