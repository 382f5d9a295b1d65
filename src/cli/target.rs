//! A compiled stack against its directory: where that is, what shall be there, what is there, and the plan between them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::apply::directory::{self, Stopped};
use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags};
use crate::base::span::SourceMap;
use crate::cli::args::{Approval, ChangeArgs, Format, StackArgs};
use crate::cli::neighbours::Above;
use crate::cli::pipeline::{self, Compiled};
use crate::cli::source::{Instance, STACK_SUFFIX};
use crate::cli::{Exit, Outside, Report, failure, neighbours, part, problems};
use crate::plan::moves::History;
use crate::plan::prior::{self, Prior};
use crate::plan::steps::{self, Goal};
use crate::plan::takeover::OldFolder;
use crate::plan::{Action, Executor, Plan, Step, removals, requested};
use crate::resolve::stack::{Stack, Variable};
use crate::view::{self, Style};
use crate::world::files::{Files, Kind};

/// The folder of rendered stacks, where `deploy "directory"` names none.
const DEFAULT_PATH: &str = "rendered";

/// A stack that is planned.
pub struct Planned {
    /// The stack file, and its environment.
    pub instance: Instance,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Where its files go.
    pub dir: PathBuf,
    /// The folder of rendered stacks that this is in.
    pub rendered: PathBuf,
    /// What shall be there.
    pub goal: Goal,
    /// What is there.
    pub prior: Prior,
    /// The way.
    pub plan: Plan,
    /// Warnings and notes.
    pub diags: Diags,
    /// The files that the stack was read from.
    pub map: SourceMap,
}

/// What the directory shall hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// What the stack says.
    Stack,
    /// Nothing.
    Nothing,
}

/// What a command asks to be planned.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The stack and its variables.
    pub stack: &'a StackArgs,
    /// What the directory shall hold.
    pub wish: Wish,
    /// The blocks that it is for; none: the whole stack.
    pub targets: &'a [Addr],
    /// The blocks that shall be replaced though nothing of them changed.
    pub replaces: &'a [Addr],
}

/// Compiles the stack that a command names and plans it; or the report of why that failed.
pub fn planned(request: &Request<'_>, outside: &Outside<'_>, style: Style) -> Result<Planned, Box<Report>> {
    let Request { stack: args, wish, targets, replaces } = *request;
    let format = args.format.format();
    let instance =
        pipeline::one_instance(args, outside).map_err(|diag| Box::new(failure(*diag, format, style, Exit::Error)))?;
    let values = args.vars.values(&outside.variables);
    let Compiled { map, stack, manifests, renamed, imports, mut diags, .. } =
        pipeline::compile_instance(outside.files, &instance, &values, false);
    let stack = match stack {
        Some(stack) if !diags.has_errors() => stack,
        _ => return Err(Box::new(problems(&diags, &map, format, style, Exit::Error))),
    };
    let refusals = neighbours::refusals(outside.files, &instance, &stack);
    if !refusals.is_empty() {
        diags.append(refusals);
        return Err(Box::new(problems(&diags, &map, format, style, Exit::Error)));
    }
    diags.append(neighbours::warnings(outside.files, &instance, &stack));
    let dir = dir(&instance, &stack);
    let shown = dir.display().to_string();
    let mut goal = Goal::new(&identity(&instance, &stack), shown, manifests);
    goal.history = History::new(stack.past.clone(), renamed, unnamed(&stack));
    goal.take_over(imports);
    match wish {
        Wish::Nothing if targets.is_empty() => goal.empty(),
        Wish::Nothing => goal.emptied = true,
        Wish::Stack => {}
    }
    if wish == Wish::Stack {
        goal.outputs = outputs(&stack);
        goal.chips = chips(&stack);
    }
    let planned = read(outside.files, &dir, &goal).and_then(|own| {
        goal.old = old_folder(outside.files, &instance, &stack, &goal)?;
        let prior = match &goal.old {
            Some(_) if !targets.is_empty() || !replaces.is_empty() => return Err(Diags::from(part_of_old(&stack))),
            Some(old) => own.clone().with_old(old, &goal.stack),
            None => own.clone(),
        };
        if !targets.is_empty() {
            diags.append(part::narrow(&mut goal, &prior, &stack, targets)?);
        }
        part::check_known(&goal, &prior, &stack, replaces)?;
        goal.replaces = replaces.to_vec();
        goal.keep_ignored(&prior);
        goal.let_go(&prior);
        let plan = steps::plan(&goal, &prior)?;
        Ok((own, plan))
    });
    match planned {
        Ok((prior, plan)) => {
            let (rendered, variables) = (rendered(&instance, &stack), stack.variables);
            Ok(Planned { instance, variables, dir, rendered, goal, prior, plan, diags, map })
        }
        Err(found) => {
            diags.append(found);
            Err(Box::new(problems(&diags, &map, format, style, Exit::Error)))
        }
    }
}

