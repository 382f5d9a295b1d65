//! tmp
use crate::base::diag::Diags;
use crate::base::span::SourceMap;
use crate::plan::Plan;
/// tmp
pub fn plan(plan: &Plan, _: &Diags, _: &SourceMap) -> String {
    serde_json::to_string_pretty(plan).unwrap_or_default() + "\n"
}
