//! Arithmetic of shapes and parallelism: pure functions over facts.

pub mod shape;
pub mod shape_fault;
pub mod topology;
