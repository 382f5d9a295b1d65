//! Something that only a later KubeRay knows.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::facts::kuberay::{self, Gate, KubeRay, sources};
use crate::facts::source::Source;
use crate::resolve::stack::{Block, ClusterUpgrade, Head, Stack, Train, UpgradeStrategy};

/// The rule.
pub const RULE: Rule = Rule {
    name: "kuberay-too-old",
    severity: Severity::Error,
    summary: "The pinned KubeRay does not know this",
    pass: Pass::Stack(check),
    docs: r#"
## What

The stack asks for something that KubeRay got in a later release than the pinned one: the incremental upgrade of a `serve` (1.5),
`upgrade = "recreate"` of a Ray cluster and `schedule` of a `train` (1.6), its `time_zone` (1.7).

## Why

The API server drops fields that the installed operator's CRD does not have, without a word.

## Bad

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.5.1"
}

ray_cluster "lab" {
  slice   = slice.v6e
  image   = "example/lab:1"
  upgrade = "recreate"
}
```

## Good

```hcl
ray_cluster "lab" {
  slice   = slice.v6e
  image   = "example/lab:1"
  upgrade = "recreate"
}
```

## Source

KubeRay tags v1.3.0 to v1.7.0, `ray-operator/apis/ray/v1` compared.
"#,
};

/// What a block needs of KubeRay.
struct Need {
    /// Where the stack asks for it.
    span: Span,
    /// What it is, as a sentence begins with it.
    what: &'static str,
    /// Whether a release has it.
    has: fn(&KubeRay) -> bool,
    source: Source,
}

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let pinned = block.workload().and_then(|workload| stack.kuberay_version(workload));
        let Some((pinned, row)) = pinned.and_then(|pinned| Some((pinned, kuberay::row_for(&pinned.value).row()?)))
        else {
            continue;
        };
        for need in needs(block).into_iter().filter(|need| !(need.has)(row)) {
            let first = kuberay::ROWS.iter().find(|row| (need.has)(row)).map_or_else(String::new, |row| {
                let (major, minor) = row.since.line();
                format!("{major}.{minor}")
            });
            let Head { addr, .. } = block.head();
            found.push(
                found
                    .found(need.span, format!("needs KubeRay {first}"))
                    .also(pinned.span, format!("{} here", pinned.value))
                    .detail(format!("{} came with KubeRay {first}.", need.what))
                    .source(need.source.to_string())
                    .help(format!(
                        "Set kuberay_version to {first} or later, and install that operator; or take it out."
                    ))
                    .addr(addr),
            );
        }
    }
}

fn needs(block: &Block) -> Vec<Need> {
    let need = match block {
        Block::Train(train) => return scheduled(train),
        Block::RayCluster(cluster) => {
            let recreate = cluster.upgrade.as_ref().filter(|upgrade| upgrade.value == ClusterUpgrade::Recreate);
            recreate.map(|upgrade| Need {
                span: upgrade.span,
                what: "`upgradeStrategy` of a RayCluster",
                has: |row| row.cluster_recreate,
                source: sources::CLUSTER_RECREATE,
            })
        }
        Block::Serve(serve) => matches!(serve.upgrade.value, UpgradeStrategy::Incremental { .. }).then(|| Need {
            span: serve.upgrade.span,
            what: "The incremental upgrade of a RayService",
            has: |row| row.incremental_upgrade != Gate::Absent,
            source: sources::INCREMENTAL_UPGRADE,
        }),
        _ => None,
    };
    need.into_iter().collect()
}

fn scheduled(train: &Train) -> Vec<Need> {
    let schedule = train.schedule.as_ref().map(|schedule| Need {
        span: schedule.span,
        what: "RayCronJob",
        has: |row| row.ray_cron_job != Gate::Absent,
        source: sources::RAY_CRON_JOB,
    });
    let zone = train.time_zone.as_ref().map(|zone| Need {
        span: zone.span,
        what: "The time zone of a RayCronJob",
        has: |row| row.cron_time_zone,
        source: sources::CRON_TIME_ZONE,
    });
    schedule.into_iter().chain(zone).collect()
}
