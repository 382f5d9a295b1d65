//! Walks a plan through the directory; decides nothing.

pub mod directory;

#[cfg(test)]
mod tests;
