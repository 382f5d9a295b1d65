//! `patch` blocks, applied to what their blocks became: the last change before the self-check.

use serde_json::{Map, Value};

use crate::base::diag::{Diag, Diags};
use crate::emit::{Executor, Manifest, json_patch, terraform_json, with_tree};
use crate::lower::name;
use crate::resolve::stack::{Block, Patch, PatchBody, Scope, Stack};

/// The name under which problems of patches are told.
pub const RULE: &str = "patch";

/// Lists whose items have names, and the field that names them.
const NAMED: &[(&str, &str)] = &[
    ("containers", "name"),
    ("env", "name"),
    ("ephemeralContainers", "name"),
    ("imagePullSecrets", "name"),
    ("initContainers", "name"),
    ("ports", "containerPort"),
    ("resourceClaims", "name"),
    ("volumeMounts", "mountPath"),
    ("volumes", "name"),
    ("workerGroupSpecs", "groupName"),
];

/// Applies every patch of the stack; what can't be applied is told, and its object stays as it was.
pub fn apply(stack: &Stack, manifests: &mut [Manifest]) -> Diags {
    let mut diags = Diags::default();
    for block in stack.blocks.values() {
        let head = block.head();
        for patch in &head.patches {
            let own: Vec<usize> = (0..manifests.len()).filter(|at| manifests[*at].addr == head.addr).collect();
            if let Err(diag) = one(patch, block, &own, manifests) {
                diags.push(diag.addr(&head.addr));
            }
        }
    }
    diags
}

fn fault(patch: &Patch, summary: &str, label: impl Into<String>) -> Diag {
    Diag::error(RULE, summary).at(patch.span, label)
}

fn one(patch: &Patch, block: &Block, own: &[usize], manifests: &mut [Manifest]) -> Result<(), Diag> {
    let targets = targets(patch, own, manifests)?;
    let mut changed = false;
    for at in targets {
        let Some(manifest) = manifests.get_mut(at) else { continue };
        let mut tree = manifest.tree.clone();
        for place in places(&patch.scope, manifest) {
            let Some(value) = tree.pointer_mut(&place) else { continue };
            change(&patch.body, value).map_err(|why| fault(patch, "A patch that does not apply", why))?;
        }
        if tree == manifest.tree {
            continue;
        }
        changed = true;
        if identity(manifest, &tree) != identity(manifest, &manifest.tree) {
            let diag = fault(patch, "A patch may not change what an object is", "another name, place, kind or owner");
            return Err(
                diag.help("Kind, name, namespace and the marks of ownership stay: set them by the block's attributes.")
            );
        }
        rewrite(manifest, tree).map_err(|why| fault(patch, "A patch that can't be written", why))?;
    }
    if changed {
        return Ok(());
    }
    let diag = Diag::warning(RULE, "A patch that changes nothing").at(patch.span, "all of it is so already");
    Err(diag.help(format!("Take it out: {} is as it says without it.", block.head().addr)))
}

/// The objects that a patch is for, by their places in the list.
fn targets(patch: &Patch, own: &[usize], manifests: &[Manifest]) -> Result<Vec<usize>, Diag> {
    let of = |at: &usize| manifests.get(*at).map(|manifest| &manifest.object);
    let names = |kind_only: bool| {
        let mut names: Vec<String> = own
            .iter()
            .filter_map(of)
            .map(|object| if kind_only { object.kind.clone() } else { format!("{}/{}", object.kind, object.name) })
            .collect();
        names.dedup();
        names.join(", ")
    };
    let Scope::Object(target) = &patch.scope else {
        let ray = |at: &usize| of(at).is_some_and(|object| ray_spec(&object.kind).is_some());
        return Ok(own.iter().copied().filter(ray).collect());
    };
    let Some(target) = target else {
        return match own {
            [] => Err(fault(patch, "A patch of a block without objects", "nothing to change")),
            [one] => Ok(vec![*one]),
            _ => Err(fault(patch, "A patch must say which object it is for", "several objects")
                .help(format!("Write target = one of: {}.", names(false)))),
        };
    };
    let (kind, name) = match target.split_once('/') {
        Some((kind, name)) => (kind, Some(name)),
        None => (target.as_str(), None),
    };
    let fits = |at: &usize| {
        of(at).is_some_and(|object| {
            let own_name = || object.name == name.unwrap_or_default();
            let before_hash = || name::without_suffix(&object.name) == name;
            object.kind.eq_ignore_ascii_case(kind) && (name.is_none() || own_name() || before_hash())
        })
    };
    let found: Vec<usize> = own.iter().copied().filter(fits).collect();
    if found.is_empty() {
        let diag =
            Diag::error(RULE, "A patch of an object that the block does not become").at(target.span, "not one of them");
        let list = if own.is_empty() { "none".to_owned() } else { names(false) };
        return Err(diag.help(format!("The block becomes: {list}.")));
    }
    Ok(found)
}

