//! Manifests and prior objects to ordered steps with reasons. Everything an apply will do is in the plan; the apply only
//! walks it. Planning is pure: what is on the disk was fetched before, by `prior`.

pub mod diff;
pub mod impact;
pub mod inventory;
mod keep;
pub mod moves;
pub mod order;
pub mod partial;
pub mod prior;
pub mod removals;
pub mod requested;
pub mod saved;
pub mod steps;
pub mod takeover;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use steps::plan;
use takeover::TakeOver;

/// Version of the plan's form; `schemas/plan.schema.json` describes it.
pub const FORMAT_VERSION: &str = "1.0";

/// What an apply will do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of this form.
    pub format_version: String,
    /// The stack's name.
    pub stack: String,
    /// The Sliceform that planned.
    pub sliceform_version: String,
    /// The blocks that it was asked for; none: the whole stack.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub targets: Vec<String>,
    /// The blocks that shall be replaced though nothing of them changed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub replaces: Vec<String>,
    /// Where it goes: `directory`.
    pub target: String,
    /// The directory, as people see it.
    pub directory: String,
    /// Digest of what was there.
    pub base_digest: String,
    /// Digest of what shall be there.
    pub source_digest: String,
    /// The steps, in order; unchanged objects are steps too.
    pub steps: Vec<Step>,
    /// Whether the inventory does not say what will be there, so that an apply writes it, were every file as it shall be:
    /// the last apply was cut short, or someone did its work by hand.
    pub inventory_behind: bool,
    /// The folder that the stack had under its old name, where that is still there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub takes_over: Option<TakeOver>,
    /// The stack's outputs that may be shown.
    pub outputs: Map<String, Value>,
    /// The sums.
    pub totals: Totals,
}

impl Plan {
    /// Whether an apply would write anything, were it only the directory's own files.
    pub fn has_changes(&self) -> bool {
        self.inventory_behind || self.takes_over.is_some() || self.steps.iter().any(|step| step.action != Action::Keep)
    }

    /// Whether an apply would destroy or replace an object.
    pub fn destroys(&self) -> bool {
        self.totals.destroy + self.totals.replace > 0
    }
}

/// What happens to one file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The block that it comes from.
    pub address: String,
    /// The object in the file; none for the directory's own files.
    pub object: Option<Object>,
    /// Who carries it out in the end.
    pub executor: Executor,
    /// The file, below the directory.
    pub file: String,
    /// The file that goes, where an object is replaced by one of another name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub old_file: Option<String>,
    /// The address that its block had, where that is another one now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub moved_from: Option<String>,
    /// The `name` of the block with which the object would keep its own, where it is replaced because the block moved.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub keep_name: Option<String>,
    /// What is done.
    pub action: Action,
    /// Why.
    pub because: Because,
    /// What differs; for an object that comes, its fields.
    pub changes: Vec<Change>,
    /// Values of the object that stay as they are; 0 where nothing was compared.
    pub unchanged: usize,
    /// Lines of the file as it shall be; none where it goes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lines: Option<usize>,
    /// What the change does to what runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub impact: Option<Impact>,
    /// Digest of the file before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before_digest: Option<String>,
    /// Digest of the file after.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after_digest: Option<String>,
}

impl Step {
    /// Whether its file is another one afterwards. An object may be replaced though its file stays: that is for its reader.
    pub fn writes(&self) -> bool {
        match self.action {
            Action::Create | Action::Update | Action::Delete | Action::Move => true,
            Action::Replace => self.old_file.is_some() || self.before_digest != self.after_digest,
            // What is there as it shall be, and what is gone already, is nothing to write.
            Action::Import | Action::Forget => self.before_digest != self.after_digest,
            Action::Keep => false,
        }
    }
}

/// An object's name in full.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Object {
    /// `ray.io/v1`; `terraform` for a Terraform resource.
    pub api_version: String,
    /// `RayJob`, `google_container_node_pool`.
    pub kind: String,
    /// Its namespace.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

/// Who carries a change out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Executor {
    /// Sliceform's own apply: the directory's own files.
    Sliceform,
    /// A GitOps controller, or kubectl.
    Gitops,
    /// Terraform.
    Terraform,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The file comes.
    Create,
    /// The file changes, and so does the object.
    Update,
    /// The object goes and another comes.
    Replace,
    /// The file goes.
    Delete,
    /// Nothing.
    Keep,
    /// The object stays, or is gone already; the stack no longer has it.
    Forget,
    /// The object was there, and becomes the stack's.
    Import,
    /// The object stays as it is; another block has it now, so its file says so.
    Move,
}

impl Action {
    /// The verb.
    pub fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Keep => "keep",
            Self::Forget => "forget",
            Self::Import => "import",
            Self::Move => "move",
        }
    }
}

/// Why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", content = "path", rename_all = "snake_case")]
pub enum Because {
    /// It was not there.
    NotInPrior,
    /// The stack no longer has it.
    NotInStack,
    /// It was asked for: with `destroy`, or with `--replace`.
    Requested,
    /// The stack changed this.
    Changed(String),
    /// This changed, and the object cannot change it in place.
    Immutable(String),
    /// Someone changed this file by hand, or removed it.
    Drifted(String),
    /// Nothing differs.
    Unchanged,
    /// Another block has it now.
    Moved,
    /// The stack says that it no longer has it.
    Removed,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// Where: `spec.workerGroupSpecs[v6e].replicas`.
    pub path: String,
    /// The value before; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<Value>,
    /// The value after; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Value>,
    /// Whether it forces a replacement.
    pub forces: bool,
}

/// What a change does to what runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impact {
    /// The class.
    pub class: Class,
    /// What that means here.
    pub text: String,
    /// Where that was read; none where no row knows the path.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
}

/// Classes of impact, the mildest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Stored, nothing reacts.
    None,
    /// Takes effect without a restart.
    InPlace,
    /// Running pods keep the old value.
    NewPodsOnly,
    /// The system ignores it.
    NoEffect,
    /// Nobody has looked: it may restart or replace.
    Unknown,
    /// A second cluster is built, then traffic moves.
    RollingDouble,
    /// Every pod of the group restarts.
    RestartAll,
    /// Deleted and made anew.
    Replace,
}

/// Sums over the objects of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Objects that come.
    pub add: usize,
    /// Objects that change.
    pub change: usize,
    /// Objects that are replaced.
    pub replace: usize,
    /// Objects that go.
    pub destroy: usize,
    /// Objects that stay.
    pub keep: usize,
    /// Objects that stay, and that another block has now.
    pub moved: usize,
    /// Files changed by hand among them.
    pub drifted: usize,
    /// TPU chips that the stack declared before.
    pub chips_before: u64,
    /// TPU chips that it declares now.
    pub chips_after: u64,
}
