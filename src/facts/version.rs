//! Versions of Ray, KubeRay, vLLM and GKE, and Terraform's version constraints.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A version: `2.60.0`, `1.7.0-rc.0`, `1.35`, or GKE's `1.34.1-gke.1829001`.
///
/// Versions are totally ordered: a part that isn't written counts as 0, a pre-release comes before its release, and a
/// GKE build after the bare number. Equality follows the order, so `1.35` equals `1.35.0`.
#[derive(Clone, Debug)]
pub struct Version {
    major: u32,
    minor: Option<u32>,
    patch: Option<u32>,
    pre: Option<String>,
    gke: Option<u64>,
}

impl Version {
    /// `major.minor.patch`.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor: Some(minor), patch: Some(patch), pre: None, gke: None }
    }

    /// `major.minor.patch-gke.build`.
    pub const fn gke(major: u32, minor: u32, patch: u32, build: u64) -> Self {
        Self { major, minor: Some(minor), patch: Some(patch), pre: None, gke: Some(build) }
    }

    /// The release line, `(major, minor)`.
    pub fn line(&self) -> (u32, u32) {
        (self.major, self.minor.unwrap_or(0))
    }

    /// True if this is a pre-release, such as `1.7.0-rc.0`.
    pub fn is_pre_release(&self) -> bool {
        self.pre.is_some()
    }

    /// True if some release that this text may stand for is at least `minimum`: GKE resolves `1.34` to the newest
    /// `1.34.x`, so `1.34` may well be `1.34.1-gke.1829001`.
    pub fn may_be_at_least(&self, minimum: &Self) -> bool {
        let newest = Self {
            major: self.major,
            minor: self.minor.or(Some(u32::MAX)),
            patch: self.patch.or(Some(u32::MAX)),
            pre: self.pre.clone(),
            gke: self.gke.or(if self.pre.is_some() { None } else { Some(u64::MAX) }),
        };
        newest >= *minimum
    }

    /// The release that this is, or is a candidate of.
    #[must_use]
    pub fn release(&self) -> Self {
        Self { pre: None, ..self.clone() }
    }

    fn numbers(&self) -> [u32; 3] {
        [self.major, self.minor.unwrap_or(0), self.patch.unwrap_or(0)]
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let pre = match (&self.pre, &other.pre) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => compare_pre_releases(a, b),
        };
        self.numbers().cmp(&other.numbers()).then(pre).then(self.gke.unwrap_or(0).cmp(&other.gke.unwrap_or(0)))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

/// Semantic Versioning's rule 11: numbers by value and before words, words by letter, the longer after its prefix.
fn compare_pre_releases(left: &str, right: &str) -> Ordering {
    let mut left = left.split('.');
    let mut right = right.split('.');
    loop {
        let (one, other) = match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(other)) => (one, other),
        };
        let order = match (one.parse::<u64>(), other.parse::<u64>()) {
            (Ok(one), Ok(other)) => one.cmp(&other),
            (Ok(_), Err(_)) => Ordering::Less,
            (Err(_), Ok(_)) => Ordering::Greater,
            (Err(_), Err(_)) => one.cmp(other),
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.major)?;
        for part in [self.minor, self.patch].into_iter().flatten() {
            write!(f, ".{part}")?;
        }
        if let Some(pre) = &self.pre {
            write!(f, "-{pre}")?;
        }
        if let Some(build) = self.gke {
            write!(f, "-gke.{build}")?;
        }
        Ok(())
    }
}

/// Text that isn't a version or a constraint; its `Display` says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionError {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for VersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a version: {}", self.text, self.reason)
    }
}

