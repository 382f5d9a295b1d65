//! One changed value as people read it, in Terraform's look: nested values, the words of a long line, the lines of a text.

use anstyle::{AnsiColor, Effects};
use serde_json::Value;
use similar::{ChangeTag, DiffTag, TextDiff};

use crate::plan::Change;
use crate::view::{Style, count, sanitize};

/// Lines of a new or removed value that are shown without `--full`.
const SHORT: usize = 12;

/// Changed lines of a text that are shown without `--full`.
const SHORT_TEXT: usize = 40;

/// Unchanged lines around changed ones.
const CONTEXT: usize = 2;

/// Texts beyond this many bytes are shown by their size alone without `--full`.
const LONG: usize = 1 << 20;

/// Names are aligned up to this width; one that is longer stands out.
pub(super) const MOST_PAD: usize = 100;

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It comes.
    Add,
    /// It goes.
    Remove,
    /// It becomes another.
    Change,
}

/// Writes with the look that the reader asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    /// Colours, characters and width.
    pub style: Style,
    /// Whether to show everything.
    pub full: bool,
}

/// Where a value stands: how far in, under which name, in a column of names how wide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot<'a> {
    /// Columns before the mark.
    pub indent: usize,
    /// The name; none for an item of a list.
    pub name: Option<&'a str>,
    /// Columns that the name fills.
    pub pad: usize,
}

impl Pen {
    /// `text` in a colour.
    pub fn paint(self, look: anstyle::Style, text: &str) -> String {
        if self.style.color { format!("{look}{text}{look:#}") } else { text.to_owned() }
    }

    /// `+`, `-` or `~`.
    pub fn mark(self, mark: Mark) -> String {
        match mark {
            Mark::Add => self.paint(AnsiColor::Green.on_default(), "+"),
            Mark::Remove => self.paint(AnsiColor::Red.on_default(), "-"),
            Mark::Change => self.paint(AnsiColor::Yellow.on_default(), "~"),
        }
    }

    /// A remark in Terraform's way, `# (3 unchanged values hidden)`.
    pub fn remark(self, indent: usize, text: &str) -> String {
        format!("{:indent$}{}", "", self.paint(Effects::DIMMED.into(), &format!("# {text}")))
    }

    /// The lines of a change. `note` ends the first.
    pub fn change(self, change: &Change, slot: Slot<'_>, note: &str) -> Vec<String> {
        let mut lines = match (&change.before, &change.after) {
            (Some(before), Some(after)) => self.altered(slot, before, after),
            (None, Some(value)) => self.shortened(slot, Mark::Add, value),
            (Some(value), None) => self.shortened(slot, Mark::Remove, value),
            (None, None) => Vec::new(),
        };
        if let Some(first) = lines.first_mut() {
            first.push_str(note);
        }
        lines
    }

    /// Columns for a value in `slot`.
    fn room(self, slot: Slot<'_>) -> usize {
        let name = if slot.name.is_some() { slot.pad.min(MOST_PAD) + 3 } else { 0 };
        self.style.width.clamp(60, 200).saturating_sub(slot.indent + 2 + name).max(24)
    }

    /// Everything of a line before its value.
    fn head(self, slot: Slot<'_>, mark: Mark) -> String {
        let name = slot.name.map_or_else(String::new, |name| format!("{name:pad$} = ", pad = slot.pad.min(MOST_PAD)));
        format!("{:indent$}{} {name}", "", self.mark(mark), indent = slot.indent)
    }

    fn shortened(self, slot: Slot<'_>, mark: Mark, value: &Value) -> Vec<String> {
        let mut lines = Vec::new();
        self.put(slot, mark, value, &mut lines);
        let more = lines.len().saturating_sub(SHORT);
        if !self.full && more > 1 {
            lines.truncate(SHORT);
            lines.push(self.remark(slot.indent + 4, &format!("({} more; --full shows them)", count(more, "line"))));
        }
        lines
    }

