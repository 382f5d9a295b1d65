//! What `patch` blocks say.

use serde::Serialize;
use serde_json::Value;

use crate::base::span::{Span, Spanned};

/// A `patch` block.
#[derive(Clone, Debug)]
pub struct Patch {
    /// What it changes.
    pub scope: Scope,
    /// The change.
    pub body: PatchBody,
    /// Where its first line stands.
    pub span: Span,
}

/// What a patch changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// An object of the block: KIND or KIND/NAME; the only one where nothing is said.
    Object(Option<Spanned<String>>),
    /// The pod template of the head.
    Head,
    /// The pod templates of the workers, or of one group of them.
    Workers(Option<String>),
}

/// A change.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PatchBody {
    /// JSON Merge Patch (RFC 7386), with lists of named items merged by name.
    Merge(Value),
    /// JSON Patch (RFC 6902).
    Operations(Vec<Operation>),
}

/// An operation of JSON Patch. Paths are JSON Pointers: `/spec/template`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Operation {
    /// Puts a value there; into a list before the item, or at its end (`-`).
    Add {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Takes out what is there.
    Remove {
        /// Where.
        path: String,
    },
    /// Puts a value where one is.
    Replace {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Takes a value out and puts it there.
    Move {
        /// What.
        from: String,
        /// Where.
        path: String,
    },
    /// Puts the same value there too.
    Copy {
        /// What.
        from: String,
        /// Where.
        path: String,
    },
    /// Fails unless this value is there.
    Test {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
}
