//! Durability: killed at any operation, an apply loses nothing, and the next one finishes.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde_json::json;

use crate::apply::directory::{Stopped, apply};
use crate::base::addr::Addr;
use crate::base::span::{FileId, Span, Spanned};
use crate::emit::moved::Renamed;
use crate::emit::{Executor, Manifest, ObjectId};
use crate::plan::inventory::{self, Inventory};
use crate::plan::moves::History;
use crate::plan::partial::Part;
use crate::plan::prior;
use crate::plan::steps::{Goal, plan};
use crate::plan::{Action, Because, Plan, Totals};
use crate::resolve::stack::{Moved, Past, Removed};
use crate::world::files::Files;
use crate::world::memory::{Fault, Memory};

const DIR: &str = "rendered/park";

fn manifest(kind: &str, name: &str, value: u64) -> Manifest {
    let tree = json!({"apiVersion": "v1", "kind": kind, "metadata": {"name": name}, "data": {"x": value.to_string()}});
    Manifest {
        addr: Addr::new("train", "dpo"),
        path: format!("core/{}-{name}.yaml", kind.to_lowercase()),
        object: ObjectId {
            api_version: "v1".into(),
            kind: kind.into(),
            namespace: Some("ml".into()),
            name: name.into(),
        },
        executor: Executor::Gitops,
        text: serde_saphyr::to_string(&tree).unwrap(),
        tree,
        lifecycle: crate::resolve::stack::Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

fn goal(manifests: Vec<Manifest>) -> Goal {
    Goal::new("park", DIR.to_owned(), manifests)
}

fn first() -> Goal {
    goal(vec![manifest("ConfigMap", "a", 1), manifest("ConfigMap", "b", 1), manifest("RayJob", "dpo-bbbbbb", 1)])
}

/// One changed, one gone, one new, one under another name.
fn second() -> Goal {
    goal(vec![manifest("ConfigMap", "a", 2), manifest("ConfigMap", "c", 1), manifest("RayJob", "dpo-cccccc", 2)])
}

fn planned(files: &Memory, goal: &Goal) -> Plan {
    readied(files, goal).1
}

/// The goal with what the directory adds to it, and the plan.
fn readied(files: &Memory, goal: &Goal) -> (Goal, Plan) {
    let prior = prior::read(files, Path::new(DIR), "park", goal.files.keys().map(String::as_str)).unwrap();
    let mut goal = goal.clone();
    goal.let_go(&prior);
    let plan = plan(&goal, &prior).unwrap();
    (goal, plan)
}

fn applied(files: &Memory, goal: &Goal) -> Result<(), Stopped> {
    let (goal, plan) = readied(files, goal);
    apply(files, Path::new(DIR), &goal, &plan, "me", &mut |_| ())
}

/// What is on the disk, without the inventory and the lock.
fn content(files: &Memory) -> BTreeMap<String, Vec<u8>> {
    let mut content = files.files();
    content.retain(|path, _| !path.ends_with(inventory::FILE) && !path.ends_with(".sliceform.lock"));
    content
}

fn wanted(goal: &Goal) -> BTreeMap<String, Vec<u8>> {
    goal.files.iter().map(|(path, file)| (format!("{DIR}/{path}"), file.text.clone().into_bytes())).collect()
}

#[test]
fn an_apply_does_what_its_plan_says_and_the_next_plan_is_empty() {
    let files = Memory::default();
    let before = planned(&files, &first());
    assert_eq!(before.totals, Totals { add: 3, ..Totals::default() });
    applied(&files, &first()).unwrap();
    assert_eq!(content(&files), wanted(&first()));
    assert!(!planned(&files, &first()).has_changes());

    let change = planned(&files, &second());
    assert_eq!(change.totals, Totals { add: 1, change: 1, replace: 1, destroy: 1, ..Totals::default() });
    let replaced = change.steps.iter().find(|step| step.action == Action::Replace).unwrap();
    assert_eq!(replaced.old_file.as_deref(), Some("core/rayjob-dpo-bbbbbb.yaml"));
    assert_eq!(replaced.because, Because::Immutable("data.x".into()));
    applied(&files, &second()).unwrap();
    assert_eq!(content(&files), wanted(&second()));
    assert!(!planned(&files, &second()).has_changes());

    applied(&files, &goal(Vec::new())).unwrap();
    assert_eq!(files.files(), BTreeMap::new());
}

/// Others' files, which no apply may touch.
const FOREIGN: [(&str, &str); 2] = [("rendered/notes.txt", "mine"), ("rendered/park/core/foreign.yaml", "foreign")];

/// Every file is listed by the inventory, or was there before; a temporary file belongs to nobody, and to the next apply.
fn every_file_has_an_owner(files: &Memory, when: &str) {
    let bytes = files.files().get(&format!("{DIR}/.sliceform.json")).cloned();
    let inventory = bytes.map(|bytes| Inventory::read(&String::from_utf8(bytes).unwrap()).unwrap());
    for path in content(files).keys().filter(|path| FOREIGN.iter().all(|(foreign, _)| path != foreign)) {
        let below = path.strip_prefix("rendered/park/").unwrap();
        let listed = inventory.as_ref().is_some_and(|inventory| inventory.files.contains_key(below));
        assert!(listed || below.ends_with("torn.tmp"), "{path} has no owner {when}");
    }
}

/// Breaks the way from one goal to the next at every operation, and finishes it.
fn broken_at_every_operation(from: Option<&Goal>, to: &Goal, fault: Fault) -> usize {
    for operations in 0.. {
        let when = format!("after {fault:?} at operation {operations}");
        let files = Memory::default();
        for (path, text) in FOREIGN {
            files.put(path, text.as_bytes());
        }
        if let Some(from) = from {
            applied(&files, from).unwrap();
        }
        files.break_after(operations, fault);
        let outcome = applied(&files, to);
        let hit = files.is_hit();
        files.revive();
        every_file_has_an_owner(&files, &when);
        applied(&files, to).unwrap();
        let mut expected = wanted(to);
        expected.extend(FOREIGN.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec())));
        assert_eq!(content(&files), expected, "{when}");
        assert!(!planned(&files, to).has_changes(), "{when}");
        if !hit {
            outcome.unwrap();
            return operations;
        }
    }
    unreachable!("an apply ends")
}