    /// A value that comes or goes, with all that is in it.
    pub fn put(self, slot: Slot<'_>, mark: Mark, value: &Value, lines: &mut Vec<String>) {
        let head = self.head(slot, mark);
        let room = self.room(slot);
        let inner = slot.indent + 4;
        match (inline(value), value) {
            (Some(text), _) if text.chars().count() <= room => lines.push(head + &text),
            (_, Value::Object(fields)) => {
                lines.push(head + "{");
                let names: Vec<String> = fields.keys().map(|name| key(name)).collect();
                let pad = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
                for (name, value) in names.iter().zip(fields.values()) {
                    self.put(Slot { indent: inner, name: Some(name), pad }, mark, value, lines);
                }
                lines.push(format!("{:indent$}  }}", "", indent = slot.indent));
            }
            (_, Value::Array(items)) => {
                lines.push(head + "[");
                for item in items {
                    self.put(Slot { indent: inner, name: None, pad: 0 }, mark, item, lines);
                }
                lines.push(format!("{:indent$}  ]", "", indent = slot.indent));
            }
            (None, Value::String(text)) => {
                lines.push(format!("{head}({})", count(text.lines().count(), "line")));
                lines.extend(text.lines().map(|line| self.text_line(inner, Some(mark), line)));
            }
            (text, _) => lines.push(head + &self.cut(&text.unwrap_or_default(), room)),
        }
    }

    /// A value that becomes another.
    fn altered(self, slot: Slot<'_>, before: &Value, after: &Value) -> Vec<String> {
        if let (Value::String(before), Value::String(after)) = (before, after)
            && (is_text(before) || is_text(after))
        {
            return self.text(slot, before, after);
        }
        let both = |(before, after): (String, String)| format!("{before} -> {after}");
        if let Some(text) = inline(before).zip(inline(after)).map(both)
            && (text.chars().count() <= self.room(slot) || self.full && !before.is_string())
        {
            return vec![self.head(slot, Mark::Change) + &text];
        }
        match (before, after) {
            (Value::String(before), Value::String(after)) => vec![self.words(slot, before, after)],
            (Value::Array(before), Value::Array(after)) => self.list(slot, before, after),
            _ => [(Mark::Remove, before), (Mark::Add, after)]
                .into_iter()
                .flat_map(|(mark, value)| self.shortened(slot, mark, value))
                .collect(),
        }
    }

    /// A list: items that are the same on both sides are counted, the others shown.
    fn list(self, slot: Slot<'_>, before: &[Value], after: &[Value]) -> Vec<String> {
        let mut lines = vec![self.head(slot, Mark::Change) + "["];
        let item = Slot { indent: slot.indent + 4, name: None, pad: 0 };
        let mut same = 0;
        for op in similar::capture_diff_slices(similar::Algorithm::Myers, &texts(before), &texts(after)) {
            let (tag, old, new) = op.as_tag_tuple();
            let (old, new) = (&before[old], &after[new]);
            if tag == DiffTag::Equal {
                same += old.len();
            } else if old.len() == new.len() {
                lines.extend(old.iter().zip(new).flat_map(|(old, new)| self.altered(item, old, new)));
            } else {
                for value in old {
                    self.put(item, Mark::Remove, value, &mut lines);
                }
                for value in new {
                    self.put(item, Mark::Add, value, &mut lines);
                }
            }
        }
        if same > 0 {
            lines.push(self.remark(item.indent + 2, &format!("({} hidden)", count(same, "unchanged item"))));
        }
        lines.push(format!("{:indent$}  ]", "", indent = slot.indent));
        lines
    }

    /// A long line: what differs stands in `[-…-]{+…+}`, and what is the same around it is cut.
    fn words(self, slot: Slot<'_>, before: &str, after: &str) -> String {
        let (before, after) = (quoted(before), quoted(after));
        let diff = TextDiff::from_unicode_words(before.as_str(), after.as_str());
        let mut pieces: Vec<(ChangeTag, String)> = Vec::new();
        for change in diff.iter_all_changes() {
            match pieces.last_mut() {
                Some((tag, text)) if *tag == change.tag() => text.push_str(change.value()),
                _ => pieces.push((change.tag(), change.value().to_owned())),
            }
        }
        let last = pieces.len().saturating_sub(1);
        let mut line = self.head(slot, Mark::Change);
        for (index, (tag, text)) in pieces.into_iter().enumerate() {
            let text = sanitize::text(&text).into_owned();
            line += &match tag {
                ChangeTag::Equal => self.around(&text, index > 0, index < last),
                ChangeTag::Delete => self.paint(AnsiColor::Red.on_default(), &format!("[-{text}-]")),
                ChangeTag::Insert => self.paint(AnsiColor::Green.on_default(), &format!("{{+{text}+}}")),
            };
        }
        line
    }

    /// What is the same between two differences, or before or after all: the ends that touch them stay.
    fn around(self, text: &str, after: bool, before: bool) -> String {
        const KEPT: usize = 20;
        let chars: Vec<char> = text.chars().collect();
        if self.full || chars.len() <= 3 * KEPT {
            return text.to_owned();
        }
        // The opening of a command says more than what stands just before the difference.
        let start: String = chars[..if after { KEPT } else { 2 * KEPT }].iter().collect();
        let end: String = chars[chars.len() - if before { KEPT } else { 1 }..].iter().collect();
        format!("{start}{}{end}", self.ellipsis())
    }

