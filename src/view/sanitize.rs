//! Makes text of a stack harmless on a terminal: what could move the cursor, reorder or hide text is shown instead.

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

/// What stands for `c` in output, or nothing where `c` may stand for itself.
pub fn shown(c: char) -> Option<Cow<'static, str>> {
    match c {
        '\t' => Some(Cow::Borrowed(TAB)),
        c if c.is_control() || is_invisible(c) => Some(Cow::Owned(c.escape_unicode().to_string())),
        _ => None,
    }
}

fn replace(text: &str, multiline: bool) -> Cow<'_, str> {
    let keeps = |c: char| multiline && c == '\n';
    if !text.chars().any(|c| !keeps(c) && shown(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match shown(c) {
            _ if keeps(c) => out.push(c),
            _ if multiline && c == '\r' && chars.peek() == Some(&'\n') => {}
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
    fn plain_text_is_borrowed() {
        for plain in ["", "topology = \"4x4\"", "größer 切片 🧩"] {
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
