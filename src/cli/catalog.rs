//! `catalog`: the facts that stacks are checked against, as tables with their sources.

mod flags;
pub mod gke;
pub mod names;

use serde_json::{Value, json};

use crate::base::diag::Diag;
use crate::cli::args::{CatalogArgs, CatalogTable, Format, VllmOf};
use crate::cli::{Exit, Report, failure};
use crate::facts::edition::EDITIONS;
use crate::facts::{kuberay, models, ray, vllm};
use crate::view::table::Table;
use crate::view::{self, Style};

/// Runs the command.
pub fn run(args: &CatalogArgs, style: Style) -> Report {
    let format = args.format.format();
    let (columns, rows) = match table(args) {
        Ok(rows) => rows,
        Err(diag) => return failure(*diag, format, style, Exit::Error),
    };
    let mut table = Table::new(columns);
    // A name is looked up, not searched for.
    let filter = args.filter.as_ref().filter(|_| args.table != CatalogTable::Explain);
    let wanted = |row: &Vec<Value>| filter.is_none_or(|filter| row.iter().any(|cell| has(cell, filter)));
    for row in rows.into_iter().filter(wanted) {
        table.row(row);
    }
    let out = match format {
        Format::Human => table.within(style.width),
        Format::Json => {
            let all = json!({ "format_version": view::json::FORMAT_VERSION, "rows": table.json() });
            format!("{all}\n")
        }
    };
    let of_vllm = args.table == CatalogTable::Flags && (args.backend.is_some() || args.vllm_version.is_some());
    let doubt = of_vllm.then(|| flags::doubt(args.backend.unwrap_or(VllmOf::Gpu), args.vllm_version.as_ref()));
    let err = doubt.flatten().map_or_else(String::new, |doubt| format!("note: {doubt}\n"));
    Report { out, err, exit: Exit::Done }
}

/// The rows that were asked for.
fn table(args: &CatalogArgs) -> Result<Rows, Box<Diag>> {
    let of_vllm = args.backend.is_some() || args.vllm_version.is_some();
    if of_vllm && args.table != CatalogTable::Flags {
        let diag = Diag::error("usage", "--backend and --version are for `catalog flags`");
        return Err(Box::new(diag.help("Take them out.")));
    }
    Ok(match args.table {
        CatalogTable::Accelerators => gke::accelerators(),
        CatalogTable::Topologies => gke::topologies(args.filter.is_none()),
        CatalogTable::Gpus => gke::gpus(),
        CatalogTable::Machines => gke::machines(),
        CatalogTable::Disks => gke::disks(),
        CatalogTable::Zones => gke::zones(),
        CatalogTable::Conflicts => gke::conflicts(),
        CatalogTable::Models => model_rows(),
        CatalogTable::Versions => versions(),
        CatalogTable::Flags if of_vllm => flags::of(args.backend.unwrap_or(VllmOf::Gpu), args.vllm_version.as_ref())?,
        CatalogTable::Flags => flags::all(),
        CatalogTable::Explain => names::rows(args.filter.as_deref())?,
    })
}

/// Whether a cell, or one of a cell's items, is the filter; a longer text only has to contain it.
fn has(cell: &Value, filter: &str) -> bool {
    match cell {
        Value::String(text) => text.to_lowercase().contains(&filter.to_lowercase()),
        Value::Array(items) => items.iter().any(|item| has(item, filter)),
        other => filter.parse::<i64>().is_ok_and(|number| other.as_i64() == Some(number)),
    }
}

/// Columns and rows.
pub type Rows = (&'static [&'static str], Vec<Vec<Value>>);

/// Models whose dimensions are known.
pub fn model_rows() -> Rows {
    let columns = &["model", "parameters_b", "layers", "heads", "kv_heads", "experts", "context", "weights", "source"];
    let rows = models::all().iter().map(|model| {
        // One decimal of a billion is what model cards give.
        let tenths = model.parameters / 100_000_000;
        vec![
            json!(model.id),
            json!(format!("{}.{}", tenths / 10, tenths % 10)),
            json!(model.layers),
            json!(model.heads),
            json!(model.kv_heads),
            json!(model.experts),
            json!(model.context),
            json!(model.weight_dtype()),
            json!(model.source),
        ]
    });
    (columns, rows.collect())
}

/// Versions that are known.
pub fn versions() -> Rows {
    let columns = &["project", "version", "notes"];
    let ray_rows = ray::ROWS.iter().map(|row| {
        vec![json!("ray"), json!(row.since.to_string()), json!(format!("vLLM {} with ray[llm]", row.vllm_pin))]
    });
    let kuberay_rows = kuberay::ROWS.iter().map(|row| {
        let notes = format!("TPU webhook from {} on", row.min_tpu_webhook);
        vec![json!("kuberay"), json!(row.since.to_string()), json!(notes)]
    });
    let vllm_rows =
        [vllm::Backend::Gpu, vllm::Backend::TpuInference, vllm::Backend::TorchTpu].into_iter().flat_map(|backend| {
            backend.versions().iter().map(move |version| {
                vec![json!(backend.package()), json!(version.to_string()), json!("engine arguments read")]
            })
        });
    let editions = EDITIONS.iter().map(|edition| {
        let notes = format!("since Sliceform {}; {}", edition.since, edition.changes);
        vec![json!("edition"), json!(edition.name), json!(notes)]
    });
    (columns, editions.chain(gke::versions()).chain(ray_rows).chain(kuberay_rows).chain(vllm_rows).collect())
}
