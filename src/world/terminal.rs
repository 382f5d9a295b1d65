//! The person at the other end as a trait: whether there is one, how wide the screen is, what is answered.

use std::io;

/// Standard input and output.
pub trait Terminal {
    /// Whether a question can be asked: standard input and error are a terminal.
    fn interactive(&self) -> bool;
    /// Whether standard output is a terminal.
    fn is_screen(&self) -> bool;
    /// Columns of the screen.
    fn width(&self) -> usize;
    /// Asks on standard error and reads a line; none at the end of input.
    fn ask(&self, question: &str) -> io::Result<Option<String>>;
    /// Writes to standard output.
    fn print(&self, text: &str) -> io::Result<()>;
    /// Writes to standard error.
    fn report(&self, text: &str) -> io::Result<()>;
}
