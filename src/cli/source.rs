//! From the command line to stack files: which there are, their text, and the values for their variables.

use std::path::{Path, PathBuf};

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::{FileId, SourceMap, Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::cli::upgrade::pins::Pin;
use crate::parse::{self, Body};
use crate::resolve::decode::is_dns_label;
use crate::resolve::variables::Inputs;
use crate::world::files::{Files, Kind};

/// The ending of a stack file's name.
pub const STACK_SUFFIX: &str = ".stack.hcl";

/// The ending of the name of a file of values.
pub const VARS_SUFFIX: &str = ".vars.hcl";

/// How deep folders are walked for stacks.
const MAX_WALK: usize = 32;

/// Values for variables, as given on the command line and in the environment.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// `--var NAME=VALUE`, in order.
    pub vars: Vec<String>,
    /// `--var-file FILE`, in order.
    pub var_files: Vec<PathBuf>,
    /// `SLICEFORM_VAR_NAME`, as name and value.
    pub environment: Vec<(String, String)>,
    /// The stack's environment: its file of values counts too.
    pub env: Option<String>,
    /// Versions in place of those that the stack names.
    pub pins: Vec<Pin>,
}

impl Values {
    /// The same values in an environment of the stack.
    #[must_use]
    pub fn within(&self, env: Option<&String>) -> Self {
        Self { env: env.cloned(), ..self.clone() }
    }
}

/// A stack in one of its environments: what is rendered, owned and locked as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The stack file.
    pub path: PathBuf,
    /// The environment; none where the stack has none.
    pub env: Option<String>,
}

impl Instance {
    /// What people call it: the file, and the environment where there is one.
    pub fn shown(&self) -> String {
        let path = self.path.display();
        self.env.as_ref().map_or_else(|| path.to_string(), |env| format!("{path} ({env})"))
    }
}

/// Stacks in each of their environments, or in the one that was `asked` for.
pub fn instances(files: &dyn Files, paths: &[PathBuf], asked: Option<&str>) -> Result<Vec<Instance>, Diag> {
    let mut found = Vec::new();
    for path in paths {
        let known = environments(files, path)?;
        let envs = match asked {
            Some(env) if known.iter().any(|known| known == env) => vec![Some(env.to_owned())],
            Some(env) => return Err(unknown_environment(path, env, &known)),
            None if known.is_empty() => vec![None],
            None => known.into_iter().map(Some).collect(),
        };
        found.extend(envs.into_iter().map(|env| Instance { path: path.clone(), env }));
    }
    Ok(found)
}

fn unknown_environment(path: &Path, env: &str, known: &[String]) -> Diag {
    let diag = Diag::error("environment", format!("There is no environment {env:?}"));
    let name = stack_name(path).unwrap_or("NAME");
    if known.is_empty() {
        return diag
            .detail(format!("{} has none: no file beside it is called {name}.ENV{VARS_SUFFIX}.", path.display()))
            .help(format!("Take --env out, or write {name}.{env}{VARS_SUFFIX}."));
    }
    let near = did_you_mean(env, known.iter().map(String::as_str));
    diag.detail(format!("{} has {}.", path.display(), known.join(", ")))
        .help(format!("Name one of them, or write {name}.{env}{VARS_SUFFIX}.{near}"))
}

/// The environments of a stack: the ENV of each `NAME.ENV.vars.hcl` beside it, sorted.
pub fn environments(files: &dyn Files, path: &Path) -> Result<Vec<String>, Diag> {
    let Some(name) = stack_name(path) else { return Ok(Vec::new()) };
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = files.list(folder).map_err(|error| io(folder, &error))?;
    let env = |file: &String| {
        let env = file.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(VARS_SUFFIX)?;
        Some(env.to_owned())
    };
    let found: Vec<String> = names.iter().filter_map(env).collect();
    match found.iter().find(|env| !is_dns_label(env)) {
        Some(env) => Err(Diag::error("environment", format!("{env:?} is no name of an environment"))
            .detail(format!("{name}.{env}{VARS_SUFFIX} makes an environment of that name, and it becomes a folder."))
            .help("Rename the file: at most 63 lower-case letters, digits and `-`.")),
        None => Ok(found),
    }
}

/// The NAME of `NAME.stack.hcl`.
fn stack_name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()?.strip_suffix(STACK_SUFFIX)
}

/// A stack file with everything that it is made from.
pub struct Loaded {
    /// Where the file is.
    pub path: PathBuf,
    /// The NAME of `NAME.stack.hcl`.
    pub name: String,
    /// The files that were read.
    pub map: SourceMap,
    /// The stack file among them.
    pub file: FileId,
    /// Its tree.
    pub body: Body,
    /// The values for its variables.
    pub inputs: Inputs,
    /// What was wrong so far.
    pub diags: Diags,
}

