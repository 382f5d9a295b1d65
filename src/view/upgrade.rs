//! What another version would mean for a stack: for people, and as `schemas/upgrade.schema.json` describes.

use serde::Serialize;
use serde_json::{Value, json};

use crate::base::diag::Diags;
use crate::base::span::SourceMap;
use crate::plan::Plan;
use crate::view::excerpt::wrap;
use crate::view::{Style, count, human, json as out, plan_human, sanitize};

/// A version that moves.
#[derive(Clone, Debug, Serialize)]
pub struct Move {
    /// `ray`.
    pub project: &'static str,
    /// `Ray`.
    #[serde(skip)]
    pub name: &'static str,
    /// The versions that the stack names.
    pub from: Vec<String>,
    /// The version asked for.
    pub to: String,
}

/// Something that a release does otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct Fact {
    /// `ray`.
    pub project: &'static str,
    /// What it is called.
    pub name: String,
    /// As it was.
    pub from: String,
    /// As it is.
    pub to: String,
    /// What that means.
    pub means: String,
    /// Where it was read.
    pub source: String,
}

/// A place in the stack that names the old version.
#[derive(Clone, Debug, Serialize)]
pub struct Edit {
    /// The block.
    pub block: String,
    /// File, line and column.
    pub position: String,
    /// The attribute.
    pub attribute: &'static str,
    /// What is written there; None: nothing yet.
    pub from: Option<String>,
    /// The version to write.
    pub to: String,
}

/// All of it.
#[derive(Clone, Debug)]
pub struct Upgrade {
    /// The stack's file, and its environment.
    pub stack: String,
    /// The versions.
    pub moves: Vec<Move>,
    /// What the new versions make wrong or doubtful.
    pub opens: Diags,
    /// What they mend.
    pub closes: Diags,
    /// What the releases do otherwise.
    pub facts: Vec<Fact>,
    /// What to write.
    pub edits: Vec<Edit>,
    /// Images that carry the version themselves.
    pub images: Vec<String>,
    /// Errors that the new versions neither bring nor mend.
    pub remains: Diags,
    /// From the old manifests to the new; None where one of them can't be made.
    pub plan: Option<Plan>,
}

/// For people. `new` and `old` are the sources of what opens and closes.
pub fn human(upgrade: &Upgrade, new: &SourceMap, old: &SourceMap, full: bool, style: Style) -> String {
    let mut text = format!("{}: {}\n", sanitize::text(&upgrade.stack), moves(upgrade));
    if upgrade.opens.is_empty() {
        text += "\nNo rule opens.\n";
    } else {
        text += &format!("\nOpens:\n\n{}", human::diags(&upgrade.opens, new, style));
    }
    if !upgrade.closes.is_empty() {
        text += &format!("\nCloses:\n\n{}", human::diags(&upgrade.closes, old, style));
    }
    if !upgrade.remains.is_empty() {
        text += &format!("\nWrong with either:\n\n{}", human::diags(&upgrade.remains, new, style));
    }
    text += &facts(upgrade, style);
    text += "\n";
    text += &match &upgrade.plan {
        Some(plan) if plan.has_changes() => plan_human::plan(plan, full, style),
        Some(plan) => format!("No manifest changes ({}).\n", count(plan.totals.keep, "object")),
        None if upgrade.opens.has_errors() || upgrade.remains.has_errors() => {
            "The manifests can be compared once the errors are mended.\n".to_owned()
        }
        None => "The stack has errors as it is, and so no manifests to compare with.\n".to_owned(),
    };
    text + &edits(upgrade, style)
}

fn moves(upgrade: &Upgrade) -> String {
    let one = |moved: &Move| {
        let from = if moved.from.is_empty() { "no version".to_owned() } else { moved.from.join(", ") };
        format!("{} {from} -> {}", moved.name, moved.to)
    };
    upgrade.moves.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// What the releases do otherwise; engine arguments, of which there are hundreds, by name alone.
fn facts(upgrade: &Upgrade, style: Style) -> String {
    let width = style.width.clamp(60, 120);
    let mut text = String::new();
    for moved in &upgrade.moves {
        let own: Vec<&Fact> = upgrade.facts.iter().filter(|fact| fact.project == moved.project).collect();
        if own.is_empty() {
            continue;
        }
        text += &format!("\n{} {} does otherwise:\n", moved.name, moved.to);
        if moved.project == "vllm" {
            for (word, to) in [("gone", "gone"), ("new", "taken")] {
                let names: Vec<&str> = own.iter().filter(|fact| fact.to == to).map(|fact| fact.name.as_str()).collect();
                if !names.is_empty() {
                    let list = format!("arguments {word}: {}", names.join(", "));
                    text += &indented(&list, width);
                }
            }
            continue;
        }
        for fact in own {
            text += &indented(&format!("{}: {} -> {}. {}", fact.name, fact.from, fact.to, fact.means), width);
        }
    }
    text
}

/// A paragraph below a heading.
fn indented(text: &str, width: usize) -> String {
    let lines = wrap(text, width.saturating_sub(6));
    lines.iter().enumerate().map(|(at, line)| format!("{}{line}\n", if at == 0 { "  " } else { "      " })).collect()
}

fn edits(upgrade: &Upgrade, style: Style) -> String {
    if upgrade.edits.is_empty() {
        return String::new();
    }
    let mut text = String::from("\nTo carry it out:\n");
    for edit in &upgrade.edits {
        let place = sanitize::text(&edit.position).into_owned();
        text += &match &edit.from {
            Some(from) => {
                format!("  {place}: {} = {:?} in place of {}\n", edit.attribute, edit.to, sanitize::text(from))
            }
            None => format!("  {place}: write {} = {:?} in {}\n", edit.attribute, edit.to, edit.block),
        };
    }
    if !upgrade.images.is_empty() {
        let list = upgrade.images.iter().map(|image| sanitize::text(image).into_owned()).collect::<Vec<_>>().join(", ");
        text += &indented(
            &format!("images carry their own version: name images that have the new one ({list})"),
            style.width.clamp(60, 120),
        );
    }
    text
}

/// As a document, ending in a newline.
pub fn json(upgrade: &Upgrade, new: &SourceMap, old: &SourceMap) -> String {
    let plan = upgrade.plan.as_ref().map(|plan| {
        let mut tree = serde_json::to_value(plan).unwrap_or_default();
        tree["diagnostics"] = Value::Array(Vec::new());
        tree
    });
    out::text(&json!({
        "format_version": out::FORMAT_VERSION,
        "stack": upgrade.stack,
        "moves": upgrade.moves,
        "opens": out::list(&upgrade.opens, new),
        "closes": out::list(&upgrade.closes, old),
        "remains": out::list(&upgrade.remains, new),
        "facts": upgrade.facts,
        "edits": upgrade.edits,
        "images": upgrade.images,
        "plan": plan,
    }))
}
