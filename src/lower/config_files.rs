//! Files for pods, in a ConfigMap whose name carries a hash of them.

use crate::lower::intent::pod::{ConfigMap, FileText, Meta};
use crate::lower::intent::{Intent, Object};
use crate::lower::name;
use crate::resolve::stack::{ConfigFiles, Stack};

/// The ConfigMap, where the stack makes it.
pub fn lower(stack: &Stack, block: &ConfigFiles) -> Option<Intent> {
    let meta = Meta {
        name: object_name(block),
        namespace: stack.settings.namespace.value.clone(),
        labels: stack.settings.labels.clone(),
        annotations: stack.settings.annotations.clone(),
    };
    let files = block.files.iter().map(|(name, text)| (name.clone(), FileText::Text(text.clone()))).collect();
    block.manage.then(|| Intent::new(block.head.addr.clone(), Object::ConfigMap(ConfigMap { meta, files })))
}

/// The ConfigMap that pods name. Pods read a changed one at no certain time, or never: other content is another object.
pub fn object_name(block: &ConfigFiles) -> String {
    let name = &block.head.name.value;
    if block.manage { name::with_suffix(name, &block.files) } else { name.clone() }
}
