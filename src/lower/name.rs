//! Names of objects that carry a hash of what they stand for.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::base::addr::Addr;
use crate::lower::intent::ray::{RayCluster, RayService};
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::{Patch, PatchBody, Stack};

/// Letters of a suffix: no vowels, so that no word comes out, as in Kubernetes' own generated names.
const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";

/// How many letters a suffix has: 27^6 values make a clash of two runs of one job as good as impossible.
const LENGTH: usize = 6;

/// What a suffix adds to a name.
pub const SUFFIX_LENGTH: usize = LENGTH + 1;

/// `NAME-xxxxxx`, where the letters follow from `content`: other content is another object.
///
/// Absent, empty and false parts do not count, so that a field added by a later release changes no name.
pub fn with_suffix(name: &str, content: &impl Serialize) -> String {
    let mut tree = serde_json::to_value(content).unwrap_or_default();
    prune(&mut tree);
    let digest = Sha256::digest(tree.to_string().as_bytes());
    let mut number = digest.iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    let mut suffix = String::with_capacity(LENGTH);
    for _ in 0..LENGTH {
        let base = LETTERS.len() as u64;
        suffix.push(char::from(LETTERS[usize::try_from(number % base).unwrap_or(0)]));
        number /= base;
    }
    format!("{name}-{suffix}")
}

/// The name before a suffix; none where the name has none.
pub fn without_suffix(name: &str) -> Option<&str> {
    let (base, suffix) = name.rsplit_once('-')?;
    (suffix.len() == LENGTH && suffix.bytes().all(|byte| LETTERS.contains(&byte))).then_some(base)
}

/// The annotation that carries what `replace_triggered_by` names, on objects whose name does not follow their content.
pub const TRIGGER: &str = "sliceform.dev/replace-trigger";

/// Makes objects follow the blocks that `replace_triggered_by` names: a run-once object by its name, another by an
/// annotation whose change is a replacement. Terraform's resources follow by Terraform's own means.
pub fn follow_triggers(intents: &mut [Intent], stack: &Stack) {
    if intents.iter().all(|intent| intent.lifecycle.replace_triggered_by.is_empty()) {
        return;
    }
    let patches = |addr: &Addr| stack.blocks.get(addr).map(|block| text_of(&block.head().patches));
    let objects: Vec<(Addr, Object, String)> = intents
        .iter()
        .map(|intent| {
            let patches = patches(&intent.addr).filter(|text| text != "[]").unwrap_or_default();
            (intent.addr.clone(), intent.object.clone(), patches)
        })
        .collect();
    for intent in intents {
        let triggers = &intent.lifecycle.replace_triggered_by;
        let named = || objects.iter().filter(|(addr, ..)| triggers.contains(addr));
        let patched: String = named().map(|(.., patches)| patches.as_str()).collect();
        let named: Vec<&Object> = named().map(|(_, object, _)| object).collect();
        let digest = || match patched.as_str() {
            "" => with_suffix("", &named),
            patched => with_suffix("", &(&named, patched)),
        };
        let digest = || digest().trim_start_matches('-').to_owned();
        match &mut intent.object {
            _ if named.is_empty() => {}
            Object::RayJob(job) => {
                let base = without_suffix(&job.meta.name).unwrap_or(&job.meta.name);
                job.meta.name = with_suffix(base, &(&job.meta.name, &named));
            }
            Object::RayCluster(RayCluster { meta, .. }) | Object::RayService(RayService { meta, .. }) => {
                meta.annotations.insert(TRIGGER.to_owned(), digest());
            }
            _ => {}
        }
    }
}

/// Patches as text: a null in them takes a field out, so that nothing of them may be left aside.
fn text_of(patches: &[Patch]) -> String {
    let bodies: Vec<&PatchBody> = patches.iter().map(|patch| &patch.body).collect();
    serde_json::to_string(&bodies).unwrap_or_default()
}

/// A run-once object that a patch changes is another one.
pub fn follow_patches(intent: &mut Intent, patches: &[Patch]) {
    if let (Object::RayJob(job), false) = (&mut intent.object, patches.is_empty()) {
        let base = without_suffix(&job.meta.name).unwrap_or(&job.meta.name);
        job.meta.name = with_suffix(base, &(&job.meta.name, text_of(patches)));
    }
}

fn prune(value: &mut Value) {
    let empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    };
    match value {
        Value::Array(items) => items.iter_mut().for_each(prune),
        Value::Object(entries) => {
            entries.values_mut().for_each(prune);
            entries.retain(|_, entry| !empty(entry));
            entries.sort_keys();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_suffix_follows_the_content_and_not_what_is_absent() {
        let name = with_suffix("dpo", &json!({"a": 1, "b": null, "c": []}));
        assert_eq!(name, with_suffix("dpo", &json!({"c": [], "a": 1, "later": false})));
        assert_ne!(name, with_suffix("dpo", &json!({"a": 2})));
        assert_eq!(name.len(), "dpo".len() + SUFFIX_LENGTH);
        assert_eq!(without_suffix(&name), Some("dpo"));
        assert_eq!(without_suffix("dpo-driver"), None);
    }
}
