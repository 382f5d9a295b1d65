//! Names too long for what is made of them.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::uses::uses_of;
use crate::check::rules::subject::words::count;
use crate::facts::kuberay::{self, sources};
use crate::lower::name::SUFFIX_LENGTH;
use crate::resolve::stack::{Block, Head, Slice, Stack, Workload};

/// The rule.
pub const RULE: Rule = Rule {
    name: "name-too-long",
    severity: Severity::Error,
    summary: "A name too long for what is made of it",
    pass: Pass::Stack(check),
    docs: r#"
## What

KubeRay makes names of clusters, services and pods from the name of a job or service. So a RayJob or RayService has at most 47
characters, and 35 where its workers have several hosts. A `train` adds a suffix of 7 to its name.

## Why

KubeRay refuses more than 47. Between 35 and 47 something worse happens on several hosts: the TPU webhook cuts the name of the
headless service to 50 characters, KubeRay does not, and the hosts of a slice never find each other.

## Bad

```hcl
train "preference-optimisation-of-the-chat-model" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Good

```hcl
train "dpo-chat" {
  framework             = "pytorch"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.dpo:train_loop_per_worker"
}
```

## Source

KubeRay v1.7.0 `ray-operator/controllers/ray/utils/constant.go:372-385`, `common/service.go:300`; kuberay-tpu-webhook ef658db
`main.go:264-270`.
"#,
};

/// The longest label of a host's name (RFC 1035).
const MAX_LABEL: usize = 63;

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let diag = match block {
            Block::Train(train) => {
                let slice = train.slice.as_ref().and_then(|named| stack.slice(&named.value));
                object(stack, found, &train.head, &train.workload, slice, SUFFIX_LENGTH)
            }
            Block::Serve(serve) => {
                let slice = serve.slice.as_ref().and_then(|named| stack.slice(&named.value));
                object(stack, found, &serve.head, &serve.workload, slice, 0)
            }
            Block::Slice(slice) => group(stack, found, slice),
            _ => None,
        };
        if let Some(diag) = diag {
            found.push(diag);
        }
    }
}

/// The name of a RayJob or RayService.
fn object(
    stack: &Stack,
    found: &Findings,
    head: &Head,
    workload: &Workload,
    slice: Option<&Slice>,
    suffix: usize,
) -> Option<Diag> {
    let version = stack.kuberay_version(workload)?;
    let row = kuberay::row_for(&version.value).row()?;
    let length = head.name.chars().count() + suffix;
    let multi_host = slice.and_then(Slice::shape).is_some_and(|shape| shape.multi_host);
    let (cap, source) = if multi_host {
        (row.max_multi_host_job_name, sources::MAX_MULTI_HOST_JOB_NAME)
    } else {
        (row.max_job_name, sources::MAX_JOB_NAME)
    };
    if length <= cap {
        return None;
    }
    let sum = if suffix > 0 {
        format!("{} + {suffix} of the suffix = {length}", length - suffix)
    } else {
        length.to_string()
    };
    let why = if multi_host && length <= row.max_job_name {
        "On several hosts, the TPU webhook cuts the name of the service by which the hosts find each other, and KubeRay does not."
    } else {
        "KubeRay makes the names of clusters, pods and services from it, and refuses longer ones."
    };
    let room = cap.saturating_sub(suffix);
    Some(
        too_long(found, &head.name, head, room)
            .detail(format!("{sum} characters; at most {cap} fit. {why}"))
            .source(source.to_string()),
    )
}

/// The name of a slice: KubeRay's worker group, and so the beginning of each host's name.
fn group(stack: &Stack, found: &Findings, slice: &Slice) -> Option<Diag> {
    let shape = slice.shape().filter(|shape| shape.multi_host)?;
    let slices = uses_of(stack, slice).map(|taken| taken.num_slices.value);
    let last_slice = slices.max()?.saturating_sub(1).to_string();
    let last_host = shape.hosts.saturating_sub(1).to_string();
    let beside = last_slice.len() + last_host.len() + 2;
    let length = slice.head.name.chars().count() + beside;
    (length > MAX_LABEL).then(|| {
        too_long(found, &slice.head.name, &slice.head, MAX_LABEL - beside)
            .detail(format!(
                "KubeRay names the hosts NAME-SLICE-HOST, up to NAME-{last_slice}-{last_host}: {length} characters; a label of a host's name has at most {MAX_LABEL}."
            ))
            .source(sources::MAX_MULTI_HOST_CLUSTER_NAME.to_string())
    })
}

fn too_long(found: &Findings, name: &Spanned<String>, head: &Head, room: usize) -> Diag {
    let own = name.span.range().start >= head.span.range().end;
    let what = if own { "Write a name" } else { "Rename the block, or give it a `name`" };
    let length = u64::try_from(name.chars().count()).unwrap_or(u64::MAX);
    found
        .found(name.span, count(length, "character"))
        .help(format!("{what} of at most {room} characters."))
        .addr(&head.addr)
}
