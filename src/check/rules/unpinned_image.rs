//! Images whose content may change under their name.

use std::collections::BTreeSet;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::containers;
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "unpinned-image",
    severity: Severity::Warning,
    summary: "An image that is not pinned",
    pass: Pass::Objects(check),
    docs: r#"
## What

An image without a tag, or with the tag `latest`: of a workload, of a `container`, or in the object of a `manifest` block. A digest
(`@sha256:...`) or any other tag is fine.

## Why

Kubernetes takes `latest` for a missing tag, and pulls it whenever a pod starts. Hosts of one slice that start on different days run
different code, and nobody can go back to what ran before.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:latest"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

## Good

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "registry.example:5000/train:2.60.0"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
}
```

## Source

Kubernetes documentation on images: the default tag is `latest`, whose default pull policy is `Always`.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    let mut told = BTreeSet::new();
    for container in containers(manifests) {
        let image = container.text("image");
        let label = match tag(image) {
            Some("latest") => "the tag `latest`",
            None if !image.is_empty() => "no tag",
            _ => continue,
        };
        // One image in the head and the workers is one fault.
        if !told.insert((&container.manifest.addr, image)) {
            continue;
        }
        let place = container.place();
        let detail = format!("{image:?} in {place}: what it is may change from one start of a pod to the next.");
        let diag = found.in_object(stack, container.manifest, label).detail(detail);
        let help = "Write a tag that stays, or the digest: IMAGE@sha256:DIGEST.";
        found.push(diag.source("Kubernetes documentation on images").help(help));
    }
}

/// What pins an image: its digest, or its tag.
fn tag(image: &str) -> Option<&str> {
    if let Some((_, digest)) = image.split_once('@') {
        return Some(digest);
    }
    // A colon before a slash is a port of the registry's.
    let name = image.rsplit_once('/').map_or(image, |(_, name)| name);
    name.split_once(':').map(|(_, tag)| tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_no_tag() {
        assert_eq!(tag("registry:5000/train"), None);
        assert_eq!(tag("registry:5000/train:1"), Some("1"));
        assert_eq!(tag("train@sha256:0f"), Some("sha256:0f"));
        assert_eq!(tag("train:latest"), Some("latest"));
    }
}
