//! The parser library's tree into our own, with places in the whole file.

use crate::base::span::{FileId, Span, Spanned};
use crate::parse::template;
use crate::parse::tree::{
    Attr, Binary, BinaryOp, Block, Body, Call, Conditional, Expr, ExprKind, For, ObjectKey, Step, StepKind, UnaryOp,
};
use hcl_edit::Span as _;
use hcl_edit::expr::{self as hcl, Expression, TraversalOperator};
use hcl_edit::structure::{self, BlockLabel, Structure};
use hcl_edit::{Decorated, Ident};
use std::ops::Range;

/// Turns what was parsed of `text[base..]` into our tree.
pub(super) struct Converter<'a> {
    pub(super) file: FileId,
    /// The whole text.
    pub(super) text: &'a str,
    pub(super) base: usize,
}

impl Converter<'_> {
    pub(super) fn span(&self, range: Option<Range<usize>>) -> Span {
        let range = range.unwrap_or(0..0);
        Span::new(self.file, range.start + self.base..range.end + self.base)
    }

    fn source(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    pub(super) fn name(&self, ident: &Decorated<Ident>) -> Spanned<String> {
        Spanned::new(ident.as_str().to_owned(), self.span(ident.span()))
    }

    /// A body; `span` is where it stands.
    pub(super) fn body(&self, body: &structure::Body, span: Span) -> Body {
        let mut result = Body { attrs: Vec::new(), blocks: Vec::new(), span };
        for item in body {
            match item {
                Structure::Attribute(attr) => {
                    let (name, expr) = (self.name(&attr.key), self.expr(&attr.value));
                    let span = name.span.to(expr.span);
                    result.attrs.push(Attr { name, expr, span });
                }
                Structure::Block(block) => result.blocks.push(self.block(block)),
            }
        }
        result
    }

    fn block(&self, block: &structure::Block) -> Block {
        let kind = self.name(&block.ident);
        let label = |label: &BlockLabel| match label {
            BlockLabel::Ident(ident) => self.name(ident),
            BlockLabel::String(text) => Spanned::new(text.value().clone(), self.span(text.span())),
        };
        let labels: Vec<Spanned<String>> = block.labels.iter().map(label).collect();
        let header = labels.last().map_or(kind.span, |last| kind.span.to(last.span));
        let span = block.span().map_or(header, |range| self.span(Some(range)));
        let inner = self.source(span).find('{').map_or(span, |brace| {
            // A brace in a label's text is not the body's.
            let after_header = (header.end as usize).saturating_sub(span.start as usize);
            let brace = self.source(span)[after_header..].find('{').map_or(brace, |at| at + after_header);
            let end = (span.end as usize).saturating_sub(1).max(span.start as usize + brace + 1);
            Span::new(self.file, span.start as usize + brace + 1..end)
        });
        let body = self.body(&block.body, inner);
        Block { kind, labels, body, header, span, broken: false }
    }

    pub(super) fn expr(&self, expr: &Expression) -> Expr {
        let mut span = self.span(expr.span());
        let kind = match expr {
            Expression::Null(_) => ExprKind::Null,
            Expression::Bool(value) => ExprKind::Bool(*value.value()),
            Expression::Number(_) => self.number(span),
            Expression::String(text) => ExprKind::String(text.value().clone()),
            Expression::Array(items) => ExprKind::List(items.iter().map(|item| self.expr(item)).collect()),
            Expression::Object(object) => ExprKind::Object(self.object(object)),
            Expression::StringTemplate(text) => template::quoted(self, text),
            Expression::HeredocTemplate(heredoc) => {
                // Without the line end before the closing marker's line, an excerpt shows the opening only.
                span = Span { end: span.start.max(span.end), ..span };
                template::heredoc(self, heredoc, self.source(span).starts_with("<<-"))
            }
            Expression::Parenthesis(inner) => ExprKind::Parens(Box::new(self.expr(inner.inner()))),
            Expression::Variable(name) => ExprKind::Name(name.as_str().to_owned()),
            Expression::Conditional(it) => ExprKind::Conditional(Box::new(Conditional {
                condition: self.expr(&it.cond_expr),
                yes: self.expr(&it.true_expr),
                no: self.expr(&it.false_expr),
            })),
            Expression::FuncCall(call) => ExprKind::Call(Box::new(self.call(call))),
            Expression::Traversal(it) => self.traversal(it),
            Expression::UnaryOp(it) => ExprKind::Unary(unary_op(*it.operator.value()), Box::new(self.expr(&it.expr))),
            Expression::BinaryOp(it) => ExprKind::Binary(Box::new(Binary {
                left: self.expr(&it.lhs_expr),
                op: Spanned::new(binary_op(*it.operator.value()), self.span(it.operator.span())),
                right: self.expr(&it.rhs_expr),
            })),
            Expression::ForExpr(it) => ExprKind::For(Box::new(self.for_expr(it))),
        };
        Expr { kind, span }
    }

    /// A number as it is written; between a minus and the digits only blanks and comments can stand.
    fn number(&self, span: Span) -> ExprKind {
        let text = self.source(span);
        let digits = text.rfind([' ', '\t', '/']).map_or(text.trim_start_matches('-'), |at| &text[at + 1..]);
        let sign = if text.starts_with('-') { "-" } else { "" };
        ExprKind::Number(format!("{sign}{digits}"))
    }

    fn object(&self, object: &hcl::Object) -> Vec<(ObjectKey, Expr)> {
        let key = |key: &hcl::ObjectKey| match key {
            hcl::ObjectKey::Ident(name) => ObjectKey::Name(self.name(name)),
            hcl::ObjectKey::Expression(Expression::Null(it)) => {
                ObjectKey::Name(Spanned::new("null".into(), self.span(it.span())))
            }
            hcl::ObjectKey::Expression(Expression::Bool(it)) => {
                ObjectKey::Name(Spanned::new(it.value().to_string(), self.span(it.span())))
            }
            hcl::ObjectKey::Expression(expr) => ObjectKey::Expr(self.expr(expr)),
        };
        object.iter().map(|(k, value)| (key(k), self.expr(value.expr()))).collect()
    }

    fn call(&self, call: &hcl::FuncCall) -> Call {
        let mut name = self.name(&call.name.name);
        for part in call.name.namespace.iter().rev() {
            let part = self.name(part);
            name = Spanned::new(format!("{}::{}", part.value, name.value), part.span.to(name.span));
        }
        let args = call.args.iter().map(|arg| self.expr(arg)).collect();
        Call { name, args, expand: call.args.expand_final() }
    }

    fn for_expr(&self, it: &hcl::ForExpr) -> For {
        For {
            key: it.intro.key_var.as_ref().map(|name| self.name(name)),
            value: self.name(&it.intro.value_var),
            collection: self.expr(&it.intro.collection_expr),
            result_key: it.key_expr.as_ref().map(|key| self.expr(key)),
            result: self.expr(&it.value_expr),
            group: it.grouping,
            condition: it.cond.as_ref().map(|cond| self.expr(&cond.expr)),
        }
    }

    fn traversal(&self, it: &hcl::Traversal) -> ExprKind {
        let steps = it.operators.iter().map(|operator| {
            let span = self.span(operator.span());
            let kind = match operator.value() {
                TraversalOperator::AttrSplat(_) => StepKind::AttrSplat,
                TraversalOperator::FullSplat(_) => StepKind::FullSplat,
                TraversalOperator::GetAttr(name) => StepKind::Attr(self.name(name)),
                TraversalOperator::Index(key) => StepKind::Index(self.expr(key)),
                TraversalOperator::LegacyIndex(index) => {
                    let span = self.span(index.span());
                    StepKind::Index(Expr { kind: ExprKind::Number(index.value().to_string()), span })
                }
            };
            Step { kind, span }
        });
        ExprKind::Traversal(Box::new(self.expr(&it.expr)), steps.collect())
    }
}

