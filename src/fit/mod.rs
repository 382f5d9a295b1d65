//! Arithmetic of shapes and parallelism: pure functions over facts.
