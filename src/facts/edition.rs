//! Editions: what is emitted for a stack that stays as it is changes only where its `edition` moves on.

/// An edition of what is emitted.
#[derive(Debug, PartialEq, Eq)]
pub struct Edition {
    /// What a stack writes.
    pub name: &'static str,
    /// The Sliceform that brought it.
    pub since: &'static str,
    /// What it emits otherwise than the one before.
    pub changes: &'static str,
    /// The rules that came with it: warnings for stacks of older editions, whatever their severity, so that an upgrade of
    /// Sliceform refuses no stack that it took before.
    pub rules: &'static [&'static str],
}

/// Every edition, the oldest first. A stack that names none has the first: an upgrade of Sliceform restarts nothing.
pub const EDITIONS: &[Edition] = &[FIRST];

/// The edition of stacks that name none.
pub const FIRST: Edition =
    Edition { name: "2026", since: "0.1.0", changes: "the first; stacks without `edition` have it", rules: &[] };

/// The edition that brought a rule, where that is a later one than the stack's.
pub fn later<'a>(editions: &'a [Edition], own: &str, rule: &str) -> Option<&'a Edition> {
    let after = editions.iter().skip_while(|edition| edition.name != own).skip(1);
    after.into_iter().find(|edition| edition.rules.contains(&rule))
}

/// What to say to a stack without `edition` once there is a newer one than it has; none while there is not.
pub fn news(editions: &[Edition]) -> Option<String> {
    let (first, newest) = (editions.first()?, editions.last()?);
    let later = || editions.iter().skip(1).map(|edition| format!("{}: {}", edition.name, edition.changes));
    (first != newest).then(|| {
        format!(
            "There is a newer edition; this stack has {:?}, and nothing changes until it says `edition = {:?}` ({}).",
            first.name,
            newest.name,
            later().collect::<Vec<_>>().join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_edition_is_told_and_not_taken() {
        assert_eq!(news(&[FIRST]), None);
        let newer = Edition { name: "2031", since: "9.0.0", changes: "heads have 8 CPUs", rules: &[] };
        let told = news(&[FIRST, newer]).unwrap();
        assert!(
            told.contains("has \"2026\"") && told.contains("`edition = \"2031\"` (2031: heads have 8 CPUs)"),
            "{told}"
        );
    }

    #[test]
    fn a_rule_of_a_later_edition_is_known_as_such() {
        let of = |name, rules| Edition { name, since: "9.0.0", changes: "", rules };
        let editions = [FIRST, of("2031", &["a"]), of("2032", &["b"])];
        let later = |own, rule| later(&editions, own, rule).map(|edition| edition.name);
        assert_eq!((later("2026", "a"), later("2026", "b"), later("2026", "c")), (Some("2031"), Some("2032"), None));
        assert_eq!((later("2031", "a"), later("2031", "b"), later("2032", "b")), (None, Some("2032"), None));
    }

    #[test]
    fn editions_are_in_order_and_the_first_is_the_default() {
        assert_eq!(EDITIONS[0], FIRST);
        assert!(EDITIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
