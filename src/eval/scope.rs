//! What an expression may ask for while it is evaluated, and the budget that bounds the work of a run.

use crate::base::addr::Addr;
use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::eval::value::Value;
use std::cell::Cell;

/// Where names, derived values and files come from.
pub trait Scope {
    /// The value of a root name: `var`, `local`, `each`, or a block type. `next` is the attribute after it, if there
    /// is one. Gives the value and whether `next` was used up: `var.x` is one look-up, and `slice.v6e` another.
    /// An error is final (`try` does not catch it); [`Value::unknown`] stands for what was reported elsewhere.
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>>;

    /// A derived value of a block: `slice.v6e.chips`, `secret.hf["tls.crt"]`. An error is final.
    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>>;

    /// The text of a file below the stack's root, or why it can't be had. The path is as the stack wrote it.
    fn read_file(&self, path: &str) -> Result<String, String>;

    /// Whether there is such a file below the stack's root.
    fn file_exists(&self, path: &str) -> Result<bool, String>;

    /// All files in `dir` and below it, as paths relative to `dir` with `/`, sorted.
    fn list_files(&self, dir: &str) -> Result<Vec<String>, String>;

    /// What is left of the run's budget.
    fn budget(&self) -> &Budget;
}

/// A scope without names and files: for variable files and `--var`, where only constants may stand.
pub struct Constants<'a> {
    /// What is left of the run's budget.
    pub budget: &'a Budget,
    /// Where such values stand, for messages: `a variable file`.
    pub place: &'a str,
}

impl Scope for Constants<'_> {
    fn lookup(&self, root: &Spanned<String>, _: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        let diag = Diag::error("reference", "Names can't be used here")
            .at(root.span, "not a constant")
            .detail(format!("{} holds constants only; it can't refer to {:?}.", self.place, root.value))
            .help(format!("Write \"{}\" with quotes if text is meant.", root.value));
        Err(Box::new(diag))
    }

    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        let diag = Diag::error("reference", "Names can't be used here").at(name.span, format!("of {block}"));
        Err(Box::new(diag))
    }

    fn read_file(&self, _: &str) -> Result<String, String> {
        Err(format!("{} can't read files", self.place))
    }

    fn file_exists(&self, _: &str) -> Result<bool, String> {
        Err(format!("{} can't read files", self.place))
    }

    fn list_files(&self, _: &str) -> Result<Vec<String>, String> {
        Err(format!("{} can't read files", self.place))
    }

    fn budget(&self) -> &Budget {
        self.budget
    }
}

/// Deepest nesting of a value.
pub const MAX_DEPTH: u32 = 256;

/// Largest value, in bytes as [`Value::size`] counts them: 16 MiB.
pub const MAX_SIZE: u64 = 16 << 20;

/// Steps of work that one run may take: half a second. A large stack takes some ten thousand.
pub const FUEL: u64 = 5_000_000;

/// The work that the expressions of one run may still do.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    told: Cell<bool>,
    excess_told: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(FUEL)
    }
}

impl Budget {
    /// A budget of `fuel` steps.
    pub fn new(fuel: u64) -> Self {
        Self { left: Cell::new(fuel), told: Cell::new(false), excess_told: Cell::new(false) }
    }

    /// Takes `steps` off; false when they are not there, and from then on always.
    pub(crate) fn spend(&self, steps: u64) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.is_some_and(|left| left > 0)
    }

    /// True the first time, so that the end of the budget is reported once.
    pub(crate) fn first_report(&self) -> bool {
        !self.told.replace(true)
    }

    /// True the first time, so that a value beyond the bounds is reported once.
    pub(crate) fn first_excess(&self) -> bool {
        !self.excess_told.replace(true)
    }
}
