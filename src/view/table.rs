//! Rows as an aligned table for people, and the same rows as JSON for machines.

use comfy_table::{CellAlignment, ContentArrangement, Table as Grid, presets};
use serde_json::{Map, Value};

use crate::view::sanitize;

/// A table with named columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table. A column's name is its key in JSON (`chips_per_host`) and, with blanks and in capitals, its
    /// heading.
    pub fn new(columns: &[&'static str]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. A missing cell is null, one too many is dropped.
    pub fn row<V: Into<Value>>(&mut self, cells: impl IntoIterator<Item = V>) {
        let cells = cells.into_iter().map(Into::into).chain(std::iter::repeat(Value::Null));
        self.rows.push(cells.take(self.columns.len()).collect());
    }

    /// The table without borders, a row a line; numbers to the right, lists with commas, null as `-`.
    pub fn human(&self) -> String {
        let mut grid = Grid::new();
        grid.load_style(presets::NOTHING);
        // A row is a line, however long: a name cut in two can neither be read nor copied nor searched for.
        grid.set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(self.columns.iter().map(|name| name.replace('_', " ").to_uppercase()));
        for row in &self.rows {
            grid.add_row(row.iter().map(cell));
        }
        for (index, column) in grid.column_iter_mut().enumerate() {
            let numeric = self.rows.iter().all(|row| row[index].is_number() || row[index].is_null());
            if numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
            column.set_padding((0, 2));
        }
        grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// The rows as a list of objects.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Value>| -> Map<String, Value> {
            self.columns.iter().map(ToString::to_string).zip(row.iter().cloned()).collect()
        };
        self.rows.iter().map(object).collect()
    }
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(text) => sanitize::text(text).into_owned(),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => sanitize::text(&other.to_string()).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sample() -> Table {
        let mut table = Table::new(&["name", "chips_per_host", "topologies", "on_autopilot"]);
        table.row([json!("v6e"), json!(4), json!(["2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16"]), json!(true)]);
        table.row([json!("v5p"), json!(16), json!(["2x2x1"]), json!(false)]);
        table.row([json!("切片\u{1b}[0m")]);
        table
    }

    #[test]
    fn columns_line_up_and_a_row_is_a_line() {
        insta::assert_snapshot!(sample().human(), @r"
        NAME           CHIPS PER HOST  TOPOLOGIES                            ON AUTOPILOT
        v6e                         4  2x2, 2x4, 4x4, 4x8, 8x8, 8x16, 16x16  yes
        v5p                        16  2x2x1                                 no
        切片\u{1b}[0m               -  -                                     -
        ");
    }

    #[test]
    fn json_has_the_same_rows() {
        let rows = sample().json();
        assert_eq!(rows[0]["topologies"][6], "16x16");
        assert_eq!(
            rows[2],
            json!({ "name": "切片\u{1b}[0m", "chips_per_host": null, "topologies": null, "on_autopilot": null })
        );
        assert_eq!(rows.as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn an_empty_table_is_its_heading() {
        let table = Table::new(&["name", "source"]);
        assert_eq!(table.human(), "NAME  SOURCE\n");
        assert_eq!(table.json(), json!([]));
    }
}
