//! A stack under a new name: killed at any operation, the files of both folders have owners, and the next apply finishes.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde_json::json;

use crate::apply::directory::{Stopped, apply};
use crate::base::addr::Addr;
use crate::emit::{Executor, Manifest, ObjectId};
use crate::plan::inventory::Inventory;
use crate::plan::prior;
use crate::plan::steps::{Goal, plan};
use crate::plan::takeover::OldFolder;
use crate::plan::{Action, Plan, Totals};
use crate::world::memory::{Fault, Memory};

/// Others' files, which no apply may touch.
const FOREIGN: [&str; 2] = ["rendered/park/notes.txt", "rendered/park/core/foreign.yaml"];

fn manifest(stack: &str, name: &str, value: u64) -> Manifest {
    let metadata = json!({"name": name, "labels": {"sliceform.dev/stack": stack}});
    let tree = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"x": value}});
    let (api_version, kind) = ("v1".to_owned(), "ConfigMap".to_owned());
    Manifest {
        addr: Addr::new("train", "dpo"),
        path: format!("core/configmap-{name}.yaml"),
        object: ObjectId { api_version, kind, namespace: None, name: name.into() },
        executor: Executor::Gitops,
        text: serde_saphyr::to_string(&tree).unwrap(),
        tree,
        lifecycle: crate::resolve::stack::Lifecycle::default(),
        depends_on: Vec::new(),
    }
}

/// Park has a, b and c.
fn park() -> Goal {
    let objects = ["a", "b", "c"].map(|name| manifest("park", name, 1));
    Goal::new("park", "rendered/park".to_owned(), objects.into())
}

/// Yard has them without c, with another b, and a new d.
fn yard() -> Goal {
    let objects = [manifest("yard", "a", 1), manifest("yard", "b", 2), manifest("yard", "d", 1)];
    Goal::new("yard", "rendered/yard".to_owned(), objects.into())
}

fn planned(files: &Memory, goal: &Goal) -> (Goal, Plan) {
    let wanted = || goal.files.keys().map(String::as_str);
    let mut goal = goal.clone();
    let mut prior = prior::read(files, Path::new(&goal.directory), &goal.stack, wanted()).unwrap();
    if goal.stack == "yard" {
        goal.old = OldFolder::read(files, Path::new("rendered/park"), ("park", "yard"), wanted()).unwrap();
    }
    if let Some(old) = &goal.old {
        prior = prior.with_old(old, &goal.stack);
    }
    let plan = plan(&goal, &prior).unwrap();
    (goal, plan)
}

fn applied(files: &Memory, goal: &Goal) -> Result<(), Stopped> {
    let (goal, plan) = planned(files, goal);
    apply(files, Path::new(&goal.directory), &goal, &plan, "me", &mut |_| ())
}

fn content(files: &Memory) -> BTreeMap<String, Vec<u8>> {
    let mut content = files.files();
    content.retain(|path, _| !path.ends_with(".sliceform.json") && !path.ends_with(".sliceform.lock"));
    content
}

fn wanted(goal: &Goal) -> BTreeMap<String, Vec<u8>> {
    let own = goal.files.iter();
    let own = own.map(|(path, file)| (format!("{}/{path}", goal.directory), file.text.clone().into_bytes()));
    own.chain(FOREIGN.map(|path| (path.to_owned(), b"mine".to_vec()))).collect()
}

fn before() -> Memory {
    let files = Memory::default();
    for path in FOREIGN {
        files.put(path, b"mine");
    }
    applied(&files, &park()).unwrap();
    files
}

#[test]
fn objects_come_to_the_new_folder_and_do_not_end_in_the_old_one() {
    let files = before();
    let (_, plan) = planned(&files, &yard());
    assert_eq!(plan.totals, Totals { moved: 1, change: 1, add: 1, destroy: 1, ..Totals::default() });
    assert_eq!(plan.takes_over.as_ref().unwrap().files.len(), 6);
    applied(&files, &yard()).unwrap();
    assert_eq!(content(&files), wanted(&yard()));
    let (_, after) = planned(&files, &yard());
    assert!(!after.has_changes() && after.takes_over.is_none());
}

