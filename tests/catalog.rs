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

#[test]
fn a_filter_passes_over_rows_without_the_text() {
    for (table, filter, rows) in
        [("models", "no-such-thing", 0), ("machines", "no-such-thing", 0), ("flags", "max_model_len", 1)]
    {
        let found: Value = serde_json::from_str(&catalog(&[table, filter, "--json"], "80")).unwrap();
        assert_eq!(found["rows"].as_array().unwrap().len(), rows, "{table} {filter}");
    }
}

#[test]
fn flags_of_one_vllm_have_its_choices_and_defaults() {
    let row = |args: &[&str]| -> Value {
        let all = [&["flags", "--json"], args].concat();
        let found: Value = serde_json::from_str(&catalog(&all, "80")).unwrap();
        found["rows"].as_array().unwrap().first().cloned().unwrap_or_default()
    };
    let old = row(&["mamba_cache_mode", "--backend", "tpu_inference", "--version", "0.21.0"]);
    let new = row(&["mamba_cache_mode", "--backend", "gpu", "--version", "0.33.0"]);
    let has = |row: &Value| row["choices"].as_array().unwrap().contains(&"all".into());
    assert!(has(&old) && !has(&new), "{old} {new}");
    let doubt = |version: &str| -> String {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.env_clear().args(["catalog", "flags", "tensor", "--version", version]).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(doubt("0.33.0"), "");
    assert!(doubt("0.99").contains("newer than all that were read: these are those of 0.33.0"));
    assert!(doubt("0.30").contains("0.29.0 and 0.32.0 both have"));
    // It came and it went.
    assert_eq!(row(&["watchdog_config", "--backend", "tpu_inference", "--version", "0.21.0"]), Value::Null);
    assert_eq!(row(&["calculate_kv_scales", "--backend", "gpu"]), Value::Null);
    assert_ne!(row(&["calculate_kv_scales", "--backend", "gpu", "--version", "0.21"]), Value::Null);
}

#[test]
fn a_short_name_is_explained_in_every_dialect() {
    let said = catalog(&["explain", "v5p-8"], "200");
    for words in
        ["Ray                  4", "Cluster Toolkit      8", "GKE", "xpk", "topology of those chips: 2x2x1 (4 chips"]
    {
        assert!(said.contains(words), "{said}");
    }
    assert!(catalog(&["explain", "trillium"], "200").contains("node label tpu-v6e-slice"));
    assert!(catalog(&["explain", "v3-8"], "200").contains("legacy generation"));
}

#[test]
fn a_fact_is_explained_with_its_source() {
    let explain = |name: &str, code: i32| -> String {
        let mut command = Command::cargo_bin("sliceform").unwrap();
        let output = command.env_clear().env("COLUMNS", "400").args(["explain", name]).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{name}");
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    for (name, words) in [
        ("trillium", &["gke label           tpu-v6e-slice", "Zones", "GKE cluster autoscaler"][..]),
        ("v5p-8", &["Cluster Toolkit      8"]),
        ("a3-highgpu-8g", &["Machine type", "h100-80gb", "GKE cluster autoscaler"]),
        ("Qwen/Qwen3-8B", &["layers        36", "source"]),
        ("max-model-len", &["0.33.0", "source: the argument parsers of vllm"]),
        ("swap_space", &["an argument of old versions of vLLM"]),
        ("ray=2.59", &["Ray 2.59, as Ray 2.59.0\n", "torch_multi_slice\n   value   Raises\n", "train/torch/config.py"]),
        ("ray=2.99", &["as Ray 2.60.0, the newest that was read"]),
        ("kuberay=1.5.1", &["auth_options\n   value   yes"]),
    ] {
        let said = explain(name, 0);
        assert!(words.iter().all(|words| said.contains(words)), "{name}: {said}");
    }
    assert!(explain("v6f", 1).contains("Did you mean \"v6e\"?"));
    assert!(explain("ray=2.1", 1).contains("Nothing is known"));
}
