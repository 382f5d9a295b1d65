//! One file a rule.

use crate::check::rule::Rule;

/// Every rule, sorted by name.
pub const RULES: &[&Rule] = &[];
