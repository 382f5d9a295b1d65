//! A saved plan: a plan in a file, with what it takes to plan it again. An apply believes none of it: it plans again and
//! goes ahead only if that gives the same. So a plan that was edited, or is stale, cannot pass, and no key is needed.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::plan::inventory::digest;
use crate::plan::{FORMAT_VERSION, Plan, Step};
use crate::resolve::stack::Variable;

/// How the file begins; the digest of all that follows its line comes next.
const HEAD: &str = "{\n  \"digest\": \"";

/// Words that every plan has, whatever became of its first line.
const MARKS: [&str; 3] = ["\"sliceform_version\"", "\"source_digest\"", "\"base_digest\""];

/// A saved plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The plan.
    pub plan: Plan,
    /// What it was made from.
    pub made_from: MadeFrom,
    /// What there was to say about it, as JSON.
    pub diagnostics: Value,
}

/// What a plan was made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeFrom {
    /// The stack file, as the command named it.
    pub stack_file: String,
    /// The environment.
    pub env: Option<String>,
    /// Whether everything shall go.
    pub destroy: bool,
    /// `--var-file`, in order.
    pub var_files: Vec<String>,
    /// `--var`, in order, without the sensitive ones.
    pub vars: Vec<String>,
    /// `SLICEFORM_VAR_NAME` of declared variables, by name, without the sensitive ones.
    pub environment: BTreeMap<String, String>,
    /// What the digests of sensitive values are salted with; none where there are none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub salt: Option<String>,
    /// The variables with their values, wherever those came from.
    pub variables: BTreeMap<String, Recorded>,
}

/// A variable's value in a saved plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// A value that may be shown.
    Value(Value),
    /// The salted digest of a sensitive one.
    Digest(String),
}

/// Why a file is no saved plan that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is something else.
    Foreign,
    /// It is what `plan --json` prints.
    Printed,
    /// It is not what was written.
    Damaged(String),
    /// It has another format: that, and the Sliceform that wrote it.
    Format(String, String),
}

/// Variables with their values, those of sensitive ones as digests.
pub fn record(variables: &[Variable], salt: Option<&str>) -> BTreeMap<String, Recorded> {
    let recorded = |variable: &Variable| {
        let text = variable.value.to_json_text().unwrap_or_default();
        let recorded = if variable.sensitive {
            Recorded::Digest(digest(format!("{}\n{}\n{text}", salt.unwrap_or_default(), variable.name).as_bytes()))
        } else {
            Recorded::Value(serde_json::from_str(&text).unwrap_or_default())
        };
        (variable.name.clone(), recorded)
    };
    variables.iter().map(recorded).collect()
}

impl Saved {
    /// The file's text: the digest first, over every byte after its line.
    pub fn text(&self) -> String {
        let mut tree = json!({ "made_from": self.made_from });
        // Serialising fails only for maps whose keys are no text, and a plan has none.
        if let (Value::Object(all), Ok(Value::Object(plan))) = (&mut tree, serde_json::to_value(&self.plan)) {
            all.extend(plan);
            all.insert("diagnostics".to_owned(), self.diagnostics.clone());
        }
        let text = format!("{tree:#}\n");
        let rest = text.strip_prefix("{\n").unwrap_or(&text);
        format!("{HEAD}{}\",\n{rest}", digest(rest.as_bytes()))
    }

    /// Reads a file, or says why it is no saved plan.
    pub fn read(bytes: &[u8]) -> Result<Self, Fault> {
        if !looks_like_one(bytes) {
            return Err(Fault::Foreign);
        }
        let damaged = |why: &str| Fault::Damaged(why.to_owned());
        let text = str::from_utf8(bytes).map_err(|_| damaged("It is no text."))?;
        let parsed = serde_json::from_str::<Value>(text);
        if parsed.as_ref().is_ok_and(|tree| tree.get("steps").is_some() && tree.get("digest").is_none()) {
            return Err(Fault::Printed);
        }
        let body = text.strip_prefix(HEAD).and_then(|rest| rest.split_once("\",\n"));
        if body.is_none_or(|(known, rest)| known != digest(rest.as_bytes())) {
            return Err(damaged("Its digest does not fit what is in it."));
        }
        let Ok(Value::Object(mut tree)) = parsed else { return Err(damaged("It is no JSON.")) };
        let version = |name: &str| tree.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        if version("format_version") != FORMAT_VERSION {
            return Err(Fault::Format(version("format_version"), version("sliceform_version")));
        }
        tree.shift_remove("digest");
        let diagnostics = tree.shift_remove("diagnostics").unwrap_or_default();
        let made_from = tree.shift_remove("made_from").unwrap_or_default();
        let wrong = |error: serde_json::Error| Fault::Damaged(format!("It does not hold what a plan holds: {error}."));
        Ok(Self {
            made_from: serde_json::from_value(made_from).map_err(wrong)?,
            plan: serde_json::from_value(Value::Object(tree)).map_err(wrong)?,
            diagnostics,
        })
    }
}

