//! Names that Kubernetes, KubeRay, GKE or Cloud Storage refuse.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::{Block, Head, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "illegal-object-name",
    severity: Severity::Error,
    summary: "A name that the object may not have",
    pass: Pass::Stack(check),
    docs: r#"
## What

The name of a block, or its `name`, becomes the name of an object: a RayJob or RayService (KubeRay wants lower-case letters,
digits and `-`, and a letter first), a worker group, a GKE cluster, a bucket, a Kubernetes service account or Secret. An
underscore in a block's name becomes `-`.

## Why

The API server, KubeRay or Google Cloud refuse the object. A worker group with capitals is worse: its pods get other names than
its hosts look for.

## Bad

```hcl
train "DPO" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
train "dpo" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

KubeRay v1.7.0 `ray-operator/controllers/ray/utils/validation.go:37,533,632`; Kubernetes documentation on object names; Cloud
Storage documentation on bucket names; GKE documentation on cluster names.
"#,
};

/// What a name may be made of.
struct Form {
    /// In words.
    words: &'static str,
    /// What may stand in it beside lower-case letters and digits.
    marks: &'static [char],
    /// Whether a digit may come first.
    digit_first: bool,
    /// The most characters.
    longest: usize,
}

/// A DNS label of RFC 1035: what KubeRay wants of its objects, and GKE of clusters.
const LABEL: Form = Form {
    words: "lower-case letters, digits and `-`, a letter first",
    marks: &['-'],
    digit_first: false,
    longest: 63,
};
/// A DNS subdomain: most other objects of Kubernetes.
const SUBDOMAIN: Form =
    Form { words: "lower-case letters, digits, `-` and `.`", marks: &['-', '.'], digit_first: true, longest: 253 };
/// A bucket.
const BUCKET: Form = Form {
    words: "lower-case letters, digits, `-`, `_` and `.`",
    marks: &['-', '_', '.'],
    digit_first: true,
    longest: 222,
};

impl Form {
    fn allows(&self, name: &str) -> bool {
        let edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        (1..=self.longest).contains(&name.len())
            && name.chars().all(|c| edge(c) || self.marks.contains(&c))
            && name.starts_with(|c: char| c.is_ascii_lowercase() || (self.digit_first && c.is_ascii_digit()))
            && name.ends_with(edge)
    }

    /// The nearest name of this form.
    fn repaired(&self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let kept: String =
            lower.chars().map(|c| if c.is_ascii_alphanumeric() || self.marks.contains(&c) { c } else { '-' }).collect();
        let kept = kept.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
        self.allows(&kept).then_some(kept)
    }
}

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let (form, what) = match block {
            Block::Train(_) => (&LABEL, "RayJob"),
            Block::Serve(_) => (&LABEL, "RayService"),
            Block::RayCluster(_) => (&LABEL, "RayCluster"),
            Block::Slice(_) | Block::Nodes(_) => (&LABEL, "worker group"),
            Block::Cluster(_) => (&LABEL, "GKE cluster"),
            Block::Bucket(_) => (&BUCKET, "bucket"),
            Block::Volume(_) => (&SUBDOMAIN, "PersistentVolumeClaim"),
            Block::ConfigFiles(_) => (&SUBDOMAIN, "ConfigMap"),
            // One becomes no object; the other's name is the object's own affair, and its schema's.
            Block::Model(_) | Block::Manifest(_) => continue,
            Block::Secret(_) => (&SUBDOMAIN, "Secret"),
            Block::ServiceAccount(_) => (&SUBDOMAIN, "service account"),
        };
        let head = block.head();
        if !form.allows(&head.name) {
            found.push(object(found, head, form, what));
        }
    }
}

fn object(found: &Findings, head: &Head, form: &Form, what: &str) -> Diag {
    let diag = words(found, &head.name, form, what).addr(&head.addr);
    let own = head.name.span.range().start >= head.span.range().end;
    match (form.repaired(&head.name), own) {
        (Some(name), true) => diag.help(format!("Write name = \"{name}\".")).fix(head.name.span, format!("\"{name}\"")),
        (Some(name), false) => diag.help(format!("Rename the block, or add name = \"{name}\".")),
        (None, _) => diag,
    }
}

fn words(found: &Findings, name: &Spanned<String>, form: &Form, what: &str) -> Diag {
    found.found(name.span, format!("not the name of a {what}")).detail(format!(
        "A {what}'s name is made of {}, with a letter or digit at both ends, and has at most {} characters.",
        form.words, form.longest
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_allow_what_their_systems_allow() {
        for good in ["a", "v6e", "dpo-chat-2"] {
            assert!(LABEL.allows(good), "{good}");
        }
        for bad in ["", "-a", "a-", "1a", "A", "a_b", "a.b", "é", &"a".repeat(64)] {
            assert!(!LABEL.allows(bad), "{bad}");
        }
        assert!(SUBDOMAIN.allows("a.b") && BUCKET.allows("a_b.c"));
        assert_eq!(LABEL.repaired("My Job!").as_deref(), Some("my-job"));
        assert_eq!(LABEL.repaired("9lives"), None);
    }
}
