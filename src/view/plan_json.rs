//! tmp
use crate::plan::Plan;
use crate::base::diag::Diags;
use crate::base::span::SourceMap;
/// tmp
pub fn plan(plan: &Plan, _: &Diags, _: &SourceMap) -> String { serde_json::to_string_pretty(plan).unwrap_or_default() + "\n" }
