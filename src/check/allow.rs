//! `# allow: RULE -- reason` above a block or an attribute: one rule is silent there, for everyone to see why.

use crate::base::diag::{Diag, Diags};
use crate::base::span::{FileId, Span};
use crate::base::suggest::did_you_mean;
use crate::check::rule::Rule;
use crate::check::{find, rules};
use crate::parse::Body;

/// The name under which problems of the comments themselves are told.
pub const RULE: &str = "useless-allow";

/// One comment.
struct Allow<'a> {
    rule: &'a str,
    reason: &'a str,
    /// The comment itself.
    span: Span,
    /// The block or attribute below it.
    scope: Option<Span>,
    used: bool,
}

/// The comments of a file.
pub struct Allows<'a>(Vec<Allow<'a>>);

impl<'a> Allows<'a> {
    /// Reads them.
    pub fn of(file: FileId, text: &'a str, body: &Body) -> Self {
        Self(comments(file, text, body))
    }

    /// Takes out what they allow.
    pub fn silence(&mut self, diags: &mut Diags) {
        if self.0.is_empty() {
            return;
        }
        diags.retain(|diag| {
            let Some(place) = diag.primary.as_ref().map(|label| label.span) else { return true };
            let silent = self.0.iter_mut().filter(|allow| allow.silences(diag.rule, place));
            silent.map(|allow| allow.used = true).count() == 0
        });
    }

    /// What a comment can't do is told. Where there were no objects to look at, a rule about them may still find something.
    pub fn useless(&self, objects: bool) -> Diags {
        let waits = |allow: &&Allow<'_>| !objects && find(allow.rule).is_some_and(Rule::looks_at_objects);
        self.0.iter().filter(|allow| !(waits(allow) && allow.is_sound())).filter_map(Allow::useless).collect()
    }
}

impl Allow<'_> {
    fn silences(&self, rule: &str, place: Span) -> bool {
        let inside = |scope: Span| scope.file == place.file && (scope.start..scope.end).contains(&place.start);
        self.rule == rule && !self.reason.is_empty() && self.scope.is_some_and(inside)
    }

    fn is_sound(&self) -> bool {
        !self.reason.is_empty() && self.scope.is_some()
    }

    /// What to say of a comment that silences nothing.
    fn useless(&self) -> Option<Diag> {
        let warning = |label: &str| Diag::warning(RULE, "This comment allows nothing").at(self.span, label);
        if !rules::RULES.iter().any(|rule| rule.name == self.rule) {
            let near = did_you_mean(self.rule, rules::RULES.iter().map(|rule| rule.name));
            let help = format!("`sliceform explain RULE` shows a rule, and the README lists them.{near}");
            return Some(warning("no rule has this name").help(help));
        }
        if self.reason.is_empty() {
            let help = format!("Say why: `# allow: {} -- reason`.", self.rule);
            return Some(warning("without a reason it has no effect").help(help));
        }
        if self.scope.is_none() {
            return Some(
                warning("no block or attribute below it").help("It stands on the line above what it is about."),
            );
        }
        (!self.used).then(|| warning("the rule finds nothing here").help("Take it out: a later fault would go unseen."))
    }
}

/// The comments of a file, each with what it stands above.
fn comments<'a>(file: FileId, text: &'a str, body: &Body) -> Vec<Allow<'a>> {
    if !text.contains("allow:") {
        return Vec::new();
    }
    let mut items = Vec::new();
    collect(body, &mut items);
    let (mut found, mut offset) = (Vec::<Allow<'a>>::new(), 0);
    // Comments that still wait for the line that they are about.
    let mut waiting = 0;
    for line in text.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        let line = line.trim();
        if let Some((rule, reason)) = comment(line) {
            let span = Span::new(file, start..start + line.len());
            // In a heredoc, or between the lines of a list, it is no comment above something.
            if !items.iter().any(|item| !item.is_block && covers(item.span, span)) {
                found.push(Allow { rule, reason, span, scope: None, used: false });
                waiting += 1;
            }
        } else if !line.is_empty() && !line.starts_with('#') && !line.starts_with("//") {
            let scope = items.iter().find(|item| item.span.start as usize == start).map(|item| item.span);
            let from = found.len() - waiting;
            found[from..].iter_mut().for_each(|allow| allow.scope = scope);
            waiting = 0;
        } else if line.is_empty() {
            // A blank line cuts it off from what follows.
            waiting = 0;
        }
    }
    found
}

/// Rule and reason of `# allow: RULE -- reason`.
fn comment(line: &str) -> Option<(&str, &str)> {
    let text = line.strip_prefix('#').or_else(|| line.strip_prefix("//"))?.trim_start().strip_prefix("allow:")?;
    let (rule, reason) = text.split_once("--").unwrap_or((text, ""));
    Some((rule.trim(), reason.trim()))
}

/// A block or an attribute.
struct Item {
    span: Span,
    is_block: bool,
}

fn collect(body: &Body, items: &mut Vec<Item>) {
    items.extend(body.attrs.iter().map(|attr| Item { span: attr.span, is_block: false }));
    for block in &body.blocks {
        items.push(Item { span: block.span, is_block: true });
        collect(&block.body, items);
    }
}

fn covers(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
