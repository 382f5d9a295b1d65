//! Every table of `catalog`, through the binary: at 80 columns, as JSON, and in the README.
#![expect(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test works on the real disk")]

use std::collections::BTreeSet;

use assert_cmd::Command;
use clap::ValueEnum;
use serde_json::Value;

use sliceform::cli::args::CatalogTable;

fn tables() -> Vec<String> {
    let tables = CatalogTable::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    tables.map(|table| table.get_name().to_owned()).collect()
}

fn catalog(args: &[&str], columns: &str) -> String {
    let mut command = Command::cargo_bin("sliceform").unwrap();
    let output = command.env_clear().env("COLUMNS", columns).arg("catalog").args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The words of a cell as people read them.
fn words(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text.split_whitespace().map(str::to_owned).collect(),
        Value::Array(items) => items.iter().flat_map(words).collect(),
        Value::Number(number) => vec![number.to_string()],
        _ => Vec::new(),
    }
}

#[test]
fn every_table_fits_80_columns_and_no_word_is_cut() {
    for table in tables() {
        let shown = catalog(&[&table], "80");
        let long: Vec<&str> = shown.lines().filter(|line| line.chars().count() > 80).collect();
        // A name that is longer than a line is left whole.
        assert!(long.iter().all(|line| line.split_whitespace().count() <= 2), "{table}: {long:#?}");
        let there: BTreeSet<&str> = shown.split_whitespace().map(|word| word.trim_end_matches(',')).collect();
        let rows: Value = serde_json::from_str(&catalog(&[&table, "--json"], "80")).unwrap();
        let rows = rows["rows"].as_array().unwrap();
        assert!(rows.len() > 3, "{table}");
        for word in rows.iter().flat_map(|row| row.as_object().unwrap().values()).flat_map(words) {
            assert!(there.contains(word.trim_end_matches(',')), "{table}: {word}");
        }
    }
}

#[test]
fn the_readme_and_the_help_name_every_table() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let row = format!("| `catalog {}` |", tables().join("\\|"));
    assert!(readme.contains(&row), "{row}");
    let help = catalog(&["--help"], "80");
    assert!(tables().iter().all(|table| help.contains(&format!("- {table}:"))), "{help}");
}

#[test]
fn a_filter_finds_a_machine_and_what_it_takes() {
    assert!(catalog(&["machines", "a3-highgpu-8g"], "100").contains("h100-80gb"));
    assert!(catalog(&["disks", "v6e"], "100").contains("hyperdisk-ml"));
    assert!(catalog(&["zones", "b200"], "100").contains("us-central1-b"));
}
