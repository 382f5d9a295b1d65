//! What a rule is: a constant with its name, severity, pass and prose, and a pure function.

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::Span;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// The fault, in kebab-case; it reads after "allow", and is the name of the rule's file with `_`.
    pub name: &'static str,
    /// How bad the fault is.
    pub severity: Severity,
    /// The fault in one line: what every message of the rule starts with.
    pub summary: &'static str,
    /// What it looks at.
    pub pass: Pass,
    /// What / Why / Bad / Good / Source, in Markdown. The Bad and Good stacks are executed as tests.
    pub docs: &'static str,
}

impl Rule {
    /// Whether it looks at the objects, which a stack with errors does not have.
    pub fn looks_at_objects(&self) -> bool {
        matches!(self.pass, Pass::Objects(_))
    }
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug)]
pub enum Pass {
    /// The typed stack, before anything is lowered.
    Stack(fn(&Stack, &mut Findings)),
    /// The objects of a stack without errors, its patches applied: what `manifest` and `patch` blocks say is in them.
    Objects(fn(&Stack, &[Manifest], &mut Findings)),
}

/// Where a rule puts what it finds.
#[derive(Debug)]
pub struct Findings {
    rule: &'static Rule,
    diags: Diags,
}

impl Findings {
    /// An empty list of a rule's findings.
    pub fn new(rule: &'static Rule) -> Self {
        Self { rule, diags: Diags::default() }
    }

    /// A finding of the rule at a place; `label` stands at the place. Finish it, then [`Findings::push`] it.
    pub fn found(&self, span: Span, label: impl Into<String>) -> Diag {
        Diag::new(self.rule.severity, self.rule.name, self.rule.summary).at(span, label)
    }

    /// A finding of the rule in an object: at the block that it comes from.
    pub fn in_object(&self, stack: &Stack, manifest: &Manifest, label: impl Into<String>) -> Diag {
        let place = stack.blocks.get(&manifest.addr).map_or(stack.settings.span, |block| block.head().span);
        self.found(place, label).addr(&manifest.addr)
    }

    /// Takes a finding in.
    pub fn push(&mut self, diag: Diag) {
        self.diags.push(diag);
    }

    /// Everything found.
    pub fn into_diags(self) -> Diags {
        self.diags
    }
}