/// Where the Ray cluster of an object stands.
fn ray_spec(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "RayCluster" => "/spec",
        "RayCronJob" => "/spec/jobTemplate/rayClusterSpec",
        "RayJob" => "/spec/rayClusterSpec",
        "RayService" => "/spec/rayClusterConfig",
        _ => return None,
    })
}

/// The parts of an object that a patch is for, as JSON Pointers.
fn places(scope: &Scope, manifest: &Manifest) -> Vec<String> {
    let object = &manifest.object;
    let spec = ray_spec(&object.kind).unwrap_or_default();
    match scope {
        Scope::Object(_) if manifest.executor == Executor::Terraform => {
            let escape = |name: &str| name.replace('~', "~0").replace('/', "~1");
            vec![format!("/resource/{}/{}", escape(&object.kind), escape(&object.name))]
        }
        Scope::Object(_) => vec![String::new()],
        Scope::Head => vec![format!("{spec}/headGroupSpec/template")],
        Scope::Workers(wanted) => {
            let groups = manifest.tree.pointer(&format!("{spec}/workerGroupSpecs")).and_then(Value::as_array);
            let named = |group: &Value| {
                wanted.as_ref().is_none_or(|name| group.get("groupName").and_then(Value::as_str) == Some(name))
            };
            let all = groups.into_iter().flatten().enumerate();
            all.filter(|(_, group)| named(group))
                .map(|(at, _)| format!("{spec}/workerGroupSpecs/{at}/template"))
                .collect()
        }
    }
}

fn change(body: &PatchBody, value: &mut Value) -> Result<(), String> {
    match body {
        PatchBody::Merge(patch) => {
            merge(value, patch, None);
            Ok(())
        }
        PatchBody::Operations(operations) => operations.iter().enumerate().try_for_each(|(index, operation)| {
            json_patch::apply(value, operation).map_err(|why| format!("operation {index}: {why}"))
        }),
    }
}

/// JSON Merge Patch; in lists of named items, an item of a known name is merged, and another one is added.
fn merge(value: &mut Value, patch: &Value, field: Option<&str>) {
    match (value, patch) {
        (value, Value::Object(patch)) => {
            if !value.is_object() {
                *value = Value::Object(Map::new());
            }
            let Value::Object(fields) = value else { return };
            for (name, inner) in patch {
                if inner.is_null() {
                    fields.shift_remove(name);
                } else {
                    merge(fields.entry(name.clone()).or_insert(Value::Null), inner, Some(name));
                }
            }
        }
        (Value::Array(items), Value::Array(patch)) => {
            let key = NAMED.iter().find(|(list, _)| Some(*list) == field).map(|(_, key)| *key);
            let has_key = |item: &Value| key.is_some_and(|key| item.get(key).is_some());
            let Some(key) = key.filter(|_| items.iter().all(has_key) && patch.iter().all(has_key)) else {
                patch.clone_into(items);
                return;
            };
            for inner in patch {
                match items.iter_mut().find(|item| item.get(key) == inner.get(key)) {
                    Some(item) => merge(item, inner, None),
                    None => items.push(inner.clone()),
                }
            }
        }
        (value, patch) => patch.clone_into(value),
    }
}

/// What an object is called and whose it is.
fn identity(manifest: &Manifest, tree: &Value) -> Vec<Value> {
    if manifest.executor == Executor::Terraform {
        return Vec::new();
    }
    let fields = [
        "/apiVersion",
        "/kind",
        "/metadata/name",
        "/metadata/namespace",
        "/metadata/labels/app.kubernetes.io~1managed-by",
        "/metadata/labels/sliceform.dev~1stack",
        "/metadata/annotations/sliceform.dev~1address",
    ];
    fields.iter().map(|field| tree.pointer(field).cloned().unwrap_or_default()).collect()
}

/// Writes the object anew. A Terraform resource becomes Terraform's JSON: only the provider knows whether a new field is a
/// block or a map, and in JSON it need not be said.
fn rewrite(manifest: &mut Manifest, tree: Value) -> Result<(), String> {
    if manifest.executor == Executor::Terraform {
        let comment = manifest.text.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        let already = manifest.path.ends_with(terraform_json::SUFFIX);
        manifest.tree = terraform_json::plain(tree);
        manifest.text = terraform_json::write(&manifest.tree, &comment)?;
        if !already {
            manifest.path.push_str(".json");
        }
        return Ok(());
    }
    manifest.text = with_tree(&manifest.text, &tree).ok_or("it is no object that YAML can hold")?;
    manifest.tree = tree;
    Ok(())
}
