//! A deployment of an application that Ray Serve doesn't take, or takes less of than is written.

use serde_json::{Map, Value};

use crate::base::diag::Severity;
use crate::base::suggest;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::ray_of;
use crate::facts::ray::serve::{ACTOR_OPTIONS, AUTOSCALING, DEPLOYMENT, Key, SCHEMA};
use crate::facts::version::Version;
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "deployment-not-taken",
    severity: Severity::Error,
    summary: "A deployment that Ray Serve does not take as it is written",
    pass: Pass::Stack(check),
    docs: r#"
## What

`deployments` of an application are passed to Ray Serve as they are. Their keys, and those of `ray_actor_options` and
`autoscaling_config`, must be ones that the pinned Ray has; `num_replicas` and `autoscaling_config` exclude each other, as
`max_replicas_per_node` and `placement_group_bundles` do; `min_replicas` is at most `max_replicas`; each name stands once.

## Why

Ray Serve ignores a key that it does not know, without a word: a misspelt `num_replicas` leaves one replica. What it refuses, it
refuses when the application is deployed, with the slice already up.

## Bad

```hcl
serve "app" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  application "a" {
    import_path = "app:main"
    deployments = [{ name = "main", num_replica = 2 }]
  }
}
```

```hcl
serve "app" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  application "a" {
    import_path = "app:main"
    deployments = [{ name = "main", num_replicas = 2, autoscaling_config = { min_replicas = 3, max_replicas = 2 } }]
  }
}
```

## Good

```hcl
serve "app" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  application "a" {
    import_path = "app:main"
    deployments = [{ name = "main", autoscaling_config = { min_replicas = 1, max_replicas = 2 } }]
  }
}
```

## Source

Ray 2.54.0 to 2.60.0 `serve/schema.py`, `serve/config.py`.
"#,
};

/// What is wrong: a label, what and why, and what to do.
type Fault = (String, String, String);

fn check(stack: &Stack, found: &mut Findings) {
    for serve in stack.serves() {
        let ray = ray_of(stack, serve).map(|row| &row.since);
        for app in &serve.applications {
            let mut names: Vec<&str> = Vec::new();
            for deployment in &app.deployments {
                let name = deployment.get("name").and_then(Value::as_str).unwrap_or_default();
                let mut faults = faults(deployment, ray);
                if names.contains(&name) {
                    faults.push((
                        format!("{name:?} twice"),
                        format!("Two deployments are called {name:?}: only one of them would count."),
                        "Write one, with all that they say.".to_owned(),
                    ));
                }
                names.push(name);
                for (label, detail, help) in faults {
                    let diag =
                        found.found(app.deployments_span, label).detail(format!("Deployment {name:?}: {detail}"));
                    found.push(diag.source(SCHEMA.to_string()).help(help).addr(&serve.head.addr));
                }
            }
        }
    }
}

fn faults(deployment: &Map<String, Value>, ray: Option<&Version>) -> Vec<Fault> {
    let mut found = unknown(deployment, DEPLOYMENT, ray);
    for (name, keys) in [("ray_actor_options", ACTOR_OPTIONS), ("autoscaling_config", AUTOSCALING)] {
        found.extend(object(deployment, name).into_iter().flat_map(|inner| unknown(inner, keys, ray)));
    }
    let has = |name: &str| deployment.get(name).is_some_and(|value| !value.is_null());
    let fixed = deployment.get("num_replicas").is_some_and(Value::is_number);
    for (first, second, holds) in [
        ("num_replicas", "autoscaling_config", fixed),
        ("max_replicas_per_node", "placement_group_bundles", has("max_replicas_per_node")),
    ] {
        if holds && has(second) {
            found.push((
                format!("{first} and {second}"),
                format!("Ray Serve takes `{first}` or `{second}`, not both."),
                format!("Take {first} or {second} out."),
            ));
        }
    }
    found.extend(object(deployment, "autoscaling_config").and_then(range));
    found
}

fn object<'a>(deployment: &'a Map<String, Value>, name: &str) -> Option<&'a Map<String, Value>> {
    deployment.get(name).and_then(Value::as_object)
}

/// Keys that Ray does not have, and numbers that it does not take.
fn unknown(given: &Map<String, Value>, keys: &[Key], ray: Option<&Version>) -> Vec<Fault> {
    let mut found = Vec::new();
    for (name, value) in given {
        let Some(key) = keys.iter().find(|key| key.name == name) else {
            let nearest = suggest::nearest(name, keys.iter().map(|key| key.name));
            found.push((
                format!("`{name}` is no key"),
                format!("Ray Serve has no `{name}`, and ignores it without a word."),
                nearest.map_or_else(|| "Take it out.".to_owned(), |nearest| format!("Write {nearest}.")),
            ));
            continue;
        };
        if let Some((since, ray)) = key.since.as_ref().zip(ray).filter(|(since, ray)| since > ray) {
            let ((major, minor), (_, pinned)) = (since.line(), ray.line());
            found.push((
                format!("comes with Ray {major}.{minor}"),
                format!("`{name}` came with Ray {major}.{minor}: {major}.{pinned} ignores it without a word."),
                format!("Take it out, or pin Ray {major}.{minor}."),
            ));
        }
        if let Some((least, most)) = key.numbers
            && let Some(number) = value.as_f64().filter(|number| !(least..=most).contains(number))
        {
            let bound = match (number < least, least) {
                (true, f64::MIN_POSITIVE) => "more than 0".to_owned(),
                (true, _) => format!("{least} or more"),
                (false, _) => format!("at most {most}"),
            };
            found.push((
                format!("{name} = {number}"),
                format!("`{name}` is {bound}; not {number}."),
                format!("Write a number that is {bound}, or take it out."),
            ));
        }
    }
    found
}

/// Replicas that are fewer than the fewest or more than the most; Ray's default for both is 1.
fn range(given: &Map<String, Value>) -> Option<Fault> {
    let number = |name: &str, usual: u64| given.get(name).map_or(Some(usual), Value::as_u64);
    let (min, max) = (number("min_replicas", 1)?, number("max_replicas", 1)?);
    let first = given.get("initial_replicas").and_then(Value::as_u64);
    let detail = if min > max {
        format!("`min_replicas` is {min}, and `max_replicas` {max} (1 where it is left out).")
    } else {
        let first = first.filter(|first| !(min..=max).contains(first))?;
        format!("`initial_replicas` is {first}, and not between {min} and {max}.")
    };
    Some((
        "replicas out of order".to_owned(),
        detail,
        "Write min_replicas <= initial_replicas <= max_replicas.".to_owned(),
    ))
}
