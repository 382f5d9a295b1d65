//! Diagnostics: what is wrong, where, why, and what to do. Built where a fault is found; shown by `view`.

use crate::base::addr::Addr;
use crate::base::span::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Cannot work.
    Error,
    /// Usually hurts.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The word that people and machines read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub text: String,
}

/// A replacement of source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The text that goes.
    pub span: Span,
    /// The text that comes.
    pub text: String,
}

/// One problem. The summary is a fixed text for its rule; the detail says what and why; the help says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diag {
    /// How bad it is.
    pub severity: Severity,
    /// The rule's name, or `syntax`, `type`, `reference`, `variable`, `io`.
    pub rule: &'static str,
    /// One line.
    pub summary: String,
    /// Where, with the words that stand at the place. None for a problem without a place in the source.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub related: Vec<Label>,
    /// What is wrong and why.
    pub detail: Option<String>,
    /// Where the fact behind it was read, and for which versions it holds.
    pub source: Option<String>,
    /// What to do.
    pub help: Option<String>,
    /// An edit that mends it, where the answer is unique.
    pub fix: Vec<Edit>,
    /// The block that it is about.
    pub addr: Option<Addr>,
}

impl Diag {
    /// A problem of `severity` under `rule`.
    pub fn new(severity: Severity, rule: &'static str, summary: impl Into<String>) -> Self {
        Self {
            severity,
            rule,
            summary: summary.into(),
            primary: None,
            related: Vec::new(),
            detail: None,
            source: None,
            help: None,
            fix: Vec::new(),
            addr: None,
        }
    }

    /// An error under `rule`.
    pub fn error(rule: &'static str, summary: impl Into<String>) -> Self {
        Self::new(Severity::Error, rule, summary)
    }

    /// A warning under `rule`.
    pub fn warning(rule: &'static str, summary: impl Into<String>) -> Self {
        Self::new(Severity::Warning, rule, summary)
    }

    /// A note under `rule`.
    pub fn note(rule: &'static str, summary: impl Into<String>) -> Self {
        Self::new(Severity::Note, rule, summary)
    }

    /// Where it is, and the words to put at the place.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// A second place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push(Label { span, text: text.into() });
        self
    }

    /// What is wrong and why.
    #[must_use]
    pub fn detail(mut self, text: impl Into<String>) -> Self {
        self.detail = Some(text.into());
        self
    }

    /// Where the fact was read.
    #[must_use]
    pub fn source(mut self, text: impl Into<String>) -> Self {
        self.source = Some(text.into());
        self
    }

    /// What to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// The edit that mends it.
    #[must_use]
    pub fn fix(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix.push(Edit { span, text: text.into() });
        self
    }

    /// The block that it is about.
    #[must_use]
    pub fn addr(mut self, addr: &Addr) -> Self {
        self.addr = Some(addr.clone());
        self
    }
}

/// The problems of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diags {
    items: Vec<Diag>,
}

impl Diags {
    /// Takes one in.
    pub fn push(&mut self, diag: Diag) {
        self.items.push(diag);
    }

    /// Takes all of `other` in.
    pub fn append(&mut self, other: Self) {
        self.items.extend(other.items);
    }

    /// Whether any is an error.
    pub fn has_errors(&self) -> bool {
        self.items.iter().any(|diag| diag.severity == Severity::Error)
    }

    /// How many there are of `severity`.
    pub fn count(&self, severity: Severity) -> usize {
        self.items.iter().filter(|diag| diag.severity == severity).count()
    }

    /// All of them, in the order in which they were found or, after [`Diags::sort`], of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Diag> {
        self.items.iter()
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diag> {
        self.items.iter_mut()
    }

    /// Keeps those that `wanted` accepts.
    pub fn retain(&mut self, wanted: impl FnMut(&Diag) -> bool) {
        self.items.retain(wanted);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// By place, then severity, then rule, without repetitions: the same input shows the same list. What the instances of
    /// a block have in common is told once.
    pub fn sort(&mut self) {
        let key = |diag: &Diag| (diag.primary.as_ref().map(|label| label.span), diag.severity, diag.rule);
        self.items.sort_by(|a, b| key(a).cmp(&key(b)).then_with(|| a.summary.cmp(&b.summary)));
        let same = |a: &Diag, b: &Diag| {
            (&a.primary, &a.summary, &a.detail, &a.help, &a.related)
                == (&b.primary, &b.summary, &b.detail, &b.help, &b.related)
                && a.rule == b.rule
                && (a.primary.is_some() || a.addr == b.addr)
        };
        let mut kept: Vec<Diag> = Vec::with_capacity(self.items.len());
        for diag in self.items.drain(..) {
            // Only those of one place are compared: there are few.
            let here = kept.iter().rev().take_while(|other| key(other) == key(&diag));
            if !here.into_iter().any(|other| same(other, &diag)) {
                kept.push(diag);
            }
        }
        self.items = kept;
    }
}

impl From<Diag> for Diags {
    fn from(diag: Diag) -> Self {
        Self { items: vec![diag] }
    }
}

impl IntoIterator for Diags {
    type Item = Diag;
    type IntoIter = std::vec::IntoIter<Diag>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl FromIterator<Diag> for Diags {
    fn from_iter<I: IntoIterator<Item = Diag>>(items: I) -> Self {
        Self { items: items.into_iter().collect() }
    }
}