/// Whether a file is a plan of some version, whole or damaged: what a new plan may be written over.
pub fn looks_like_one(bytes: &[u8]) -> bool {
    let has = |mark: &str| bytes.windows(mark.len()).any(|part| part == mark.as_bytes());
    bytes.starts_with(HEAD.as_bytes()) || MARKS.iter().filter(|mark| has(mark)).count() >= 2
}

/// The variables whose values are not those that the plan was made with, in words.
pub fn other_variables(made_from: &MadeFrom, variables: &[Variable]) -> Vec<String> {
    let now = record(variables, made_from.salt.as_deref());
    let names: BTreeSet<&String> = made_from.variables.keys().chain(now.keys()).collect();
    let differs = |name: &&String| made_from.variables.get(*name) != now.get(*name);
    let words = |name: &String| match (made_from.variables.get(name), now.get(name)) {
        (Some(Recorded::Value(then)), Some(Recorded::Value(now))) => {
            format!("Variable {name:?} is {}; the plan was made with {}.", brief(now), brief(then))
        }
        (Some(Recorded::Digest(_)), Some(Recorded::Digest(_))) => format!(
            "Variable {name:?} is sensitive, and not what the plan was made with. A plan file does not keep it: give it again, with --var {name}=VALUE or SLICEFORM_VAR_{name}."
        ),
        (Some(_), None) => format!("Variable {name:?} is gone."),
        (None, _) => format!("Variable {name:?} is new."),
        _ => format!("Variable {name:?} has become sensitive, or no longer is."),
    };
    names.into_iter().filter(differs).map(words).collect()
}

/// A value as a sentence can hold it.
fn brief(value: &Value) -> String {
    const MOST: usize = 120;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What is not as the plan says, in words; nothing where planning again gives the same.
pub fn differences(saved: &Plan, now: &Plan) -> Vec<String> {
    // Numbers are compared as they read back.
    let now: Plan = match serde_json::to_string(now).and_then(|text| serde_json::from_str(&text)) {
        Ok(read) => read,
        Err(error) => return vec![format!("Planning again gives what cannot be compared: {error}.")],
    };
    if *saved == now {
        return Vec::new();
    }
    if saved.has_changes() && !now.has_changes() && saved.source_digest == now.source_digest {
        return vec!["It has been carried out: the directory is what the plan makes.".to_owned()];
    }
    let named =
        |what: &str, then: &str, now: &str| (then != now).then(|| format!("{what} {now:?}; the plan is for {then:?}."));
    let whole = [
        named("The stack is", &saved.stack, &now.stack),
        named("The directory is", &saved.directory, &now.directory),
        named("The target is", &saved.target, &now.target),
        named("This is Sliceform", &saved.sliceform_version, &now.sliceform_version),
    ];
    let whole: Vec<String> = whole.into_iter().flatten().collect();
    if !whole.is_empty() {
        return whole;
    }
    let found = other_steps(&saved.steps, &now.steps);
    if !found.is_empty() {
        return found;
    }
    let rest = [
        (saved.steps != now.steps, "Its steps stand in another order."),
        (saved.outputs != now.outputs, "The outputs are others."),
        (saved.totals != now.totals, "The sums are others."),
        (
            saved.base_digest != now.base_digest || saved.inventory_behind != now.inventory_behind,
            "The directory is not what it was: its inventory has changed.",
        ),
    ];
    let found: Vec<String> =
        rest.iter().filter(|(differs, _)| *differs).map(|(_, words)| (*words).to_owned()).collect();
    if found.is_empty() { vec!["What the stack makes is not what the plan was made from.".to_owned()] } else { found }
}

/// A sentence for each file whose step is another one.
fn other_steps(saved: &[Step], now: &[Step]) -> Vec<String> {
    fn by_file(steps: &[Step]) -> BTreeMap<&str, &Step> {
        steps.iter().map(|step| (step.file.as_str(), step)).collect()
    }
    let (then, now) = (by_file(saved), by_file(now));
    let files: BTreeSet<&str> = then.keys().chain(now.keys()).copied().collect();
    let words = |file: &str| match (then.get(file), now.get(file)) {
        (Some(step), None) => {
            format!("{file} ({}): the plan would {} it; an apply would not touch it.", step.address, step.action.word())
        }
        (None, Some(step)) => {
            format!(
                "{file} ({}): an apply would {} it; the plan does not know of it.",
                step.address,
                step.action.word()
            )
        }
        (Some(then), Some(now)) if then.before_digest != now.before_digest => {
            format!("{file} is not what it was when the plan was made.")
        }
        (Some(then), Some(now)) if then.action != now.action => {
            format!("{file}: an apply would {} it; the plan says {}.", now.action.word(), then.action.word())
        }
        (Some(then), Some(now)) if then.after_digest != now.after_digest => {
            format!("{file}: {} makes something else of it than when the plan was made.", now.address)
        }
        _ => format!("{file}: the plan tells of it what planning again does not."),
    };
    // A file that another one replaces is told of with that one.
    let replaced: BTreeSet<&str> = now.values().filter_map(|step| step.old_file.as_deref()).collect();
    let differs = |file: &&str| then.get(*file) != now.get(*file) && !replaced.contains(*file);
    files.into_iter().filter(differs).map(words).collect()
}
