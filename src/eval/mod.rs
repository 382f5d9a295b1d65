//! Expressions, functions and templates: Terraform's semantics, with spans.