impl std::error::Error for VersionError {}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let wrong = |reason: &str| VersionError { text: text.to_owned(), reason: reason.to_owned() };
        let trimmed = text.trim();
        let body = trimmed.strip_prefix('v').unwrap_or(trimmed);
        // What follows a plus names a build (`0.29.0+cu130`) and has no place in the order.
        let body = body.split_once('+').map_or(body, |(version, _)| version);
        let end = body.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(body.len());
        let (numbers, suffix) = body.split_at(end);
        // Python writes `2.60.0rc1` and `3.0.0.dev0` where others write `2.60.0-rc.1`.
        let numbers =
            if suffix.is_empty() || suffix.starts_with('-') { numbers } else { numbers.trim_end_matches('.') };
        let parts: Vec<&str> = numbers.split('.').collect();
        if parts.len() > 3 {
            return Err(wrong("it has more than three numbers; write MAJOR.MINOR.PATCH"));
        }
        let mut parsed = Vec::new();
        for part in parts {
            parsed.push(part.parse::<u32>().map_err(|_| wrong("write MAJOR.MINOR.PATCH, such as 2.60.0"))?);
        }
        let Some(major) = parsed.first().copied() else {
            return Err(wrong("it is empty"));
        };
        let (pre, gke) =
            parse_suffix(suffix).ok_or_else(|| wrong("what follows the numbers must be -PRERELEASE or -gke.BUILD"))?;
        Ok(Self { major, minor: parsed.get(1).copied(), patch: parsed.get(2).copied(), pre, gke })
    }
}

fn parse_suffix(suffix: &str) -> Option<(Option<String>, Option<u64>)> {
    let suffix = suffix.strip_prefix('-').map_or(suffix, |rest| if rest.is_empty() { "-" } else { rest });
    if suffix.is_empty() {
        return Some((None, None));
    }
    if let Some(build) = suffix.strip_prefix("gke.") {
        return build.parse().ok().map(|build| (None, Some(build)));
    }
    let plain =
        suffix.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
    (plain && suffix != "-").then(|| (Some(suffix.to_owned()), None))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    AtLeast,
    Less,
    AtMost,
    Pessimistic,
}

/// Longest spelling first, so that `>=` isn't read as `>`.
const OPERATORS: [(&str, Operator); 7] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::AtLeast),
    ("<=", Operator::AtMost),
    ("~>", Operator::Pessimistic),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
];

/// Terraform's version constraint: `>= 0.1, < 2`, `~> 1.2`, `!= 1.4.0`. All parts must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    parts: Vec<(Operator, Version)>,
}

impl Constraint {
    /// True if `version` satisfies every part.
    pub fn allows(&self, version: &Version) -> bool {
        self.parts.iter().all(|(operator, bound)| holds(*operator, version, bound))
    }
}

/// As Terraform's own library has it, pre-releases and `~> 1` (which has no upper bound) included.
fn holds(operator: Operator, version: &Version, bound: &Version) -> bool {
    let comparable = match (version.is_pre_release(), bound.is_pre_release()) {
        (true, true) => version.numbers() == bound.numbers(),
        (true, false) => false,
        (false, true) => operator != Operator::Pessimistic,
        (false, false) => true,
    };
    match operator {
        Operator::Equal => version == bound,
        Operator::NotEqual => version != bound,
        Operator::Greater => comparable && version > bound,
        Operator::AtLeast => comparable && version >= bound,
        Operator::Less => comparable && version < bound,
        Operator::AtMost => comparable && version <= bound,
        // The last number written may grow, those before it are fixed.
        Operator::Pessimistic => {
            let fixed = match (bound.minor, bound.patch) {
                (None, _) => true,
                (Some(_), None) => version.major == bound.major,
                (Some(_), Some(_)) => version.line() == bound.line(),
            };
            comparable && version >= bound && fixed
        }
    }
}

impl FromStr for Constraint {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let parts = text.split(',').map(|part| parse_part(text, part.trim())).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { parts })
    }
}

