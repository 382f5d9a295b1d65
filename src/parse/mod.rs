//! Text to a tree with spans; returns what it could read, and all errors at once.

pub mod tree;

pub use tree::{Attr, Block, Body, Expr, ExprKind};
