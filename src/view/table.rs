//! Rows as an aligned table for people, and the same rows as JSON for machines.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Grid, Width, presets};
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
        lines(&self.grid())
    }

    /// The table in lines of at most so many columns: texts fold between words, and where that is not enough, every row
    /// is a paragraph. A word is never cut: a name in two pieces can neither be read nor copied nor searched for.
    pub fn within(&self, width: usize) -> String {
        let whole = self.human();
        if whole.lines().all(|line| columns(line) <= width) {
            return whole;
        }
        let narrowest: Vec<usize> = (0..self.columns.len()).map(|index| self.longest_word(index) + GAP).collect();
        // The gap behind the last column is not written.
        if narrowest.iter().sum::<usize>() > width + GAP {
            return self.paragraphs(width);
        }
        let mut grid = self.grid();
        fold(&mut grid, width + GAP, &narrowest);
        lines(&grid)
    }

    fn grid(&self) -> Grid {
        let mut grid = plain();
        grid.set_header(self.columns.iter().map(|name| heading(name)));
        for row in &self.rows {
            grid.add_row(row.iter().map(cell));
        }
        for (index, column) in grid.column_iter_mut().enumerate() {
            let numeric = self.rows.iter().all(|row| row[index].is_number() || row[index].is_null());
            if numeric {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        grid
    }

    fn longest_word(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| cell(&row[column]));
        cells.chain([heading(self.columns[column])]).map(|text| longest_word(&text)).max().unwrap_or(0)
    }

    /// The first cell of a row as a heading, the others below it with their names.
    pub fn paragraphs(&self, width: usize) -> String {
        let paragraphs = self.rows.iter().map(|row| {
            let mut grid = plain();
            let cells = || self.columns.iter().zip(row).skip(1);
            for (name, value) in cells() {
                grid.add_row(["", &heading(name).to_lowercase(), &cell(value)]);
            }
            let name = self.columns.iter().skip(1).map(|name| columns(name)).max().unwrap_or(0) + GAP;
            let value = cells().map(|(_, value)| longest_word(&cell(value))).max().unwrap_or(0) + GAP;
            fold(&mut grid, width + GAP, &[GAP, name, value]);
            format!("{}\n{}", row.first().map_or_else(String::new, cell), lines(&grid))
        });
        paragraphs.collect::<Vec<_>>().join("\n")
    }

    /// The rows as a list of objects.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Value>| -> Map<String, Value> {
            self.columns.iter().map(ToString::to_string).zip(row.iter().cloned()).collect()
        };
        self.rows.iter().map(object).collect()
    }
}

/// Blanks between two columns.
const GAP: usize = 2;

/// A grid without borders. A row is a line, however long.
fn plain() -> Grid {
    let mut grid = Grid::new();
    grid.load_style(presets::NOTHING);
    grid.set_content_arrangement(ContentArrangement::Disabled);
    grid
}

/// Lets the columns share the width; none becomes narrower than its longest word.
fn fold(grid: &mut Grid, width: usize, narrowest: &[usize]) {
    grid.set_content_arrangement(ContentArrangement::Dynamic);
    let fits = |columns: usize| u16::try_from(columns).unwrap_or(u16::MAX);
    grid.set_width(fits(width));
    for (column, narrowest) in grid.column_iter_mut().zip(narrowest) {
        column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(fits(*narrowest))));
    }
}

fn lines(grid: &Grid) -> String {
    let mut grid = grid.clone();
    for column in grid.column_iter_mut() {
        column.set_padding((0, 2));
    }
    grid.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn heading(name: &str) -> String {
    name.replace('_', " ").to_uppercase()
}

fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(columns).max().unwrap_or(0)
}

/// How wide a text is, near enough: the facts are in Latin letters.
fn columns(text: &str) -> usize {
    text.chars().count()
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
    fn texts_fold_between_words() {
        let mut table = Table::new(&["project", "version", "notes"]);
        table.row(["gke", "1.34.0-gke.2201000", "tpu7x in Standard; one source names another version"]);
        insta::assert_snapshot!(table.within(50), @r"
        PROJECT  VERSION             NOTES
        gke      1.34.0-gke.2201000  tpu7x in Standard;
                                     one source names
                                     another version
        ");
        assert_eq!(table.within(500), table.human());
    }

    #[test]
    fn a_row_that_cannot_fold_is_a_paragraph() {
        insta::assert_snapshot!(sample().within(40), @r"
        v6e
           chips per host  4
           topologies      2x2, 2x4, 4x4, 4x8,
                           8x8, 8x16, 16x16
           on autopilot    yes

        v5p
           chips per host  16
           topologies      2x2x1
           on autopilot    no

        切片\u{1b}[0m
           chips per host  -
           topologies      -
           on autopilot    -
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
