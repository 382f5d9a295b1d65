//! Terraform files: a small tree of blocks, written as `terraform fmt` leaves them, and read back as Terraform's JSON.
//!
//! The JSON is Terraform's own JSON syntax with one choice made: a nested block that occurs once is an object, one that
//! occurs several times is a list of objects. Text in it is a template: `${` is a reference, `$${` is itself.

use hcl_edit::Number;
use hcl_edit::expr::{Expression, ObjectKey};
use hcl_edit::structure::{BlockLabel, Structure};
use hcl_edit::template::Element;
use serde_json::{Map, Value};
use unicode_segmentation::UnicodeSegmentation;

/// A block: `kind "label" "label" { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    kind: String,
    labels: Vec<String>,
    attributes: Vec<(String, Expr)>,
    blocks: Vec<Self>,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `true`
    Bool(bool),
    /// `4`
    Number(u64),
    /// Texts and references in turn: `"serviceAccount:${google_service_account.x.email}"`.
    Template(Vec<Part>),
    /// `google_container_cluster.tpu.name`
    Ref(String),
    /// `["a"]`
    List(Vec<Self>),
    /// Keys and values, in order.
    Map(Vec<(String, Self)>),
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it is.
    Text(String),
    /// A reference.
    Ref(String),
}

impl From<&str> for Expr {
    fn from(text: &str) -> Self {
        Self::Template(vec![Part::Text(text.to_owned())])
    }
}

impl From<&String> for Expr {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<bool> for Expr {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<u32> for Expr {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<u64> for Expr {
    fn from(value: u64) -> Self {
        Self::Number(value)
    }
}

impl From<Part> for Expr {
    fn from(part: Part) -> Self {
        match part {
            Part::Ref(reference) => Self::Ref(reference),
            text @ Part::Text(_) => Self::Template(vec![text]),
        }
    }
}

impl Expr {
    /// A list.
    pub fn list<E: Into<Self>>(items: impl IntoIterator<Item = E>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }

    /// A reference.
    pub fn reference(text: impl Into<String>) -> Self {
        Self::Ref(text.into())
    }

    /// A map of texts.
    pub fn texts<'a>(map: impl IntoIterator<Item = (&'a String, &'a String)>) -> Self {
        Self::Map(map.into_iter().map(|(key, value)| (key.clone(), value.into())).collect())
    }
}

impl Block {
    /// A block without content.
    pub fn new(kind: &str, labels: &[&str]) -> Self {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        Self { kind: kind.to_owned(), labels, attributes: Vec::new(), blocks: Vec::new() }
    }

    /// With an attribute.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Expr>) -> Self {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }

    /// With an attribute, where there is a value and it isn't empty.
    #[must_use]
    pub fn some<E: Into<Expr>>(self, name: &str, value: Option<E>) -> Self {
        match value.map(Into::into) {
            None => self,
            Some(Expr::Map(entries)) if entries.is_empty() => self,
            Some(value) => self.with(name, value),
        }
    }

    /// Whether it is the block of that kind with those labels.
    pub fn is(&self, kind: &str, labels: &[&str]) -> bool {
        self.kind == kind && self.labels.iter().map(String::as_str).eq(labels.iter().copied())
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.blocks.is_empty()
    }

    /// With a nested block, or several.
    #[must_use]
    pub fn block(mut self, blocks: impl IntoIterator<Item = Self>) -> Self {
        self.blocks.extend(blocks);
        self
    }
}

/// A name that Terraform takes for an identifier.
pub fn identifier(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("_{plain}") }
}

/// The text of a file.
pub fn write(blocks: &[Block]) -> String {
    let mut out = String::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        write_block(block, 0, &mut out);
    }
    out
}

fn write_block(block: &Block, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    put(out, &[&indent, &block.kind]);
    for label in &block.labels {
        put(out, &[" ", &quote(label)]);
    }
    out.push_str(" {");
    if block.attributes.is_empty() && block.blocks.is_empty() {
        out.push_str("}\n");
        return;
    }
    out.push('\n');
    write_attributes(&block.attributes, depth + 1, out);
    for (index, inner) in block.blocks.iter().enumerate() {
        if index > 0 || !block.attributes.is_empty() {
            out.push('\n');
        }
        write_block(inner, depth + 1, out);
    }
    put(out, &[&indent, "}\n"]);
}

/// One attribute a line. The `=` of lines that follow each other stand in one column; a value of several lines ends
/// such a group and stands apart.
fn write_attributes(attributes: &[(String, Expr)], depth: usize, out: &mut String) {
    let names: Vec<String> = attributes.iter().map(|(name, _)| key(name)).collect();
    let width = |index: usize| names[index].graphemes(true).count();
    let single = |index: usize| !spans_lines(&attributes[index].1);
    for index in 0..attributes.len() {
        let column = if single(index) {
            let first = (0..index).rev().take_while(|i| single(*i)).last().unwrap_or(index);
            (first..attributes.len()).take_while(|i| single(*i)).map(width).max().unwrap_or(0)
        } else {
            width(index)
        };
        let gap = " ".repeat(column - width(index));
        put(out, &["  ".repeat(depth).as_str(), &names[index], &gap, " = "]);
        write_expr(&attributes[index].1, depth, out);
        out.push('\n');
    }
}

