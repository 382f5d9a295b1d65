//! Fields that the operator heeds only with a feature gate.

use crate::base::diag::Severity;
use crate::check::kuberay::Fault;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::patched;
use crate::emit::Manifest;
use crate::facts::kuberay::{self, Gate, KubeRay, sources};
use crate::facts::source::Source;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "behind-feature-gate",
    severity: Severity::Warning,
    summary: "Off in this KubeRay unless its feature gate is on",
    pass: Pass::Objects(check),
    docs: r#"
## What

Some fields exist in the pinned KubeRay, and the operator refuses or passes over them unless it runs with a feature gate:
network policies, TLS, the history server and RocksDB of 1.7, deletion rules of 1.5.

## Why

A feature gate is an argument of the operator, which no stack sees. GKE's add-on runs without.

## Bad

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.7.0"
}

ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  slice = slice.v6e
  patch {
    target = "RayCluster"
    merge  = { spec = { networkPolicy = { mode = "DenyAllIngress" } } }
  }
}
```

## Good

```hcl
stack "example" {
  ray_version     = "2.60.0"
  kuberay_version = "1.7.0"
}

# allow: behind-feature-gate -- our operator runs with RayClusterNetworkPolicy
ray_cluster "dev" {
  image = "rayproject/ray:2.60.0"
  slice = slice.v6e
  patch {
    target = "RayCluster"
    merge  = { spec = { networkPolicy = { mode = "DenyAllIngress" } } }
  }
}
```

## Source

KubeRay `ray-operator/pkg/features/features.go` of v1.5.0 to v1.7.0.
"#,
};

/// A field, the gate before it, and what a release does with it.
struct Row {
    path: &'static [&'static str],
    /// The value that needs the gate; none: any.
    value: Option<&'static str>,
    gate: &'static str,
    column: fn(&KubeRay) -> Gate,
    source: Source,
}

const ROWS: &[Row] = &[
    Row {
        path: &["networkPolicy"],
        value: None,
        gate: "RayClusterNetworkPolicy",
        column: |row| row.network_policy,
        source: sources::NETWORK_POLICY,
    },
    Row {
        path: &["tlsOptions"],
        value: None,
        gate: "RayClusterMTLS",
        column: |row| row.tls_options,
        source: sources::TLS_OPTIONS,
    },
    Row {
        path: &["historyServerOptions"],
        value: None,
        gate: "RayClusterHistoryServer",
        column: |row| row.history_server,
        source: sources::HISTORY_SERVER,
    },
    Row {
        path: &["gcsFaultToleranceOptions", "backend"],
        value: Some("rocksdb"),
        gate: "GCSFaultToleranceEmbeddedStorage",
        column: |row| row.rocksdb,
        source: sources::ROCKSDB,
    },
    Row {
        path: &["deletionStrategy"],
        value: None,
        gate: "RayJobDeletionPolicy",
        column: |row| row.deletion_rules,
        source: sources::DELETION_RULES,
    },
];

/// Where a job or a cluster may stand in an object.
const PLACES: [&[&str]; 5] = [
    &["spec"],
    &["spec", "rayClusterSpec"],
    &["spec", "rayClusterConfig"],
    &["spec", "jobTemplate"],
    &["spec", "jobTemplate", "rayClusterSpec"],
];

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    for object in patched::objects(stack, manifests) {
        let row = object.kuberay.and_then(|version| kuberay::row_for(&version.value).row());
        let Some(known) = row else { continue };
        for row in ROWS.iter().filter(|row| (row.column)(known) == Gate::Alpha) {
            for place in PLACES {
                let path: Vec<&str> = place.iter().chain(row.path).copied().collect();
                let value = path.iter().fold(&object.manifest.tree, |value, key| &value[*key]);
                if value.is_null() || row.value.is_some_and(|wanted| value != wanted) {
                    continue;
                }
                let fault = Fault {
                    path: path.join("."),
                    says: format!("it needs the operator's feature gate {}", row.gate),
                    help: format!(
                        "Run the operator with --feature-gates={}=true, and allow this here; or take it out",
                        row.gate
                    ),
                };
                found.push(object.found(found, &fault).source(row.source.to_string()));
            }
        }
    }
}
