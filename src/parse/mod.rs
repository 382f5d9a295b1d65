//! Text to a tree with spans; returns what it could read, and all errors at once.
