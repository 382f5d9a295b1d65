//! A plan as a comment on a pull request: a line of sums, a table of what happens to each block, the differences folded.
//!
//! Everything in it may come from a stack of a stranger. Outside of code blocks every mark is written as a character reference,
//! within `<code>`, where GitHub looks for no mentions and no references either; code blocks have a longer fence than anything
//! in them.

use std::fmt::Write as _;

use serde_json::Value;

use crate::plan::{Action, Plan, Step};
use crate::view::plan_human::{self, Row};
use crate::view::plan_value::Pen;
use crate::view::{Style, count, sanitize};

/// GitHub takes 65,536 characters in a comment; what is left is for what a workflow adds.
const MOST: usize = 64_000;

/// Of these, the table may take so much.
const MOST_TABLE: usize = 16_000;

/// Columns of a code block.
const WIDTH: usize = 120;

/// A whole comment. Its first line is hidden, and the same for every plan of the stack: by it a workflow finds the comment
/// that it wrote before.
pub fn plan(plan: &Plan, diagnostics: &Value, full: bool) -> String {
    let mut out = format!("{}\n### {}: {}\n", marker(plan), code(&plan.stack), headline(plan));
    for diagnostic in diagnostics.as_array().into_iter().flatten() {
        if diagnostic["severity"] == "warning" && out.len() < MOST_TABLE {
            out += &warning(diagnostic);
        }
    }
    let shown: Vec<&Step> =
        plan.steps.iter().filter(|step| step.object.is_some() && step.action != Action::Keep).collect();
    let pen = Pen { style: Style { width: WIDTH, ..Style::PLAIN }, full };
    if !shown.is_empty() {
        out += &table(&plan_human::rows(&shown));
        out += &folded(pen, &shown, MOST.saturating_sub(out.len()));
    }
    out
}

/// The hidden line.
fn marker(plan: &Plan) -> String {
    // A comment ends at `--`; a stack's name and an environment's have letters, digits and single dashes as a rule.
    format!("<!-- sliceform plan {} -->", plan.stack.replace("--", "-\u{2060}-").replace('>', ""))
}

fn headline(plan: &Plan) -> String {
    if !plan.has_changes() {
        return format!("no changes ({})", count(plan.totals.keep, "object"));
    }
    let totals = &plan.totals;
    let parts = [
        (totals.add, "to add"),
        (totals.change, "to change"),
        (totals.replace, "to replace"),
        (totals.destroy, "to destroy"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, words)| format!("{number} {words}")).collect();
    let sum = if parts.is_empty() { "no object changes".to_owned() } else { parts.join(", ") };
    match (totals.chips_before, totals.chips_after) {
        (before, after) if before != after => format!("{sum}. Chips: {before} → {after}"),
        (_, 0) => sum,
        (_, after) => format!("{sum}. Chips: {after}"),
    }
}

/// A diagnostic as `view::json` lists it, and as saved plans hold it.
fn warning(diagnostic: &Value) -> String {
    let text = |key: &str| diagnostic[key].as_str().unwrap_or_default();
    let range = &diagnostic["range"];
    let place = range["filename"].as_str().map_or_else(String::new, |file| {
        let line = range["start"]["line"].as_u64().unwrap_or(1);
        format!(", {}", code(&format!("{file}:{line}")))
    });
    let more: String = ["detail", "help"]
        .into_iter()
        .map(text)
        .filter(|text| !text.is_empty())
        .map(|text| format!(" {}", plain(text)))
        .collect();
    format!("\n> ⚠️ **{}** ({}{place}).{more}\n", plain(text("summary")), code(text("rule")))
}

/// What happens to each block; what is lost comes first.
fn table(rows: &[Row]) -> String {
    let mut out = String::from("\n| | block | what happens |\n|---|---|---|\n");
    for (index, row) in rows.iter().enumerate() {
        let line = format!("| {} | {} | {} |\n", sign(row.action), code(&row.address), plain(&row.text));
        if out.len() + line.len() > MOST_TABLE {
            let left = rows.len() - index;
            let _ = writeln!(out, "| … | | {} more; `sliceform plan` shows them |", count(left, "block"));
            break;
        }
        out += &line;
    }
    out
}

