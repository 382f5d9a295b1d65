//! Diagnostics as GitHub's workflow commands: annotations at the lines of a pull request.

use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::SourceMap;
use crate::view::sanitize;

/// A command a problem, a line each.
pub fn annotations(diags: &Diags, map: &SourceMap) -> String {
    diags.iter().map(|diag| annotation(diag, map)).collect()
}

fn annotation(diag: &Diag, map: &SourceMap) -> String {
    let command = match diag.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some((label, file)) = diag.primary.as_ref().and_then(|label| Some((label, map.file(label.span.file)?))) {
        let ((line, column), (end_line, end)) = (file.line_col(label.span.start), file.line_col(label.span.end));
        properties.push(format!("file={}", property(file.name.strip_prefix("./").unwrap_or(&file.name))));
        properties.push(format!("line={line},endLine={end_line}"));
        // GitHub takes columns only where they are of one line.
        if line == end_line {
            properties.push(format!("col={column},endColumn={end}"));
        }
    }
    properties.push(format!("title={}", property(diag.rule)));
    let mut lines = vec![diag.summary.clone()];
    lines.extend(diag.detail.clone());
    lines.extend(diag.source.as_ref().map(|source| format!("Source: {source}.")));
    lines.extend(diag.help.clone());
    format!("::{command} {}::{}\n", properties.join(","), data(&lines.join("\n")))
}

/// A message: what would end the command is escaped as GitHub's own toolkit does.
fn data(text: &str) -> String {
    sanitize::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value of a property, where `,` and `:` mean something too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::span::Span;

    #[test]
    fn a_problem_is_one_command_whatever_stands_in_it() {
        let mut map = SourceMap::default();
        let file = map.add("a,b:c.hcl", "x = 1\ny = 2\n");
        let hostile = "one\n::error::two\r\n100 %\u{1b}[31m";
        let diags: Diags = [
            Diag::error("wrong-dimensions", "Wrong").at(Span::new(file, 4..5), "").detail(hostile).help("Do."),
            Diag::warning("syntax", "Over lines").at(Span::new(file, 0..11), ""),
            Diag::note("io", "No place"),
        ]
        .into_iter()
        .collect();
        insta::assert_snapshot!(annotations(&diags, &map), @r"
        ::error file=a%2Cb%3Ac.hcl,line=1,endLine=1,col=5,endColumn=6,title=wrong-dimensions::Wrong%0Aone%0A:\u{3a}error::two%0A100 %25\u{1b}[31m%0ADo.
        ::warning file=a%2Cb%3Ac.hcl,line=1,endLine=2,title=syntax::Over lines
        ::notice title=io::No place
        ");
    }
}
