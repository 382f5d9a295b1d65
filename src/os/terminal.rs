//! Standard input, output and error.

use std::io::{self, IsTerminal, Write};

use crate::world::terminal::Terminal;

/// The process's own.
#[derive(Debug)]
pub struct Standard;

impl Terminal for Standard {
    fn interactive(&self) -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    fn is_screen(&self) -> bool {
        io::stdout().is_terminal()
    }

    fn width(&self) -> usize {
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        columns.filter(|columns| (20..=400).contains(columns)).unwrap_or(100)
    }

    fn ask(&self, question: &str) -> io::Result<Option<String>> {
        self.report(question)?;
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim().to_owned()))
    }

    fn print(&self, text: &str) -> io::Result<()> {
        let mut out = anstream::stdout();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    fn report(&self, text: &str) -> io::Result<()> {
        let mut err = anstream::stderr();
        err.write_all(text.as_bytes())?;
        err.flush()
    }
}
