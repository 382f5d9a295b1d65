//! Something that only a later Ray does.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::first_ray;
use crate::facts::ray::{self, Does, sources};
use crate::facts::source::Source;
use crate::fit::shape::Shape;
use crate::resolve::stack::{Block, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "ray-too-old",
    severity: Severity::Error,
    summary: "The pinned Ray does not do this",
    pass: Pass::Stack(check),
    docs: r#"
## What

The stack asks for something that Ray does from a later release than the pinned one on: `elastic` training on TPUs (2.55), or
workers on v5e or tpu7x slices that Ray scales (2.56).

## Why

An older Ray fails with a TypeError, or its autoscaler never starts a slice or ends.

## Bad

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  ray_version           = "2.54.0"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
  elastic {
    max_slices = 2
  }
}
```

## Good

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}

train "pretrain" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pretrain:train_loop_per_worker"
  elastic {
    max_slices = 2
  }
}
```

## Source

Ray 2.54.0 and 2.55.0 `train/v2/api/config.py`; Ray 2.60.0 `autoscaler/_private/kuberay/utils.py:13`.
"#,
};

/// What a block needs of Ray.
struct Need {
    /// Where the stack asks for it.
    span: Span,
    /// What it is, as a sentence begins with it.
    what: String,
    /// Whether a release does it.
    does: Does,
    source: Source,
}

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let pinned = block.workload().and_then(|workload| stack.ray_version(workload));
        let Some((pinned, row)) = pinned.and_then(|pinned| Some((pinned, ray::row_for(&pinned.value).row()?))) else {
            continue;
        };
        for need in needs(stack, block).into_iter().filter(|need| !(need.does)(row)) {
            let first = first_ray(need.does).unwrap_or_default();
            found.push(
                found
                    .found(need.span, format!("needs Ray {first}"))
                    .also(pinned.span, format!("{} here", pinned.value))
                    .detail(format!("{} works from Ray {first} on.", need.what))
                    .source(need.source.to_string())
                    .help(format!("Take images of Ray {first} or later and set ray_version to it; or take this out."))
                    .addr(&block.head().addr),
            );
        }
    }
}

fn needs(stack: &Stack, block: &Block) -> Vec<Need> {
    let shape = |slice: &Option<crate::base::span::Spanned<_>>| stack.slice(&slice.as_ref()?.value)?.shape();
    match block {
        Block::Train(train) => train
            .elastic
            .iter()
            .flat_map(|elastic| {
                let own = Need {
                    span: elastic.span,
                    what: "An elastic number of workers on TPUs".to_owned(),
                    does: |row| row.elastic_num_workers,
                    source: sources::ELASTIC_NUM_WORKERS,
                };
                let scales = elastic.min.value < elastic.max.value;
                let of_slices =
                    shape(&train.slice).filter(|_| scales).and_then(|shape| autoscaler(shape, elastic.span));
                std::iter::once(own).chain(of_slices)
            })
            .collect(),
        Block::RayCluster(cluster) => {
            let groups = cluster
                .groups
                .iter()
                .filter_map(|group| autoscaler(shape(&group.slice)?, group.autoscale.as_ref()?.span));
            groups.collect()
        }
        Block::Serve(serve) => {
            // Slices of several hosts stay up: Ray's autoscaler has nothing to do with them.
            let range = serve.models.iter().find_map(|model| model.autoscale.as_ref());
            let of_slices = range.zip(shape(&serve.slice).filter(|shape| !shape.multi_host));
            of_slices.and_then(|(range, shape)| autoscaler(shape, range.span)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// What Ray's autoscaler must know to start such slices.
fn autoscaler(shape: &Shape, span: Span) -> Option<Need> {
    let (does, source) = ray::scaling_of(shape.accelerator.id)?;
    Some(Need { span, what: format!("Scaling of {} slices by Ray", shape.accelerator.id), does, source })
}
