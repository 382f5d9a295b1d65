//! `upgrade`: what another Ray, KubeRay, vLLM or GKE would mean for a stack: the rules that open and close, what the release
//! does otherwise, and what of the manifests would change. Nothing is written.

pub mod pins;

use std::collections::BTreeSet;

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::SourceMap;
use crate::cli::args::{Format, UpgradeArgs};
use crate::cli::pipeline::{self, Compiled};
use crate::cli::source::{Instance, Values};
use crate::cli::upgrade::pins::{Pin, Place, Project, places};
use crate::cli::{Exit, Outside, Report, failure, problems, target};
use crate::facts::source::Source;
use crate::facts::table::Column;
use crate::facts::version::Version;
use crate::facts::{gke, kuberay, ray, vllm};
use crate::plan::prior::{Prior, Standing};
use crate::plan::steps::{self, Goal};
use crate::plan::{Executor, Plan};
use crate::resolve::stack::Stack;
use crate::view::upgrade::{Edit, Fact, Move, Upgrade};
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &UpgradeArgs, outside: &Outside<'_>, style: Style) -> Report {
    let format = args.stack.format.format();
    let instance = match pipeline::one_instance(&args.stack, outside) {
        Ok(instance) => instance,
        Err(diag) => return failure(*diag, format, style, Exit::Error),
    };
    let values = args.stack.vars.values(&outside.variables);
    let compile = |values: &Values| pipeline::compile_instance(outside.files, &instance, values, false);
    let before = compile(&values);
    let after = compile(&Values { pins: args.to.clone(), ..values });
    let (Some(stack), Some(_)) = (&before.stack, &after.stack) else {
        return problems(&before.diags, &before.map, format, style, Exit::Error);
    };
    let plan = match plan(&instance, stack, &before, &after) {
        Ok(plan) => plan,
        Err(diags) => return problems(&diags, &after.map, format, style, Exit::Error),
    };
    let upgrade = Upgrade {
        stack: instance.shown(),
        moves: args.to.iter().map(|pin| of_pin(pin, stack)).collect(),
        opens: only_in(&after.diags, &before.diags, plan.is_some()),
        closes: only_in(&before.diags, &after.diags, plan.is_some()),
        facts: args.to.iter().flat_map(|pin| facts(pin, stack)).collect(),
        edits: args.to.iter().flat_map(|pin| edits(pin, stack, &before.map)).collect(),
        images: images(&args.to, stack),
        remains: in_both(&after.diags, &before.diags),
        plan,
    };
    let exit = if after.diags.has_errors() { Exit::Error } else { Exit::Done };
    let out = match format {
        Format::Human => view::upgrade::human(&upgrade, &after.map, &before.map, args.full, style),
        Format::Json => view::upgrade::json(&upgrade, &after.map, &before.map),
    };
    Report { out, err: String::new(), exit }
}

/// The versions that a project has in the stack, and shall have.
fn of_pin(pin: &Pin, stack: &Stack) -> Move {
    let from: BTreeSet<String> = places(stack, pin.project).into_iter().filter_map(|place| place.version).collect();
    Move {
        project: pin.project.id(),
        name: pin.project.name(),
        from: from.into_iter().collect(),
        to: pin.version.to_string(),
    }
}

/// What one compilation finds and another does not. The words may name the version, so they don't count. Remarks on what
/// blocks become are compared where both `became` something.
fn only_in(found: &Diags, other: &Diags, became: bool) -> Diags {
    let key = |diag: &Diag| {
        let place = diag.primary.as_ref().map(|label| label.span);
        // A remark has nothing but its words.
        let words = diag.primary.is_none().then(|| diag.summary.clone());
        (diag.rule, diag.severity, diag.addr.clone(), place, words)
    };
    let counts = |diag: &&Diag| became || diag.severity != Severity::Note || diag.primary.is_some();
    found.iter().filter(counts).filter(|diag| !other.iter().any(|known| key(known) == key(diag))).cloned().collect()
}

/// The errors that another version neither brings nor mends.
fn in_both(after: &Diags, before: &Diags) -> Diags {
    let news = only_in(after, before, true);
    let errors = after.iter().filter(|diag| diag.severity == Severity::Error);
    errors.filter(|diag| !news.iter().any(|new| new == *diag)).cloned().collect()
}

/// From the manifests of one compilation to those of another; None where one of them has none, for its errors.
fn plan(instance: &Instance, stack: &Stack, before: &Compiled, after: &Compiled) -> Result<Option<Plan>, Diags> {
    if before.diags.has_errors() || after.diags.has_errors() {
        return Ok(None);
    }
    let goal = |compiled: &Compiled| {
        let name = target::identity(instance, stack);
        Goal::new(&name, "the manifests".to_owned(), compiled.manifests.clone())
    };
    let old = goal(before);
    let standing = |text: &str, digest: &str| Standing::File { digest: digest.to_owned(), bytes: text.into() };
    let files = old.files.iter().map(|(path, file)| (path.clone(), standing(&file.text, &file.digest)));
    let prior = Prior { inventory: Some(old.inventory()), files: files.collect(), elsewhere: BTreeSet::new() };
    let mut plan = steps::plan(&goal(after), &prior)?;
    // Which of the directory's own files change is no news here.
    plan.steps.retain(|step| step.executor != Executor::Sliceform);
    Ok(Some(plan))
}