#[test]
fn a_fault_at_any_operation_loses_nothing_and_the_next_apply_finishes() {
    let nothing = goal(Vec::new());
    let mut operations = Vec::new();
    for fault in [
        Fault::Kill,
        Fault::Refuse(io::ErrorKind::StorageFull),
        Fault::Refuse(io::ErrorKind::PermissionDenied),
        Fault::Refuse(io::ErrorKind::Interrupted),
    ] {
        for (from, to) in [(None, &first()), (Some(&first()), &second()), (Some(&second()), &nothing)] {
            operations.push(broken_at_every_operation(from, to, fault));
        }
    }
    // So many operations each way has: all of them were hit, by each fault.
    assert!(operations[..3].iter().all(|count| *count >= 8), "{operations:?}");
    assert!(operations.chunks(3).all(|way| way == &operations[..3]), "{operations:?}");
}

/// As the second goal, and another block beside it that changes too.
fn two_blocks(value: u64) -> Goal {
    let beside =
        |name: &str, value| Manifest { addr: Addr::new("train", "beside"), ..manifest("ConfigMap", name, value) };
    let mut all = vec![manifest("ConfigMap", "a", value), manifest("RayJob", &format!("dpo-{value}bbbbb"), value)];
    all.extend([beside("beside", value), beside(&format!("beside-{value}"), value)]);
    goal(all)
}

/// The goal narrowed to one of its blocks, for what is on the disk.
fn narrowed(files: &Memory, whole: &Goal, block: &str) -> Goal {
    let mut part = whole.clone();
    let target = Addr::new("train", block);
    let prior = prior::read(files, Path::new(DIR), "park", whole.files.keys().map(String::as_str)).unwrap();
    part.narrow(&Part { targets: vec![target.clone()], blocks: [target].into() }, &prior);
    part
}

