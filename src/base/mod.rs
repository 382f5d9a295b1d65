//! Leaf types that every stage shares: places in the source, diagnostics, addresses. They know no stage.

pub mod addr;
pub mod diag;
pub mod secrets;
pub mod span;
pub mod suggest;
