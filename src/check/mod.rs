//! Rules over the stack and its manifests, and the schema self-check.

pub mod schema;
