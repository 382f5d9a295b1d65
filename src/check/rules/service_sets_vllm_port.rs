//! A Service whose name becomes a variable that vLLM reads.

use serde_json::Value;

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::pods::{Container, Pod, pods, text};
use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "service-sets-vllm-port",
    severity: Severity::Error,
    summary: "A Service whose name sets VLLM_PORT",
    pass: Pass::Objects(check),
    docs: r#"
## What

A Service called `vllm`, in the namespace of a pod that runs vLLM and takes the variables of Services. The pods of a `serve` block take
none; those of a `manifest` block do unless they say `enableServiceLinks: false` or set `VLLM_PORT` themselves.

## Why

Kubernetes gives each pod `VLLM_PORT=tcp://...` for a Service `vllm`. vLLM takes `VLLM_PORT` for the number of a port, and ends at its
start.

## Bad

```hcl
manifest "svc" {
  object = {
    apiVersion = "v1"
    kind       = "Service"
    metadata   = { name = "vllm" }
    spec       = { selector = { app = "web" }, ports = [{ port = 8000 }] }
  }
}

manifest "web" {
  object = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          containers = [{
            name    = "web"
            image   = "example/serve:1"
            command = ["vllm", "serve", "Qwen/Qwen3-8B"]
          }]
        }
      }
    }
  }
}
```

## Good

```hcl
manifest "svc" {
  object = {
    apiVersion = "v1"
    kind       = "Service"
    metadata   = { name = "vllm" }
    spec       = { selector = { app = "web" }, ports = [{ port = 8000 }] }
  }
}

manifest "web" {
  object = {
    apiVersion = "apps/v1"
    kind       = "Deployment"
    metadata   = { name = "web" }
    spec = {
      selector = { matchLabels = { app = "web" } }
      template = {
        metadata = { labels = { app = "web" } }
        spec = {
          enableServiceLinks = false
          containers = [{
            name    = "web"
            image   = "example/serve:1"
            command = ["vllm", "serve", "Qwen/Qwen3-8B"]
          }]
        }
      }
    }
  }
}
```

## Source

vLLM documentation on environment variables; vllm#34199.
"#,
};

/// The Service of which Kubernetes makes `VLLM_PORT`.
const SERVICE: &str = "vllm";
/// What vLLM reads.
const VARIABLE: &str = "VLLM_PORT";

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    let is_service = |manifest: &&Manifest| manifest.object.kind == "Service" && manifest.object.name == SERVICE;
    for service in manifests.iter().filter(is_service) {
        let takes = |pod: &Pod<'_>| {
            pod.manifest.object.namespace == service.object.namespace
                && pod.spec.get("enableServiceLinks").and_then(Value::as_bool) != Some(false)
                && pod.containers().iter().any(takes_the_port)
        };
        let Some(pod) = pods(manifests).into_iter().find(takes) else { continue };
        let (kind, name) = (&pod.manifest.object.kind, &pod.manifest.object.name);
        let why =
            format!("The pods of the {kind} {name:?} get {VARIABLE}=tcp://... from it; vLLM wants a number there.");
        let diag = found.in_object(stack, service, format!("a Service {SERVICE:?}")).detail(why);
        let help = "Give the Service another name, or the pods `enableServiceLinks: false`.";
        found.push(diag.source("vLLM documentation on environment variables; vllm#34199").help(help));
    }
}

/// Whether the container runs vLLM without a port of its own.
fn takes_the_port(container: &Container<'_>) -> bool {
    let words = ["command", "args"].into_iter().filter_map(|name| container.fields.get(name)?.as_array()).flatten();
    let mut texts = words.filter_map(Value::as_str).chain([container.text("image")]);
    texts.any(|text| text.contains("vllm")) && !container.objects("env").any(|env| text(env, "name") == VARIABLE)
}