/// The stack files that the paths of a command name: files as they are, folders walked.
pub fn find(files: &dyn Files, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Diag> {
    let here = [PathBuf::from(".")];
    let paths = if paths.is_empty() { &here[..] } else { paths };
    let mut found = Vec::new();
    for path in paths {
        match files.kind(path).map_err(|error| io(path, &error))? {
            Some(Kind::Dir) => walk(files, path, MAX_WALK, &mut found)?,
            Some(_) => found.push(path.clone()),
            None => return Err(absent(path)),
        }
    }
    if found.is_empty() {
        return Err(Diag::error("io", format!("No stack in {}", list(paths)))
            .detail("Stacks are files called NAME.stack.hcl.")
            .help("Name a stack file or a folder that holds some."));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn walk(files: &dyn Files, dir: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), Diag> {
    if depth == 0 {
        return Ok(());
    }
    for name in files.list(dir).map_err(|error| io(dir, &error))? {
        // Hidden folders hold other programs' files; `target` and `node_modules` are theirs too.
        if name.starts_with('.') || matches!(name.as_str(), "target" | "node_modules") {
            continue;
        }
        let path = if dir == Path::new(".") { PathBuf::from(&name) } else { dir.join(&name) };
        match files.kind(&path).map_err(|error| io(&path, &error))? {
            Some(Kind::Dir) => walk(files, &path, depth - 1, found)?,
            Some(Kind::File(_)) if name.ends_with(STACK_SUFFIX) => found.push(path),
            _ => {}
        }
    }
    Ok(())
}

fn absent(path: &Path) -> Diag {
    let diag = Diag::error("io", format!("There is no {}", path.display()));
    match path.to_str() {
        Some(text) if !text.ends_with(STACK_SUFFIX) => {
            diag.help(format!("Stack files end in {STACK_SUFFIX}: {text}{STACK_SUFFIX}?"))
        }
        _ => diag,
    }
}

/// What the disk refused, in a sentence.
pub fn io(path: &Path, error: &std::io::Error) -> Diag {
    Diag::error("io", format!("Cannot read {}", path.display())).detail(error.to_string())
}

/// Reads a stack file and its values.
pub fn load(files: &dyn Files, path: &Path, values: &Values) -> Result<Loaded, Diag> {
    let Some(name) = stack_name(path) else {
        return Err(Diag::error("io", format!("{} is not a stack file", path.display()))
            .detail(format!("Stack files are called NAME{STACK_SUFFIX}."))
            .help("A saved plan is shown by `show`, and carried out by `apply`."));
    };
    let mut map = SourceMap::default();
    let mut diags = Diags::default();
    let (file, body) = read(files, path, false, &mut map, &mut diags)?;
    let mut inputs = Inputs { vars_file: format!("{name}{VARS_SUFFIX}"), ..Inputs::default() };
    let of_env = values.env.as_ref().map(|env| format!("{name}.{env}{VARS_SUFFIX}"));
    for file in std::iter::once(inputs.vars_file.clone()).chain(of_env) {
        let beside = path.with_file_name(file);
        if files.kind(&beside).map_err(|error| io(&beside, &error))?.is_some() {
            add_file(files, &beside, &mut map, &mut inputs, &mut diags)?;
        }
    }
    for (name, value) in &values.environment {
        let origin = format!("SLICEFORM_VAR_{name}");
        add_text(name, value, origin, None, &mut map, &mut inputs);
    }
    for path in &values.var_files {
        add_file(files, path, &mut map, &mut inputs, &mut diags)?;
    }
    for given in &values.vars {
        let Some((name, value)) = given.split_once('=') else {
            return Err(
                // What was given is not repeated: without its name it may be a secret alone.
                Diag::error("variable", "A --var has no value").help("Write --var NAME=VALUE."),
            );
        };
        add_text(name.trim(), value, "--var".to_owned(), Some(Severity::Error), &mut map, &mut inputs);
    }
    Ok(Loaded { path: path.to_owned(), name: name.to_owned(), map, file, body, inputs, diags })
}

/// Reads a file in. The text of one that holds values is `hidden`: messages name the place and do not show it.
fn read(
    files: &dyn Files,
    path: &Path,
    hidden: bool,
    map: &mut SourceMap,
    diags: &mut Diags,
) -> Result<(FileId, Body), Diag> {
    let bytes = files.read(path, parse::MAX_FILE).map_err(|error| io(path, &error))?;
    let shown = path.display().to_string();
    let text = parse::decode(&bytes)
        .map_err(|why| Diag::error("syntax", format!("{shown} is not a text file that can be read")).detail(why))?;
    if let Some(why) = parse::excess(&text) {
        return Err(Diag::error("syntax", format!("{shown} holds too much"))
            .detail(why)
            .help("Split it into several stacks, or write what repeats with for_each."));
    }
    let file = if hidden { map.add_hidden(shown, text.as_str()) } else { map.add(shown, text.as_str()) };
    let (body, found) = parse::parse(file, &text);
    diags.append(found);
    Ok((file, body))
}

fn add_file(
    files: &dyn Files,
    path: &Path,
    map: &mut SourceMap,
    inputs: &mut Inputs,
    diags: &mut Diags,
) -> Result<(), Diag> {
    let mut found = Diags::default();
    let (_, body) = read(files, path, true, map, &mut found)?;
    inputs.incomplete |= found.has_errors();
    diags.append(found);
    let origin = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    inputs.add_file(body, &origin, diags);
    Ok(())
}

/// The value gets a file of its own in the map, so that a message can show it.
fn add_text(
    name: &str,
    value: &str,
    origin: String,
    stranger: Option<Severity>,
    map: &mut SourceMap,
    inputs: &mut Inputs,
) {
    let file = map.add_hidden(format!("<{origin}>"), value);
    let span = Span::new(file, 0..value.len());
    inputs.add_text(Spanned::new(name.to_owned(), span), value.to_owned(), origin, stranger);
}