/// What to change in the stack: the places that name another version.
fn edits(pin: &Pin, stack: &Stack, map: &SourceMap) -> Vec<Edit> {
    let version = pin.version.to_string();
    let places: Vec<Place> = places(stack, pin.project);
    let written = places.iter().any(|place| place.version.is_some());
    let wanted = places
        .into_iter()
        .filter(|place| if written { place.version.as_ref().is_some_and(|known| *known != version) } else { true });
    let edit = |place: Place| Edit {
        block: place.block.to_string(),
        position: map.position(place.span),
        attribute: place.attribute,
        from: place.version.as_ref().map(|_| map.text(place.span).to_owned()),
        to: version.clone(),
    };
    wanted.map(edit).collect()
}

/// The images that carry a version themselves: they must be made anew.
fn images(pins: &[Pin], stack: &Stack) -> Vec<String> {
    if !pins.iter().any(|pin| matches!(pin.project, Project::Ray | Project::Vllm)) {
        return Vec::new();
    }
    let workloads = stack.blocks.values().filter_map(|block| block.workload());
    let images = workloads.filter_map(|workload| Some(workload.image.as_ref()?.value.clone()));
    images.collect::<BTreeSet<String>>().into_iter().collect()
}

/// What the release does otherwise than the oldest that the stack names.
fn facts(pin: &Pin, stack: &Stack) -> Vec<Fact> {
    let from = places(stack, pin.project).into_iter().filter_map(|place| place.version?.parse::<Version>().ok()).min();
    let Some(from) = from else { return Vec::new() };
    let to = &pin.version;
    match pin.project {
        Project::Ray => {
            let rows = [ray::row_for(&from).row(), ray::row_for(to).row()];
            columns(pin, rows.map(|row| row.map(ray::Ray::columns)), ray::sources::COLUMNS)
        }
        Project::KubeRay => {
            let rows = [kuberay::row_for(&from).row(), kuberay::row_for(to).row()];
            columns(pin, rows.map(|row| row.map(kuberay::KubeRay::columns)), kuberay::sources::COLUMNS)
        }
        Project::Vllm => arguments(pin, &from),
        Project::Gke => features(pin, &from),
    }
}

fn columns(pin: &Pin, rows: [Option<Vec<Column>>; 2], sources: &[(&str, Source)]) -> Vec<Fact> {
    let [Some(old), Some(new)] = rows else { return Vec::new() };
    let changed = old.into_iter().zip(new).filter(|(old, new)| old.value != new.value && new.name != "since");
    let fact = |(old, new): (Column, Column)| Fact {
        project: pin.project.id(),
        name: new.name.to_owned(),
        from: old.value,
        to: new.value,
        means: new.says.trim().to_owned(),
        source: sources
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(new.name))
            .map_or_else(String::new, |(_, source)| source.to_string()),
    };
    changed.map(fact).collect()
}

/// Engine arguments that come and go.
fn arguments(pin: &Pin, from: &Version) -> Vec<Fact> {
    let names = |version: &Version| -> BTreeSet<&'static str> {
        // The list of arguments is one by version; the back ends differ in rules alone.
        let surface = vllm::surface(vllm::Backend::Gpu, version);
        surface.iter().flat_map(|surface| surface.args().map(|arg| arg.name.as_str()).collect::<Vec<_>>()).collect()
    };
    let (old, new) = (names(from), names(&pin.version));
    let fact = |name: &&'static str, goes: bool| Fact {
        project: pin.project.id(),
        name: (*name).to_owned(),
        from: if goes { "taken" } else { "not there" }.to_owned(),
        to: if goes { "gone" } else { "taken" }.to_owned(),
        means: "An engine argument.".to_owned(),
        source: vllm::source().to_owned(),
    };
    let goes = old.difference(&new).map(|name| fact(name, true));
    goes.chain(new.difference(&old).map(|name| fact(name, false))).collect()
}

/// Features of GKE that a minimum version lies between.
fn features(pin: &Pin, from: &Version) -> Vec<Fact> {
    let there = |version: &Version, min: &Version| version.may_be_at_least(min);
    let crossed = gke::FEATURES.iter().filter(|row| there(from, &row.min.value) != there(&pin.version, &row.min.value));
    let word = |has: bool| if has { "there" } else { "not there" }.to_owned();
    let fact = |row: &gke::FeatureRow| Fact {
        project: pin.project.id(),
        name: row.name.to_owned(),
        from: word(there(from, &row.min.value)),
        to: word(there(&pin.version, &row.min.value)),
        means: format!("Needs GKE {}.", row.min.value),
        source: row.min.source.to_string(),
    };
    crossed.map(fact).collect()
}
