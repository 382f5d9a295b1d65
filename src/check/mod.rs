//! Rules over the stack and its manifests, and the schema self-check.
//!
//! A rule is one file below `rules` and one row of `rules::RULES`: the table runs, lists, documents and tests them all.

pub mod allow;
pub mod cause;
mod kuberay;
pub mod rule;
pub mod rules;
pub mod schema;
pub mod severity;

use crate::base::diag::Diags;
use crate::check::rule::{Findings, Pass, Rule};
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// Runs every rule that looks at the stack.
pub fn stack(stack: &Stack) -> Diags {
    run(|rule, findings| {
        if let Pass::Stack(run) = rule.pass {
            run(stack, findings);
        }
    })
}

/// Runs every rule that looks at the objects.
pub fn objects(stack: &Stack, manifests: &[Manifest]) -> Diags {
    run(|rule, findings| {
        if let Pass::Objects(run) = rule.pass {
            run(stack, manifests, findings);
        }
    })
}

fn run(look: impl Fn(&Rule, &mut Findings)) -> Diags {
    let mut diags = Diags::default();
    for rule in rules::RULES {
        let mut findings = Findings::new(rule);
        look(rule, &mut findings);
        diags.append(findings.into_diags());
    }
    diags
}

/// The rule of a name.
pub fn find(name: &str) -> Option<&'static Rule> {
    rules::RULES.iter().copied().find(|rule| rule.name == name)
}
