//! A plan as people read it, in Terraform's look: what runs first, block by block; then what differs, object by object.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Effects};

use crate::plan::requested;
use crate::plan::{Action, Because, Change, Class, Executor, Object, Plan, Step, Totals};
use crate::view::excerpt::wrap;
use crate::view::plan_value::{MOST_PAD, Mark, Pen, Slot, key};
use crate::view::{Style, count, sanitize};

/// A whole plan, ending in the line of its sums. `full`: new objects in full, and every line of long values.
pub fn plan(plan: &Plan, full: bool, style: Style) -> String {
    let pen = Pen { style, full };
    let directory = sanitize::text(&plan.directory);
    if !plan.has_changes() {
        let objects = count(plan.totals.keep, "object");
        let of = if plan.targets.is_empty() { String::new() } else { format!(" of {}", targets(plan)) };
        return format!("{} {directory} is what the stack says{of} ({objects}).\n", bold(pen, "No changes."));
    }
    let shown: Vec<&Step> =
        plan.steps.iter().filter(|step| step.object.is_some() && step.action != Action::Keep).collect();
    let mut parts = Vec::new();
    if !shown.is_empty() {
        let stack = sanitize::text(&plan.stack);
        let only = if plan.targets.is_empty() { String::new() } else { format!(", only for {}", targets(plan)) };
        parts.push(format!(
            "Sliceform will change {directory} for the stack {stack}{only}:\n\n{}",
            overview(pen, &shown)
        ));
    }
    if let Some(old) = &plan.takes_over {
        let (from, files) = (sanitize::text(&old.directory), count(old.files.len(), "file"));
        parts.push(format!("The folder {from} of the old name is taken over, and goes ({files}).\n"));
    }
    parts.extend(shown.iter().map(|step| detail(pen, step)));
    parts.extend(own_files(pen, plan));
    if shown.is_empty() && plan.inventory_behind {
        parts.push(
            "No object changes. The inventory does not list what is there yet; an apply brings it up to date.\n".into(),
        );
    }
    if !plan.outputs.is_empty() {
        parts.push(outputs(pen, plan));
    }
    parts.push(sums(pen, plan));
    parts.join("\n")
}

/// The blocks that a plan for a part is for.
fn targets(plan: &Plan) -> String {
    sanitize::text(&plan.targets.join(", ")).into_owned()
}

fn bold(pen: Pen, text: &str) -> String {
    pen.paint(Effects::BOLD.into(), text)
}

/// Four columns: the sign in Terraform's spelling.
fn sign(pen: Pen, action: Action) -> String {
    let (green, red, yellow) =
        (AnsiColor::Green.on_default(), AnsiColor::Red.on_default(), AnsiColor::Yellow.on_default());
    match action {
        Action::Create => format!("  {} ", pen.paint(green, "+")),
        Action::Update => format!("  {} ", pen.paint(yellow, "~")),
        Action::Delete => format!("  {} ", pen.paint(red, "-")),
        Action::Replace => format!("{}/{} ", pen.paint(red, "-"), pen.paint(green, "+")),
        Action::Keep | Action::Forget | Action::Import | Action::Move => "    ".to_owned(),
    }
}

/// What happens to a block.
pub(super) struct Row {
    /// To its objects as a whole.
    pub action: Action,
    /// The block.
    pub address: String,
    /// In words.
    pub text: String,
}

/// A row a block: what happens to what runs. What is lost comes first.
pub(super) fn rows(steps: &[&Step]) -> Vec<Row> {
    let mut blocks: BTreeMap<&str, Vec<&Step>> = BTreeMap::new();
    for step in steps {
        blocks.entry(&step.address).or_default().push(step);
    }
    let row = |(address, steps): (&str, Vec<&Step>)| Row {
        action: block_action(&steps),
        address: address.to_owned(),
        text: block_text(&steps),
    };
    let mut rows: Vec<Row> = blocks.into_iter().map(row).collect();
    rows.sort_by(|a, b| (loss(a.action), &a.address).cmp(&(loss(b.action), &b.address)));
    rows
}