fn unary_op(op: hcl::UnaryOperator) -> UnaryOp {
    match op {
        hcl::UnaryOperator::Neg => UnaryOp::Neg,
        hcl::UnaryOperator::Not => UnaryOp::Not,
    }
}

fn binary_op(op: hcl::BinaryOperator) -> BinaryOp {
    match op {
        hcl::BinaryOperator::Eq => BinaryOp::Eq,
        hcl::BinaryOperator::NotEq => BinaryOp::NotEq,
        hcl::BinaryOperator::LessEq => BinaryOp::LessEq,
        hcl::BinaryOperator::GreaterEq => BinaryOp::GreaterEq,
        hcl::BinaryOperator::Less => BinaryOp::Less,
        hcl::BinaryOperator::Greater => BinaryOp::Greater,
        hcl::BinaryOperator::Plus => BinaryOp::Add,
        hcl::BinaryOperator::Minus => BinaryOp::Sub,
        hcl::BinaryOperator::Mul => BinaryOp::Mul,
        hcl::BinaryOperator::Div => BinaryOp::Div,
        hcl::BinaryOperator::Mod => BinaryOp::Mod,
        hcl::BinaryOperator::And => BinaryOp::And,
        hcl::BinaryOperator::Or => BinaryOp::Or,
    }
}
