//! Plans in files: `plan --out` writes one, `apply FILE` carries it out if planning again gives the same, `show FILE`
//! prints it.

use std::path::{Path, PathBuf};

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::cli::args::{ApplyArgs, Format, PlanFormat, ShowArgs, StackArgs, VarArgs};
use crate::cli::source::{STACK_SUFFIX, VARS_SUFFIX};
use crate::cli::target::{self, Planned, Request, Wish};
use crate::cli::{Exit, Outside, Report, failure};
use crate::plan::inventory;
use crate::plan::saved::{self, Fault, MadeFrom, Saved};
use crate::view::{self, Style};
use crate::world::files::{Files, Kind};

/// No larger plan is read.
const MAX_FILE: u64 = 256 << 20;

/// Most differences that are named.
const MOST_DIFFERENCES: usize = 10;

/// Whether a path names a file that can only be a saved plan: a file, and no stack.
pub fn is_one(path: &Path, files: &dyn Files) -> bool {
    let is_file = files.canonical(path).and_then(|path| files.kind(&path));
    matches!(is_file, Ok(Some(Kind::File(_)))) && !path.to_string_lossy().ends_with(STACK_SUFFIX)
}

/// Writes a plan to a file.
pub fn write(planned: &Planned, request: &Request<'_>, out: &Path, outside: &Outside<'_>) -> Result<(), Diag> {
    let refused =
        |why: String| Diag::error("saved-plan", format!("Cannot write the plan to {}", out.display())).detail(why);
    if let Some(why) = unfit(planned, out, outside.files) {
        return Err(refused(why).help("Choose another place, such as plan.json beside the stack."));
    }
    let made_from = made_from(planned, request, outside).map_err(refused)?;
    let saved =
        Saved { plan: planned.plan.clone(), made_from, diagnostics: view::json::list(&planned.diags, &planned.map) };
    let written = outside.files.write_private(out, saved.text().as_bytes());
    let written = written.and_then(|()| outside.files.sync_dir(out.parent().unwrap_or(Path::new(""))));
    written.map_err(|error| refused(error.to_string()))
}

/// Why a plan must not be written there. It goes over an older plan or an empty file, and over nothing else.
fn unfit(planned: &Planned, out: &Path, files: &dyn Files) -> Option<String> {
    let no_file = || Some("That is no place for a file.".to_owned());
    let Some(name) = out.file_name() else { return no_file() };
    let name = name.to_string_lossy();
    if name.ends_with(STACK_SUFFIX) || name.ends_with(VARS_SUFFIX) {
        return Some("Files of that name are read as a stack or its variables.".to_owned());
    }
    match files.kind(out) {
        Ok(None | Some(Kind::File(0))) => {}
        Ok(Some(Kind::File(_))) if files.read(out, MAX_FILE).is_ok_and(|bytes| saved::looks_like_one(&bytes)) => {}
        Ok(Some(Kind::File(_))) => return Some("A file is there that is no plan; it would be lost.".to_owned()),
        Ok(Some(_)) => return no_file(),
        Err(error) => return Some(error.to_string()),
    }
    let folder = match files.canonical(out.parent().unwrap_or(Path::new(""))) {
        Ok(folder) => folder,
        Err(error) => return Some(format!("Its folder: {error}.")),
    };
    let rendered = files.canonical(&planned.rendered).is_ok_and(|rendered| folder.starts_with(rendered));
    let owned = |dir: &Path| !matches!(files.kind(&dir.join(inventory::FILE)), Ok(None));
    (rendered || folder.ancestors().any(owned))
        .then(|| "The folder holds manifests, and what applies them would take the plan for one.".to_owned())
}