/// The rows in columns.
fn overview(pen: Pen, steps: &[&Step]) -> String {
    let rows = rows(steps);
    let pad = rows.iter().map(|row| row.address.chars().count()).max().unwrap_or(0).min(MOST_PAD);
    let width = pen.style.width.clamp(60, 120).saturating_sub(pad + 6).max(30);
    let mut out = String::new();
    for Row { action, address, text } in &rows {
        for (index, line) in wrap(&sanitize::text(text), width).iter().enumerate() {
            let (sign, address) =
                if index == 0 { (sign(pen, *action), address.as_str()) } else { ("    ".to_owned(), "") };
            out += format!("{sign}{:pad$}  {line}", sanitize::text(address)).trim_end();
            out.push('\n');
        }
    }
    out
}

/// How much an action loses; the worst comes first.
fn loss(action: Action) -> u8 {
    match action {
        Action::Delete => 0,
        Action::Replace => 1,
        Action::Update => 2,
        Action::Create => 3,
        Action::Import | Action::Move | Action::Forget | Action::Keep => 4,
    }
}

/// What happens to a block as a whole.
fn block_action(steps: &[&Step]) -> Action {
    let first = steps.first().map_or(Action::Keep, |step| step.action);
    if steps.iter().all(|step| step.action == first) {
        first
    } else if steps.iter().any(|step| step.action == Action::Replace) {
        Action::Replace
    } else {
        Action::Update
    }
}

/// In words: the heaviest impact, or else what comes and goes.
fn block_text(steps: &[&Step]) -> String {
    let impacts = steps.iter().filter_map(|step| step.impact.as_ref());
    if let Some(impact) = impacts.max_by_key(|impact| impact.class) {
        return format!("{}: {}", class(impact.class), impact.text);
    }
    let listed = |action: Action| {
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for object in steps.iter().filter(|step| step.action == action).filter_map(|step| step.object.as_ref()) {
            match kinds.iter_mut().find(|(kind, _)| *kind == object.kind) {
                Some((_, number)) => *number += 1,
                None => kinds.push((&object.kind, 1)),
            }
        }
        let each =
            |(kind, number): &(&str, usize)| if *number == 1 { (*kind).to_owned() } else { format!("{number} {kind}") };
        kinds.iter().map(each).collect::<Vec<_>>().join(", ")
    };
    let words = [
        (Action::Delete, "destroyed"),
        (Action::Update, "changed"),
        (Action::Create, "new"),
        (Action::Import, "taken over"),
        (Action::Move, "moved"),
        (Action::Forget, "let go"),
    ];
    let parts = words.iter().map(|(action, word)| (listed(*action), word)).filter(|(kinds, _)| !kinds.is_empty());
    parts.map(|(kinds, word)| format!("{word}: {kinds}")).collect::<Vec<_>>().join("; ")
}

/// A class of impact in a word or two.
fn class(class: Class) -> &'static str {
    match class {
        Class::None => "nothing restarts",
        Class::InPlace => "in place",
        Class::NewPodsOnly => "new pods only",
        Class::NoEffect => "no effect",
        Class::Unknown => "impact unknown",
        Class::RollingDouble => "rolling",
        Class::RestartAll => "all restart",
        Class::Replace => "replaced",
    }
}

/// One object: what happens to it and why, its file, what differs.
pub(super) fn detail(pen: Pen, step: &Step) -> String {
    let name = step.object.as_ref().map_or_else(|| step.file.clone(), name);
    let heading = format!("# {}: {name}", step.address);
    let mut out = format!("  {} {}\n", bold(pen, &sanitize::text(&heading)), sanitize::text(&fate(step)));
    if let Some(impact) = &step.impact {
        let width = pen.style.width.clamp(60, 120) - 4;
        for line in wrap(&sanitize::text(&format!("{}: {}", class(impact.class), impact.text)), width) {
            out += &format!("  # {line}\n");
        }
        if let (true, Some(source)) = (pen.full, &impact.source) {
            out += &format!("  # source: {}\n", sanitize::text(source));
        }
    }
    if let (Some(name), Some(old)) = (&step.keep_name, &step.moved_from) {
        let text = format!("named after the block, which was {old}: `name = {name:?}` in {} keeps it", step.address);
        out += &format!("  # {}\n", sanitize::text(&text));
    }
    if let Some(command) = requested::command(step) {
        out += &format!("  # to be run by you: {}\n", sanitize::text(&command));
    }
    out += &format!("{}{}", sign(pen, step.action), sanitize::text(&step.file));
    if let Some(old) = &step.old_file {
        out += &format!(" (instead of {})", sanitize::text(old));
    }
    if let (Action::Create, Some(lines)) = (step.action, step.lines) {
        out += &format!(" ({})", count(lines, "line"));
    }
    out.push('\n');
    if !matches!(step.action, Action::Create | Action::Move) || pen.full {
        out += &changes(pen, step);
    }
    out
}

