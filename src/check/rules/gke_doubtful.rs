//! A GKE version that one source calls too old.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::gke_needs::{needs, version};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "gke-doubtful",
    severity: Severity::Warning,
    summary: "A GKE version that one source calls too old",
    pass: Pass::Stack(check),
    docs: r#"
## What

Sources name different first versions for a TPU generation. The `version` of the cluster is new enough for one of them and
too old for another.

## Why

The node pool may be refused. `sliceform catalog conflicts` shows who says what.

## Bad

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  version  = "1.31.1-gke.2000000"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Good

```hcl
cluster "tpu" {
  project  = "demo"
  location = "us-east5"
  version  = "1.35"
}

slice "v6e" {
  cluster     = cluster.tpu
  zone        = "us-east5-b"
  accelerator = "v6e"
  topology    = "4x4"
}
```

## Source

GKE documentation, kubernetes-engine-samples and Cluster Toolkit, row by row: `sliceform catalog versions gke`.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for cluster in stack.clusters() {
        let Some(version) = version(cluster) else { continue };
        for need in needs(stack, cluster) {
            let Some(bound) = need.advised else { continue };
            if !version.value.may_be_at_least(&need.required) || version.value.may_be_at_least(&bound) {
                continue;
            }
            found.push(
                found
                    .found(version.span, format!("{} needs {bound}", need.what))
                    .also(need.span, "asked for here")
                    .detail(format!("Sources differ about {}: one of them wants a newer version.", need.what))
                    .source(need.source)
                    .help(format!("Write {bound} or later."))
                    .addr(&need.addr),
            );
        }
    }
}
