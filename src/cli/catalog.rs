//! `catalog`: the facts that stacks are checked against, as tables with their sources.

use serde_json::{Value, json};

use crate::cli::args::{CatalogArgs, CatalogTable, Format};
use crate::cli::{Exit, Report};
use crate::facts::accelerators::{ACCELERATORS, CONFLICTS, ZONES_READ};
use crate::facts::edition::EDITIONS;
use crate::facts::{gke, kuberay, models, ray, vllm};
use crate::fit::shape::shapes;
use crate::view;
use crate::view::table::Table;

/// Larger slices than this are listed only by a filter: a generation of cubes has hundreds.
const SHOWN_CHIPS: u32 = 512;

/// Runs the command.
pub fn run(args: &CatalogArgs) -> Report {
    let rows = match args.table {
        CatalogTable::Accelerators => accelerators(),
        CatalogTable::Topologies => topologies(args.filter.is_none()),
        CatalogTable::Zones => zones(),
        CatalogTable::Conflicts => conflicts(),
        CatalogTable::Models => model_rows(),
        CatalogTable::Versions => versions(),
        CatalogTable::Flags => flags(),
    };
    let (columns, rows) = rows;
    let mut table = Table::new(columns);
    let wanted = |row: &Vec<Value>| args.filter.as_ref().is_none_or(|filter| row.iter().any(|cell| has(cell, filter)));
    for row in rows.into_iter().filter(wanted) {
        table.row(row);
    }
    let out = match args.format.format() {
        Format::Human => table.human(),
        Format::Json => {
            let all = json!({ "format_version": view::json::FORMAT_VERSION, "rows": table.json() });
            format!("{all}\n")
        }
    };
    Report { out, err: String::new(), exit: Exit::Done }
}

/// Whether a cell, or one of a cell's items, is the filter; a longer text only has to contain it.
fn has(cell: &Value, filter: &str) -> bool {
    match cell {
        Value::String(text) => text.to_lowercase().contains(&filter.to_lowercase()),
        Value::Array(items) => items.iter().any(|item| has(item, filter)),
        other => *other == filter.parse::<i64>().map_or(Value::Null, Value::from),
    }
}

type Rows = (&'static [&'static str], Vec<Vec<Value>>);

fn accelerators() -> Rows {
    let columns = &[
        "accelerator",
        "product",
        "gke_label",
        "ray_type",
        "machine_types",
        "devices_per_chip",
        "hbm_gib_per_device",
        "pod_chips",
        "source",
    ];
    let rows = ACCELERATORS.iter().map(|row| {
        let machines: Vec<&str> = row.machine_types.iter().map(|machine| machine.name).collect();
        vec![
            json!(row.id),
            json!(row.product),
            json!(row.gke_label),
            json!(row.ray.accelerator_type),
            json!(machines),
            json!(row.devices_per_chip),
            json!(row.hbm_gib_per_device),
            json!(row.pod_chips),
            json!(row.source.to_string()),
        ]
    });
    (columns, rows.collect())
}

fn topologies(short: bool) -> Rows {
    let columns = &[
        "accelerator",
        "topology",
        "chips",
        "hosts",
        "chips_per_host",
        "devices",
        "machine_type",
        "ray_pod_type",
        "ray",
    ];
    let all = ACCELERATORS.iter().flat_map(shapes);
    let rows = all.filter(|shape| !short || shape.chips <= SHOWN_CHIPS).map(|shape| {
        vec![
            json!(shape.accelerator.id),
            json!(shape.topology.to_string()),
            json!(shape.chips),
            json!(shape.hosts),
            json!(shape.chips_per_host),
            json!(shape.devices),
            json!(shape.machine_type.name),
            json!(shape.ray_pod_type),
            json!(shape.ray_expressible),
        ]
    });
    (columns, rows.collect())
}

fn zones() -> Rows {
    let columns = &["accelerator", "zone", "flex_start", "read", "source"];
    let rows = ACCELERATORS.iter().flat_map(|row| {
        row.zones.iter().map(|zone| {
            vec![
                json!(row.id),
                json!(zone.name),
                json!(row.flex_start_zones.contains(&zone.name)),
                json!(ZONES_READ),
                json!(zone.source.to_string()),
            ]
        })
    });
    (columns, rows.collect())
}

fn conflicts() -> Rows {
    let columns = &["conflict", "topic", "source", "says", "used"];
    let rows = CONFLICTS.iter().flat_map(|conflict| {
        conflict.positions.iter().map(|position| {
            vec![
                json!(conflict.id),
                json!(conflict.topic),
                json!(position.source),
                json!(position.says),
                json!(conflict.used),
            ]
        })
    });
    (columns, rows.collect())
}

fn model_rows() -> Rows {
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

fn versions() -> Rows {
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
    (columns, editions.chain(gke_versions()).chain(ray_rows).chain(kuberay_rows).chain(vllm_rows).collect())
}

/// The oldest GKE versions, of generations and features.
fn gke_versions() -> impl Iterator<Item = Vec<Value>> {
    let row = |version: String, notes: String| vec![json!("gke"), json!(version), json!(notes)];
    let generations = ACCELERATORS.iter().flat_map(move |accelerator| {
        let modes = [("Standard", &accelerator.min_gke.standard), ("Autopilot", &accelerator.min_gke.autopilot)];
        modes.into_iter().filter_map(move |(mode, min)| {
            let min = min.as_ref()?;
            let advised = min.advised.as_ref().map_or_else(String::new, |version| format!("; one source: {version}"));
            let notes = format!("{} in {mode}{advised} ({})", accelerator.id, min.source);
            Some(row(min.required.to_string(), notes))
        })
    });
    let features = gke::FEATURES.iter();
    generations.chain(
        features.map(move |feature| {
            row(feature.min.value.to_string(), format!("{} ({})", feature.name, feature.min.source))
        }),
    )
}

fn flags() -> Rows {
    let columns = &["argument", "takes", "server", "versions"];
    let rows =
        vllm::all().map(|arg| vec![json!(arg.name), json!(arg.kind.words()), json!(arg.server), json!(arg.versions())]);
    (columns, rows.collect())
}