/// A plan to destroy a folder whose stack is gone: everything that its inventory lists.
pub fn orphaned(dir: &Path, args: &ChangeArgs, outside: &Outside<'_>) -> Result<Planned, Box<Diag>> {
    // Without the slash at its end, which would follow a link.
    let dir = &dir.components().collect::<PathBuf>();
    let owner = neighbours::owner(outside.files, dir).unwrap_or_default();
    let rendered = dir.ancestors().nth(owner.split('/').count()).unwrap_or(dir).to_owned();
    let places = dir.ancestors().take_while(|place| place.starts_with(&rendered) && !place.as_os_str().is_empty());
    if let Some(link) = places.into_iter().find(|place| matches!(outside.files.kind(place), Ok(Some(Kind::Link)))) {
        return Err(Box::new(neighbours::is_link(link)));
    }
    let (name, env) = owner.split_once('/').map_or((owner.as_str(), None), |(name, env)| (name, Some(env)));
    let owned = neighbours::stack_of(outside.files, dir, name, env).map_err(Box::new)?;
    if let Some(Above::Owns(file)) = owned {
        let env = env.map_or_else(String::new, |env| format!(" --env {env}"));
        let diag = Diag::error("directory", format!("{} belongs to a stack", dir.display()));
        return Err(Box::new(diag.help(format!(
            "Destroy it by its stack: sliceform destroy {}{env}. If that stack writes elsewhere since its `path` was changed, give it the old `path` for this.",
            file.display()
        ))));
    }
    if !args.part.targets.is_empty() {
        let diag = Diag::error("directory", "A folder that no stack owns is destroyed as a whole");
        return Err(Box::new(diag.help("Take --target out.")));
    }
    let mut goal = Goal::new(&owner, dir.display().to_string(), Vec::new());
    goal.empty();
    let prior = prior::read(outside.files, dir, &owner, std::iter::empty())?;
    let plan = steps::plan(&goal, &prior).map_err(|diags| {
        let first = diags.iter().next().cloned();
        Box::new(first.unwrap_or_else(|| Diag::error("directory", "The folder can't be planned")))
    })?;
    Ok(Planned {
        instance: Instance {
            path: rendered.with_file_name(format!("{name}{STACK_SUFFIX}")),
            env: env.map(str::to_owned),
        },
        variables: Vec::new(),
        dir: dir.to_owned(),
        rendered,
        goal,
        prior,
        plan,
        diags: Diags::default(),
        map: SourceMap::default(),
    })
}

/// A new folder is filled as a whole.
fn part_of_old(stack: &Stack) -> Diag {
    let diag = Diag::error("renamed-from", "The stack has a new name: it is planned as a whole");
    let diag = diag.help("Apply it once without --target and --replace; then plan a part of it.");
    match &stack.settings.renamed_from {
        Some(old) => diag.at(old.span, "its folder is still to be taken over"),
        None => diag,
    }
}

/// The folder that the stack had under its old name, as far as it is still there.
fn old_folder(files: &dyn Files, instance: &Instance, stack: &Stack, goal: &Goal) -> Result<Option<OldFolder>, Diags> {
    let Some(old) = &stack.settings.renamed_from else { return Ok(None) };
    let file = instance.path.with_file_name(format!("{}{STACK_SUFFIX}", old.value));
    if files.kind(&file).is_ok_and(|kind| kind.is_some()) {
        return Err(Diags::from(
            Diag::error("renamed-from", format!("The stack {:?} is still there", old.value))
                .at(old.span, format!("{} exists", file.display()))
                .detail("Both would own the same folder.")
                .help("Remove that file, or take `renamed_from` out."),
        ));
    }
    let of = |name: &str| instance.env.as_ref().map_or_else(|| name.to_owned(), |env| format!("{name}/{env}"));
    let dir = rendered(instance, stack).join(of(&old.value));
    let wanted = goal.files.keys().map(String::as_str);
    OldFolder::read(files, &dir, (&of(&old.value), &goal.stack), wanted).map_err(|diag| Diags::from(*diag))
}

