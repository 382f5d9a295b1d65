//! A workload that mounts, or runs as, what the stack makes in another namespace.

use crate::base::diag::Severity;
use crate::base::span::Span;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::{Block, MountSource, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "object-of-other-namespace",
    severity: Severity::Error,
    summary: "An object of another namespace than its workload",
    pass: Pass::Stack(check),
    docs: r#"
## What

The claim of a `volume`, the ConfigMap of `config_files` and the ServiceAccount of a `service_account` stand in the namespace of the
stack. A workload with a `namespace` of its own cannot use them.

## Why

Kubernetes looks for them in the pod's own namespace: the pod waits for an object that is not there, or is refused.

## Bad

```hcl
volume "cache" {
  size = "100Gi"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  namespace             = "research"
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  head {
    mount "cache" {
      volume = volume.cache
    }
  }
}
```

## Good

```hcl
volume "cache" {
  size = "100Gi"
}

train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  head {
    mount "cache" {
      volume = volume.cache
    }
  }
}
```

## Source

Kubernetes documentation: PersistentVolumeClaims, ConfigMaps and ServiceAccounts are objects of a namespace.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    let stacks = &stack.settings.namespace;
    for block in stack.blocks.values() {
        let Some(workload) = block.workload() else { continue };
        let Some(own) = workload.namespace.as_ref().filter(|own| own.value != stacks.value) else { continue };
        let mounts = block.mounts().filter_map(|mount| match &mount.source {
            Some(MountSource::Volume(addr) | MountSource::ConfigFiles(addr)) => Some((addr, mount.name.span)),
            _ => None,
        });
        let account = workload.service_account.as_ref().map(|named| (&named.value, named.span));
        let used: Vec<(_, Span)> = mounts.chain(account).collect();
        for (addr, span) in used {
            let made = match stack.blocks.get(addr) {
                Some(Block::Volume(volume)) => volume.size.is_some(),
                Some(Block::ConfigFiles(files)) => files.manage,
                Some(Block::ServiceAccount(account)) => account.manage,
                _ => false,
            };
            if !made {
                continue;
            }
            found.push(
                found
                    .found(span, format!("{addr} is made in {:?}", stacks.value))
                    .also(own.span, "another namespace")
                    .detail("Pods find claims, ConfigMaps and service accounts in their own namespace alone.")
                    .source("Kubernetes documentation on namespaces")
                    .help(format!(
                        "Take `namespace` out, or move the workload and {addr} into a stack with namespace = {:?}.",
                        own.value
                    ))
                    .addr(&block.head().addr),
            );
        }
    }
}
