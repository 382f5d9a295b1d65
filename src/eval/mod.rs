//! Expressions, functions and templates: Terraform's semantics, with spans.

pub mod functions;
pub mod number;
pub mod scope;
pub mod types;
pub mod value;

mod call;
mod constraint;
mod convert;
mod evaluate;
mod json;
mod operators;
mod render;
mod traverse;

pub use constraint::constraint;
pub use convert::{Mismatch, convert};
pub use evaluate::expr;
pub use number::Number;
pub use scope::{Budget, Constants, Scope};
pub use types::{Field, Type};
pub use value::{Data, SecretKey, Value};
