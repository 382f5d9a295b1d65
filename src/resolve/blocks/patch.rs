//! `patch`: changes of what a block becomes, for what it has no attribute for.

use serde_json::Value;

use crate::base::diag::Diag;
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, Label, Open, Times, optional};
use crate::resolve::stack::{Operation, Patch, PatchBody, Scope};

const MERGE: (&str, &str, &str) = (
    "merge",
    "object",
    "Fields that are added or changed; null takes one out. Items of lists whose items have names are merged by name.",
);
const JSON: (&str, &str, &str) =
    ("json", "list of objects { op, path, from, value }", "Operations of JSON Patch (RFC 6902), in order.");

/// The most operations of a patch.
const MAX_OPERATIONS: usize = 1000;

/// A `patch` block of a block with objects.
pub const PATCH: BlockSpec = BlockSpec {
    name: "patch",
    label: Label::None,
    times: Times::Any,
    doc: "Changes an object that the block becomes, for what has no attribute; its name, place and marks stay, and it is checked again.",
    attrs: &[&[
        optional(
            "target",
            "string",
            "The object: KIND or KIND/NAME (`RayJob`, `google_container_node_pool/v6e_4x4_0`); not needed where there is one.",
        ),
        optional(MERGE.0, MERGE.1, MERGE.2),
        optional(JSON.0, JSON.1, JSON.2),
    ]],
    blocks: &[],
    open: Open::No,
};

/// A `patch` block of a role: it changes the role's pod template.
pub const POD_PATCH: BlockSpec = BlockSpec {
    name: "patch",
    label: Label::None,
    times: Times::Any,
    doc: "Changes the pod template of the role, for what has no attribute: `spec` and `metadata` are at its top.",
    attrs: &[&[optional(MERGE.0, MERGE.1, MERGE.2), optional(JSON.0, JSON.1, JSON.2)]],
    blocks: &[],
    open: Open::No,
};

/// The patches of a block, then those of its roles, in the order of the file.
pub fn decode(block: &Decoder<'_>) -> Vec<Patch> {
    let mut found: Vec<Patch> =
        block.blocks("patch").iter().filter_map(|inner| patch(inner, Scope::Object(inner.string("target")))).collect();
    let mut role = |inner: &Decoder<'_>, scope: &Scope| {
        found.extend(inner.blocks("patch").iter().filter_map(|inner| patch(inner, scope.clone())));
    };
    if let Some(head) = block.block("head") {
        role(&head, &Scope::Head);
    }
    if let Some(worker) = block.block("worker") {
        role(&worker, &Scope::Workers(None));
    }
    for group in block.blocks("group") {
        if let (Some(worker), Some(name)) = (group.block("worker"), group.label()) {
            role(&worker, &Scope::Workers(Some(name.value)));
        }
    }
    found
}

fn patch(block: &Decoder<'_>, scope: Scope) -> Option<Patch> {
    let body = match (block.attr_span("merge"), block.attr_span("json")) {
        (Some(_), None) => PatchBody::Merge(object(block)?),
        (None, Some(_)) => PatchBody::Operations(operations(block)?),
        (merge, _) => {
            let (summary, label) = match merge {
                Some(_) => ("`merge` and `json` exclude each other", "both"),
                None => ("`merge` or `json` is missing", "no change"),
            };
            let diag = Diag::error("conflicting-attributes", summary).at(block.header(), label);
            block.report(diag.help("Write one of them; several `patch` blocks follow each other."));
            return None;
        }
    };
    Some(Patch { scope, body, span: block.header() })
}

fn object(block: &Decoder<'_>) -> Option<Value> {
    let merge = block.json("merge")?;
    if merge.is_object() {
        return Some(merge.value);
    }
    block.report(Diag::error("type", "`merge` takes an object").at(merge.span, "not an object"));
    None
}

fn operations(block: &Decoder<'_>) -> Option<Vec<Operation>> {
    let json = block.json("json")?;
    let refuse = |why: String| {
        let diag = Diag::error("type", "`json` takes the operations of JSON Patch").at(json.span, why);
        block.report(diag.help("Such as { op = \"replace\", path = \"/spec/suspend\", value = true }."));
    };
    if json.as_array().is_some_and(|items| items.len() > MAX_OPERATIONS) {
        refuse(format!("more than {MAX_OPERATIONS} operations"));
        return None;
    }
    let Some(items) = json.as_array() else {
        refuse("not a list".to_owned());
        return None;
    };
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match operation(item) {
            Ok(operation) => found.push(operation),
            Err(why) => refuse(format!("operation {index}: {why}")),
        }
    }
    (found.len() == items.len()).then_some(found)
}

fn operation(item: &Value) -> Result<Operation, String> {
    let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let needed = |name: &str| text(name).ok_or_else(|| format!("it has no {name}"));
    let value = || item.get("value").cloned().ok_or("it has no value");
    let path = needed("path")?;
    Ok(match needed("op")?.as_str() {
        "add" => Operation::Add { path, value: value()? },
        "remove" => Operation::Remove { path },
        "replace" => Operation::Replace { path, value: value()? },
        "move" => Operation::Move { from: needed("from")?, path },
        "copy" => Operation::Copy { from: needed("from")?, path },
        "test" => Operation::Test { path, value: value()? },
        other => return Err(format!("there is no operation {other:?}: add, remove, replace, move, copy or test")),
    })
}
