//! The stack language as data: which blocks there are, what they may hold, and what each name means.
//!
//! The decoder refuses what these tables don't list, `explain` prints them, and the language's JSON Schema is made from them.

/// What stands between a block's type and its brace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// No label.
    None,
    /// One free name.
    Name,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// How often a block may stand in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// At most once (once a label, where the label is one of some words).
    Once,
    /// Any number of times.
    Any,
}

/// An attribute.
#[derive(Clone, Copy, Debug)]
pub struct AttrSpec {
    /// Its name.
    pub name: &'static str,
    /// What it takes, as people say it: `string`, `number`, `slice`, `map of strings`.
    pub takes: &'static str,
    /// Whether a block without it is an error.
    pub required: bool,
    /// What it means.
    pub doc: &'static str,
}

/// A block.
#[derive(Debug)]
pub struct BlockSpec {
    /// Its type.
    pub name: &'static str,
    /// Its label.
    pub label: Label,
    /// How often it may stand.
    pub times: Times,
    /// What it declares.
    pub doc: &'static str,
    /// Its attributes.
    pub attrs: &'static [&'static [AttrSpec]],
    /// The blocks in it.
    pub blocks: &'static [&'static BlockSpec],
    /// Which attributes it takes beside them.
    pub open: Open,
}

/// Attributes that a block takes beside its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// None.
    No,
    /// The engine arguments of vLLM.
    Engine,
    /// Any: the names are the stack's own, or another table's, which checks them.
    Names,
}

impl BlockSpec {
    /// All attributes, own and shared.
    pub fn attrs(&self) -> impl Iterator<Item = &'static AttrSpec> {
        self.attrs.iter().flat_map(|group| group.iter())
    }

    /// The attribute of that name.
    pub fn attr(&self, name: &str) -> Option<&'static AttrSpec> {
        self.attrs().find(|attr| attr.name == name)
    }

    /// The inner block of that type.
    pub fn block(&self, name: &str) -> Option<&'static BlockSpec> {
        self.blocks.iter().copied().find(|block| block.name == name)
    }
}

/// An attribute that may be left out.
pub const fn optional(name: &'static str, takes: &'static str, doc: &'static str) -> AttrSpec {
    AttrSpec { name, takes, required: false, doc }
}

/// An attribute that must be there.
pub const fn required(name: &'static str, takes: &'static str, doc: &'static str) -> AttrSpec {
    AttrSpec { name, takes, required: true, doc }
}

/// Attributes of every block that has an address.
pub const META: &[AttrSpec] = &[
    optional(
        "for_each",
        "map, object or set of strings",
        "An instance for each entry; `each.key` and `each.value` stand for it.",
    ),
    optional("count", "number", "So many instances; `count.index` stands for one."),
    optional("enabled", "bool", "Whether the block is there at all; true by default."),
    optional(
        "depends_on",
        "list of blocks",
        "Blocks that come first: a job that has succeeded, anything else that is ready.",
    ),
];

/// The `lifecycle` block of every block that has an address.
pub const LIFECYCLE: BlockSpec = BlockSpec {
    name: "lifecycle",
    label: Label::None,
    times: Times::Once,
    doc: "How the block's objects may change.",
    attrs: &[&[
        optional(
            "prevent_destroy",
            "bool",
            "A plan that would delete or replace an object of the block is refused; false by default.",
        ),
        optional(
            "ignore_changes",
            "list of strings",
            "Fields that keep what is there: `[\"metadata.annotations\"]` of Kubernetes objects, `[\"node_count\"]` of Terraform resources.",
        ),
        optional("replace_triggered_by", "list of blocks", "Blocks whose change makes this block's objects anew."),
    ]],
    blocks: &[],
    open: Open::No,
};

/// Parts of the stack language that this release does not build yet: named, so that the message can say so
/// instead of calling them unknown.
pub const PLANNED_BLOCKS: &[&str] = &["batch", "check", "job", "module", "policy", "queue", "rl"];

/// Attributes and inner blocks of the stack language that this release does not build yet.
pub const PLANNED_INNER: &[&str] = &[
    "decode",
    "dranet",
    "dynamic_slicing",
    "expose",
    "jobset_version",
    "kueue_version",
    "lws_version",
    "networks",
    "prefill",
    "queue",
    "restart",
];
