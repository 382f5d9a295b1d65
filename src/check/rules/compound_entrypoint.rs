//! An entrypoint that the submitter's shell would take apart.

use crate::base::diag::Severity;
use crate::check::rule::{Findings, Pass, Rule};
use crate::resolve::stack::{Block, Program, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "compound-entrypoint",
    severity: Severity::Error,
    summary: "An entrypoint whose second half runs elsewhere",
    pass: Pass::Stack(check),
    docs: r#"
## What

The `entrypoint` of a job is one command: no `;`, `&&`, `||`, `&`, `|`, `<`, `>`, backtick or `$(` outside quotes.

## Why

KubeRay puts the entrypoint behind `ray job submit --` in a shell of the submitter's pod. The shell takes the line apart: what
follows a `;` or `&&` runs in that pod, which has no slice, and the job's end is not what is waited for.

## Bad

```hcl
train "pre" {
  framework  = "jax"
  slice      = slice.v6e
  image      = "example/train:1"
  entrypoint = "python3 prepare.py && python3 train.py"
}
```

## Good

```hcl
train "pre" {
  framework  = "jax"
  slice      = slice.v6e
  image      = "example/train:1"
  entrypoint = "bash -c 'python3 prepare.py && python3 train.py'"
}
```

## Source

KubeRay v1.7.0 `common/job.go:205`; issues 3561, 3764, 3802 and 3929 of ray-project/kuberay.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for block in stack.blocks.values() {
        let Block::Train(train) = block else { continue };
        let Some(Program::Entrypoint(entrypoint)) = &train.program else { continue };
        let Some(token) = operator(entrypoint) else { continue };
        let quoted =
            if entrypoint.contains('\'') { String::new() } else { format!(": bash -c '{}'", entrypoint.value) };
        found.push(
            found
                .found(entrypoint.span, format!("`{token}` is read by the submitter's shell"))
                .detail("KubeRay submits the line through a shell in a pod of its own, without a slice; what follows runs there.")
                .source("KubeRay v1.7.0 ray-operator/controllers/ray/common/job.go:205")
                .help(format!("Wrap it in a shell of the job's own{quoted}."))
                .addr(&train.head.addr),
        );
    }
}

/// The first token of a shell line that makes more of it than one command.
fn operator(line: &str) -> Option<&'static str> {
    const TOKENS: [&str; 9] = ["&&", "||", "$(", ";", "&", "|", "`", "<", ">"];
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in line.char_indices() {
        let rest = line.get(at..).unwrap_or_default();
        let token = TOKENS.into_iter().find(|token| rest.starts_with(token));
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), _) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if token.is_some() => return token,
            // Double quotes keep the shell from all but these.
            (Some('"'), '`' | '$') if token.is_some_and(|token| matches!(token, "`" | "$(")) => return token,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_takes_apart_is_found() {
        for (line, token) in [
            ("a && b", Some("&&")),
            ("a; b", Some(";")),
            ("a | tee log", Some("|")),
            ("a $(date)", Some("$(")),
            ("a \"$(date)\"", Some("$(")),
            ("a \"`date`\"", Some("`")),
            ("a > log", Some(">")),
            ("bash -c 'a && b'", None),
            ("python3 -c \"print(1); x = a | b\"", None),
            ("a \\; b", None),
            ("a --name \"x & y\" $HOME", None),
            ("a --flag='$(x)' é", None),
        ] {
            assert_eq!(operator(line), token, "{line}");
        }
    }
}
