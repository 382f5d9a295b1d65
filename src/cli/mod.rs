//! One file a command: arguments to stages to a report.

pub mod apply;
pub mod args;
mod baseline;
pub mod catalog;
pub mod destroy;
pub mod explain;
mod fix;
mod neighbours;
pub mod part;
pub mod pipeline;
pub mod plan;
pub mod reader;
pub mod render;
pub mod saved;
pub mod show;
pub mod source;
pub mod target;
pub mod upgrade;
pub mod validate;

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory, Parser};

use crate::base::diag::{Diag, Diags};
use crate::base::span::SourceMap;
use crate::cli::args::{Cli, Color, Command, Format};
use crate::facts::edition::EDITIONS;
use crate::view::{self, Style};
use crate::world::files::{Files, Kind};
use crate::world::terminal::Terminal;
use crate::world::within::Within;

/// What a command may reach.
pub struct Outside<'a> {
    /// The disk.
    pub files: &'a dyn Files,
    /// The person.
    pub terminal: &'a dyn Terminal,
    /// `SLICEFORM_VAR_NAME`, as name and value.
    pub variables: Vec<(String, String)>,
    /// `NO_COLOR` is set.
    pub no_color: bool,
    /// Who a lock names: user, host, process.
    pub owner: fn() -> String,
    /// Text that nobody can guess.
    pub salt: fn() -> String,
}

/// How a run ended; see the table in the README.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done, or no difference.
    Done = 0,
    /// An error of the stack or of the run.
    Error = 1,
    /// With `--detailed-exitcode`: there are changes.
    Changes = 2,
    /// With `--detailed-exitcode`: there are changes that destroy or replace something.
    Destroys = 3,
    /// A plan is stale, or the lock is held.
    Stale = 4,
    /// Wrong use of the command line.
    Usage = 64,
}

/// What a command has to say: the result for standard output, the rest for standard error.
#[derive(Debug)]
pub struct Report {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// How it ended.
    pub exit: Exit,
}

/// Runs a command line and gives the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>, outside: &Outside<'_>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, outside),
    };
    let report = match &cli.chdir {
        None => dispatch(&cli, outside),
        Some(dir) => within(&cli, dir, outside),
    };
    let written = outside.terminal.report(&report.err).and_then(|()| outside.terminal.print(&report.out));
    match written {
        Ok(()) => report.exit as u8,
        // The reader went away (`| head`): nobody is left to tell, and nothing was lost.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => report.exit as u8,
        Err(_) => Exit::Error as u8,
    }
}

fn usage(error: &clap::Error, outside: &Outside<'_>) -> u8 {
    let text = error.render();
    let colored = outside.terminal.is_screen() && !outside.no_color;
    let text = if colored { text.ansi().to_string() } else { text.to_string() };
    let (written, code) = if error.use_stderr() {
        (outside.terminal.report(&text), Exit::Usage)
    } else {
        (outside.terminal.print(&text), Exit::Done)
    };
    if written.is_err() { Exit::Error as u8 } else { code as u8 }
}

/// Runs a command as if it had been started in `dir`.
fn within(cli: &Cli, dir: &Path, outside: &Outside<'_>) -> Report {
    let found = outside.files.canonical(dir).and_then(|dir| outside.files.kind(&dir));
    let why = match found {
        Ok(Some(Kind::Dir)) => None,
        Ok(_) => Some("it is not a folder".to_owned()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(why) = why {
        let diag = Diag::error("io", format!("Cannot start in {}", dir.display())).detail(format!("--chdir: {why}."));
        return failure(diag, Format::Human, style(cli.color, outside), Exit::Error);
    }
    let files = Within { files: outside.files, dir: dir.to_owned() };
    dispatch(cli, &Outside { files: &files, variables: outside.variables.clone(), ..*outside })
}

fn dispatch(cli: &Cli, outside: &Outside<'_>) -> Report {
    let style = style(cli.color, outside);
    match &cli.command {
        Command::Validate(args) => validate::run(args, outside, style),
        Command::Render(args) => render::run(args, outside, style),
        Command::Plan(args) => plan::run(args, outside, style),
        Command::Apply(args) => apply::run(args, outside, style),
        Command::Destroy(args) => destroy::run(args, outside, style),
        Command::Upgrade(args) => upgrade::run(args, outside, style),
        Command::Show(args) => show::run(args, outside, style),
        Command::Explain(args) => explain::run(args, outside, style),
        Command::Catalog(args) => catalog::run(args, style),
        Command::Version(args) => version(args.format()),
        Command::Completions { shell } => completions(*shell),
    }
}

/// Colour where a person looks, unless told otherwise.
fn style(color: Color, outside: &Outside<'_>) -> Style {
    let screen = outside.terminal.is_screen();
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => screen && !outside.no_color,
    };
    Style { color, unicode: screen, width: outside.terminal.width() }
}

fn version(format: Format) -> Report {
    let version = env!("CARGO_PKG_VERSION");
    let editions: Vec<&str> = EDITIONS.iter().map(|edition| edition.name).collect();
    let out = match format {
        Format::Human => format!("sliceform {version}\neditions: {}\n", editions.join(", ")),
        Format::Json => {
            let json = serde_json::json!({
                "format_version": view::json::FORMAT_VERSION,
                "version": version,
                "editions": editions,
            });
            format!("{json}\n")
        }
    };
    Report { out, err: String::new(), exit: Exit::Done }
}

fn completions(shell: clap_complete::Shell) -> Report {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sliceform", &mut bytes);
    Report { out: String::from_utf8_lossy(&bytes).into_owned(), err: String::new(), exit: Exit::Done }
}

/// A report of problems alone: people read them on standard error, programs on standard output.
pub fn problems(diags: &Diags, map: &SourceMap, format: Format, style: Style, exit: Exit) -> Report {
    match format {
        Format::Human => Report { out: String::new(), err: view::human::diags(diags, map, style), exit },
        Format::Json => Report { out: view::json::diags(diags, map), err: String::new(), exit },
    }
}

/// A report of one problem that has no place in a stack.
pub fn failure(diag: Diag, format: Format, style: Style, exit: Exit) -> Report {
    problems(&Diags::from(diag), &SourceMap::default(), format, style, exit)
}
