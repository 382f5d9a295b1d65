//! How many replicas an application has.

use crate::check::rules::subject::words::and;
use crate::resolve::stack::{Model, Serve};

/// The replicas of all models of an application.
pub struct Replicas {
    /// Their number.
    pub total: u64,
    /// How it comes about: `qwen has 2 replicas`.
    pub words: String,
}

/// Counts the replicas as they are lowered: models that do not say share the rest of the slices evenly, one at least; where they scale, the
/// most of them count.
pub fn replicas(serve: &Serve) -> Replicas {
    let written: u64 = serve.models.iter().filter_map(Model::most_replicas).map(u64::from).sum();
    let silent = serve.models.iter().filter(|model| model.most_replicas().is_none()).count() as u64;
    let share = (u64::from(serve.num_slices.value).saturating_sub(written) / silent.max(1)).max(1);
    let each: Vec<String> = serve
        .models
        .iter()
        .map(|model| {
            let count = model.most_replicas().map_or(share, u64::from);
            format!("{} has {count}", model.name.value)
        })
        .collect();
    let total = written + silent * share;
    let words = if each.len() == 1 { and(&each) } else { format!("{} = {total}", and(&each)) };
    Replicas { total, words: format!("{words} {}", if total == 1 { "replica" } else { "replicas" }) }
}
