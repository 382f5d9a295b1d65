//! tmp
use crate::plan::Plan;
use crate::view::Style;
/// tmp
pub fn plan(plan: &Plan, _full: bool, _style: Style) -> String {
    serde_json::to_string_pretty(plan).unwrap_or_default() + "\n"
}