fn put(out: &mut String, texts: &[&str]) {
    out.extend(texts.iter().copied());
}

fn spans_lines(value: &Expr) -> bool {
    matches!(value, Expr::Map(entries) if !entries.is_empty())
}

fn write_expr(value: &Expr, depth: usize, out: &mut String) {
    match value {
        Expr::Bool(value) => out.push_str(&value.to_string()),
        Expr::Number(value) => out.push_str(&value.to_string()),
        Expr::Ref(reference) => out.push_str(reference),
        Expr::Template(parts) => {
            let inner: String = parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => escape(text),
                    Part::Ref(reference) => format!("${{{reference}}}"),
                })
                .collect();
            put(out, &["\"", &inner, "\""]);
        }
        Expr::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_expr(item, depth, out);
            }
            out.push(']');
        }
        Expr::Map(entries) if entries.is_empty() => out.push_str("{}"),
        Expr::Map(entries) => {
            out.push_str("{\n");
            write_attributes(entries, depth + 1, out);
            put(out, &["  ".repeat(depth).as_str(), "}"]);
        }
    }
}

/// A name as it stands before `=`: bare where Terraform reads it back as the same text.
fn key(name: &str) -> String {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let bare = starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    // `null`, `true`, `false` and `for` as bare keys mean something else.
    if bare && !matches!(name, "null" | "true" | "false" | "for") { name.to_owned() } else { quote(name) }
}

fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => put(&mut out, &["\\u", &format!("{:04x}", u32::from(c))]),
            c => out.push(c),
        }
    }
    templates_escaped(&out)
}

/// `${` and `%{` begin a template: doubled, they are themselves.
fn templates_escaped(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}

/// The blocks as Terraform's JSON.
pub fn tree(blocks: &[Block]) -> Value {
    let mut root = Map::new();
    for block in blocks {
        let path: Vec<&str> =
            std::iter::once(block.kind.as_str()).chain(block.labels.iter().map(String::as_str)).collect();
        insert(&mut root, &path, body_tree(block));
    }
    Value::Object(root)
}

fn body_tree(block: &Block) -> Value {
    let mut body: Map<String, Value> =
        block.attributes.iter().map(|(name, value)| (name.clone(), expr_tree(value))).collect();
    for inner in &block.blocks {
        insert(&mut body, &[&inner.kind], body_tree(inner));
    }
    Value::Object(body)
}

fn expr_tree(value: &Expr) -> Value {
    match value {
        Expr::Bool(value) => Value::from(*value),
        Expr::Number(value) => Value::from(*value),
        Expr::Ref(reference) => Value::String(format!("${{{reference}}}")),
        Expr::Template(parts) => {
            let text = |part: &Part| match part {
                Part::Text(text) => templates_escaped(text),
                Part::Ref(reference) => format!("${{{reference}}}"),
            };
            Value::String(parts.iter().map(text).collect())
        }
        Expr::List(items) => Value::Array(items.iter().map(expr_tree).collect()),
        Expr::Map(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (key.clone(), expr_tree(value))).collect())
        }
    }
}

/// Puts a block's body at the place that its kind and labels name; a second one there makes a list of both.
fn insert(place: &mut Map<String, Value>, path: &[&str], body: Value) {
    match path {
        [] => {}
        [last] => match place.get_mut(*last) {
            None => {
                place.insert((*last).to_owned(), body);
            }
            Some(Value::Array(bodies)) => bodies.push(body),
            Some(first) => *first = Value::Array(vec![first.take(), body]),
        },
        [name, rest @ ..] => {
            let inner = place.entry(*name).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                insert(inner, rest, body);
            }
        }
    }
}

/// The tree of a file: what [`tree`] gave when it was written, and the like for a file that someone has edited. An
/// expression that this module doesn't write is kept as the reference text that it is.
pub fn read(text: &str) -> Result<Value, String> {
    let body = hcl_edit::parser::parse_body(text).map_err(|error| error.to_string())?;
    Ok(Value::Object(read_body(&body)))
}

fn read_body(body: &hcl_edit::structure::Body) -> Map<String, Value> {
    let mut tree = Map::new();
    for structure in body {
        match structure {
            Structure::Attribute(attribute) => {
                tree.insert(attribute.key.to_string().trim().to_owned(), read_expr(&attribute.value));
            }
            Structure::Block(block) => {
                let labels = block.labels.iter().map(BlockLabel::as_str);
                let path: Vec<&str> = std::iter::once(block.ident.as_str()).chain(labels).collect();
                insert(&mut tree, &path, Value::Object(read_body(&block.body)));
            }
        }
    }
    tree
}