#[test]
fn a_fault_while_a_part_is_applied_loses_nothing_and_either_apply_finishes() {
    let part = |files: &Memory| applied(files, &narrowed(files, &two_blocks(4), "dpo"));
    let done = Memory::default();
    applied(&done, &two_blocks(2)).unwrap();
    part(&done).unwrap();
    assert_eq!(
        content(&done)["rendered/park/core/configmap-beside.yaml"],
        wanted(&two_blocks(2))["rendered/park/core/configmap-beside.yaml"]
    );
    assert!(!narrowed_has_changes(&done));
    for fault in [Fault::Kill, Fault::Refuse(io::ErrorKind::StorageFull)] {
        for operations in 0.. {
            let files = Memory::default();
            applied(&files, &two_blocks(2)).unwrap();
            files.break_after(operations, fault);
            let outcome = part(&files);
            let hit = files.is_hit();
            files.revive();
            let when = format!("after {fault:?} at operation {operations}");
            every_file_has_an_owner(&files, &when);
            if operations % 2 == 0 {
                part(&files).unwrap();
                assert_eq!(files.files(), done.files(), "{when}");
            }
            applied(&files, &two_blocks(4)).unwrap();
            assert_eq!(content(&files), wanted(&two_blocks(4)), "{when}");
            if !hit {
                outcome.unwrap();
                assert!(operations >= 8);
                break;
            }
        }
    }
}

fn narrowed_has_changes(files: &Memory) -> bool {
    planned(files, &narrowed(files, &two_blocks(4), "dpo")).has_changes()
}

fn moved_block(from: &str, to: &str) -> Moved {
    let at = |name: &str| Spanned::new(Addr::new("train", name), Span::new(FileId(0), 0..0));
    Moved { from: at(from), to: at(to) }
}

/// The same objects when another block has them, one of them under another name.
fn moved() -> Goal {
    let kept = manifest("ConfigMap", "a", 1);
    let old = manifest("ConfigMap", "b", 1).object;
    let renamed = manifest("ConfigMap", "z", 1);
    let past = Past { moved: vec![moved_block("dpo", "tune")], ..Past::default() };
    let names = vec![Renamed { from: old, to: renamed.object.clone() }];
    let history = History::new(past, names, BTreeSet::new());
    Goal { history, ..owned_by("tune", vec![kept, renamed, manifest("RayJob", "dpo-bbbbbb", 1)]) }
}

/// Objects of a training, which say so.
fn owned_by(name: &str, mut manifests: Vec<Manifest>) -> Goal {
    for manifest in &mut manifests {
        manifest.addr = Addr::new("train", name);
        manifest.tree["metadata"]["annotations"] = json!({"sliceform.dev/address": format!("train.{name}")});
        manifest.text = serde_saphyr::to_string(&manifest.tree).unwrap();
    }
    goal(manifests)
}

#[test]
fn a_move_broken_at_any_operation_is_finished() {
    let files = Memory::default();
    let before = owned_by(
        "dpo",
        vec![manifest("ConfigMap", "a", 1), manifest("ConfigMap", "b", 1), manifest("RayJob", "dpo-bbbbbb", 1)],
    );
    applied(&files, &before).unwrap();
    let plan = planned(&files, &moved());
    assert_eq!(plan.totals, Totals { moved: 2, replace: 1, ..Totals::default() });
    assert!(
        plan.steps
            .iter()
            .filter(|step| step.object.is_some())
            .all(|step| step.moved_from.as_deref() == Some("train.dpo"))
    );
    for fault in [Fault::Kill, Fault::Refuse(io::ErrorKind::StorageFull)] {
        assert!(broken_at_every_operation(Some(&before), &moved(), fault) >= 8);
    }
}