fn made_from(planned: &Planned, request: &Request<'_>, outside: &Outside<'_>) -> Result<MadeFrom, String> {
    let text = |path: &PathBuf| match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(format!("The path {} is no Unicode.", path.display())),
    };
    let sensitive = |name: &str| planned.variables.iter().any(|known| known.name == name && known.sensitive);
    let declared = |name: &str| planned.variables.iter().any(|known| known.name == name);
    let vars = request.stack.vars.vars().iter();
    let vars = vars.filter(|given| given.split_once('=').is_some_and(|(name, _)| !sensitive(name.trim())));
    let environment = outside.variables.iter().filter(|(name, _)| declared(name) && !sensitive(name));
    let salt = planned.variables.iter().any(|variable| variable.sensitive).then(|| (outside.salt)());
    Ok(MadeFrom {
        stack_file: text(&planned.instance.path)?,
        env: planned.instance.env.clone(),
        destroy: request.wish == Wish::Nothing,
        var_files: request.stack.vars.var_files().iter().map(text).collect::<Result<_, _>>()?,
        vars: vars.cloned().collect(),
        environment: environment.cloned().collect(),
        variables: saved::record(&planned.variables, salt.as_deref()),
        salt,
    })
}

/// Reads a saved plan, or gives the problem and the exit code.
fn read(path: &Path, files: &dyn Files) -> Result<Saved, (Diag, Exit)> {
    let shown = path.display();
    let bytes = files.read(path, MAX_FILE).map_err(|error| (crate::cli::source::io(path, &error), Exit::Error))?;
    let again = "Plan again, with --out.";
    Saved::read(&bytes).map_err(|fault| match fault {
        Fault::Foreign => (
            Diag::error("saved-plan", format!("{shown} is neither a stack nor a plan"))
                .detail(format!("Stack files are called NAME{STACK_SUFFIX}; `plan --out` writes plans.")),
            Exit::Error,
        ),
        Fault::Printed => (
            Diag::error("saved-plan", format!("{shown} is a plan that was printed, not one that was saved"))
                .detail("What --json prints is for readers: it does not say what the plan was made from.")
                .help(again),
            Exit::Error,
        ),
        Fault::Damaged(why) => (
            Diag::error("damaged-plan", format!("The plan in {shown} is damaged"))
                .detail(format!("{why} Something changed the file after it was written."))
                .help(again),
            Exit::Stale,
        ),
        Fault::Format(format, version) => (
            Diag::error("saved-plan", format!("The plan in {shown} has another format"))
                .detail(format!(
                    "It has format {format:?}, written by Sliceform {version:?}; Sliceform {} reads format {:?}.",
                    env!("CARGO_PKG_VERSION"),
                    crate::plan::FORMAT_VERSION
                ))
                .help("Plan again, with --out, or use the Sliceform that wrote it."),
            Exit::Stale,
        ),
    })
}

/// Shows a saved plan as `plan` did.
pub fn show(path: &Path, args: &ShowArgs, outside: &Outside<'_>, style: Style) -> Report {
    let (stack, shape) = (args.stack.stack(), args.stack.format.format());
    let format = stack.format.format();
    let var = stack.vars.vars().first().map(|_| "--var");
    if let Some(refused) = refuse_options(var.or(stack.vars.fixed_by_a_plan()), format, style) {
        return refused;
    }
    let saved = match read(path, outside.files) {
        Ok(saved) => saved,
        Err((diag, exit)) => return failure(diag, format, style, exit),
    };
    let out = match shape {
        PlanFormat::Human => view::plan_human::plan(&saved.plan, args.full, style),
        PlanFormat::Json => view::plan_json::document(&saved.plan, saved.diagnostics.clone()),
        PlanFormat::Markdown => view::plan_markdown::plan(&saved.plan, &saved.diagnostics, args.full),
    };
    Report { out, err: String::new(), exit: Exit::Done }
}

