//! The one place where the stages meet, read top to bottom: parse, resolve, check, lower, emit, check.

use std::path::{Path, PathBuf};

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::SourceMap;
use crate::check;
use crate::check::allow::Allows;
use crate::cli::Outside;
use crate::cli::args::StackArgs;
use crate::cli::reader::Below;
use crate::cli::source::{self, Instance, Values};
use crate::cli::upgrade::pins;
use crate::emit::imports::Imports;
use crate::emit::moved::Renamed;
use crate::emit::{self, Manifest};
use crate::facts::edition::{EDITIONS, FIRST};
use crate::lower;
use crate::lower::intent::Intent;
use crate::resolve::{self, Source, stack::Stack};
use crate::world::files::Files;

/// A stack as far as it could be compiled.
pub struct Compiled {
    /// The files that it was read from.
    pub map: SourceMap,
    /// The typed stack; none where the file could not be read at all.
    pub stack: Option<Stack>,
    /// What it becomes; empty where there are errors.
    pub intents: Vec<Intent>,
    /// The objects; empty where there are errors.
    pub manifests: Vec<Manifest>,
    /// Objects that had another name before the stack's `moved` blocks.
    pub renamed: Vec<Renamed>,
    /// What the stack takes over.
    pub imports: Imports,
    /// Everything that is wrong, sorted.
    pub diags: Diags,
}

/// Compiles one stack file.
pub fn compile(files: &dyn Files, path: &Path, values: &Values, strict: bool) -> Compiled {
    let loaded = match source::load(files, path, values) {
        Ok(loaded) => loaded,
        Err(diag) => {
            let diags = Diags::from(diag);
            return Compiled {
                map: SourceMap::default(),
                stack: None,
                intents: Vec::new(),
                manifests: Vec::new(),
                renamed: Vec::new(),
                imports: Imports::default(),
                diags,
            };
        }
    };
    let mut diags = loaded.diags;
    let reader = Below::of(files, path);
    let source =
        Source { file: loaded.file, body: &loaded.body, name: &loaded.name, inputs: &loaded.inputs, reader: &reader };
    let (mut stack, found) = resolve::resolve(&source);
    diags.append(found);
    pins::apply(&values.pins, &mut stack);
    let mut found = check::stack(&stack);
    check::cause::independent(&mut found, &diags, &loaded.body);
    diags.append(found);
    let text = loaded.map.file(loaded.file).map_or("", |file| &*file.text);
    let mut allows = Allows::of(loaded.file, text, &loaded.body);
    allows.silence(&mut diags);
    diags.append(check::severity::unknown(&stack.settings.rules));
    weigh(&mut diags, &stack, strict);
    let mut made = Made::default();
    let sound = !diags.has_errors();
    if sound {
        made = objects(&stack, &mut diags);
        let mut found = check::objects(&stack, &made.manifests);
        allows.silence(&mut found);
        weigh(&mut found, &stack, strict);
        diags.append(self_check(&made.manifests, &stack, &found));
        diags.append(found);
    }
    let mut useless = allows.useless(sound);
    weigh(&mut useless, &stack, strict);
    diags.append(useless);
    if diags.has_errors() {
        // Nothing that failed its own check may be written or shown as if it could be.
        made.manifests.clear();
    }
    diags.sort();
    shorten(&mut diags);
    let Made { intents, manifests, renamed, imports } = made;
    Compiled { map: loaded.map, stack: Some(stack), intents, manifests, renamed, imports, diags }
}

/// Gives problems the severity that they have for this stack and this run.
fn weigh(diags: &mut Diags, stack: &Stack, strict: bool) {
    let edition = stack.settings.edition.as_ref().map_or(&FIRST, |edition| edition.value);
    check::severity::wait(diags, EDITIONS, edition);
    check::severity::apply(diags, &stack.settings.rules);
    if strict {
        let warnings = diags.iter_mut().filter(|diag| diag.severity == Severity::Warning);
        warnings.for_each(|diag| diag.severity = Severity::Error);
    }
}

/// What a stack becomes.
#[derive(Default)]
struct Made {
    intents: Vec<Intent>,
    manifests: Vec<Manifest>,
    renamed: Vec<Renamed>,
    imports: Imports,
}

/// The objects of a sound stack, with what it patches in them.
fn objects(stack: &Stack, diags: &mut Diags) -> Made {
    let mut made = Made { intents: lower::lower(stack), ..Made::default() };
    diags.append(notes(&made.intents));
    let context = emit::Context { stack: &stack.name.value, resources: None };
    match emit::emit(&made.intents, &context) {
        Ok(emitted) => made.manifests = emitted,
        Err(faults) => diags.append(faults),
    }
    match renames(stack, &context, &mut made.manifests) {
        Ok(found) => made.renamed = found,
        Err(diag) => diags.push(*diag),
    }
    if stack.blocks.values().any(|block| !block.head().patches.is_empty()) {
        diags.append(emit::patch::apply(stack, &mut made.manifests));
    }
    let (found, faults) = emit::imports::find(&stack.past.imports, &made.manifests, &stack.name.value);
    made.imports = found;
    diags.append(faults);
    made.manifests.sort_by(|a, b| a.path.cmp(&b.path));
    diags.append(clashes(&made.manifests, stack));
    made
}

