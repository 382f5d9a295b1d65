//! Tests of reading files: what is read, and what is said about what can't be.

use super::*;
use crate::base::span::SourceMap;

fn read(text: &str) -> (Body, String) {
    let mut map = SourceMap::default();
    let file = map.add("a.hcl", text);
    let (body, diags) = parse(file, text);
    let line = |diag: &crate::base::diag::Diag| {
        let label = diag.primary.as_ref().unwrap();
        let also: String = diag
            .related
            .iter()
            .map(|label| format!(" ({} {})", map.position(label.span).trim_start_matches("a.hcl:"), label.text))
            .collect();
        let place = map.position(label.span);
        format!("{} {:?} {}: {}{also}\n", &place[6..], map.text(label.span), diag.summary, label.text)
    };
    let lines: String = diags.iter().map(line).collect();
    (body, lines)
}

#[test]
fn probe() {
    let (body, d) = read("a {\n  b = { null = 1, x = [1,2][0].*.y[*].z, (k) = -  1.50 }\n  c \"l\" {}\n}\n");
    println!("{body:#?}\n{d}");
}