/// Plans again what a saved plan was made from, and carries that out if it is the same.
pub fn apply(path: &Path, args: &ApplyArgs, outside: &Outside<'_>, style: Style) -> Report {
    let format = args.change.stack.format.format();
    let target = args.change.part.targets.first().map(|_| "--target");
    let replace = args.replacement.replaces.first().map(|_| "--replace");
    let option = target.or(replace).or(args.change.stack.vars.fixed_by_a_plan());
    if let Some(refused) = refuse_options(option, format, style) {
        return refused;
    }
    let saved = match read(path, outside.files) {
        Ok(saved) => saved,
        Err((diag, exit)) => return failure(diag, format, style, exit),
    };
    let stale = |found: Vec<String>| failure(stale(path, found), format, style, Exit::Stale);
    let own = env!("CARGO_PKG_VERSION");
    if saved.plan.sliceform_version != own {
        return stale(vec![format!("Sliceform {:?} made it; this is {own}.", saved.plan.sliceform_version)]);
    }
    let planned = match again(&saved, args, outside, style) {
        Ok(planned) => planned,
        Err(Refused::Stale(why)) => return stale(vec![why]),
        // The problem says what keeps it from being made again.
        Err(Refused::Failed(report)) => return Report { exit: Exit::Stale, ..*report },
    };
    let mut found = saved::other_variables(&saved.made_from, &planned.variables);
    if found.is_empty() {
        found = saved::differences(&saved.plan, &planned.plan);
    }
    if !found.is_empty() {
        return stale(found);
    }
    target::carry_out(&planned, &args.change.approval, true, format, outside, style)
}

/// Why a plan could not be made again.
enum Refused {
    /// What it is for is not there.
    Stale(String),
    /// There is an error now: of the stack, its values, or its directory.
    Failed(Box<Report>),
}

/// Plans what a saved plan was made from. What the command says and the environment wins, and is seen if it differs.
fn again(saved: &Saved, args: &ApplyArgs, outside: &Outside<'_>, style: Style) -> Result<Planned, Refused> {
    let MadeFrom { stack_file, env, destroy, var_files, vars, environment, .. } = &saved.made_from;
    if !matches!(outside.files.kind(Path::new(stack_file)), Ok(Some(_))) {
        let here = "Run apply where the plan was made, or say where with --chdir.";
        return Err(Refused::Stale(format!("There is no {stack_file:?} here, the stack that it is for. {here}")));
    }
    let vars = vars.iter().chain(args.change.stack.vars.vars()).cloned().collect();
    let var_files = var_files.iter().map(PathBuf::from).collect();
    let stack = StackArgs {
        path: Some(PathBuf::from(stack_file)),
        vars: VarArgs::of_plan(env.clone(), vars, var_files),
        format: args.change.stack.format,
    };
    let addresses = |list: &[String]| list.iter().map(|addr| addr.parse()).collect::<Result<Vec<Addr>, _>>();
    let targets = addresses(&saved.plan.targets).map_err(Refused::Stale)?;
    let replaces = addresses(&saved.plan.replaces).map_err(Refused::Stale)?;
    let mut variables = environment.clone();
    variables.extend(outside.variables.iter().cloned());
    let outside = Outside { variables: variables.into_iter().collect(), ..*outside };
    let wish = if *destroy { Wish::Nothing } else { Wish::Stack };
    let request = Request { stack: &stack, wish, targets: &targets, replaces: &replaces };
    target::planned(&request, &outside, style).map_err(Refused::Failed)
}

/// Options that would ask for another plan than the one in the file.
fn refuse_options(option: Option<&str>, format: Format, style: Style) -> Option<Report> {
    let option = option?;
    let diag = Diag::error("saved-plan", format!("{option} does not go with a saved plan"))
        .detail("The plan says what it is for.")
        .help("Leave the option out, or plan again.");
    Some(failure(diag, format, style, Exit::Usage))
}

fn stale(path: &Path, found: Vec<String>) -> Diag {
    let more = found.len().saturating_sub(MOST_DIFFERENCES);
    let mut lines: Vec<String> = found.into_iter().take(MOST_DIFFERENCES).collect();
    if more > 0 {
        lines.push(format!("And {more} more."));
    }
    Diag::error("stale-plan", format!("The plan in {} is not what an apply would do now", path.display()))
        .detail(lines.join("\n"))
        .help("Nothing was written. Plan again, with --out, look at that plan, and apply it.")
}
