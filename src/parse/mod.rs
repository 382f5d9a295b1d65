//! Text to a tree with spans; returns what it could read, and all errors at once.

pub mod ast;

pub use ast::{Attr, Block, Body, Expr};
