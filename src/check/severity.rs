//! `rules {}` in the `stack` block: how bad a rule's findings are in this stack.

use indexmap::IndexMap;

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::Spanned;
use crate::base::suggest::nearest;
use crate::check::{find, rules};

/// Gives findings the severity that the stack names; those of a rule that is off go. A name that no rule has is an error.
pub fn apply(diags: &mut Diags, levels: &IndexMap<String, Spanned<Option<Severity>>>) {
    diags.retain(|diag| levels.get(diag.rule).is_none_or(|level| level.value.is_some() || find(diag.rule).is_none()));
    for diag in diags.iter_mut() {
        let level = levels.get(diag.rule).and_then(|level| level.value);
        if let (Some(level), Some(_)) = (level, find(diag.rule)) {
            diag.severity = level;
        }
    }
    for (name, level) in levels.iter().filter(|(name, _)| find(name).is_none()) {
        let diag = Diag::error("reference", "No rule has this name").at(level.span, "not a rule");
        let near = nearest(name, rules::RULES.iter().map(|rule| rule.name));
        let near = near.map_or_else(String::new, |near| format!("Did you mean `{near}`? "));
        diags.push(diag.help(format!("{near}The README lists the rules; `sliceform explain --all` prints them.")));
    }
}