/// `RayJob ml/dpo`, `google_container_node_pool.v6e`.
pub(super) fn name(object: &Object) -> String {
    match &object.namespace {
        Some(namespace) => format!("{} {namespace}/{}", object.kind, object.name),
        None if object.api_version == "terraform" => format!("{}.{}", object.kind, object.name),
        None => format!("{} {}", object.kind, object.name),
    }
}

/// What happens to an object, and why.
fn fate(step: &Step) -> String {
    let from = step.moved_from.as_ref().map_or_else(String::new, |from| format!("moved from {from}, and "));
    match (step.action, &step.because) {
        (Action::Move, _) if step.moved_from.is_none() && step.old_file.is_none() => {
            "comes to this folder, and stays as it is".into()
        }
        (Action::Move, _) if step.moved_from.is_none() => "stays, under the name that follows its block's".into(),
        (Action::Move, _) => format!("has {from}stays as it is"),
        (Action::Update, Because::Changed(_)) if !from.is_empty() => format!("{from}will be changed"),
        (Action::Create, Because::Drifted(_)) => "will be written again: someone removed the file".into(),
        (Action::Create, _) => "will be created".into(),
        (Action::Update, Because::Drifted(_)) => "will be overwritten: someone changed the file by hand".into(),
        (Action::Update, _) => "will be changed".into(),
        (Action::Replace, Because::Immutable(path)) => format!("must be replaced: {path} cannot change in place"),
        (Action::Replace, Because::Requested) => "will be replaced: that was asked for".into(),
        (Action::Replace, Because::Drifted(_)) => {
            "will be replaced: that was asked for; what someone changed in the file by hand goes".into()
        }
        (Action::Replace, _) => "must be replaced".into(),
        (Action::Delete, Because::Drifted(_)) => "will be destroyed, with what someone changed in it by hand".into(),
        (Action::Delete, Because::Removed) => "will be destroyed, as its `removed` block says".into(),
        (Action::Forget, Because::Removed) => "stays, and the stack forgets it, as its `removed` block says".into(),
        (Action::Delete, Because::NotInStack) => "will be destroyed: the stack no longer has it".into(),
        (Action::Delete, _) => "will be destroyed".into(),
        (Action::Forget, _) => "is gone already, and will no longer be listed".into(),
        (Action::Import, Because::Requested) if step.executor == Executor::Terraform => {
            "will be taken over by Terraform, as its `import` block says".into()
        }
        (Action::Import, Because::Requested) => "is there, and will be Sliceform's, as its `import` block says".into(),
        (Action::Import, _) => "is there as it shall be, and will be Sliceform's".into(),
        (Action::Keep, _) => "stays".into(),
    }
}

/// What differs, under the paths that the differences share.
fn changes(pen: Pen, step: &Step) -> String {
    let mut lines = Vec::new();
    let split: Vec<(&str, String, &Change)> = step
        .changes
        .iter()
        .map(|change| {
            let (parent, leaf) = split(&change.path);
            (parent, shown_leaf(leaf), change)
        })
        .collect();
    for group in split.chunk_by(|a, b| a.0 == b.0) {
        let parent = group[0].0;
        if !parent.is_empty() {
            lines.push(format!("      {}", sanitize::text(parent)));
        }
        let indent = if parent.is_empty() { 6 } else { 8 };
        let short = group.iter().filter(|(_, _, change)| !is_long(change)).map(|(_, leaf, _)| leaf.chars().count());
        let pad = short.max().unwrap_or(0);
        for (_, leaf, change) in group {
            let forces = change.forces && step.action == Action::Replace;
            let note =
                if forces { pen.paint(AnsiColor::Red.on_default(), "  # forces replacement") } else { String::new() };
            let pad = if is_long(change) { 0 } else { pad };
            lines.extend(pen.change(change, Slot { indent, name: Some(leaf), pad }, &note));
        }
    }
    if step.changes.is_empty() && step.writes() && matches!(step.action, Action::Update | Action::Replace) {
        lines.push(pen.remark(6, "(no value differs, only how the file is written)"));
    } else if step.unchanged > 0 {
        lines.push(pen.remark(6, &format!("({} hidden)", count(step.unchanged, "unchanged value"))));
    }
    lines.iter().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Whether a change takes more than a line, so that its name need not line up with others.
fn is_long(change: &Change) -> bool {
    [&change.before, &change.after].into_iter().flatten().any(|value| match value {
        serde_json::Value::String(text) => text.trim_end().contains('\n'),
        serde_json::Value::Object(fields) => !fields.is_empty(),
        serde_json::Value::Array(items) => !items.is_empty(),
        _ => false,
    })
}

/// A path as the path of what holds it and its own name. Dots within quotes and brackets are part of a name.
fn split(path: &str) -> (&str, &str) {
    let (mut depth, mut quoted, mut dot) = (0_u32, false, None);
    for (index, c) in path.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth = depth.saturating_sub(1),
            '.' if !quoted && depth == 0 => dot = Some(index),
            _ => {}
        }
    }
    dot.map_or(("", path), |dot| (&path[..dot], &path[dot + 1..]))
}