#[test]
fn what_is_let_go_is_forgotten_wherever_an_apply_breaks() {
    let resource = Manifest {
        addr: Addr::new("slice", "v6e"),
        path: "gke/v6e.tf".into(),
        object: ObjectId {
            api_version: "terraform".into(),
            kind: "google_container_node_pool".into(),
            namespace: None,
            name: "v6e".into(),
        },
        executor: Executor::Terraform,
        ..manifest("ConfigMap", "none", 1)
    };
    let job = owned_by("dpo", vec![manifest("RayJob", "dpo-bbbbbb", 1)]);
    let rest = manifest("ConfigMap", "a", 1);
    let rest = Manifest { addr: Addr::new("train", "other"), ..rest };
    let before = || {
        let mut goal = goal(vec![rest.clone(), resource.clone()]);
        goal.files.extend(job.files.clone());
        goal
    };
    let at = |kind: &str, name: &str| Spanned::new(Addr::new(kind, name), Span::new(FileId(0), 0..0));
    let gone = |from| Removed { from, destroy: false };
    let past = Past { removed: vec![gone(at("slice", "v6e")), gone(at("train", "dpo"))], ..Past::default() };
    let after = Goal { history: History::new(past, Vec::new(), BTreeSet::new()), ..goal(vec![rest.clone()]) };
    let files = Memory::default();
    applied(&files, &before()).unwrap();
    let (readied, plan) = readied(&files, &after);
    assert_eq!(plan.totals, Totals { keep: 1, ..Totals::default() });
    assert_eq!(plan.steps.iter().filter(|step| step.because == Because::Removed).count(), 2);
    apply(&files, Path::new(DIR), &readied, &plan, "me", &mut |_| ()).unwrap();
    assert_eq!(content(&files), wanted(&readied));
    assert!(!planned(&files, &after).has_changes());
    for operations in 0.. {
        let files = Memory::default();
        applied(&files, &before()).unwrap();
        files.break_after(operations, Fault::Kill);
        let _ = applied(&files, &after);
        let hit = files.is_hit();
        files.revive();
        every_file_has_an_owner(&files, &format!("after a kill at operation {operations}"));
        applied(&files, &after).unwrap();
        assert_eq!(content(&files), wanted(&readied), "after a kill at operation {operations}");
        assert!(!planned(&files, &after).has_changes());
        if !hit {
            return;
        }
    }
}

#[test]
fn a_hand_edit_is_drift_and_is_overwritten_only_by_an_apply_that_saw_it() {
    let files = Memory::default();
    applied(&files, &first()).unwrap();
    let edited = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: \"9\"}\n";
    let unseen = planned(&files, &second());
    files.put("rendered/park/core/configmap-a.yaml", edited.as_bytes());
    let refused = apply(&files, Path::new(DIR), &second(), &unseen, "me", &mut |_| ());
    assert!(matches!(refused, Err(Stopped::Stale(_))), "{refused:?}");

    let seen = planned(&files, &first());
    assert_eq!((seen.totals.drifted, seen.totals.change), (1, 1));
    let step = seen.steps.iter().find(|step| step.action == Action::Update).unwrap();
    assert_eq!(step.changes[0].path, "data.x");
    applied(&files, &first()).unwrap();
    assert_eq!(content(&files), wanted(&first()));

    files.take("rendered/park/core/configmap-b.yaml");
    let gone = planned(&files, &first());
    assert_eq!((gone.totals.drifted, gone.totals.add), (1, 1));
}

#[test]
fn a_foreign_file_a_link_and_another_stack_are_refused() {
    let files = Memory::default();
    files.put("rendered/park/core/configmap-a.yaml", b"foreign");
    let read = |files: &Memory, stack: &str| {
        prior::read(files, Path::new(DIR), stack, first().files.keys().map(String::as_str))
    };
    let refused = plan(&first(), &read(&files, "park").unwrap()).unwrap_err();
    assert_eq!(refused.iter().count(), 1);

    let files = Memory::default();
    files.link("rendered/park/core", "/etc");
    assert!(plan(&first(), &read(&files, "park").unwrap()).is_err());

    let files = Memory::default();
    applied(&files, &first()).unwrap();
    assert!(read(&files, "other").unwrap_err().summary.contains("another stack"));
}

#[test]
fn a_lost_inventory_takes_back_what_is_as_it_shall_be() {
    let files = Memory::default();
    applied(&files, &first()).unwrap();
    files.take("rendered/park/.sliceform.json");
    let again = planned(&files, &first());
    assert!(again.steps.iter().all(|step| step.action == Action::Import));
    applied(&files, &first()).unwrap();
    assert!(!planned(&files, &first()).has_changes());
}

#[test]
fn a_held_lock_names_its_owner_and_nothing_changes() {
    let files = Memory::default();
    files.create_dir(Path::new(DIR)).unwrap();
    let _held = files.lock(&Path::new(DIR).join(".sliceform.lock"), "ada@host, process 7").unwrap();
    match applied(&files, &first()) {
        Err(Stopped::Stale(diag)) => assert!(diag.detail.unwrap().contains("ada@host")),
        other => panic!("{other:?}"),
    }
    assert_eq!(content(&files), BTreeMap::new());
}