fn read(files: &dyn Files, dir: &Path, goal: &Goal) -> Result<Prior, Diags> {
    let wanted = goal.files.keys().map(String::as_str);
    prior::read(files, dir, &goal.stack, wanted).map_err(|diag| Diags::from(*diag))
}

/// What owns a directory: the stack, and its environment where it has several.
pub fn identity(instance: &Instance, stack: &Stack) -> String {
    let name = &stack.name.value;
    instance.env.as_ref().map_or_else(|| name.clone(), |env| format!("{name}/{env}"))
}

/// The stack's own folder, or that of its environment, below the one that `deploy "directory"` names, which is relative to
/// the stack's file.
pub fn dir(instance: &Instance, stack: &Stack) -> PathBuf {
    let own = rendered(instance, stack).join(&stack.name.value);
    instance.env.as_ref().map_or(own.clone(), |env| own.join(env))
}

/// The folder of rendered stacks that `deploy "directory"` names, relative to the stack's file.
pub fn rendered(instance: &Instance, stack: &Stack) -> PathBuf {
    let path = stack.settings.deploy_path.as_ref().map_or(DEFAULT_PATH, |path| path.value.as_str());
    instance.path.parent().unwrap_or(Path::new("")).join(path)
}

/// Blocks whose objects are named after them.
fn unnamed(stack: &Stack) -> BTreeSet<Addr> {
    let unnamed = stack.blocks.iter().filter(|(_, block)| !block.head().is_named);
    unnamed.map(|(addr, _)| addr.clone()).collect()
}

fn chips(stack: &Stack) -> u64 {
    let each = stack.slices().filter_map(|slice| Some((slice.shape()?, slice.num_slices.value)));
    each.map(|(shape, slices)| u64::from(shape.chips) * u64::from(slices)).sum()
}

fn outputs(stack: &Stack) -> Map<String, Value> {
    let shown = stack.outputs.iter().filter(|output| !output.sensitive);
    shown.filter_map(|output| Some((output.name.clone(), output.value.clone()?))).collect()
}

/// The report of a plan.
pub fn report(planned: &Planned, full: bool, format: Format, style: Style, exit: Exit) -> Report {
    match format {
        Format::Human => Report {
            out: view::plan_human::plan(&planned.plan, full, style),
            err: view::human::diags(&planned.diags, &planned.map, style),
            exit,
        },
        Format::Json => {
            Report { out: view::plan_json::plan(&planned.plan, &planned.diags, &planned.map), err: String::new(), exit }
        }
    }
}

/// Shows a plan, asks unless it was `reviewed` before, and carries it out.
pub fn carry_out(
    planned: &Planned,
    approval: &Approval,
    reviewed: bool,
    format: Format,
    outside: &Outside<'_>,
    style: Style,
) -> Report {
    if !planned.plan.has_changes() {
        return report(planned, false, format, style, Exit::Done);
    }
    if let Some(refusal) = refused(&planned.plan, approval) {
        return failure(refusal, format, style, Exit::Error);
    }
    let mut shown = report(planned, false, format, style, Exit::Done);
    if approval.asks() && !reviewed {
        if !outside.terminal.interactive() || format == Format::Json {
            return failure(nobody_to_ask(), format, style, Exit::Usage);
        }
        let text = format!("{}{}\n", shown.err, shown.out);
        let question = "Write these files?\n  Only 'yes' is accepted.\n  > ";
        let answer = outside.terminal.report(&text).and_then(|()| outside.terminal.ask(question));
        if !matches!(&answer, Ok(Some(answer)) if answer == "yes") {
            return Report { out: String::new(), err: "Nothing was written.\n".to_owned(), exit: Exit::Error };
        }
        shown = Report { out: String::new(), err: String::new(), exit: Exit::Done };
    }
    let mut written = 0_usize;
    let mut count = |_: &Step| written += 1;
    let done =
        directory::apply(outside.files, &planned.dir, &planned.goal, &planned.plan, &(outside.owner)(), &mut count);
    match done {
        Ok(()) => {
            if format == Format::Human {
                let files = view::count(written, "file");
                shown.out.push_str(&format!(
                    "\nDone: {files} in {}.{}\n",
                    planned.plan.directory,
                    next(&planned.plan, &planned.goal)
                ));
            }
            shown
        }
        Err(Stopped::Stale(diag)) => failure(diag, format, style, Exit::Stale),
        Err(Stopped::Failed(diag)) => failure(diag, format, style, Exit::Error),
    }
}

