//! What the `autoscale` blocks say.

use crate::base::span::{Span, Spanned};
use crate::resolve::stack::Field;

/// An `autoscale` block of slices.
#[derive(Clone, Debug)]
pub struct Autoscale {
    /// Fewest slices.
    pub min: Spanned<u32>,
    /// Most slices.
    pub max: Spanned<u32>,
    /// Where the block's first line stands.
    pub span: Span,
}

/// An `autoscale` block of replicas.
#[derive(Clone, Debug)]
pub struct ReplicaRange {
    /// Fewest replicas.
    pub min: Spanned<u32>,
    /// Most replicas.
    pub max: Spanned<u32>,
    /// Requests that a replica should have at a time.
    pub target_ongoing_requests: Field<u32>,
    /// Where the block's first line stands.
    pub span: Span,
}