fn read_expr(expr: &Expression) -> Value {
    match expr {
        Expression::Null(_) => Value::Null,
        Expression::Bool(value) => Value::from(*value.value()),
        Expression::Number(number) => read_number(number.value()),
        Expression::String(text) => Value::String(templates_escaped(text)),
        Expression::StringTemplate(template) if template.iter().all(|part| !part.is_directive()) => {
            Value::String(template.iter().map(read_part).collect())
        }
        Expression::Array(items) => Value::Array(items.iter().map(read_expr).collect()),
        Expression::Object(entries) => {
            Value::Object(entries.iter().map(|(key, value)| (read_key(key), read_expr(value.expr()))).collect())
        }
        other => Value::String(format!("${{{}}}", other.to_string().trim())),
    }
}

fn read_number(number: &Number) -> Value {
    let whole = number.as_u64().map(Value::from).or_else(|| number.as_i64().map(Value::from));
    whole.or_else(|| number.as_f64().map(Value::from)).unwrap_or(Value::Null)
}

fn read_part(part: &Element) -> String {
    match part {
        Element::Literal(text) => templates_escaped(text),
        Element::Interpolation(inner) => format!("${{{}}}", inner.expr.to_string().trim()),
        Element::Directive(_) => String::new(), // a template with one is kept whole
    }
}

fn read_key(key: &ObjectKey) -> String {
    match key {
        ObjectKey::Ident(name) => name.as_str().to_owned(),
        ObjectKey::Expression(Expression::String(text)) => text.value().clone(),
        ObjectKey::Expression(other) => other.to_string().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_file_is_as_terraform_fmt_leaves_it() {
        let map = |pairs: &[(&str, Expr)]| Expr::Map(pairs.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect());
        let deep = map(&[("x", 1_u64.into()), ("a b", map(&[("y", true.into())])), ("long", 2_u64.into())]);
        let block = Block::new("resource", &["google_x", "y"])
            .with("a", "say \"hi\" to ${you} and %{her}\n\\")
            .with("longer", true)
            .with("deep", deep)
            .with("é", Expr::list(["1", "2"]))
            .with("last", Expr::Template(vec![Part::Text("to:".into()), Part::Ref("a.b".into())]))
            .some("nothing", None::<&str>)
            .block([Block::new("empty", &[]), Block::new("twice", &[]).with("n", 1_u32)])
            .block([Block::new("twice", &[]).with("n", 2_u32)]);
        insta::assert_snapshot!(write(&[Block::new("data", &["p", "q"]).with("r", "s"), block]));
    }

    #[test]
    fn what_this_module_does_not_write_is_kept_as_text() {
        let tree = read(
            "a = b ? [1, -2.5] : null\nc = { (d) = upper(\"e\") }\nf \"g\" {\n  h = \"%{ if i }j%{ endif }\"\n}\n",
        );
        insta::assert_json_snapshot!(tree.unwrap());
        assert!(read("a = ").is_err());
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("${".to_owned()),
            Just("%{".to_owned()),
            Just("$".to_owned()),
            Just("\"".to_owned()),
            Just("\\".to_owned()),
            Just("\n".to_owned()),
            any::<char>().prop_map(String::from),
            "[ -~]{0,8}",
        ];
        prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
    }

    fn expr() -> impl Strategy<Value = Expr> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Expr::Bool),
            any::<u32>().prop_map(Expr::from),
            text().prop_map(|text| Expr::from(&text)),
            "[a-z]{1,5}\\.[a-z_]{1,9}".prop_map(Expr::Ref),
        ];
        leaf.prop_recursive(3, 16, 4, |inner| {
            let entries = prop::collection::btree_map(text(), inner.clone(), 0..4);
            prop_oneof![
                prop::collection::vec(inner, 0..4)
                    .prop_filter("maps in lists are not written", |items| !items.iter().any(spans_lines))
                    .prop_map(Expr::List),
                entries.prop_map(|entries| Expr::Map(entries.into_iter().collect())),
            ]
        })
    }

    fn block() -> impl Strategy<Value = Block> {
        let leaf = prop::collection::btree_map("a[a-z_]{0,9}", expr(), 0..6).prop_map(|attributes| {
            attributes.into_iter().fold(Block::new("b", &[]), |block, (name, value)| block.with(&name, value))
        });
        leaf.prop_recursive(2, 8, 3, |inner| {
            (inner.clone(), prop::collection::vec(inner, 0..3)).prop_map(|(block, blocks)| block.block(blocks))
        })
    }

    proptest! {
        #[test]
        fn every_file_reads_back_as_its_tree(block in block()) {
            let blocks = [block];
            let text = write(&blocks);
            prop_assert_eq!(read(&text), Ok(tree(&blocks)), "{}", text);
        }
    }
}
