//! The tree that a stack file becomes: bodies, blocks, attributes and expressions, each with its place in the source.

use crate::base::span::{Span, Spanned};

/// What stands in a file, or between the braces of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The attributes, in source order. No two have the same name.
    pub attrs: Vec<Attr>,
    /// The blocks, in source order.
    pub blocks: Vec<Block>,
    /// From the first byte to the last.
    pub span: Span,
}

impl Body {
    /// An attribute by name.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs.iter().find(|attr| attr.name.value == name)
    }
}

/// `name = expr`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr {
    /// The name.
    pub name: Spanned<String>,
    /// The value, not yet evaluated.
    pub expr: Expr,
    /// Name to value.
    pub span: Span,
}

/// `kind "label" { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The block's type: `slice`.
    pub kind: Spanned<String>,
    /// The labels; their spans include the quotes.
    pub labels: Vec<Spanned<String>>,
    /// What stands between the braces; where `broken`, what of it could be read.
    pub body: Body,
    /// The type and the labels, without the brace.
    pub header: Span,
    /// Type to closing brace.
    pub span: Span,
    /// Some of the body could not be read and that was reported: nothing in it may be called missing.
    pub broken: bool,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, exactly as it is written.
    Number(String),
    /// A string without interpolations, escapes resolved.
    String(String),
    /// A quoted string or heredoc with interpolations or directives; indentation and `~` are applied already.
    Template(Vec<Part>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ a = b }`
    Object(Vec<(ObjectKey, Expr)>),
    /// `[for …]` or `{for …}`
    For(Box<For>),
    /// `a ? b : c`
    Conditional(Box<Conditional>),
    /// `!a`, `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(Box<Binary>),
    /// `name(a, b...)`
    Call(Box<Call>),
    /// A name on its own: `var`, a `for` variable.
    Name(String),
    /// `a.b[c].*.d`; its base is never itself a traversal.
    Traversal(Box<Expr>, Vec<Step>),
    /// `(a)`
    Parens(Box<Expr>),
}

/// The key of an object's entry.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectKey {
    /// A bare name, which stands for itself.
    Name(Spanned<String>),
    /// Any other expression, also one in parentheses.
    Expr(Expr),
}

impl ObjectKey {
    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) => name.span,
            Self::Expr(expr) => expr.span,
        }
    }
}

/// `[for key, value in collection : result if condition]`, or with braces `{for … : result_key => result…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// The name for the key or index, where there are two names.
    pub key: Option<Spanned<String>>,
    /// The name for the value.
    pub value: Spanned<String>,
    /// What is walked.
    pub collection: Expr,
    /// The key of each entry, in an object `for`.
    pub result_key: Option<Expr>,
    /// Each element, or the value of each entry.
    pub result: Expr,
    /// `...`: collect the values of equal keys into lists.
    pub group: bool,
    /// `if …`
    pub condition: Option<Expr>,
}

/// `condition ? yes : no`
#[derive(Clone, Debug, PartialEq)]
pub struct Conditional {
    /// What decides.
    pub condition: Expr,
    /// Taken when true.
    pub yes: Expr,
    /// Taken when false.
    pub no: Expr,
}

/// `left op right`
#[derive(Clone, Debug, PartialEq)]
pub struct Binary {
    /// The left operand.
    pub left: Expr,
    /// The operator.
    pub op: Spanned<BinaryOp>,
    /// The right operand.
    pub right: Expr,
}

/// `name(args)`
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The function; `provider::x::f` is one name.
    pub name: Spanned<String>,
    /// The arguments.
    pub args: Vec<Expr>,
    /// `...` after the last argument: its elements are the rest of the arguments.
    pub expand: bool,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `==`
    Eq,
    /// `!=`
    NotEq,
    /// `<=`
    LessEq,
    /// `>=`
    GreaterEq,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Mod,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::NotEq => "!=",
            Self::LessEq => "<=",
            Self::GreaterEq => ">=",
            Self::Less => "<",
            Self::Greater => ">",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Mod => "%",
            Self::And => "&&",
            Self::Or => "||",
        }
    }
}

/// One step of a traversal, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// With its dot or brackets.
    pub span: Span,
}

/// What a step of a traversal does.
#[derive(Clone, Debug, PartialEq)]
pub enum StepKind {
    /// `.name`
    Attr(Spanned<String>),
    /// `[key]`, or the old `.0`
    Index(Expr),
    /// `.*`: the `.name` steps that follow apply to each element.
    AttrSplat,
    /// `[*]`: all the steps that follow apply to each element.
    FullSplat,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text.
    Text(String),
    /// `${expr}`
    Interpolation(Expr),
    /// `%{if}`
    If(Box<IfPart>),
    /// `%{for}`
    For(Box<ForPart>),
}

/// `%{ if condition } yes %{ else } no %{ endif }`
#[derive(Clone, Debug, PartialEq)]
pub struct IfPart {
    /// What decides.
    pub condition: Expr,
    /// Taken when true.
    pub yes: Vec<Part>,
    /// Taken when false.
    pub no: Vec<Part>,
}

/// `%{ for key, value in collection } body %{ endfor }`
#[derive(Clone, Debug, PartialEq)]
pub struct ForPart {
    /// The name for the key or index, where there are two names.
    pub key: Option<Spanned<String>>,
    /// The name for the value.
    pub value: Spanned<String>,
    /// What is walked.
    pub collection: Expr,
    /// Written once for each element.
    pub body: Vec<Part>,
}
