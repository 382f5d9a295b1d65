//! Facts by name: what the tables of `catalog` know of it, and what a release of Ray or KubeRay does.

use serde_json::{Value, json};

use crate::cli::catalog::{self, Rows, gke, names as dialects};
use crate::facts::accelerators::{self, Found};
use crate::facts::source::Source;
use crate::facts::table::{Column, Lookup};
use crate::facts::version::Version;
use crate::facts::vllm::{self, Backend};
use crate::facts::{kuberay, models, ray};
use crate::view::table::Table;

/// What is known of a name; None: nothing.
pub fn page(name: &str, width: usize) -> Option<String> {
    if let Some(found) = release(name, width).or_else(|| argument(name, width)) {
        return Some(found);
    }
    let wanted = match accelerators::find(name) {
        Found::Accelerator(accelerator) => accelerator.id.to_owned(),
        Found::Refused(_) | Found::ShortName { .. } | Found::WithTopology { .. } => {
            return dialects::rows(Some(name)).ok().map(|rows| table(rows, width));
        }
        Found::Unknown { .. } => models::find(name).map_or_else(|| name.to_owned(), |model| model.id),
    };
    let found: Vec<String> = tables()
        .into_iter()
        .filter_map(|(heading, (columns, rows))| {
            let rows: Vec<Vec<Value>> = rows.into_iter().filter(|row| is(row, &wanted)).collect();
            (!rows.is_empty()).then(|| format!("{heading}\n{}", table((columns, rows), width)))
        })
        .collect();
    (!found.is_empty()).then(|| found.join("\n"))
}

/// The names that have a page of their own, for the nearest one.
pub fn names() -> impl Iterator<Item = &'static str> {
    accelerators::ACCELERATORS.iter().map(|row| row.id).chain(vllm::names())
}

/// The tables whose rows have a name first.
fn tables() -> Vec<(&'static str, Rows)> {
    vec![
        ("TPU generation", gke::accelerators()),
        ("GPU", gke::gpus()),
        ("Machine type", gke::machines()),
        ("Model", catalog::model_rows()),
        ("Sources disagree", gke::conflicts()),
        ("Disks", gke::disks()),
        ("Zones", gke::zones()),
    ]
}

fn is(row: &[Value], name: &str) -> bool {
    row.first().and_then(Value::as_str).is_some_and(|first| first.eq_ignore_ascii_case(name))
}

fn table((columns, rows): Rows, width: usize) -> String {
    let mut table = Table::new(columns);
    let many = rows.len() > 1;
    for row in rows {
        table.row(row);
    }
    if many { table.within(width) } else { table.paragraphs(width) }
}

/// `ray=2.60.0`: every column of the release's row.
fn release(name: &str, width: usize) -> Option<String> {
    let (project, version) = name.split_once('=')?;
    let version: Version = version.parse().ok()?;
    let (heading, columns, sources) = match project {
        "ray" => {
            of_row("Ray", &version, ray::row_for(&version), |row| (row.columns(), &row.since), ray::sources::COLUMNS)?
        }
        "kuberay" => {
            let row = kuberay::row_for(&version);
            of_row("KubeRay", &version, row, |row| (row.columns(), &row.since), kuberay::sources::COLUMNS)?
        }
        _ => return None,
    };
    let mut table = Table::new(&["fact", "value", "means", "source"]);
    for column in columns {
        let source = sources.iter().find(|(name, _)| name.eq_ignore_ascii_case(column.name));
        let source = source.map_or(Value::Null, |(_, source)| json!(source.to_string()));
        table.row([json!(column.name), json!(column.value), json!(column.says.trim()), source]);
    }
    Some(format!("{heading}\n\n{}", table.paragraphs(width)))
}

type Sources = &'static [(&'static str, Source)];

fn of_row<T>(
    product: &str,
    version: &Version,
    row: Lookup<T>,
    parts: fn(&T) -> (Vec<Column>, &Version),
    sources: Sources,
) -> Option<(String, Vec<Column>, Sources)> {
    let known = row.row()?;
    let (columns, since) = parts(known);
    let doubt = if matches!(row, Lookup::AboveLast(_)) { ", the newest that was read" } else { "" };
    let columns = columns.into_iter().filter(|column| column.name != "since").collect();
    Some((format!("{product} {version}, as {product} {since}{doubt}"), columns, sources))
}

/// An engine argument of vLLM in each version that was read.
fn argument(name: &str, width: usize) -> Option<String> {
    let name = name.trim_start_matches('-').replace('-', "_");
    let name = vllm::short_for(&name).map_or(name, str::to_owned);
    let Some(arg) = vllm::named(&name) else {
        let gone = vllm::gone(&name)?;
        let instead = gone
            .how
            .as_ref()
            .or(gone.instead.as_ref())
            .map_or_else(String::new, |instead| format!("; `{instead}` does its work today"));
        return Some(format!("{name}: an argument of old versions of vLLM, that none read here has{instead}.\n"));
    };
    let mut table = Table::new(&["argument", "vllm", "takes", "choices", "default"]);
    for version in arg.versions() {
        let surface = version.parse().ok().and_then(|version| vllm::surface(Backend::Gpu, &version))?;
        let choices: Vec<Value> = arg.choices(&surface).unwrap_or_default().into_iter().cloned().collect();
        let choices = if choices.is_empty() { Value::Null } else { json!(choices) };
        let default = match arg.default(&surface) {
            Value::Null => Value::Null,
            Value::String(text) => json!(text),
            other => json!(other.to_string()),
        };
        table.row([json!(arg.name), json!(version), json!(arg.kind.words()), choices, default]);
    }
    let who = match (arg.command_line, arg.server) {
        (true, _) => "the command line of `vllm serve` only, which Ray Serve does not run",
        (_, true) => "vLLM's HTTP server",
        _ => "vLLM's engine",
    };
    Some(format!("An argument of {who}\n{}source: {}\n", table.within(width), vllm::source()))
}
