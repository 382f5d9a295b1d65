//! Arithmetic of shapes, parallelism and memory: pure functions over facts.

pub mod memory;
pub mod packing;
pub mod parallel_fault;
pub mod parallelism;
pub mod shape;
pub mod shape_fault;
pub mod topology;
pub mod workers;