fn shown_leaf(leaf: &str) -> String {
    match leaf.strip_suffix("[]") {
        Some(list) => format!("order of {list}"),
        None if leaf.starts_with('"') || leaf.ends_with(']') => sanitize::text(leaf).into_owned(),
        None => key(leaf),
    }
}

/// The directory's own files, in a line: they follow from the objects.
fn own_files(pen: Pen, plan: &Plan) -> Option<String> {
    let own = plan.steps.iter().filter(|step| step.object.is_none() && step.action != Action::Keep);
    let (removed, written): (Vec<&Step>, Vec<&Step>) = own.partition(|step| step.after_digest.is_none());
    let line = |what: &str, steps: &[&Step]| {
        let drifted = |step: &Step| matches!(step.because, Because::Drifted(_));
        let name = |step: &&Step| format!("{}{}", step.file, if drifted(step) { " (changed by hand)" } else { "" });
        let names: Vec<String> = steps.iter().map(name).collect();
        let text = format!("Also {what}: {}", names.join(", "));
        (!steps.is_empty()).then(|| pen.remark(2, &sanitize::text(&text)) + "\n")
    };
    let lines = [line("written", &written), line("removed", &removed)];
    lines.iter().any(Option::is_some).then(|| lines.into_iter().flatten().collect())
}

fn outputs(pen: Pen, plan: &Plan) -> String {
    let pad = plan.outputs.keys().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for (name, value) in &plan.outputs {
        let slot = Slot { indent: 0, name: Some(&key(name)), pad };
        pen.put(slot, Mark::Add, value, &mut lines);
    }
    format!("Outputs:\n{}\n", lines.join("\n"))
}

/// The last line; before it, what of it is Terraform's.
fn sums(pen: Pen, plan: &Plan) -> String {
    let mut out = String::new();
    let Totals { add, change, replace, destroy, moved, drifted, chips_before, chips_after, .. } = plan.totals;
    let terraform = |action| {
        let steps = plan.steps.iter().filter(|step| step.executor == Executor::Terraform && step.action == action);
        steps.count()
    };
    let counts = [Action::Create, Action::Update, Action::Replace, Action::Delete].map(terraform);
    if counts.iter().any(|number| *number > 0) {
        let [add, change, replace, destroy] = counts;
        out += &format!("Of these Terraform carries out: {}.\n", sentence(add, change, replace, destroy));
    }
    if drifted > 0 {
        out += &format!("Changed or removed by hand since the last apply: {}.\n", count(drifted, "object"));
    }
    let forgotten = plan.steps.iter().filter(|step| step.action == Action::Forget && step.because == Because::Removed);
    let more = [(moved, "moved"), (forgotten.count(), "forgotten")];
    let more = more.iter().filter(|(number, _)| *number > 0).map(|(number, word)| format!(", {number} {word}"));
    let sum = sentence(add, change, replace, destroy) + &more.collect::<String>();
    out += &format!("{} {sum}.", bold(pen, "Plan:"));
    if chips_before != chips_after {
        out += &format!(" Chips: {chips_before} -> {chips_after}.");
    } else if chips_after > 0 {
        out += &format!(" Chips: {chips_after}.");
    }
    out + "\n"
}

fn sentence(add: usize, change: usize, replace: usize, destroy: usize) -> String {
    format!("{add} to add, {change} to change, {replace} to replace, {destroy} to destroy")
}
