//! `rules {}` in the `stack` block: how bad a rule's findings are in this stack.

use indexmap::IndexMap;

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::Spanned;
use crate::base::suggest::nearest;
use crate::check::{find, rules};
use crate::facts::edition::{self, Edition};

/// Makes errors of rules that came with an edition after the stack's own warnings, and says when they become errors.
pub fn wait(diags: &mut Diags, editions: &[Edition], own: &Edition) {
    for diag in diags.iter_mut().filter(|diag| diag.severity == Severity::Error) {
        let Some(edition) = edition::later(editions, own.name, diag.rule) else { continue };
        diag.severity = Severity::Warning;
        let help = diag.help.take().map_or_else(String::new, |help| format!("{help} "));
        diag.help = Some(format!("{help}An error from `edition = {:?}` on.", edition.name));
    }
}

/// Gives findings the severity that the stack names; those of a rule that is off go.
pub fn apply(diags: &mut Diags, levels: &IndexMap<String, Spanned<Option<Severity>>>) {
    diags.retain(|diag| levels.get(diag.rule).is_none_or(|level| level.value.is_some() || find(diag.rule).is_none()));
    for diag in diags.iter_mut() {
        let level = levels.get(diag.rule).and_then(|level| level.value);
        if let (Some(level), Some(_)) = (level, find(diag.rule)) {
            diag.severity = level;
        }
    }
}

/// A name that no rule has is an error.
pub fn unknown(levels: &IndexMap<String, Spanned<Option<Severity>>>) -> Diags {
    let mut diags = Diags::default();
    for (name, level) in levels.iter().filter(|(name, _)| find(name).is_none()) {
        let diag = Diag::error("reference", "No rule has this name").at(level.span, "not a rule");
        let near = nearest(name, rules::RULES.iter().map(|rule| rule.name));
        let near = near.map_or_else(String::new, |near| format!("Did you mean `{near}`? "));
        diags.push(diag.help(format!("{near}The README lists the rules; `sliceform explain --all` prints them.")));
    }
    diags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::edition::FIRST;

    #[test]
    fn a_new_rule_warns_until_the_stack_takes_its_edition() {
        let newer = Edition { name: "2031", since: "9.0.0", changes: "", rules: &["new-rule"] };
        let editions = [FIRST, newer];
        let found = || -> Diags {
            [Diag::error("new-rule", "New").help("Mend it."), Diag::error("old-rule", "Old")].into_iter().collect()
        };
        let severities = |own: &Edition| {
            let mut diags = found();
            wait(&mut diags, &editions, own);
            let help = diags.iter().next().unwrap().help.clone().unwrap();
            (diags.iter().map(|diag| diag.severity).collect::<Vec<_>>(), help)
        };
        let (first, help) = severities(&editions[0]);
        assert_eq!(first, [Severity::Warning, Severity::Error]);
        assert_eq!(help, "Mend it. An error from `edition = \"2031\"` on.");
        assert_eq!(severities(&editions[1]), (vec![Severity::Error; 2], "Mend it.".to_owned()));
    }

    #[test]
    fn editions_name_rules_that_there_are() {
        let named = edition::EDITIONS.iter().flat_map(|edition| edition.rules);
        assert_eq!(named.filter(|name| find(name).is_none()).count(), 0);
    }
}
