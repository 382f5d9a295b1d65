//! What texts may hold, where Kubernetes, Google Cloud or a terminal would trip over them.

/// Characters that hide or redraw what stands around them: control characters, bidirectional overrides, and a blank without
/// width. Line breaks and tabs are text, and so are the joiners that scripts and emoji need.
pub fn is_invisible(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t' | '\r'))
        || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A name, path or reference without blanks: not empty, nothing invisible.
pub fn is_word(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || is_invisible(c))
}

/// The name of an environment variable, as Kubernetes takes it.
pub fn is_env_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.starts_with(|c: char| plain(c) && !c.is_ascii_digit()) && text.chars().all(plain)
}

/// A key of a ConfigMap or Secret, which becomes a file: at most 253 letters, digits, `-`, `_` and `.`, and no way out of the
/// folder.
pub fn is_file_name(text: &str) -> bool {
    (1..=253).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && text != "."
        && !text.starts_with("..")
}

/// A port's name (RFC 6335): at most 15 lower-case letters, digits and `-`, with a letter, `-` neither doubled nor at an end.
pub fn is_port_name(text: &str) -> bool {
    (1..=15).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && text.chars().any(|c| c.is_ascii_lowercase())
        && !text.starts_with('-')
        && !text.ends_with('-')
        && !text.contains("--")
}

/// A label's value: at most 63 letters, digits, `-`, `_` and `.`, a letter or digit at both ends; or nothing.
pub fn is_label_value(text: &str) -> bool {
    let edge = |c: char| c.is_ascii_alphanumeric();
    text.len() <= 63
        && text.chars().all(|c| edge(c) || matches!(c, '-' | '_' | '.'))
        && (text.is_empty() || (text.starts_with(edge) && text.ends_with(edge)))
}

/// A key of labels, annotations and resources: a label value, behind a DNS name and `/` where there is one.
pub fn is_key(text: &str) -> bool {
    let (prefix, name) = text.rsplit_once('/').unwrap_or(("a", text));
    let part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && part.ends_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    prefix.len() <= 253 && prefix.split('.').all(part) && !name.is_empty() && is_label_value(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kubernetes_takes_these_and_not_those() {
        for good in ["a", "app.kubernetes.io/name", "cloud.google.com/gke-nodepool", "A_b.c-1"] {
            assert!(is_key(good), "{good}");
        }
        for bad in ["", "/a", "a/", "a b", "-a", "a/b/c", "Ä", "A.b/c", "a\u{202e}"] {
            assert!(!is_key(bad), "{bad}");
        }
        assert!(is_label_value("") && is_label_value("v1.2_x") && !is_label_value("a b") && !is_label_value("-a"));
        assert!(
            is_env_name("HF_TOKEN")
                && is_env_name("_x.y-z")
                && !is_env_name("1X")
                && !is_env_name("A B")
                && !is_env_name("")
        );
        assert!(is_file_name("a.yaml") && !is_file_name("..") && !is_file_name("a/b") && !is_file_name(""));
        assert!(is_port_name("http") && is_port_name("a-1") && !is_port_name("80") && !is_port_name("a--b"));
        assert!(!is_port_name("-a") && !is_port_name("a-") && !is_port_name("sixteen-letters-") && !is_port_name(""));
        assert!(is_word("us-docker.pkg.dev/x:1") && !is_word("a b") && !is_word("") && !is_word("a\u{202e}b"));
    }
}
