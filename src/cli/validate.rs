//! `validate`: compiles stacks and shows every problem.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::SourceMap;
use crate::check::rule::Rule;
use crate::check::rules::RULES;
use crate::cli::args::{Format, ProblemFormat, ValidateArgs};
use crate::cli::pipeline::{self, Compiled};
use crate::cli::source::Instance;
use crate::cli::{Exit, Outside, Report, baseline, explain, failure, fix, neighbours, problems, source, target};
use crate::view::sarif::RuleText;
use crate::view::{self, Style};
use crate::world::files::Files;

/// How often `--fix` looks again: enough for faults behind faults, and an end where two fixes undo each other.
const MAX_ROUNDS: usize = 8;

/// Runs the command.
pub fn run(args: &ValidateArgs, outside: &Outside<'_>, style: Style) -> Report {
    let format = args.format.format();
    let values = args.vars.values(&outside.variables);
    let found = source::find(outside.files, &args.paths);
    let found = found.and_then(|paths| source::instances(outside.files, &paths, args.vars.env.as_deref()));
    let found = match found {
        Ok(found) => found,
        Err(diag) if format == ProblemFormat::Human => return failure(diag, Format::Human, style, Exit::Error),
        Err(diag) if format == ProblemFormat::Json => return failure(diag, Format::Json, style, Exit::Error),
        Err(diag) => return for_ci(&[(&Diags::from(diag), &SourceMap::default())], format, Exit::Error),
    };
    let compile = |instance| pipeline::compile_instance(outside.files, instance, &values, args.strict);
    let all = || found.iter().map(|instance| (instance.shown(), compile(instance))).collect::<Vec<_>>();
    let mut compiled: Vec<(String, Compiled)> = all();
    let edits =
        |compiled: &[(String, Compiled)]| fix::mend(compiled.iter().map(|(_, stack)| (&stack.diags, &stack.map)));
    let mut mended = String::new();
    if args.dry_run {
        mended.extend(edits(&compiled).iter().map(fix::Mended::diff));
    } else if args.fix {
        let mut places = BTreeMap::new();
        // What is mended may show what stood behind it.
        for _ in 0..MAX_ROUNDS {
            let round = edits(&compiled);
            for file in &round {
                if let Err(diag) = file.write(outside.files) {
                    return failure(diag, Format::Human, style, Exit::Error);
                }
                *places.entry(file.name.clone()).or_insert(0) += file.edits;
            }
            if round.is_empty() {
                break;
            }
            compiled = all();
        }
        for (name, count) in places {
            mended.push_str(&format!("{}: mended in {}\n", view::sanitize::text(&name), view::count(count, "place")));
        }
    }
    look_around(outside.files, &found, &mut compiled);
    if args.strict {
        // Those of patches and of directories too, which are no rule's.
        let all = compiled.iter_mut().flat_map(|(_, stack)| stack.diags.iter_mut());
        all.filter(|diag| diag.severity == Severity::Warning).for_each(|diag| diag.severity = Severity::Error);
    }
    if let Some(path) = &args.baseline {
        match known(path, args, outside, &mut compiled) {
            Ok(words) => mended.push_str(&words),
            Err(diag) => return failure(diag, Format::Human, style, Exit::Error),
        }
    }
    let failed = compiled.iter().any(|(_, stack)| stack.diags.has_errors());
    let exit = if failed { Exit::Error } else { Exit::Done };
    let mut report = match (format, compiled.as_slice()) {
        (ProblemFormat::Human, stacks) => human(stacks, args.baseline.is_some(), style, exit),
        (ProblemFormat::Json, [(_, one)]) => problems(&one.diags, &one.map, Format::Json, style, exit),
        (ProblemFormat::Json, many) => json(many, exit),
        (ProblemFormat::Sarif | ProblemFormat::Github, stacks) => {
            let once = once(stacks);
            let maps = stacks.iter().map(|(_, one)| &one.map);
            for_ci(&once.iter().zip(maps).collect::<Vec<_>>(), format, exit)
        }
    };
    // A program reads the report alone on standard output; a diff, which was asked for, stands there for people.
    if format == ProblemFormat::Human {
        report.out.insert_str(0, &mended);
    } else {
        report.err.insert_str(0, &mended);
    }
    report
}

