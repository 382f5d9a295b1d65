//! The tree of a file, every node with its place. The library that reads the text does not show through.

use std::sync::Arc;

use bigdecimal::BigDecimal;

use crate::base::span::{Span, Spanned};

/// What stands between braces, or in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The attributes, in the order of the text.
    pub attrs: Vec<Attr>,
    /// The blocks, in the order of the text.
    pub blocks: Vec<Block>,
    /// All of it.
    pub span: Span,
}

/// `NAME = VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr {
    /// The name.
    pub name: Spanned<String>,
    /// The value.
    pub expr: Expr,
    /// All of it.
    pub span: Span,
}

/// `TYPE "LABEL" { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The type.
    pub kind: Spanned<String>,
    /// The labels; their places include the quotes.
    pub labels: Vec<Spanned<String>>,
    /// What stands between the braces.
    pub body: Body,
    /// Type and labels.
    pub header: Span,
    /// All of it.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// All of it.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A number, exactly as written.
    Number(Box<BigDecimal>),
    /// A quoted text without interpolation, escapes resolved.
    Text(Arc<str>),
    /// A quoted text or heredoc with interpolations or directives.
    Template(Vec<Part>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{ a = 1 }`
    Object(Vec<(Key, Expr)>),
    /// `[for …]`, `{for …}`
    For(Box<For>),
    /// `a ? b : c`
    Conditional(Box<[Expr; 3]>),
    /// `!a`, `-a`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`
    Binary(Spanned<BinaryOp>, Box<[Expr; 2]>),
    /// `f(a, b...)`
    Call {
        /// The function.
        name: Spanned<String>,
        /// Its arguments.
        args: Vec<Expr>,
        /// The last argument is a list of arguments (`...`).
        expand: bool,
    },
    /// A bare name: the start of a reference.
    Name(Arc<str>),
    /// Something and what is taken from it, in order.
    Traversal(Box<Expr>, Vec<Step>),
    /// `(a)`
    Parens(Box<Expr>),
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// A bare name.
    Name(Spanned<String>),
    /// Any other expression: quoted, or in parentheses.
    Expr(Expr),
}

/// One step of a traversal.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `.name`
    Attr(Spanned<String>),
    /// `[key]`
    Index(Expr),
    /// `.0`
    LegacyIndex(Spanned<u64>),
    /// `[*]`: the steps after it apply to each element.
    Splat(Span),
    /// `.*`: the attribute steps after it apply to each element.
    AttrSplat(Span),
}

/// A `for` expression.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// The name for the key or index.
    pub key: Option<Spanned<String>>,
    /// The name for the element.
    pub value: Spanned<String>,
    /// What it goes over.
    pub over: Expr,
    /// The key of an object's entry; none makes a list.
    pub key_expr: Option<Expr>,
    /// The value of an entry.
    pub value_expr: Expr,
    /// Entries of one key are grouped (`...`).
    pub group: bool,
    /// Only where this is true.
    pub condition: Option<Expr>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text as it comes out: escapes, `~` and a heredoc's indentation are resolved.
    Text(Arc<str>),
    /// `${…}`
    Value(Expr),
    /// `%{if}`
    If {
        /// The condition.
        condition: Expr,
        /// Where it is true.
        yes: Vec<Part>,
        /// Where it is false.
        no: Vec<Part>,
    },
    /// `%{for}`
    For {
        /// The name for the key or index.
        key: Option<Spanned<String>>,
        /// The name for the element.
        value: Spanned<String>,
        /// What it goes over.
        over: Expr,
        /// What comes out for each element.
        body: Vec<Part>,
    },
}

/// Operators before one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
}

/// Operators between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
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
    /// `==`
    Eq,
    /// `!=`
    NotEq,
    /// `<`
    Less,
    /// `<=`
    LessEq,
    /// `>`
    Greater,
    /// `>=`
    GreaterEq,
    /// `&&`
    And,
    /// `||`
    Or,
}
