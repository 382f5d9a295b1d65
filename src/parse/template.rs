//! Templates: `~` trimming and the indentation of `<<-` heredocs, applied while the tree is made.

use crate::base::span::Spanned;
use crate::parse::convert::Converter;
use crate::parse::tree::{Expr, ExprKind, ForPart, IfPart, Part};
use hcl_edit::Span as _;
use hcl_edit::template::{Directive, Element, HeredocTemplate, StringTemplate, Strip, Template};

/// A template flattened, so that what stands before and after a marker is seen across nesting.
enum Token {
    Text(String),
    Interpolation(Expr),
    If(Expr),
    Else,
    EndIf,
    For { key: Option<Spanned<String>>, value: Spanned<String>, collection: Expr },
    EndFor,
}

/// A quoted string with interpolations.
pub(super) fn quoted(converter: &Converter<'_>, template: &StringTemplate) -> ExprKind {
    finish(flatten(converter, template, false))
}

/// A heredoc; `dedent` for `<<-`.
pub(super) fn heredoc(converter: &Converter<'_>, heredoc: &HeredocTemplate, dedent: bool) -> ExprKind {
    let mut tokens = flatten(converter, &heredoc.template, true);
    if dedent {
        strip_indent(&mut tokens);
    }
    finish(tokens)
}

/// The text of a template file.
pub(super) fn file(converter: &Converter<'_>, template: &Template) -> ExprKind {
    finish(flatten(converter, template, true))
}

fn finish(tokens: Vec<Token>) -> ExprKind {
    let mut tokens = tokens.into_iter();
    let (parts, _) = parts(&mut tokens);
    match parts.as_slice() {
        [] => ExprKind::String(String::new()),
        [Part::Text(text)] => ExprKind::String(text.clone()),
        _ => ExprKind::Template(parts),
    }
}

/// Parts up to the `else` or end that closes the level, which is given too.
fn parts(tokens: &mut impl Iterator<Item = Token>) -> (Vec<Part>, Option<Token>) {
    let mut result = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(text) => match result.last_mut() {
                Some(Part::Text(before)) => before.push_str(&text),
                _ if text.is_empty() => {}
                _ => result.push(Part::Text(text)),
            },
            Token::Interpolation(expr) => result.push(Part::Interpolation(expr)),
            Token::If(condition) => {
                let (yes, end) = parts(tokens);
                let no = if matches!(end, Some(Token::Else)) { parts(tokens).0 } else { Vec::new() };
                result.push(Part::If(Box::new(IfPart { condition, yes, no })));
            }
            Token::For { key, value, collection } => {
                let (body, _) = parts(tokens);
                result.push(Part::For(Box::new(ForPart { key, value, collection, body })));
            }
            end => return (result, Some(end)),
        }
    }
    (result, None)
}

struct Flat<'a> {
    converter: &'a Converter<'a>,
    /// Text keeps its escapes and is cut into lines: a heredoc or a template file.
    verbatim: bool,
    tokens: Vec<Token>,
    /// The marker before ended in `~}`: the next text loses its leading blanks.
    trim_next: bool,
}

fn flatten(converter: &Converter<'_>, template: &Template, verbatim: bool) -> Vec<Token> {
    let mut flat = Flat { converter, verbatim, tokens: Vec::new(), trim_next: false };
    flat.template(template);
    flat.tokens
}

impl Flat<'_> {
    fn template(&mut self, template: &Template) {
        for element in template {
            match element {
                Element::Literal(text) if self.verbatim => {
                    // From the source: the library has taken indentation off by rules of its own.
                    let source = self.converter.text.get(self.converter.span(text.span()).range()).unwrap_or(text);
                    let plain = source.replace("$${", "${").replace("%%{", "%{");
                    // Trimming and indentation go by lines: each is a token of its own.
                    plain.split_inclusive('\n').for_each(|line| self.text(line));
                }
                Element::Literal(text) => self.text(text),
                Element::Interpolation(it) => {
                    let expr = self.converter.expr(&it.expr);
                    self.marker(it.strip, Token::Interpolation(expr));
                }
                Element::Directive(directive) => self.directive(directive),
            }
        }
    }

    fn text(&mut self, text: &str) {
        let text = if std::mem::take(&mut self.trim_next) { text.trim_start() } else { text };
        self.tokens.push(Token::Text(text.to_owned()));
    }

    fn marker(&mut self, strip: Strip, token: Token) {
        if strip.strip_start()
            && let Some(Token::Text(text)) = self.tokens.last_mut()
        {
            text.truncate(text.trim_end().len());
        }
        self.trim_next = strip.strip_end();
        self.tokens.push(token);
    }

    fn directive(&mut self, directive: &Directive) {
        match directive {
            Directive::If(it) => {
                let condition = self.converter.expr(&it.if_expr.cond_expr);
                self.marker(it.if_expr.strip, Token::If(condition));
                self.template(&it.if_expr.template);
                if let Some(other) = &it.else_expr {
                    self.marker(other.strip, Token::Else);
                    self.template(&other.template);
                }
                self.marker(it.endif_expr.strip, Token::EndIf);
            }
            Directive::For(it) => {
                let key = it.for_expr.key_var.as_ref().map(|name| self.converter.name(name));
                let value = self.converter.name(&it.for_expr.value_var);
                let collection = self.converter.expr(&it.for_expr.collection_expr);
                self.marker(it.for_expr.strip, Token::For { key, value, collection });
                self.template(&it.for_expr.template);
                self.marker(it.endfor_expr.strip, Token::EndFor);
            }
        }
    }
}

/// Takes off each line what the least indented line has. Blank lines don't count. What stands after a `~}` is no start
/// of a line, and keeps its indentation.
fn strip_indent(tokens: &mut [Token]) {
    let mut least = usize::MAX;
    let mut starts = Vec::new();
    let mut line_starts = true;
    for (index, token) in tokens.iter().enumerate() {
        let Token::Text(text) = token else {
            if std::mem::take(&mut line_starts) {
                least = 0;
            }
            continue;
        };
        if std::mem::replace(&mut line_starts, text.ends_with('\n')) && !(text.trim().is_empty() && line_starts) {
            let indent = text.chars().take_while(|c| c.is_whitespace()).count();
            least = least.min(indent);
            starts.push(index);
        }
    }
    for index in starts {
        if let Token::Text(text) = &mut tokens[index] {
            *text = text.chars().skip(least).collect();
        }
    }
}
