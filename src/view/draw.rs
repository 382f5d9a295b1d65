//! Draws an excerpt with its marks. miette is the pen: it knows no more of our diagnostics than the lines to draw.

use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents, ThemeCharacters, ThemeStyles,
};

use crate::base::diag::Severity;
use crate::view::Style;
use crate::view::excerpt::Excerpt;

/// The lines of one excerpt with the marks below them. miette draws; its own heading line is empty and dropped.
pub(super) fn draw(excerpt: Excerpt, severity: Severity, style: Style) -> String {
    let mut characters = if style.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
    characters.error = String::new();
    if !style.unicode {
        characters.underbar = characters.underline;
    }
    let palette = if style.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
    let own = match severity {
        Severity::Error => palette.error,
        Severity::Warning => palette.warning,
        Severity::Note => palette.advice,
    };
    // miette deals its highlight styles to the labels in the order of their places.
    let highlights = excerpt.marks.iter().map(|mark| if mark.primary { own } else { palette.help }).collect();
    let styles = ThemeStyles { highlights, link: palette.help, ..palette };
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
        .with_width(style.width)
        .with_context_lines(CONTEXT)
        .without_syntax_highlighting()
        .with_links(false);
    let mut out = String::new();
    if handler.render_report(&mut out, &Drawing(excerpt)).is_err() {
        return String::new();
    }
    let drawn = out.split_once('\n').map_or("", |(_heading, rest)| rest);
    drawn.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Lines around a label that miette asks for. An excerpt always answers with all of its lines; zero means that only
/// the label's position is wanted.
const CONTEXT: usize = 1;

/// An excerpt as miette wants to see it: a diagnostic and its source in one.
#[derive(Debug)]
struct Drawing(Excerpt);

impl fmt::Display for Drawing {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Drawing {}

impl Diagnostic for Drawing {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.0.marks.iter().map(|mark| {
            let label = Some(mark.label.clone()).filter(|label| !label.is_empty());
            if mark.primary {
                LabeledSpan::new_primary_with_span(label, mark.range.clone())
            } else {
                LabeledSpan::new_with_span(label, mark.range.clone())
            }
        })))
    }
}

impl SourceCode for Drawing {
    fn read_span<'a>(
        &'a self,
        _: &SourceSpan,
        before: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let Excerpt { name, first_line, position, text, .. } = &self.0;
        let (line, column) = if before < CONTEXT { *position } else { (*first_line, 0) };
        let lines = text.matches('\n').count();
        let all = SourceSpan::from(0..text.len());
        Ok(Box::new(MietteSpanContents::new_named(name.clone(), text.as_bytes(), all, line, column, lines)))
    }
}
