//! Names too long for what is made of them.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::uses::uses_of;
use crate::check::rules::subject::words::count;
use crate::facts::kuberay::{self, sources};
use crate::lower::name::SUFFIX_LENGTH;
use crate::resolve::stack::{Block, Head, Slice, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "name-too-long",
    severity: Severity::Error,
    summary: "A name too long for what is made of it",
    pass: Pass::Stack(check),
    docs: r#"
## What

KubeRay makes names of clusters, services and pods from the name of a job or service. So a RayJob or RayService has at most 47
characters, and 35 where its workers have several hosts; a RayCluster has 6 more. A `train` adds a suffix of 7 to its name.

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

/// Which object a name is of: what KubeRay makes of the name differs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    /// With the suffix of this length.
    Job(usize),
    CronJob,
    Cluster,
}

/// What a RayCronJob adds to its name for a job: a dash, eight digits of minutes, and room for two more. KubeRay checks it
/// from 1.7 on.
const CRON_SUFFIX: usize = 11;

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let diag = match block {
            Block::Train(train) if train.schedule.is_some() => object(stack, found, block, Object::CronJob),
            Block::Train(_) => object(stack, found, block, Object::Job(SUFFIX_LENGTH)),
            Block::Serve(_) => object(stack, found, block, Object::Job(0)),
            Block::RayCluster(_) => object(stack, found, block, Object::Cluster),
            Block::Slice(slice) => group(stack, found, slice),
            _ => None,
        };
        if let Some(diag) = diag {
            found.push(diag);
        }
    }
}

/// Whether some workers of a block have several hosts.
fn multi_host(stack: &Stack, block: &Block) -> bool {
    let own = |slice: &Slice| uses_of(stack, slice).any(|taken| taken.head.addr == block.head().addr);
    stack.slices().any(|slice| slice.shape().is_some_and(|shape| shape.multi_host) && own(slice))
}

/// The name of a RayJob, RayService or RayCluster.
fn object(stack: &Stack, found: &Findings, block: &Block, kind: Object) -> Option<Diag> {
    let head = block.head();
    let version = stack.kuberay_version(block.workload()?)?;
    let row = kuberay::row_for(&version.value).row()?;
    let suffix = if let Object::Job(suffix) = kind { suffix } else { 0 };
    let length = head.name.chars().count() + suffix;
    let multi_host = multi_host(stack, block);
    let (usual, several, sources) = match kind {
        Object::Job(_) => {
            (row.max_job_name, row.max_multi_host_job_name, [sources::MAX_JOB_NAME, sources::MAX_MULTI_HOST_JOB_NAME])
        }
        Object::CronJob => (
            row.max_cron_job_name.unwrap_or(row.max_job_name - CRON_SUFFIX),
            row.max_multi_host_cron_job_name,
            [sources::MAX_CRON_JOB_NAME, sources::MAX_MULTI_HOST_CRON_JOB_NAME],
        ),
        Object::Cluster => (
            row.max_cluster_name,
            row.max_multi_host_cluster_name,
            [sources::MAX_CLUSTER_NAME, sources::MAX_MULTI_HOST_CLUSTER_NAME],
        ),
    };
    let [of_usual, of_several] = sources;
    let (cap, source) = if multi_host { (several, of_several) } else { (usual, of_usual) };
    if length <= cap {
        return None;
    }
    let sum = if suffix > 0 {
        format!("{} + {suffix} of the suffix = {length}", length - suffix)
    } else {
        length.to_string()
    };
    let why = if multi_host && length <= usual {
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
