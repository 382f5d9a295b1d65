//! Diagnostics for people: what is wrong, the source with the place marked, why, where the fact was read, what to do.

use std::collections::BTreeSet;

use anstyle::{AnsiColor, Effects};

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::SourceMap;
use crate::view::draw::draw;
use crate::view::excerpt::{Canvas, excerpts, wrap};
use crate::view::{Style, sanitize};

/// Prose in lines longer than this is hard to read, however wide the terminal.
const WIDEST_PROSE: usize = 100;

/// All of `diags`, in their order, then a line that counts them. Empty where there is none.
pub fn diags(diags: &Diags, map: &SourceMap, style: Style) -> String {
    let mut out = String::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for diag in diags.iter() {
        if !is_remark(diag) {
            out += &one(diag, map, style);
            out.push('\n');
        } else if told.insert(&diag.summary) {
            // The same remark on a thousand blocks is one remark.
            let alike = diags.iter().filter(|other| is_remark(other) && other.summary == diag.summary).count();
            out += &note(diag, alike - 1, style);
            out.push('\n');
        }
    }
    out + &counts(diags, style)
}

/// Whether it says what to know of a block, with nothing to do: a line, not a report.
fn is_remark(diag: &Diag) -> bool {
    diag.severity == Severity::Note && diag.primary.is_none() && diag.help.is_none() && diag.addr.is_some()
}

/// A remark on a block and on so many more.
fn note(diag: &Diag, more: usize, style: Style) -> String {
    let addr = diag.addr.as_ref().map_or_else(String::new, ToString::to_string);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let text = format!("{addr}{more}: {}", diag.summary);
    remark("note", Some(&text), severity_style(Severity::Note), style)
}

/// One diagnostic, without the empty line after it.
pub fn one(diag: &Diag, map: &SourceMap, style: Style) -> String {
    if is_remark(diag) {
        return note(diag, 0, style);
    }
    let heading = format!("{}[{}]", diag.severity.name(), diag.rule);
    let mut out = format!(
        "{}{}\n",
        paint(style, severity_style(diag.severity), &heading),
        paint(style, anstyle::Style::new().bold(), &format!(": {}", sanitize::text(&sanitize::brief(&diag.summary)))),
    );
    let canvas = Canvas { width: style.width, ellipsis: if style.unicode { "…" } else { "..." } };
    for excerpt in excerpts(diag, map, canvas) {
        out += &draw(excerpt, diag.severity, style);
    }
    // A file of values is not shown, only where in it.
    for label in diag.primary.iter().chain(&diag.related) {
        if map.file(label.span.file).is_some_and(|file| file.hidden) {
            let text = format!("{}: {}", map.position(label.span), label.text);
            out += &remark("at", Some(&text), AnsiColor::Cyan.on_default(), style);
        }
    }
    // With a place, the source shows the block; only which instance of it does not show there.
    let block = diag.addr.as_ref().filter(|addr| diag.primary.is_none() || addr.key.is_some()).map(ToString::to_string);
    out += &remark("block", block.as_deref(), AnsiColor::Cyan.on_default(), style);
    out += &remark("why", diag.detail.as_deref(), AnsiColor::Cyan.on_default(), style);
    out += &remark("source", diag.source.as_deref(), AnsiColor::Cyan.on_default(), style);
    out += &remark("help", diag.help.as_deref(), AnsiColor::Green.on_default() | Effects::BOLD, style);
    out
}

