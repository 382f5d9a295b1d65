//! Arithmetic of shapes and parallelism: pure functions over facts.

pub mod packing;
pub mod parallel_fault;
pub mod parallelism;
pub mod shape;
pub mod shape_fault;
pub mod topology;
pub mod workers;
