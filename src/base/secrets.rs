//! What looks like a secret in a text: never certain, so the bounds are such that no name, path or placeholder has the look.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// A secret in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Secret<'a> {
    /// `a Hugging Face token`.
    pub what: String,
    /// Itself: to compare, never to show.
    pub text: &'a str,
}

/// The form of a kind of token.
struct Form {
    what: &'static str,
    prefix: &'static str,
    /// How many letters and digits follow at least.
    tail: usize,
}

/// Tokens that their issuers mark.
const TOKENS: &[Form] = &[
    Form { what: "a Hugging Face token", prefix: "hf_", tail: 30 },
    Form { what: "a GitHub token", prefix: "ghp_", tail: 36 },
    Form { what: "a GitHub token", prefix: "gho_", tail: 36 },
    Form { what: "a GitHub token", prefix: "ghs_", tail: 36 },
    Form { what: "a GitHub token", prefix: "github_pat_", tail: 22 },
    Form { what: "a GitLab token", prefix: "glpat-", tail: 20 },
    Form { what: "an access key of AWS", prefix: "AKIA", tail: 16 },
    Form { what: "a key of a Google API", prefix: "AIza", tail: 35 },
    Form { what: "a Slack token", prefix: "xoxb-", tail: 20 },
];

/// The fewest letters and digits in a row that no name or word has.
const SHORTEST: usize = 20;

/// How far a value is read: a bound for texts without an end.
const LONGEST: usize = 256;

/// The first secret in a text: by its form, or by the name before it (`HF_TOKEN=...`).
pub fn in_text(text: &str) -> Option<Secret<'_>> {
    if let (Some(begin), true) = (text.find("-----BEGIN "), text.contains("PRIVATE KEY-----")) {
        return Some(Secret { what: "a private key".to_owned(), text: &text[begin..] });
    }
    marked(text).or_else(|| after_names(text))
}

/// The text with every secret in it as stars: for what shows a line of a stack for another reason. Lengths stay.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(text);
    // Each turn takes one out, and a line has few.
    for _ in 0..MOST_MASKED {
        let Some(found) = in_text(&shown) else { break };
        let stars: String = found.text.chars().flat_map(|c| std::iter::repeat_n('*', c.len_utf8())).collect();
        let Some(at) = shown.find(found.text) else { break };
        let mut next = shown.to_string();
        next.replace_range(at..at + stars.len(), &stars);
        shown = Cow::Owned(next);
    }
    shown
}

/// Secrets of a line that are masked one by one.
const MOST_MASKED: usize = 20;

/// The value of a name, where the name says that it is secret, and it looks it.
pub fn named<'a>(name: &str, value: &'a str) -> Option<Secret<'a>> {
    let words: Vec<String> = name.split(['_', '-', '.']).map(str::to_ascii_uppercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let secret = matches!(
        words.as_slice(),
        [.., "TOKEN" | "PASSWORD" | "PASSWD" | "SECRET"]
            | [.., "API" | "ACCESS" | "SECRET" | "PRIVATE" | "ENCRYPTION" | "SIGNING", "KEY"]
    );
    let reference = value.starts_with(['/', '$', '.']) || value.contains("://") || value.contains("$(");
    // A path or a name is made of short runs of letters and digits.
    let run = value.split(|c: char| !c.is_ascii_alphanumeric()).max_by_key(|run| run.len())?;
    let looks = run.len() >= SHORTEST && is_random(run);
    (secret && looks && !reference).then(|| Secret { what: format!("the value of {name}"), text: value })
}

fn marked(text: &str) -> Option<Secret<'_>> {
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-')));
    words.find_map(|word| {
        let fits = |form: &&Form| {
            word.strip_prefix(form.prefix).is_some_and(|tail| tail.len() >= form.tail && is_random(tail))
        };
        TOKENS.iter().find(fits).map(|form| Secret { what: form.what.to_owned(), text: word })
    })
}

/// What stands right behind a name: `NAME=VALUE`, `"NAME": "VALUE"`, `--name=VALUE`.
fn after_names(text: &str) -> Option<Secret<'_>> {
    let mut from = 0;
    while let Some(at) = text[from..].find(['=', ':']).map(|at| from + at) {
        let before = text[from..at].trim_end_matches([' ', '"', '\'', '\\']);
        let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))).next()?;
        let value = text[at + 1..].trim_start_matches([' ', '"', '\'', '\\']);
        let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ';' | '&' | ',' | '\\');
        let mut chars = value.char_indices().enumerate();
        let end = chars.find(|(count, (_, c))| ends(*c) || *count >= LONGEST).map_or(value.len(), |(_, (end, _))| end);
        let value = &value[..end];
        if let Some(found) = named(name.trim_start_matches('-'), value) {
            return Some(found);
        }
        from = at + 1;
    }
    None
}

/// Whether letters and digits are mixed, as in nothing that a person would write.
fn is_random(text: &str) -> bool {
    let different: BTreeSet<char> = text.chars().collect();
    let pairs = text.as_bytes().windows(2);
    let switches = pairs.filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    different.len() >= 10 && switches > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_known_by_their_form_or_by_the_name_before_them() {
        for (text, what) in [
            ("huggingface-cli login --token hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567", "a Hugging Face token"),
            ("https://x:ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789@github.com/a/b", "a GitHub token"),
            ("AKIAEXAMPLE12345ABCD", "an access key of AWS"),
            ("-----BEGIN RSA PRIVATE KEY-----\nMIIE", "a private key"),
            ("export WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567; run", "the value of WANDB_API_KEY"),
            ("{\"DB_PASSWORD\": \"x7Rk2mQ9vLp4Ws8Zt1Yb6N\"}", "the value of DB_PASSWORD"),
            ("sync --api-key=x7Rk2mQ9vLp4Ws8Zt1Yb6N", "the value of api-key"),
        ] {
            assert_eq!(in_text(text).map(|secret| secret.what).as_deref(), Some(what), "{text}");
        }
    }

    #[test]
    fn a_masked_text_has_no_secret_and_its_length() {
        let token = "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567";
        let line =
            format!("  env = {{ HF_TOKEN = \"{token}\", DB_PASSWORD = \"x7Rk2mQ9vLp4Ws8Zt1Yb6N\", A = \"{token}\" }}");
        let shown = masked(&line);
        assert!(!shown.contains("hf_a") && !shown.contains("x7Rk") && shown.contains("HF_TOKEN = \"***"), "{shown}");
        assert_eq!(shown.len(), line.len());
        assert_eq!(in_text(&shown), None);
        assert!(matches!(masked("image = \"demo/train:1\""), Cow::Borrowed(_)));
    }

    #[test]
    fn names_paths_references_and_placeholders_are_no_secrets() {
        for text in [
            "",
            "=",
            "hf_token",
            "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "HF_TOKEN=$(HF_TOKEN)",
            "HF_TOKEN=hf-token-of-the-research-team-2026",
            "SSH_KEY=/secrets/id_ed25519",
            "EOS_TOKEN=<|endoftext|>",
            "API_KEY=projects/demo/secrets/api-key/versions/3",
            "MODEL=Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8",
            "DIGEST=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            "-----BEGIN CERTIFICATE-----\nMIIE",
            "LOG_TOKEN_COUNT_PER_STEP_OF_THE_RUN=100",
            "é=é:ü",
        ] {
            assert_eq!(in_text(text), None, "{text}");
        }
        assert_eq!(named("HF_TOKEN", "none"), None);
    }
}
