//! Makes text of a stack harmless on a terminal and in the log of a CI system: what could move the cursor, reorder or hide
//! text, or be taken for a command, is shown instead.

use std::borrow::Cow;

/// What a tab becomes.
const TAB: &str = "    ";

/// `text` for one line: controls, bidirectional marks and invisible characters as `\u{..}`, newlines too; a tab as
/// four spaces. Borrows where there is nothing to do.
pub fn text(text: &str) -> Cow<'_, str> {
    replace(text, false)
}

/// As [`text`], for a text of several lines: newlines stay, a carriage return before one goes.
pub fn lines(text: &str) -> Cow<'_, str> {
    replace(text, true)
}

/// The first characters of a text, and `…` where it is longer: what a message quotes may be a name of a million letters.
pub fn brief(text: &str) -> Cow<'_, str> {
    const MOST: usize = 4000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// What stands for `c` in output, or nothing where `c` may stand for itself.
pub fn shown(c: char) -> Option<Cow<'static, str>> {
    match c {
        '\t' => Some(Cow::Borrowed(TAB)),
        c if c.is_control() || is_invisible(c) => Some(Cow::Owned(c.escape_unicode().to_string())),
        _ => None,
    }
}

/// As [`shown`], for the character after `before`: it also breaks what GitHub and Azure read as a command, `::` at the
/// start of a word, which wrapping may put at the start of a line, and `##[` anywhere.
pub fn shown_after(before: &str, c: char) -> Option<Cow<'static, str>> {
    let starts_word = |rest: &str| rest.chars().next_back().is_none_or(char::is_whitespace);
    let command = match c {
        ':' => before.strip_suffix(':').is_some_and(starts_word),
        '[' => before.ends_with("##") || before.ends_with("##vso"),
        _ => false,
    };
    if command { Some(Cow::Owned(c.escape_unicode().to_string())) } else { shown(c) }
}

fn replace(text: &str, multiline: bool) -> Cow<'_, str> {
    let keeps = |c: char| multiline && c == '\n';
    if !text.char_indices().any(|(at, c)| !keeps(c) && shown_after(&text[..at], c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match shown_after(&text[..at], c) {
            _ if keeps(c) => out.push(c),
            _ if multiline && c == '\r' && chars.peek().is_some_and(|next| next.1 == '\n') => {}
            Some(stand_in) => out.push_str(&stand_in),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Characters that reorder text or take no room: Unicode's bidirectional controls, its default-ignorable code points,
/// and the line and paragraph separators (UAX #9; `DerivedCoreProperties.txt`, Unicode 16).
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_lie_on_a_terminal_is_spelt_out() {
        assert_eq!(text("a\u{1b}[31mb"), r"a\u{1b}[31mb");
        assert_eq!(text("a\u{9b}31m\u{7f}\u{0}"), r"a\u{9b}31m\u{7f}\u{0}");
        assert_eq!(
            text("\u{202e}gnp\u{2069}\u{200b}\u{feff}\u{e0041}"),
            r"\u{202e}gnp\u{2069}\u{200b}\u{feff}\u{e0041}"
        );
        assert_eq!(text("a\tb\nc\r\n"), r"a    b\u{a}c\u{d}\u{a}");
        assert_eq!(lines("a\tb\r\nc\rd\n"), "a    b\nc\\u{d}d\n");
    }

    #[test]
    fn no_line_is_a_command_to_a_ci_system() {
        assert_eq!(text("::error::x ::y a::b"), r":\u{3a}error::x :\u{3a}y a::b");
        assert_eq!(lines("a\n  ::stop-commands::x\n"), "a\n  :\\u{3a}stop-commands::x\n");
        assert_eq!(text("a ##[error]x ##vso[task.x]"), r"a ##\u{5b}error]x ##vso\u{5b}task.x]");
    }

    #[test]
    fn plain_text_is_borrowed() {
        for plain in ["", "[::1] a::b # [x]", "topology = \"4x4\"", "größer 切片 🧩"] {
            assert!(matches!(text(plain), Cow::Borrowed(same) if same == plain));
        }
        assert!(matches!(lines("a\nb"), Cow::Borrowed("a\nb")));
    }

    proptest::proptest! {
        #[test]
        fn nothing_dangerous_gets_through_and_a_second_pass_changes_nothing(input in "\\PC*|(?s).*") {
            let once = text(&input).into_owned();
            proptest::prop_assert!(once.chars().all(|c| shown(c).is_none()));
            proptest::prop_assert_eq!(text(&once), once.as_str());
        }
    }
}
