//! Rules over the stack and its manifests, and the schema self-check.
//!
//! A rule is one file below `rules` and one row of `rules::RULES`: the table runs, lists, documents and tests them all.

pub mod allow;
mod kuberay;
pub mod rule;
pub mod rules;
pub mod schema;
pub mod severity;

use crate::base::diag::Diags;
use crate::check::rule::{Emitted, Findings, Pass, Rule};
use crate::resolve::stack::Stack;

/// Runs every rule that looks at the stack.
pub fn stack(stack: &Stack) -> Diags {
    let mut diags = Diags::default();
    for rule in rules::RULES {
        let Pass::Stack(run) = rule.pass else { continue };
        let mut findings = Findings::new(rule);
        run(stack, &mut findings);
        diags.append(findings.into_diags());
    }
    diags
}

/// Runs every rule that looks at what the stack becomes.
pub fn manifests(emitted: &Emitted<'_>) -> Diags {
    let mut diags = Diags::default();
    for rule in rules::RULES {
        let Pass::Manifests(run) = rule.pass else { continue };
        let mut findings = Findings::new(rule);
        run(emitted, &mut findings);
        diags.append(findings.into_diags());
    }
    diags
}

/// The rule of a name.
pub fn find(name: &str) -> Option<&'static Rule> {
    rules::RULES.iter().copied().find(|rule| rule.name == name)
}
