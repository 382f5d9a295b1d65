//! Tree to a typed `Stack`: blocks, references, defaults, derived values.