/// The objects against their schemas, but for blocks of which a rule says more in `found`.
fn self_check(manifests: &[Manifest], stack: &Stack, found: &Diags) -> Diags {
    let kuberay = stack.settings.kuberay_version.as_ref().map_or_else(String::new, |version| version.to_string());
    let told: Vec<_> =
        found.iter().filter(|diag| diag.severity == Severity::Error).filter_map(|diag| diag.addr.as_ref()).collect();
    let mut faults = check::schema::check(manifests, &kuberay);
    faults
        .retain(|diag| !diag.addr.as_ref().is_some_and(|addr| told.contains(&addr)) || diag.severity == Severity::Note);
    faults
}

/// Objects that are looked at for their earlier names: a bound on moves times objects.
const MOST_EARLIER: usize = 200_000;

/// The names that objects had before the stack's `moved` blocks; Terraform's resources are told of theirs.
fn renames(stack: &Stack, context: &emit::Context<'_>, manifests: &mut [Manifest]) -> Result<Vec<Renamed>, Box<Diag>> {
    let moves = &stack.past.moved;
    if let Some(last) = moves.last().filter(|_| moves.len() * manifests.len() > MOST_EARLIER) {
        return Err(Box::new(
            Diag::error("moved", "Too many moves for a stack of this size")
                .at(last.from.span, format!("{} moves of {} objects", moves.len(), manifests.len()))
                .help("Take out the `moved` blocks that every environment has applied."),
        ));
    }
    // What can't be written was told of the stack as it is.
    let earlier = lower::history::states(stack).filter_map(|intents| emit::emit(&intents, context).ok());
    let names = earlier.map(|state| state.into_iter().map(|manifest| (manifest.addr, manifest.object)).collect());
    Ok(emit::moved::trace(&names.collect::<Vec<_>>(), manifests))
}

/// Most problems of a stack that are shown: a reader mends the first ones, and the rest often goes with them.
const MOST_PROBLEMS: usize = 200;

/// Leaves the first problems and says how many more there are. Notes are few words each and stay.
fn shorten(diags: &mut Diags) {
    let (mut seen, mut left_out) = (0_usize, 0_usize);
    let mut worst = Severity::Note;
    diags.retain(|diag| {
        seen += usize::from(diag.severity != Severity::Note);
        let stays = seen <= MOST_PROBLEMS || diag.severity == Severity::Note;
        if !stays {
            left_out += 1;
            worst = worst.min(diag.severity);
        }
        stays
    });
    if left_out > 0 {
        diags.push(
            Diag::new(worst, "too-many-problems", format!("{left_out} more problems are not shown"))
                .help("Mend the first ones, and run it again."),
        );
    }
}

/// Compiles a stack in one of its environments.
pub fn compile_instance(files: &dyn Files, instance: &Instance, values: &Values, strict: bool) -> Compiled {
    compile(files, &instance.path, &values.within(instance.env.as_ref()), strict)
}

/// The one stack that a command names, in the one environment that it names or has.
pub fn one_instance(args: &StackArgs, outside: &Outside<'_>) -> Result<Instance, Box<Diag>> {
    let path = one_stack(args, outside)?;
    let mut found = source::instances(outside.files, &[path], args.vars.env.as_deref()).map_err(Box::new)?;
    if found.len() > 1 {
        let names: Vec<&str> = found.iter().filter_map(|instance| instance.env.as_deref()).collect();
        return Err(Box::new(
            Diag::error("environment", format!("The stack has {} environments", names.len()))
                .detail(format!("{}: {}.", found[0].path.display(), names.join(", ")))
                .help("Name one of them with --env."),
        ));
    }
    Ok(found.remove(0))
}

/// The one stack file that a command names.
pub fn one_stack(args: &StackArgs, outside: &Outside<'_>) -> Result<PathBuf, Box<Diag>> {
    let paths: Vec<PathBuf> = args.path.iter().cloned().collect();
    let mut found = source::find(outside.files, &paths).map_err(Box::new)?;
    if found.len() > 1 {
        let list: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
        return Err(Box::new(
            Diag::error("io", format!("There are {} stacks here", found.len()))
                .detail(format!("{}.", list.join(", ")))
                .help("Name one of them."),
        ));
    }
    Ok(found.remove(0))
}

/// Two objects in one file would overwrite each other.
fn clashes(manifests: &[Manifest], stack: &Stack) -> Diags {
    let pairs = manifests.windows(2).filter(|pair| pair[0].path == pair[1].path);
    pairs
        .map(|pair| {
            let (first, second) = (&pair[0].addr, &pair[1].addr);
            let diag = Diag::error("object-name-clash", "Two blocks make the same object")
                .detail(format!(
                    "{first} and {second} both become the {} {:?}.",
                    pair[0].object.kind, pair[0].object.name
                ))
                .help("Give one of them another `name`.")
                .addr(second);
            let span = |addr| stack.blocks.get(addr).map(|block| block.head().span);
            match (span(first), span(second)) {
                (Some(first), Some(second)) if first == second => diag.at(second, "two of its instances"),
                (Some(first), Some(second)) => diag.at(second, "the same object").also(first, "the first"),
                _ => diag,
            }
        })
        .collect()
}

/// What `lower` wants the reader to know of what a block becomes.
fn notes(intents: &[Intent]) -> Diags {
    let notes = intents.iter().flat_map(|intent| intent.notes.iter().map(move |note| (intent, note)));
    notes.map(|(intent, note)| Diag::note("note", note.as_str()).addr(&intent.addr)).collect()
}
