//! The nearest of several names, for "did you mean".

/// Bytes of the longest name that is compared: the comparison takes time in the square, and no name of ours is longer.
const LONGEST: usize = 128;

/// The candidate closest to `name`, if one is close enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let wanted = name.to_lowercase();
    // One slip in three letters, a third of longer words: further away, a guess misleads more than it helps.
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *candidate != name)
        .min_by_key(|(distance, candidate)| (*distance, *candidate))
        .map(|(_, candidate)| candidate)
}

/// ` Did you mean "x"?`, or nothing.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!(" Did you mean {near:?}?"))
}

/// `"a", "b" or "c"`, as a sentence lists choices.
pub fn one_of<T: std::fmt::Display>(items: &[T]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("\"{item}\"")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_a_stranger_finds_none() {
        assert_eq!(nearest("topolgy", ["topology", "accelerator"]), Some("topology"));
        assert_eq!(nearest("v6f", ["v6e", "v5e", "v5p"]), Some("v6e"));
        assert_eq!(nearest("zzz", ["topology"]), None);
        assert_eq!(nearest(&"topology".repeat(1_000_000), ["topology"]), None);
        assert_eq!(one_of(&["a", "b", "c"]), r#""a", "b" or "c""#);
    }
}
