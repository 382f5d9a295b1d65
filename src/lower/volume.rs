//! A persistent volume: the claim that pods name, and the StorageClass of its disk.

use crate::lower::intent::pod::{Claim, Meta, StorageClass};
use crate::lower::intent::{Intent, Object};
use crate::resolve::stack::{Stack, Volume};

/// The objects of a volume that the stack makes.
pub fn lower(stack: &Stack, volume: &Volume) -> Vec<Intent> {
    let Some(size) = &volume.size else { return Vec::new() };
    let settings = &stack.settings;
    let meta = |name: &str, namespace: &str| Meta {
        name: name.to_owned(),
        namespace: namespace.to_owned(),
        labels: settings.labels.clone(),
        annotations: settings.annotations.clone(),
    };
    let mut intents = Vec::new();
    // A StorageClass belongs to the whole cluster: the stack's name keeps those of several stacks apart.
    // A claim can't change its class: one that was made under the stack's old name keeps the class of that name.
    let owner = stack.settings.renamed_from.as_ref().unwrap_or(&stack.name);
    let own_class = format!("{}-{}", owner.value, volume.head.name.value);
    let mut storage_class = volume.storage_class.as_ref().map(|class| class.value.clone());
    if let Some(disk) = &volume.disk_type {
        let class = StorageClass { meta: meta(&own_class, ""), disk_type: disk.value.clone() };
        intents.push(Intent::new(volume.head.addr.clone(), Object::StorageClass(class)));
        storage_class = Some(own_class);
    }
    let claim = Claim {
        meta: meta(&volume.head.name.value, &settings.namespace.value),
        storage_class,
        access_mode: volume.access_mode.to_owned(),
        size: size.value.clone(),
    };
    intents.push(Intent::new(volume.head.addr.clone(), Object::Claim(claim)));
    intents
}

/// The claim that pods name.
pub fn claim(volume: &Volume) -> String {
    volume.claim.as_ref().unwrap_or(&volume.head.name).value.clone()
}