fn sign(action: Action) -> &'static str {
    match action {
        Action::Create => "➕",
        Action::Update => "✏️",
        Action::Replace => "♻️",
        Action::Delete => "🗑️",
        Action::Import => "📥",
        Action::Move => "➡️",
        Action::Forget => "📤",
        Action::Keep => "",
    }
}

/// The differences, object by object, as many whole ones as fit.
fn folded(pen: Pen, steps: &[&Step], room: usize) -> String {
    let mut out = String::new();
    for (index, step) in steps.iter().enumerate() {
        let text = coloured(&plan_human::detail(pen, step));
        let fence = "`".repeat(longest_run(&text).max(2) + 1);
        let name = step.object.as_ref().map_or_else(|| step.file.clone(), plan_human::name);
        let part = format!(
            "\n<details><summary>{} {}</summary>\n\n{fence}diff\n{text}{fence}\n\n</details>\n",
            sign(step.action),
            code(&name)
        );
        let rest = format!(
            "\n{} more left out here: `sliceform plan --full` shows them.\n",
            count(steps.len() - index, "object")
        );
        // A character of a comment counts as one, whatever its bytes.
        if out.chars().count() + part.chars().count() + rest.len() > room {
            return out + &rest;
        }
        out += &part;
    }
    out
}

/// The signs of a diff at the start of the line, where GitHub colours by them.
fn coloured(text: &str) -> String {
    let line = |line: &str| {
        let inner = line.trim_start();
        let indent = line.len() - inner.len();
        let sign = match inner.split(' ').next() {
            Some("+") => '+',
            Some("-") => '-',
            Some("~" | "-/+") => '!',
            _ => return format!("{line}\n"),
        };
        // Its own place becomes a blank, so that columns stay.
        let blank = if inner.starts_with("-/+") { 3 } else { 1 };
        format!("{sign}{:1$}{2}\n", "", indent + blank - 1, &inner[blank..])
    };
    text.lines().map(line).collect()
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A text of the stack, inert: as code, every mark a character reference.
fn code(text: &str) -> String {
    let mut out = String::from("<code>");
    sanitize::text(&sanitize::brief(text)).chars().for_each(|c| reference(c, &mut out));
    out + "</code>"
}

/// Words of ours with names of the stack in them: marks as references, and nothing that links or calls anybody.
fn plain(text: &str) -> String {
    let text = sanitize::text(&sanitize::brief(text)).into_owned();
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        reference(c, &mut out);
        let before = &text[..at];
        let ends = |word: &str| {
            before.len() >= word.len()
                && before.as_bytes()[before.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
        };
        // What GitHub looks for in words is cut in two by an empty comment: @name, #1, GH-1, an address.
        let scheme = c == ':' && text[at + 1..].starts_with("//");
        if matches!(c, '@' | '#') || scheme || c == '.' && ends("www") || c == '-' && ends("gh") {
            out += "<!-- -->";
        }
    }
    out
}

/// A character that means nothing to Markdown or HTML.
fn reference(c: char, out: &mut String) {
    let harmless = matches!(c, ' ' | ',' | '.' | '-' | '/' | '(' | ')' | '=' | ';' | '%' | '+');
    if c.is_ascii_punctuation() && !harmless {
        let _ = write!(out, "&#{};", u32::from(c));
    } else {
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::plan_sample;

    #[test]
    fn a_comment_reads_like_this() {
        let diagnostics = serde_json::json!([{
            "severity": "warning",
            "rule": "unpinned-image",
            "summary": "An image that is not pinned",
            "help": "Write a tag.",
            "range": { "filename": "park.stack.hcl", "start": { "line": 7 } },
        }]);
        let mut sample = plan_sample::mixed();
        sample.steps.retain(|step| step.address != "train.dpo" && step.address != "train.old");
        insta::assert_snapshot!(plan(&sample, &diagnostics, false), @r#"
        <!-- sliceform plan park -->
        ### <code>park</code>: 1 to add, 1 to change, 3 to replace, 1 to destroy. Chips: 32 → 48

        > ⚠️ **An image that is not pinned** (<code>unpinned-image</code>, <code>park.stack.hcl&#58;7</code>). Write a tag.

        | | block | what happens |
        |---|---|---|
        | ♻️ | <code>slice.v6e</code> | replaced&#58; the pool is destroyed and made anew, and what ran on it is lost |
        | ✏️ | <code>serve.chat</code> | rolling&#58; a second Ray cluster is built, then traffic moves&#58; needs twice the slices meanwhile |
        | ➕ | <code>batch.embed</code> | new&#58; RayJob |

        <details><summary>♻️ <code>google&#95;container&#95;node&#95;pool.v6e</code></summary>

        ```diff
          # slice.v6e: google_container_node_pool.v6e must be replaced: node_config.spot cannot change in place
          # replaced: the pool is destroyed and made anew, and what ran on it is lost
        !   gke/v6e.tf
              node_config
        !         spot = false -> true  # forces replacement
              # (3 unchanged values hidden)
        ```

        </details>

        <details><summary>➕ <code>RayJob ml/embed-bbbbbb</code></summary>

        ```diff
          # batch.embed: RayJob ml/embed-bbbbbb will be created
        +   kuberay/rayjob-embed-bbbbbb.yaml (8 lines)
        ```

        </details>

        <details><summary>✏️ <code>RayService ml/chat</code></summary>

        ```diff
          # serve.chat: RayService ml/chat will be changed
          # rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile
        !   kuberay/rayservice-chat.yaml
              spec.serveConfigV2.applications[llm].args
        !         tensor_parallel_size = 8 -> 16
              spec.rayClusterConfig.workerGroupSpecs[v6e]
        !         replicas = 1 -> 2
              spec.rayClusterConfig.workerGroupSpecs[v6e].template.spec.containers[ray-worker]
        !         image = "rayproject/ray:2.58.0" -> "rayproject/ray:2.59.1"
              # (9 unchanged values hidden)
        ```

        </details>
        "#);
    }

    #[test]
    fn what_a_stranger_writes_is_inert() {
        let hostile = "</details>`` ``` | @octocat #1 https://evil.example www.evil.example GH-7 <img src=x> \u{1b}[31m\u{202e} [a](b) *x* ::error::\n# top";
        for written in [code(hostile), plain(hostile)] {
            assert!(
                !written.contains('\n') && !written.contains('\u{1b}') && !written.contains('\u{202e}'),
                "{written}"
            );
            let text = written.replace("<code>", "").replace("</code>", "").replace("<!-- -->", "");
            assert!(!text.contains(['<', '>', '`', '|', '[', ']', '*', '@', ':', '_', '!']), "{written}");
        }
        let words = plain(hostile);
        assert!(
            ["&#64;<!-- -->octocat", "&#35;<!-- -->1", "https&#58;<!-- -->//", "www.<!-- -->evil", "GH-<!-- -->7"]
                .iter()
                .all(|cut| words.contains(cut)),
            "{words}"
        );
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds_and_signs_come_first() {
        assert_eq!(longest_run("a ``` b ````` c"), 5);
        assert_eq!(longest_run(""), 0);
        assert_eq!(coloured("  ~ a = 1\n      + b\n-/+ c\n    x - y\n"), "!   a = 1\n+       b\n!   c\n    x - y\n");
    }

    #[test]
    fn a_plan_of_ten_thousand_objects_fits_and_says_what_it_leaves_out() {
        let mut large = plan_sample::mixed();
        let step =
            large.steps.iter().find(|step| step.action == Action::Update && step.object.is_some()).unwrap().clone();
        large.steps = (0..10_000).map(|at| Step { address: format!("train.t{at}"), ..step.clone() }).collect();
        let text = plan(&large, &Value::Null, true);
        assert!(text.chars().count() < 65_536 && text.chars().count() > 40_000, "{}", text.chars().count());
        assert!(text.contains("more left out here") && text.contains("`sliceform plan` shows them"));
        assert_eq!(text.matches("<details>").count(), text.matches("</details>").count());
        assert_eq!(text.matches("```diff").count() * 2, text.matches("```").count());
    }

    #[test]
    fn every_sample_has_its_hidden_line_first() {
        for sample in plan_sample::all() {
            let text = plan(&sample, &Value::Null, false);
            assert!(text.starts_with(&format!("<!-- sliceform plan {} -->\n### ", sample.stack)), "{text}");
        }
    }
}
