//! Expressions, functions and templates: Terraform's semantics, with spans.

pub mod number;
pub mod scope;
pub mod types;
pub mod value;

pub use number::Number;
pub use scope::{Budget, Constants, Scope};
pub use types::{Field, Type};
pub use value::{Data, Value};
