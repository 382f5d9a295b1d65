//! A port of the engine on which something else listens.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "port-taken",
    severity: Severity::Error,
    summary: "A port of the engine on which something else listens",
    pass: Pass::Stack(check),
    docs: r#"
## What

`data_parallel_rpc_port` and `master_port` are ports on which engines meet. They are neither the port of the endpoint nor one of
Ray's, nor each other's.

## Why

The second to come fails to bind the port, or waits for an answer that never comes.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    data_parallel_rpc_port = 8000
  }
}
```

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
    master_port          = 6379
  }
}
```

## Good

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "chat" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    data_parallel_rpc_port = 29550
  }
}
```

## Source

vLLM issue 20119; the ports of Ray 2.60.0 (`ray start`) and KubeRay.
"#,
};

/// Ports of Ray that its pods listen on.
const RAY: &[(u64, &str)] =
    &[(6379, "Ray's control service"), (8080, "Ray's metrics"), (8265, "Ray's dashboard"), (10001, "Ray's clients")];
/// The engine's own ports.
const PORTS: &[&str] = &["data_parallel_rpc_port", "master_port"];

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let mut taken: Vec<(u64, &str)> = vec![(u64::from(serve.port.value), "the endpoint")];
        taken.extend(RAY);
        for model in &serve.models {
            let mut taken = taken.clone();
            for name in PORTS {
                let Some(written) = model.engine.get(*name) else { continue };
                let Some(port) = written.as_u64() else { continue };
                if let Some((_, what)) = taken.iter().find(|(other, _)| *other == port) {
                    found.push(
                        found
                            .found(written.span, format!("{what} listens here"))
                            .detail(format!("Port {port} is that of {what}: one pod cannot listen on it twice."))
                            .source("vLLM issue 20119")
                            .help(format!("Take {name} out, or write a free port, such as 29550."))
                            .fix(written.span, "")
                            .addr(&serve.head.addr),
                    );
                }
                taken.push((port, name));
            }
        }
    }
}