/// Every file is listed in its folder's inventory, or was there before; a temporary file belongs to the next apply.
fn every_file_has_an_owner(files: &Memory, when: &str) {
    for folder in ["rendered/park", "rendered/yard"] {
        let bytes = files.files().get(&format!("{folder}/.sliceform.json")).cloned();
        let inventory = bytes.map(|bytes| Inventory::read(&String::from_utf8(bytes).unwrap()).unwrap());
        for path in content(files).keys().filter(|path| !FOREIGN.contains(&path.as_str())) {
            let Some(below) = path.strip_prefix(&format!("{folder}/")) else { continue };
            let listed = inventory.as_ref().is_some_and(|inventory| inventory.files.contains_key(below));
            assert!(listed || below.ends_with("torn.tmp"), "{path} has no owner {when}");
        }
    }
}

#[test]
fn broken_at_any_operation_nothing_is_lost_and_the_next_apply_finishes() {
    for fault in
        [Fault::Kill, Fault::Refuse(io::ErrorKind::StorageFull), Fault::Refuse(io::ErrorKind::PermissionDenied)]
    {
        for operations in 0.. {
            let when = format!("after {fault:?} at operation {operations}");
            let files = before();
            files.break_after(operations, fault);
            let outcome = applied(&files, &yard());
            let hit = files.is_hit();
            files.revive();
            every_file_has_an_owner(&files, &when);
            // What stays in both stacks is never told of as destroyed.
            let (_, next) = planned(&files, &yard());
            let lost = next.steps.iter().filter(|step| step.action == Action::Delete && step.object.is_some());
            assert!(lost.map(|step| step.file.as_str()).all(|file| file == "core/configmap-c.yaml"), "{when}");
            applied(&files, &yard()).unwrap();
            assert_eq!(content(&files), wanted(&yard()), "{when}");
            assert!(!planned(&files, &yard()).1.has_changes(), "{when}");
            if !hit {
                outcome.unwrap();
                assert!(operations > 16, "{operations}");
                break;
            }
        }
    }
}

#[test]
fn the_old_folder_is_left_alone_where_it_is_not_what_was_planned() {
    let files = before();
    let (goal, plan) = planned(&files, &yard());
    files.put("rendered/park/core/configmap-a.yaml", b"edited");
    let refused = apply(&files, Path::new("rendered/yard"), &goal, &plan, "me", &mut |_| ());
    assert!(matches!(refused, Err(Stopped::Stale(_))), "{refused:?}");
    assert!(!files.files().contains_key("rendered/yard/.sliceform.json"));
    assert!(planned(&files, &yard()).1.totals.drifted == 1, "a hand edit there is drift");
}

#[test]
fn a_file_of_others_in_the_new_folder_is_not_taken_for_one_that_came() {
    let files = before();
    files.put("rendered/yard/core/configmap-a.yaml", b"foreign");
    let goal = yard();
    let wanted = || goal.files.keys().map(String::as_str);
    let own = prior::read(&files, Path::new("rendered/yard"), "yard", wanted()).unwrap();
    let old = OldFolder::read(&files, Path::new("rendered/park"), ("park", "yard"), wanted()).unwrap().unwrap();
    assert_eq!(plan(&goal, &own.with_old(&old, "yard")).unwrap_err().iter().count(), 1);
}

#[test]
fn all_of_it_goes_where_everything_shall_go() {
    let files = before();
    let mut nothing = yard();
    nothing.empty();
    let (_, plan) = planned(&files, &nothing);
    assert_eq!(plan.totals, Totals { destroy: 3, ..Totals::default() });
    applied(&files, &nothing).unwrap();
    assert_eq!(content(&files), FOREIGN.map(|path| (path.to_owned(), b"mine".to_vec())).into());
}