/// What is left for the reader to do: the directory is only what others apply from.
fn next(plan: &Plan, goal: &Goal) -> String {
    if goal.files.is_empty() {
        return gone(plan);
    }
    let changed = |executor| {
        let changes = |step: &Step| step.writes() || step.action == Action::Forget;
        plan.steps.iter().any(|step| step.executor == executor && changes(step))
    };
    let mut text = String::new();
    if let Some(old) = &plan.takes_over {
        text.push_str(&format!(
            "\nThe folder was {}: point what applies it (the same Application, Kustomization or module call) at the new one in the same commit.",
            old.directory
        ));
    }
    let options = commands(plan, Executor::Terraform, |step| step.object.as_ref().map(requested::terraform_option));
    if changed(Executor::Terraform) || !options.is_empty() {
        let options: String = options.iter().map(|option| format!(" {option}")).collect();
        let name = if options.is_empty() { "" } else { " (NAME: what the call is named)" };
        text.push_str(&format!(
            "\nTerraform: call {}/gke as a module, and run terraform apply{options}{name}.",
            plan.directory
        ));
    }
    if changed(Executor::Gitops) {
        let path = plan.directory.as_str();
        let path = if path.contains(' ') { format!("'{path}'") } else { path.to_owned() };
        text.push_str(&format!("\nKubernetes: commit the folder, or run kubectl apply --server-side -k {path}."));
    }
    let deletes = commands(plan, Executor::Gitops, requested::command);
    if !deletes.is_empty() {
        let after = if changed(Executor::Gitops) { " after that" } else { "" };
        text.push_str(&format!(
            "\nTo replace, run{after}, and apply the folder again unless a controller does:\n  {}",
            deletes.join("\n  ")
        ));
    }
    let keeps: Vec<String> = plan.steps.iter().filter_map(removals::command).collect();
    if !keeps.is_empty() {
        text.push_str(&format!(
            "\nBefore a controller that prunes sees this, so that it keeps what the stack let go, run:\n  {}",
            keeps.join("\n  ")
        ));
    }
    text + &gone(plan)
}

/// What is said of each object that a reader must replace by a command.
fn commands(plan: &Plan, executor: Executor, say: impl Fn(&Step) -> Option<String>) -> Vec<String> {
    let steps = plan.steps.iter().filter(|step| step.executor == executor && requested::command(step).is_some());
    steps.filter_map(say).collect()
}

/// What a file's going does not do by itself: only a controller that prunes, or a person, deletes the object.
fn gone(plan: &Plan) -> String {
    let leaves = |step: &Step| step.action == Action::Delete || step.old_file.is_some();
    let goes = |step: &&Step| leaves(step) && step.executor == Executor::Gitops;
    let count = plan.steps.iter().filter(goes).count();
    if count == 0 {
        return String::new();
    }
    let objects = view::count(count, "object");
    format!(
        "\n{objects} left the folder: a controller that prunes deletes what is in the cluster; else kubectl delete, or the slices stay in use."
    )
}

fn refused(plan: &Plan, approval: &Approval) -> Option<crate::base::diag::Diag> {
    let allowed = approval.list()?;
    let word = |action: Action| match action {
        Action::Create | Action::Import => Some("create"),
        Action::Update | Action::Move => Some("update"),
        Action::Replace => Some("replace"),
        Action::Delete | Action::Forget => Some("destroy"),
        Action::Keep => None,
    };
    let found = plan.steps.iter().filter(|step| step.object.is_some()).find_map(|step| {
        let word = word(step.action)?;
        (!allowed.iter().any(|known| known == word)).then_some((word, step))
    })?;
    let (word, step) = found;
    Some(
        crate::base::diag::Diag::error("not-approved", format!("The plan would {word} something"))
            .detail(format!("{}: {} was not approved by --auto-approve={}.", step.address, word, allowed.join(",")))
            .help("Look at the plan, and approve that too, or change the stack."),
    )
}

fn nobody_to_ask() -> crate::base::diag::Diag {
    crate::base::diag::Diag::error("not-approved", "There is no terminal to ask on")
        .help("Give --auto-approve to go ahead, or --auto-approve=create,update to refuse to destroy anything.")
}