/// What is wrong with where the stacks go: directories in each other, and what nobody owns any more.
fn look_around(files: &dyn Files, found: &[Instance], compiled: &mut [(String, Compiled)]) {
    let (mut seen, mut dirs) = (BTreeSet::new(), Vec::new());
    for (instance, (name, compiled)) in found.iter().zip(compiled.iter_mut()) {
        let Some(stack) = &compiled.stack else { continue };
        dirs.push((name.clone(), target::dir(instance, stack)));
        compiled.diags.append(neighbours::refusals(files, instance, stack));
        if seen.insert(target::rendered(instance, stack)) {
            compiled.diags.append(neighbours::warnings(files, instance, stack));
        }
    }
    let sound =
        compiled.iter().filter_map(|(name, one)| Some((name.as_str(), one.stack.as_ref()?, one.manifests.as_slice())));
    let mut between = neighbours::shared(&sound.collect::<Vec<_>>());
    between.append(neighbours::overlaps(&dirs));
    if let Some((_, first)) = compiled.first_mut() {
        first.diags.append(between);
    }
}

/// Passes over what the baseline knows, or writes it; what to say of that.
fn known(
    path: &Path,
    args: &ValidateArgs,
    outside: &Outside<'_>,
    compiled: &mut [(String, Compiled)],
) -> Result<String, Diag> {
    if args.update_baseline {
        let text = baseline::write(compiled.iter().map(|(_, stack)| (&stack.diags, &stack.map)));
        outside.files.write(path, text.as_bytes()).map_err(|error| source::io(path, &error))?;
    }
    let mut stacks: Vec<(&mut Diags, &SourceMap)> =
        compiled.iter_mut().map(|(_, stack)| (&mut stack.diags, &stack.map)).collect();
    Ok(baseline::apply(outside.files, path, &mut stacks)?.words())
}

/// The problems of each stack without those that another has at the same place: environments share their stack's file.
fn once(stacks: &[(String, Compiled)]) -> Vec<Diags> {
    let mut seen = BTreeSet::new();
    let mut fresh = |diag: &Diag, map: &SourceMap| {
        let place = diag.primary.as_ref().map(|label| map.position(label.span));
        seen.insert((diag.rule, place, diag.summary.clone(), diag.detail.clone()))
    };
    stacks.iter().map(|(_, one)| one.diags.iter().filter(|diag| fresh(diag, &one.map)).cloned().collect()).collect()
}

/// What a CI system reads: one report over all stacks.
fn for_ci(stacks: &[(&Diags, &SourceMap)], format: ProblemFormat, exit: Exit) -> Report {
    let pages: Vec<(&Rule, String)> = if format == ProblemFormat::Sarif {
        RULES.iter().map(|rule| (*rule, explain::page(rule))).collect()
    } else {
        Vec::new()
    };
    let rule = |name: &str| {
        let (rule, page) = pages.iter().find(|(rule, _)| rule.name == name)?;
        Some(RuleText { name: rule.name, summary: rule.summary, page, severity: rule.severity })
    };
    let out = match format {
        ProblemFormat::Sarif => view::sarif::log(stacks, rule),
        _ => stacks.iter().map(|(diags, map)| view::github::annotations(diags, map)).collect(),
    };
    Report { out, err: String::new(), exit }
}

fn human(stacks: &[(String, Compiled)], baseline: bool, style: Style, exit: Exit) -> Report {
    let (mut out, mut err) = (String::new(), String::new());
    for (path, stack) in stacks {
        err.push_str(&view::human::diags(&stack.diags, &stack.map, style));
        if !stack.diags.has_errors() {
            let path = view::sanitize::text(path);
            let warnings = stack.diags.count(Severity::Warning);
            // What only the baseline excuses was not rendered.
            let state = match stack.manifests.len() {
                0 if baseline => "no new problems".to_owned(),
                objects => format!("valid, {}", view::count(objects, "object")),
            };
            let tail = if warnings > 0 { format!(", {}", view::count(warnings, "warning")) } else { String::new() };
            out.push_str(&format!("{path}: {state}{tail}\n"));
        }
    }
    if stacks.len() > 1 {
        let failed = stacks.iter().filter(|(_, stack)| stack.diags.has_errors()).count();
        out.push_str(&format!("{}, {failed} with errors\n", view::count(stacks.len(), "stack")));
    }
    Report { out, err, exit }
}

fn json(stacks: &[(String, Compiled)], exit: Exit) -> Report {
    let list: Vec<serde_json::Value> = stacks
        .iter()
        .map(|(path, stack)| {
            let mut report = view::json::report(&stack.diags, &stack.map);
            report["path"] = path.as_str().into();
            report
        })
        .collect();
    let all = serde_json::json!({ "format_version": view::json::FORMAT_VERSION, "stacks": list });
    Report { out: format!("{all}\n"), err: String::new(), exit }
}
