//! The environment of a container: derived, from the workload and from its role, in an order in which a `$(NAME)` follows
//! what it names.

use std::collections::BTreeMap;

use crate::lower::config_files;
use crate::lower::intent::pod::{Env, EnvFrom, EnvValue};
use crate::resolve::stack::{Block, Environment, SecretKey, Stack};

/// The variables of a container. A role's value wins over the workload's, and both over a derived one.
pub fn variables(stack: &Stack, derived: Vec<Env>, workload: &Environment, role: &Environment) -> Vec<Env> {
    let mut env = derived;
    let mut put = |name: &str, value: EnvValue| match env.iter_mut().find(|known| known.name == name) {
        Some(known) => known.value = value,
        None => env.push(Env { name: name.to_owned(), value }),
    };
    let of_role = |name: &str| role.named().any(|(own, ..)| own == name);
    for (level, own) in [(workload, false), (role, true)] {
        for (name, key) in level.secrets.iter().filter(|(name, _)| own || !of_role(name)) {
            if let Some(value) = secret_value(stack, key) {
                put(name, value);
            }
        }
    }
    for (level, own) in [(workload, false), (role, true)] {
        for (name, path) in level.fields.iter().filter(|(name, _)| own || !of_role(name)) {
            put(name, EnvValue::Field(path.value.clone()));
        }
    }
    for (level, own) in [(workload, false), (role, true)] {
        for (name, text) in level.values.iter().filter(|(name, _)| own || !of_role(name)) {
            put(name, EnvValue::Plain(text.value.clone()));
        }
    }
    ordered(&env, has_sources(workload, role)).unwrap_or_else(|circle| circle.env)
}

/// Whole secrets as environment: the workload's, then the role's.
pub fn sources(stack: &Stack, workload: &Environment, role: &Environment) -> Vec<EnvFrom> {
    let blocks = workload.from.iter().chain(&role.from).filter_map(|addr| stack.blocks.get(&addr.value));
    let mut sources = Vec::new();
    for block in blocks {
        let source = match block {
            Block::Secret(secret) => {
                EnvFrom::Secret { name: secret.head.name.value.clone(), optional: secret.optional }
            }
            Block::ConfigFiles(files) => EnvFrom::ConfigMap(config_files::object_name(files)),
            _ => continue,
        };
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// The derived variables that the stack gives another value.
pub fn overridden<'a>(
    derived: &'a [Env],
    workload: &'a Environment,
    role: &'a Environment,
) -> impl Iterator<Item = &'a str> {
    let given = |name: &str| workload.named().chain(role.named()).any(|(own, ..)| own == name);
    derived.iter().map(|env| env.name.as_str()).filter(move |name| given(name))
}

/// Whether variables come from elsewhere too, so that one may name a value that it replaces.
fn has_sources(workload: &Environment, role: &Environment) -> bool {
    !workload.from.is_empty() || !role.from.is_empty()
}

fn secret_value(stack: &Stack, key: &SecretKey) -> Option<EnvValue> {
    let Some(Block::Secret(secret)) = stack.blocks.get(&key.secret) else { return None };
    Some(EnvValue::SecretKey { name: secret.head.name.value.clone(), key: key.key.clone(), optional: secret.optional })
}

/// Variables that name each other in a circle.
pub struct Circle {
    /// The names, each naming the next, and the last the first.
    pub names: Vec<String>,
    /// All variables, as well ordered as they can be.
    env: Vec<Env>,
}

/// The circle in a container's variables, if there is one.
pub fn circle(stack: &Stack, derived: Vec<Env>, workload: &Environment, role: &Environment) -> Option<Circle> {
    ordered(&variables(stack, derived, workload, role), has_sources(workload, role)).err()
}

/// The variables, each after those that it names and else in the order given: Kubernetes expands a `$(NAME)` only from
/// what stands before it.
fn ordered(env: &[Env], may_name_itself: bool) -> Result<Vec<Env>, Circle> {
    let places: BTreeMap<&str, usize> = env.iter().enumerate().map(|(place, env)| (env.name.as_str(), place)).collect();
    let needs = |place: usize| -> Vec<usize> {
        let EnvValue::Plain(text) = &env[place].value else { return Vec::new() };
        let named = names_in(text).filter_map(|name| places.get(name).copied());
        named.filter(|named| !(may_name_itself && *named == place)).collect()
    };
    let mut order: Vec<usize> = Vec::with_capacity(env.len());
    let mut entered = vec![false; env.len()];
    let mut left = vec![false; env.len()];
    let mut circle = None;
    for start in 0..env.len() {
        if entered[start] {
            continue;
        }
        // A walk of its own and not a recursion: a chain may be as long as the file.
        entered[start] = true;
        let mut path = vec![(start, needs(start).into_iter())];
        while let Some((place, open)) = path.last_mut() {
            match open.next() {
                Some(next) if !entered[next] => {
                    entered[next] = true;
                    path.push((next, needs(next).into_iter()));
                }
                Some(next) if !left[next] && circle.is_none() => {
                    let from = path.iter().position(|(place, _)| *place == next).unwrap_or(0);
                    circle = Some(path[from..].iter().map(|(place, _)| env[*place].name.clone()).collect());
                }
                Some(_) => {}
                None => {
                    left[*place] = true;
                    order.push(*place);
                    path.pop();
                }
            }
        }
    }
    let sorted = order.into_iter().map(|place| env[place].clone()).collect();
    match circle {
        None => Ok(sorted),
        Some(names) => Err(Circle { names, env: sorted }),
    }
}

/// The names in a text that Kubernetes would expand: `$(NAME)`, but not `$$(NAME)`.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let after = &rest[rest.find('$')? + 1..];
            if let Some(escaped) = after.strip_prefix('$') {
                rest = escaped;
            } else if let Some((name, tail)) = after.strip_prefix('(').and_then(|inner| inner.split_once(')')) {
                rest = tail;
                return Some(name);
            } else {
                rest = after;
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(env: Vec<Env>) -> String {
        env.into_iter().map(|env| env.name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_variable_follows_what_it_names_and_nothing_else_moves() {
        let env = |pairs: &[(&str, &str)]| -> Vec<Env> {
            pairs.iter().map(|(name, value)| Env::plain(*name, *value)).collect()
        };
        let order = |pairs: &[(&str, &str)]| ordered(&env(pairs), false).map_err(|circle| circle.names.join(" -> "));
        let sorted = |pairs| names(order(pairs).unwrap());
        assert_eq!(sorted(&[("B", "1"), ("A", "2")]), "B A");
        assert_eq!(sorted(&[("A", "$(B)/$(C)"), ("B", "$(C)"), ("C", "x")]), "C B A");
        assert_eq!(sorted(&[("A", "$$(B)"), ("B", "x"), ("C", "$(NOWHERE) $( $")]), "A B C");
        assert_eq!(order(&[("A", "$(B)"), ("B", "$(A)"), ("C", "")]).unwrap_err(), "A -> B");
        assert_eq!(order(&[("P", "$(P):/bin")]).unwrap_err(), "P");
        assert!(ordered(&env(&[("P", "$(P):/bin")]), true).is_ok());
        let long: Vec<Env> = (0..100_000).map(|i| Env::plain(format!("V{i}"), format!("$(V{})", i + 1))).collect();
        assert_eq!(ordered(&long, false).map(|env| env[0].name.clone()).ok().as_deref(), Some("V99999"));
    }
}
