//! Terraform for TPU and GPU slices: one HCL stack file in; checked GKE, KubeRay and vLLM manifests, and a plan, out.
//!
//! The modules below are the stages, in order. **A module may use only the modules above it**; `tests/tidy.rs` holds
//! the line. `cli/pipeline.rs` is the one place where the stages meet.

/// Leaf types that every stage shares: places in the source, diagnostics, addresses.
pub mod base;

/// The outside as traits, each with an in-memory stand-in.
pub mod world;

/// What is true outside, as typed rows with their source: accelerators, Ray, KubeRay, GKE, vLLM, models.
pub mod facts;

/// Arithmetic of shapes, parallelism and memory: pure functions over facts.
pub mod fit;

/// Text to a tree with spans; returns what it could read, and all errors at once.
pub mod parse;

/// Expressions, functions and templates: Terraform's semantics, with spans.
pub mod eval;

/// Tree to a typed `Stack`: blocks, references, defaults, derived values.
pub mod resolve;

/// Stack to target-neutral intents; every decision is taken here.
pub mod lower;

/// Intents to manifests; spelling only.
pub mod emit;

/// Manifests and prior objects to ordered steps with reasons; fetches nothing.
pub mod plan;

/// Rules over the stack and its manifests, and the schema self-check.
pub mod check;

/// Walks a plan through the directory; decides nothing.
pub mod apply;

/// A report to bytes: human, json, sarif, github.
pub mod view;

/// One file a command: arguments to stages to a report.
pub mod cli;

/// The real disk, clock and environment; the only module allowed to touch them.
pub mod os;
