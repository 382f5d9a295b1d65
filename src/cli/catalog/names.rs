//! What a name of a TPU means to each tool: `v6e`, and short names such as `v6e-8`, which tools read differently.

use serde_json::{Value, json};

use crate::base::diag::Diag;
use crate::cli::catalog::Rows;
use crate::facts::accelerators::{self, ACCELERATORS, Accelerator, Found, Refused, ToolkitShortNames};
use crate::fit::shape;

const COLUMNS: &[&str] = &["name", "tool", "chips", "meaning"];

/// A name in every dialect; without one, the names of every generation.
pub fn rows(name: Option<&str>) -> Result<Rows, Box<Diag>> {
    let Some(name) = name else { return Ok((COLUMNS, ACCELERATORS.iter().flat_map(of_generation).collect())) };
    let rows = match accelerators::find(name) {
        Found::Accelerator(accelerator) => of_generation(accelerator),
        Found::Refused(refused) => vec![of_refused(name, refused)],
        Found::ShortName { accelerator, meanings, .. } => {
            let read = meanings.iter().map(|meaning| row(name, meaning.dialect.name(), meaning.chips, &meaning.text));
            let mut chips: Vec<u32> = meanings.iter().filter_map(|meaning| meaning.chips).collect();
            chips.sort_unstable();
            chips.dedup();
            read.chain([of_stack(name, accelerator, &chips)]).collect()
        }
        Found::WithTopology { accelerator, topology } => {
            let text = format!(
                "refuses two attributes in one: write accelerator = \"{}\" and topology = \"{topology}\"",
                accelerator.id
            );
            vec![row(name, "Sliceform", None, &text)]
        }
        Found::Unknown { nearest } => {
            let near = nearest.map_or_else(String::new, |near| format!(" Did you mean {near}?"));
            return Err(Box::new(
                Diag::error("unknown-accelerator", format!("No tool has a TPU named {name:?}"))
                    .help(format!("`sliceform catalog explain` lists the names of every generation.{near}")),
            ));
        }
    };
    Ok((COLUMNS, rows))
}

fn row(name: &str, tool: &str, chips: Option<u32>, meaning: &str) -> Vec<Value> {
    vec![json!(name), json!(tool), json!(chips), json!(meaning)]
}

fn of_refused(name: &str, refused: &Refused) -> Vec<Value> {
    row(name, "Sliceform", None, &format!("refuses {}: {}", refused.id, refused.reason))
}

/// What to write in a stack for a short name.
fn of_stack(name: &str, accelerator: &'static Accelerator, chips: &[u32]) -> Vec<Value> {
    let offers = chips.iter().flat_map(|chips| shape::with_chips(accelerator, *chips));
    let offers: Vec<String> = offers.map(|offer| offer.text()).collect();
    let topologies = if offers.is_empty() {
        "no topology has so many chips".to_owned()
    } else {
        format!("a topology of those chips: {}", offers.join("; "))
    };
    let text = format!("refuses the short name: write accelerator = \"{}\" and {topologies}", accelerator.id);
    row(name, "Sliceform", None, &text)
}

fn of_generation(accelerator: &'static Accelerator) -> Vec<Vec<Value>> {
    let machines: Vec<&str> = accelerator.machine_types.iter().map(|machine| machine.name).collect();
    let cores = match accelerator.ray.cores_per_chip {
        1 => "N: chips".to_owned(),
        cores => format!("N: cores, {cores} a chip"),
    };
    let generation = accelerator.ray.generation;
    let toolkit = match accelerator.toolkit_short_names {
        ToolkitShortNames::Cores => format!("short names such as {generation}-N ({cores})"),
        ToolkitShortNames::Chips => format!("short names such as {generation}-N (N: chips)"),
        ToolkitShortNames::Refused => "takes no number after the name, only a topology".to_owned(),
    };
    let names: Vec<&str> = std::iter::once(accelerator.id).chain(accelerator.aliases.iter().copied()).collect();
    let lines = [
        ("Sliceform", format!("accelerator = \"{}\"; also {}", accelerator.id, names[1..].join(", "))),
        ("GKE", format!("node label {}, machine types {}", accelerator.gke_label, machines.join(", "))),
        (
            "Ray",
            format!("accelerator type {}, slices such as {generation}-N ({cores})", accelerator.ray.accelerator_type),
        ),
        ("xpk", format!("short names such as {generation}-N ({cores})")),
        ("Cluster Toolkit", toolkit),
    ];
    lines.iter().map(|(tool, text)| row(accelerator.id, tool, None, text)).collect()
}