fn parse_part(whole: &str, part: &str) -> Result<(Operator, Version), VersionError> {
    let (operator, rest) = OPERATORS
        .iter()
        .find_map(|(spelling, operator)| part.strip_prefix(spelling).map(|rest| (*operator, rest)))
        .unwrap_or((Operator::Equal, part));
    let version = rest.parse().map_err(|error: VersionError| VersionError {
        text: whole.to_owned(),
        reason: format!("in {part:?}, {} (operators: =, !=, >, >=, <, <=, ~>)", error.reason),
    })?;
    Ok((operator, version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn versions_ascend() {
        let ascending = [
            "1.7.0-rc.0",
            "1.7.0-rc.1",
            "1.7.0-rc.10",
            "1.7.0",
            "1.30.3-gke.1451000",
            "1.34.1",
            "1.34.1-gke.1829001",
            "1.34.1-gke.3084001",
            "1.34.3-gke.1",
            "2.54",
            "2.60.0rc1",
            "2.60.0",
            "2.60.1",
        ];
        for pair in ascending.windows(2) {
            assert!(version(pair[0]) < version(pair[1]), "{} < {}", pair[0], pair[1]);
        }
        assert_eq!(version("1.35"), version("1.35.0"));
        assert_eq!(version("v1.6.2"), Version::new(1, 6, 2));
        assert_eq!(version("0.29.0+cu130"), Version::new(0, 29, 0));
        assert!(version("3.0.0.dev0").is_pre_release());
    }

    #[test]
    fn a_version_that_is_cut_short_may_be_any_of_its_line() {
        let minimum = Version::gke(1, 34, 1, 1_829_001);
        assert!(version("1.34").may_be_at_least(&minimum));
        assert!(version("1.34.1").may_be_at_least(&minimum));
        assert!(version("1.35").may_be_at_least(&minimum));
        assert!(!version("1.33").may_be_at_least(&minimum));
        assert!(!version("1.34.0").may_be_at_least(&minimum));
        assert!(!version("1.34.1-gke.5").may_be_at_least(&minimum));
    }

    #[test]
    fn what_is_not_a_version_says_why() {
        for text in ["", "latest", "1.2.3.4", "1..2", "2.60.", "1.2.3-", "1.2.3-gke.x", "99999999999", "-1"] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
        insta::assert_snapshot!("nightly".parse::<Version>().unwrap_err(), @r#""nightly" is not a version: write MAJOR.MINOR.PATCH, such as 2.60.0"#);
        insta::assert_snapshot!(
            ">= 1, < x".parse::<Constraint>().unwrap_err(),
            @r#"">= 1, < x" is not a version: in "< x", write MAJOR.MINOR.PATCH, such as 2.60.0 (operators: =, !=, >, >=, <, <=, ~>)"#
        );
    }

    #[test]
    fn constraints_mean_what_they_mean_in_terraform() {
        let allows = |constraint: &str, text: &str| constraint.parse::<Constraint>().unwrap().allows(&version(text));
        assert!(allows(">= 0.1, < 2", "0.1.0"));
        assert!(!allows(">= 0.1, < 2", "2.0.0"));
        assert!(allows("~> 1.2", "1.9.0"));
        assert!(!allows("~> 1.2", "2.0.0"));
        assert!(allows("~> 1.2.3", "1.2.9"));
        assert!(!allows("~> 1.2.3", "1.3.0"));
        assert!(!allows("!= 0.1.0", "0.1.0"));
        assert!(allows("0.1.0", "0.1.0"));
        assert!(!allows(">= 0.1", "0.2.0-beta"));
        assert!(allows("= 0.2.0-beta", "0.2.0-beta"));
        assert!(allows(">= 0.2.0-alpha", "0.2.0-beta") && !allows(">= 0.2.0-alpha", "0.3.0-beta"));
        assert!(allows(">= 0.2.0-alpha", "0.3.0") && !allows("~> 0.2.0-alpha", "0.2.0"));
        assert!(allows("~> 1", "2.5.0") && !allows("~> 1", "0.9.0"));
    }

    proptest! {
        #[test]
        fn parsing_never_panics(text in ".*") {
            let _ = text.parse::<Version>();
            let _ = text.parse::<Constraint>();
        }

        #[test]
        fn what_is_shown_is_read_back(a in 0u32..99, b in 0u32..99, c in 0u32..99, build in proptest::option::of(0u64..9_999_999)) {
            let shown = build.map_or_else(|| Version::new(a, b, c), |build| Version::gke(a, b, c, build));
            prop_assert_eq!(version(&shown.to_string()), shown);
        }
    }
}