/// `2 errors, 1 warning`, or nothing.
pub fn counts(diags: &Diags, style: Style) -> String {
    let count = |severity: Severity| {
        let number = diags.count(severity);
        let text = format!("{number} {}{}", severity.name(), if number == 1 { "" } else { "s" });
        (number > 0).then(|| paint(style, severity_style(severity), &text))
    };
    let parts: Vec<String> =
        [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(count).collect();
    if parts.is_empty() { String::new() } else { parts.join(", ") + "\n" }
}

/// `  help:   words`, the further lines below the words.
fn remark(key: &str, text: Option<&str>, look: anstyle::Style, style: Style) -> String {
    const INDENT: usize = 10;
    let Some(text) = text else { return String::new() };
    let width = style.width.clamp(40, WIDEST_PROSE) - INDENT;
    let mut out = String::new();
    for (index, line) in wrap(&sanitize::lines(&sanitize::brief(text)), width).iter().enumerate() {
        let blanks = INDENT - 2 - if index == 0 { key.len() + 1 } else { 0 };
        let key = if index == 0 { paint(style, look, &format!("{key}:")) } else { String::new() };
        out += format!("  {key}{:blanks$}{line}", "").trim_end();
        out.push('\n');
    }
    out
}

fn severity_style(severity: Severity) -> anstyle::Style {
    let color = match severity {
        Severity::Error => AnsiColor::Red,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Note => AnsiColor::Cyan,
    };
    color.on_default() | Effects::BOLD
}

fn paint(style: Style, look: anstyle::Style, text: &str) -> String {
    if style.color { format!("{look}{text}{look:#}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::addr::{Addr, Key};
    use crate::base::span::{FileId, Span};

    const STACK: &str = "\
stack \"llm\" {}

slice \"v6e\" {
  accelerator = \"v6e\"
  topology    = \"2x2x4\"
}

train \"dpo\" {
  slice       = slice.v6e
  num_workers = 8 # one per host
}
";

    /// The place of `text` in the file `id`.
    fn at(map: &SourceMap, id: FileId, text: &str) -> Span {
        let start = map.file(id).unwrap().text.find(text).unwrap();
        Span::new(id, start..start + text.len())
    }

    fn sample() -> (Diags, SourceMap) {
        let mut map = SourceMap::default();
        let stack = map.add("llm.stack.hcl", STACK);
        let vars = map.add("vars.hcl", "variable \"size\" {\n  default = 16\n}\n");
        let list = [
            Diag::error("tpu-topology-unknown", "Unknown TPU topology")
                .at(at(&map, stack, "\"2x2x4\""), "three dimensions")
                .also(at(&map, stack, "\"v6e\"\n"), "v6e is sold in two dimensions")
                .detail("v6e is sold as 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16 and 16x16; \"2x2x4\" has three dimensions, as v4, v5p and tpu7x have.")
                .source("GKE, \"Plan TPUs\", read 2026-11-30")
                .help("Write \"4x4\" for the same 16 chips."),
            Diag::error("torch-workers", "PyTorch needs one worker per device")
                .at(at(&map, stack, "8 #"), "8 workers")
                .also(at(&map, stack, "slice.v6e\n"), "16 devices")
                .also(at(&map, vars, "16"), "the 16 comes from here")
                .detail("  workers  8\n  devices 16")
                .addr(&Addr { kind: "train".into(), name: "dpo".into(), key: Some(Key::Name("big".into())) })
                .help("Set num_workers = 16."),
            Diag::warning("slice-idle", "Nothing uses this slice").at(at(&map, stack, "slice \"v6e\" {\n  accelerator = \"v6e\"\n  topology    = \"2x2x4\"\n}"), "paid for, idle"),
            Diag::note("io", "The lock file is older than a day").addr(&Addr::new("slice", "v6e")).help("Nothing to do."),
        ];
        (list.into_iter().collect(), map)
    }

    fn show(list: impl IntoIterator<Item = Diag>, map: &SourceMap, unicode: bool) -> String {
        diags(&list.into_iter().collect(), map, Style { unicode, ..Style::PLAIN })
    }

    /// One error at `text` in a file with `source`.
    fn show_at(source: &str, text: &str) -> String {
        let mut map = SourceMap::default();
        let id = map.add("a.hcl", source);
        show([Diag::error("rule", "Wrong").at(at(&map, id, text), "here")], &map, true)
    }

    #[test]
    fn a_terminal_gets_lines_and_a_pipe_gets_ascii() {
        let (list, map) = sample();
        insta::assert_snapshot!(show(list.clone(), &map, true), @r#"
        error[tpu-topology-unknown]: Unknown TPU topology
           ╭─[llm.stack.hcl:5:17]
         3 │ slice "v6e" {
         4 │   accelerator = "v6e"
           ·                 ──┬──
           ·                   ╰── v6e is sold in two dimensions
         5 │   topology    = "2x2x4"
           ·                 ───┬───
           ·                    ╰── three dimensions
         6 │ }
           ╰────
          why:    v6e is sold as 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16 and 16x16; "2x2x4"
                  has three dimensions, as v4, v5p and tpu7x have.
          source: GKE, "Plan TPUs", read 2026-11-30
          help:   Write "4x4" for the same 16 chips.

        error[torch-workers]: PyTorch needs one worker per device
            ╭─[llm.stack.hcl:10:17]
          8 │ train "dpo" {
          9 │   slice       = slice.v6e
            ·                 ────┬────
            ·                     ╰── 16 devices
         10 │   num_workers = 8 # one per host
            ·                 ─┬─
            ·                  ╰── 8 workers
         11 │ }
            ╰────
           ╭─[vars.hcl:2:13]
         1 │ variable "size" {
         2 │   default = 16
           ·             ─┬
           ·              ╰── the 16 comes from here
         3 │ }
           ╰────
          block:  train.dpo["big"]
          why:      workers 8
                    devices 16
          help:   Set num_workers = 16.

        warning[slice-idle]: Nothing uses this slice
           ╭─[llm.stack.hcl:3:1]
         3 │ ╭─▶ slice "v6e" {
         4 │ │     accelerator = "v6e"
         5 │ │     topology    = "2x2x4"
         6 │ ├─▶ }
           · ╰──── paid for, idle
           ╰────

        note[io]: The lock file is older than a day
          block:  slice.v6e
          help:   Nothing to do.

        2 errors, 1 warning, 1 note
        "#);
        let first = list.into_iter().take(1);
        insta::assert_snapshot!(show(first, &map, false), @r#"
        error[tpu-topology-unknown]: Unknown TPU topology
           ,-[llm.stack.hcl:5:17]
         3 | slice "v6e" {
         4 |   accelerator = "v6e"
           :                 ^^^^^
           :                   `-- v6e is sold in two dimensions
         5 |   topology    = "2x2x4"
           :                 ^^^^^^^
           :                    `-- three dimensions
         6 | }
           `----
          why:    v6e is sold as 1x1, 2x2, 2x4, 4x4, 4x8, 8x8, 8x16 and 16x16; "2x2x4"
                  has three dimensions, as v4, v5p and tpu7x have.
          source: GKE, "Plan TPUs", read 2026-11-30
          help:   Write "4x4" for the same 16 chips.

        1 error
        "#);
    }

    #[test]
    fn colour_adds_nothing_but_colour() {
        let (list, map) = sample();
        let plain = diags(&list, &map, Style { unicode: true, ..Style::PLAIN });
        let colored = diags(&list, &map, Style { unicode: true, color: true, ..Style::PLAIN });
        assert!(colored.starts_with("\u{1b}[1m\u{1b}[31merror[tpu-topology-unknown]"), "{colored:?}");
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
    }

    #[test]
    fn no_problem_gives_no_text() {
        assert_eq!(show([], &SourceMap::default(), true), "");
    }

    #[test]
    fn a_place_outside_the_map_loses_its_excerpt_and_keeps_its_words() {
        let lost = Diag::error("io", "Lost").at(Span::new(FileId(7), 1..2), "x").help("Find it.");
        insta::assert_snapshot!(show([lost], &SourceMap::default(), true), @r"
        error[io]: Lost
          help:   Find it.

        1 error
        ");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let source = format!("x = [{}]\n", (0..20_000).map(|n| n.to_string()).collect::<Vec<_>>().join(","));
        insta::assert_snapshot!(show_at(&source, "12345"), @r"
        error[rule]: Wrong
           ╭─[a.hcl:1:62966]
         1 │ …2342,12343,12344,12345,12346,12347,12348,12349,12350,12351,12352,1235…
           ·                   ──┬──
           ·                     ╰── here
           ╰────

        1 error
        ");
        insta::assert_snapshot!(show_at(&source, source.trim_end()), @r"
        error[rule]: Wrong
           ╭─[a.hcl:1:1]
         1 │ x = [0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24…
           · ───────────────────────────────────┬──────────────────────────────────
           ·                                    ╰── here
           ╰────

        1 error
        ");
        let far_right = format!("x = {}\"bad\"\n", " ".repeat(60));
        insta::assert_snapshot!(show_at(&far_right, "\"bad\""), @r#"
        error[rule]: Wrong
           ╭─[a.hcl:1:65]
         1 │ …                 "bad"
           ·                   ──┬──
           ·                     ╰── here
           ╰────

        1 error
        "#);
    }

    #[test]
    fn hostile_source_is_inert_and_the_mark_stays_under_its_text() {
        let source = "\tname\t= \"\u{1b}[2J\u{202e}x\" + bad # \u{200b}切片\r\n";
        insta::assert_snapshot!(show_at(source, "bad"), @r#"
        error[rule]: Wrong
           ╭─[a.hcl:1:20]
         1 │     name    = "\u{1b}[2J\u{202e}x" + bad # \u{200b}切片
           ·                                      ─┬─
           ·                                       ╰── here
           ╰────

        1 error
        "#);
        insta::assert_snapshot!(show_at("a = \"切片\" + bad\n", "bad"), @r#"
        error[rule]: Wrong
           ╭─[a.hcl:1:12]
         1 │ a = "切片" + bad
           ·              ─┬─
           ·               ╰── here
           ╰────

        1 error
        "#);
        let words = Diag::error("rule", "a\u{1b}]0;t\u{7}\nerror: b").detail("c\u{202e}\rd\te").help("f\u{9b}g");
        insta::assert_snapshot!(show([words], &SourceMap::default(), true), @r"
        error[rule]: a\u{1b}]0;t\u{7}\u{a}error: b
          why:    c\u{202e}\u{d}d e
          help:   f\u{9b}g

        1 error
        ");
    }

    #[test]
    fn the_end_of_the_file_has_a_mark() {
        let mut map = SourceMap::default();
        let id = map.add("a.hcl", "a = [\n");
        let end = Diag::error("syntax", "Unclosed list").at(Span::new(id, 6..6), "expected `]`");
        insta::assert_snapshot!(show([end], &map, true), @r"
        error[syntax]: Unclosed list
           ╭─[a.hcl:2:1]
         1 │ a = [
         2 │
           · ▲
           · ╰── expected `]`
           ╰────

        1 error
        ");
        let id = map.add("empty.hcl", "");
        insta::assert_snapshot!(show([Diag::error("syntax", "Empty").at(Span::new(id, 0..0), "")], &map, true), @r"
        error[syntax]: Empty
           ╭─[empty.hcl:1:1]
         1 │
           · ▲
           ╰────

        1 error
        ");
    }

    #[test]
    fn a_whole_block_is_marked_on_its_first_line_and_long_labels_wrap() {
        let mut map = SourceMap::default();
        let id = map.add("a.hcl", "slice \"a\" {\n1\n2\n3\n4\n5\n6\n}\n");
        let block = Diag::warning("rule", "Long").at(
            at(&map, id, "slice \"a\" {\n1\n2\n3\n4\n5\n6\n}\n"),
            "this slice has sixteen chips on four hosts, and the workloads in this stack use only eight of them",
        );
        insta::assert_snapshot!(show([block], &map, true), @r#"
        warning[rule]: Long
           ╭─[a.hcl:1:1]
         1 │ slice "a" {
           · ─────┬─────
           ·      ╰─┤ this slice has sixteen chips on four hosts, and the
           ·        │ workloads in this stack use only eight of them
         2 │ 1
           ╰────

        1 warning
        "#);
    }

    #[test]
    fn two_marks_share_a_line() {
        let mut map = SourceMap::default();
        let id = map.add("a.hcl", "tp = 8 * 3\n");
        let two = Diag::error("rule", "Two").at(Span::new(id, 5..6), "one").also(Span::new(id, 9..10), "other");
        insta::assert_snapshot!(show([two], &map, true), @r"
        error[rule]: Two
           ╭─[a.hcl:1:6]
         1 │ tp = 8 * 3
           ·      ┬   ┬
           ·      │   ╰── other
           ·      ╰── one
           ╰────

        1 error
        ");
    }

    proptest::proptest! {
        #[test]
        fn any_text_and_any_span_are_drawn_without_harm(
            source in "(\\PC|[\\n\\t\\r\u{1b}\u{202e}切é ]){0,120}",
            spans in proptest::collection::vec((0..140_u32, 0..140_u32, "\\PC{0,60}"), 1..4),
            width in 0..130_usize,
        ) {
            let mut map = SourceMap::default();
            let file = map.add("a.hcl", source);
            let mut diag = Diag::error("rule", "Any");
            for (index, (start, end, text)) in spans.into_iter().enumerate() {
                let span = Span { file, start, end };
                diag = if index == 0 { diag.at(span, text) } else { diag.also(span, text) };
            }
            let out = one(&diag, &map, Style { color: false, unicode: true, width });
            proptest::prop_assert!(out.chars().all(|c| c == '\n' || sanitize::shown(c).is_none()), "{:?}", out);
            proptest::prop_assert!(out.contains("╭─[a.hcl:"), "{}", out);
            proptest::prop_assert!(out.contains('┬') || out.contains('─') || out.contains('▲'), "{}", out);
        }
    }
}