    /// A text of several lines: the changed lines with some around them.
    fn text(self, slot: Slot<'_>, before: &str, after: &str) -> Vec<String> {
        let head = self.head(slot, Mark::Change);
        let lines_of = |text: &str| count(text.lines().count(), "line");
        if before.len().max(after.len()) > LONG && !self.full {
            return vec![format!("{head}({} -> {})", lines_of(before), lines_of(after))];
        }
        let diff = TextDiff::from_lines(before, after);
        let mut lines = vec![format!("{head}({})", lines_of(after))];
        let inner = slot.indent + 4;
        let hidden = |number: usize| {
            (number > 0).then(|| self.remark(inner + 2, &format!("({} hidden)", count(number, "unchanged line"))))
        };
        let context = if self.full { diff.old_len() } else { CONTEXT };
        let mut seen = 0;
        for group in diff.grouped_ops(context) {
            let start = group.first().map_or(seen, |op| op.old_range().start);
            lines.extend(hidden(start.saturating_sub(seen)));
            seen = group.last().map_or(seen, |op| op.old_range().end);
            for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
                let mark = match change.tag() {
                    ChangeTag::Equal => None,
                    ChangeTag::Delete => Some(Mark::Remove),
                    ChangeTag::Insert => Some(Mark::Add),
                };
                lines.push(self.text_line(inner, mark, change.value()));
            }
        }
        lines.extend(hidden(diff.old_len().saturating_sub(seen)));
        let more = lines.len().saturating_sub(SHORT_TEXT);
        if !self.full && more > 1 {
            lines.truncate(SHORT_TEXT);
            lines.push(self.remark(inner + 2, &format!("({} more; --full shows them)", count(more, "line"))));
        }
        lines
    }

    /// A line of a text. The bar keeps whatever the line begins with from being taken for something else: a workflow
    /// command of a forge begins a line.
    fn text_line(self, indent: usize, mark: Option<Mark>, line: &str) -> String {
        let line = sanitize::text(line.trim_end_matches(['\n', '\r'])).into_owned();
        let room = self.style.width.clamp(60, 200).saturating_sub(indent + 4);
        let line = if self.full { line } else { self.cut(&line, room) };
        let (mark, line) = match mark {
            None => (" ".to_owned(), line),
            Some(mark @ (Mark::Add | Mark::Change)) => {
                (self.mark(mark), self.paint(AnsiColor::Green.on_default(), &line))
            }
            Some(mark @ Mark::Remove) => (self.mark(mark), self.paint(AnsiColor::Red.on_default(), &line)),
        };
        format!("{:indent$}{mark} | {line}", "").trim_end().to_owned()
    }

    /// The text, or its beginning and its end.
    fn cut(self, text: &str, room: usize) -> String {
        let chars: Vec<char> = text.chars().collect();
        if self.full || chars.len() <= room {
            return text.to_owned();
        }
        let kept = room.saturating_sub(self.ellipsis().len());
        let end = kept / 4;
        let tail: String = chars[chars.len() - end..].iter().collect();
        format!("{}{}{tail}", chars[..kept - end].iter().collect::<String>(), self.ellipsis())
    }

    fn ellipsis(self) -> &'static str {
        if self.style.unicode { "…" } else { "..." }
    }
}

/// A name as it stands before `=`.
pub(super) fn key(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if plain { name.to_owned() } else { sanitize::text(&Value::from(name).to_string()).into_owned() }
}

/// A value on one line: single values, and small lists and maps of them.
fn inline(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) if is_text(text) => return None,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
        Value::Array(items) => format!("[{}]", all_single(items.iter())?.join(", ")),
        Value::Object(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Object(fields) => {
            let values = all_single(fields.values())?;
            let pairs: Vec<String> =
                fields.keys().zip(values).map(|(name, value)| format!("{} = {value}", key(name))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
    };
    Some(sanitize::text(&text).into_owned())
}

fn all_single<'a>(values: impl Iterator<Item = &'a Value>) -> Option<Vec<String>> {
    values.map(|value| if value.is_object() || value.is_array() { None } else { inline(value) }).collect()
}

/// Whether a string has several lines.
fn is_text(text: &str) -> bool {
    text.trim_end_matches('\n').contains('\n')
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn texts(items: &[Value]) -> Vec<String> {
    items.iter().map(Value::to_string).collect()
}
