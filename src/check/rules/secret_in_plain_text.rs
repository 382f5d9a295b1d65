//! Tokens and keys that stand in an object as they are.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::base::diag::Severity;
use crate::base::secrets::{Secret, in_text, named};
use crate::check::rule::{Findings, Pass, Rule};

use crate::emit::Manifest;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "secret-in-plain-text",
    severity: Severity::Error,
    summary: "A secret in plain text",
    pass: Pass::Objects(check),
    docs: r#"
## What

A token, key or password in an environment variable, a command, a file or any other field: known by its form (`hf_...`, `ghp_...`,
`AKIA...`, a PEM private key), or a long random text under a name such as `HF_TOKEN`, `WANDB_API_KEY` or `DB_PASSWORD`. Paths, names,
references (`$(NAME)`) and placeholders are fine. The message does not show the secret.

## Why

What a stack becomes is committed and read by many: whoever sees the repository, its history or the pod has the secret. The history
keeps it even where a later commit takes it out.

## Bad

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  env = {
    HF_TOKEN = "hf_EXAMPLEaBcDeFgHiJkLmNoPqRsTuVwXyZ0123"
  }
}
```

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  head {
    container "sync" {
      image   = "example/sync:1"
      command = ["sh", "-c", "WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567 exec sync"]
    }
  }
}
```

## Good

```hcl
train "pre" {
  framework             = "jax"
  slice                 = slice.v6e
  image                 = "example/train:1"
  train_loop_per_worker = "recipes.pre:train_loop_per_worker"
  env = {
    TOKENIZER_PATH = "/data/qwen3/tokenizer.json"
    PAD_TOKEN      = "<|endoftext|>"
    SSH_KEY        = "/secrets/id_ed25519"
    TOKEN_SECRET   = "hf-token-of-the-research-team"
  }
  secret_env = {
    HF_TOKEN = secret.hf.token
  }
}
```

## Source

Kubernetes documentation on Secrets; the forms are those that Hugging Face, GitHub, GitLab, AWS, Google and Slack document.
"#,
};

fn check(stack: &Stack, manifests: &[Manifest], found: &mut Findings) {
    // One value in several fields or objects of a block is one secret.
    let mut told = BTreeSet::new();
    for manifest in manifests {
        let mut leaks = Vec::new();
        walk(&manifest.tree, String::new(), &mut leaks);
        for (place, secret) in leaks.into_iter().filter(|(_, secret)| told.insert((&manifest.addr, secret.text))) {
            let (kind, name) = (&manifest.object.kind, &manifest.object.name);
            let detail = format!("{} of the {kind} {name:?} holds {}, for all who read it.", place, secret.what);
            let diag = found.in_object(stack, manifest, format!("holds {}", secret.what)).detail(detail);
            let help = "Take it out, and withdraw it where it was issued. Put a new one into a Secret, name that in a \
                        `secret` block, and give pods its keys with `secret_env` or a `mount`.";
            found.push(diag.source("Kubernetes documentation on Secrets").help(help));
        }
    }
}

/// The texts below a value that hold a secret, each with its path.
fn walk<'a>(value: &'a Value, path: String, leaks: &mut Vec<(String, Secret<'a>)>) {
    match value {
        Value::String(text) => leaks.extend(in_text(text).map(|secret| (path, secret))),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                // A list of variables is read by name.
                let name = item.get("name").and_then(Value::as_str);
                walk(item, format!("{path}[{}]", name.map_or_else(|| at.to_string(), str::to_owned)), leaks);
            }
        }
        Value::Object(fields) => {
            for (key, item) in fields {
                let below = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                // The value of a variable; otherwise a map of them.
                let name = fields.get("name").and_then(Value::as_str).filter(|_| key == "value").unwrap_or(key);
                match item.as_str().filter(|text| in_text(text).is_none()).and_then(|text| named(name, text)) {
                    Some(secret) => leaks.push((below, secret)),
                    None => walk(item, below, leaks),
                }
            }
        }
        _ => (),
    }
}
