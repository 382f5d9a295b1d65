//! Walks a plan through the directory; decides nothing.

pub mod directory;
mod old_folder;

#[cfg(test)]
mod old_folder_tests;
#[cfg(test)]
mod tests;
