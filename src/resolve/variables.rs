//! Values of variables: what was given where, which one wins, its type and its validation.

use crate::base::addr::Addr;
use crate::base::diag::{Diag, Diags, Severity};
use crate::base::span::{Span, Spanned};
use crate::base::suggest::did_you_mean;
use crate::eval::{self, Constants, Scope, Type, Value};
use crate::parse::{self, Block, Body, Expr};
use crate::resolve::scope::Context;
use crate::resolve::stack::Variable;

/// One value given for a variable.
#[derive(Clone, Debug)]
pub struct Given {
    /// The variable.
    pub name: Spanned<String>,
    /// The value.
    pub value: GivenValue,
    /// Where it was given, as people know it: `park.vars.hcl`, `--var`, `SLICEFORM_VAR_project`.
    pub origin: String,
    /// Whether a name that no variable has is an error (`--var`), a warning (a file) or nothing (the environment).
    pub stranger: Option<Severity>,
}

/// The form of a given value.
#[derive(Clone, Debug)]
pub enum GivenValue {
    /// An expression in a file.
    Expr(Expr),
    /// Text: a string where the variable takes a string, number or bool, else an expression.
    Text(String),
}

/// Every value given, the strongest last.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// In rising order of precedence.
    pub given: Vec<Given>,
    /// A variable file could not be read whole: a value that seems missing may be in the part that could not.
    pub incomplete: bool,
    /// The name of the stack's own variable file, for messages.
    pub vars_file: String,
}

impl Inputs {
    /// The values of a variable file.
    pub fn add_file(&mut self, body: Body, origin: &str, diags: &mut Diags) {
        for block in &body.blocks {
            diags.push(
                Diag::error("variable", "A variable file holds values, no blocks")
                    .at(block.header, "a block")
                    .help("Write `NAME = VALUE` for each variable."),
            );
        }
        for attr in body.attrs {
            self.given.push(Given {
                name: attr.name,
                value: GivenValue::Expr(attr.expr),
                origin: origin.to_owned(),
                stranger: Some(Severity::Warning),
            });
        }
    }

    /// A value from the command line or the environment. The name's place is in a file made of the option's text,
    /// so that messages can point into it.
    pub fn add_text(&mut self, name: Spanned<String>, text: String, origin: String, stranger: Option<Severity>) {
        self.given.push(Given { name, value: GivenValue::Text(text), origin, stranger });
    }

    fn winner(&self, name: &str) -> Option<&Given> {
        self.given.iter().rev().find(|given| given.name.value == name)
    }
}

/// Names given that no variable has.
pub fn report_strangers(context: &Context<'_>) {
    for given in &context.inputs.given {
        let Some(severity) = given.stranger else { continue };
        if context.variables.contains_key(given.name.value.as_str()) {
            continue;
        }
        let near = did_you_mean(&given.name, context.variables.keys().copied());
        context.report(
            Diag::new(severity, "variable", format!("There is no variable {:?}", given.name.value))
                .at(given.name.span, format!("given by {}, but not declared in the stack", given.origin))
                .help(format!("Declare `variable \"{}\" {{ }}`, or take the value out.{near}", given.name.value)),
        );
    }
}

/// Every declared variable with its value.
pub fn all(context: &Context<'_>) -> Vec<Variable> {
    let variable = |(name, block): (&&str, &&Block)| Variable {
        name: (*name).to_owned(),
        value: value(context, name, block),
        sensitive: literal_flag(context, block, "sensitive", false),
    };
    context.variables.iter().map(variable).collect()
}

/// The value of a declared variable, computed once.
pub fn value(context: &Context<'_>, name: &str, block: &Block) -> Value {
    context.once(block.header, || format!("var.{name}"), || Ok(compute(context, name, block)))
}

fn compute(context: &Context<'_>, name: &str, block: &Block) -> Value {
    let constants = Constants { budget: context.budget(), place: "a type" };
    let constraint = match attr(block, "type").map_or(Ok(Type::Any), |expr| eval::constraint(expr, &constants)) {
        Ok(constraint) => constraint,
        Err(diags) => {
            context.report_all(diags);
            return Value::unknown();
        }
    };
    let flag = |name: &str, default: bool| literal_flag(context, block, name, default);
    let raw = match (context.inputs.winner(name), attr(block, "default")) {
        (Some(given), _) => given_value(context, given, &constraint),
        (None, Some(default)) => constant(context, default).map(|value| (value, default.span)),
        (None, None) => {
            if !context.inputs.incomplete {
                context.report(missing(context, name, block));
            }
            None
        }
    };
    let Some((raw, span)) = raw else { return Value::unknown() };
    let raw = if raw.is_null() && !flag("nullable", true) {
        attr(block, "default").and_then(|default| constant(context, default)).unwrap_or(raw)
    } else {
        raw
    };
    if raw.is_null() && !flag("nullable", true) {
        context.report(
            Diag::error("variable", format!("Variable {name:?} may not be null"))
                .at(span, "null")
                .also(block.header, "`nullable = false`"),
        );
        return Value::unknown();
    }
    match eval::convert(&raw, &constraint) {
        Ok(value) => {
            let value = value.marked(flag("sensitive", false));
            validate(context, name, block, value)
        }
        Err(mismatch) => {
            let hidden = flag("sensitive", false);
            let why = if hidden { "a sensitive value that does not fit".to_owned() } else { mismatch.to_string() };
            context.report(
                Diag::error("type", format!("Wrong type for variable {name:?}"))
                    .at(span, why)
                    .also(block.header, format!("takes {constraint}")),
            );
            Value::unknown()
        }
    }
}

fn attr<'b>(block: &'b Block, name: &str) -> Option<&'b Expr> {
    block.body.attrs.iter().find(|attr| attr.name.value == name).map(|attr| &attr.expr)
}

fn literal_flag(context: &Context<'_>, block: &Block, name: &str, default: bool) -> bool {
    let Some(expr) = attr(block, name) else { return default };
    let value = context.value(expr, || name.to_owned());
    value.as_bool().unwrap_or_else(|| {
        if !value.is_unknown() {
            context.report(Diag::error("type", format!("`{name}` is true or false")).at(expr.span, value.what()));
        }
        default
    })
}

/// An expression that may name nothing: a default, or a value in a variable file.
fn constant(context: &Context<'_>, expr: &Expr) -> Option<Value> {
    let scope = Constants { budget: context.budget(), place: "a variable's value" };
    match eval::expr(expr, &scope) {
        Ok(value) => Some(value),
        Err(diags) => {
            context.report_all(diags);
            None
        }
    }
}

/// A given value. What is wrong with one is told without its text: it may be a secret.
fn given_value(context: &Context<'_>, given: &Given, constraint: &Type) -> Option<(Value, Span)> {
    let scope = Constants { budget: context.budget(), place: "a variable's value" };
    let (value, span) = match &given.value {
        GivenValue::Text(text) if is_plain(constraint) => return Some((Value::string(text), given.name.span)),
        GivenValue::Text(text) => {
            let expr = parse::parse_expr(given.name.span.file, text);
            (expr.and_then(|expr| eval::expr(&expr, &scope)), given.name.span)
        }
        GivenValue::Expr(expr) => (eval::expr(expr, &scope), expr.span),
    };
    if value.is_err() {
        let help = match &given.value {
            GivenValue::Text(_) => "Quote it for the shell: --var 'NAME=[\"a\", \"b\"]'.",
            GivenValue::Expr(_) => "Values in a variable file are constants; text stands in quotes: NAME = \"text\".",
        };
        context.report(
            Diag::error("variable", format!("Unreadable value for variable {:?}", given.name.value))
                .at(span, format!("given by {}", given.origin))
                .detail(format!("The variable takes {constraint}, and the value is read as an expression."))
                .help(help),
        );
    }
    value.ok().map(|value| (value, span))
}

/// Types whose values stand for themselves on a command line.
fn is_plain(constraint: &Type) -> bool {
    matches!(constraint, Type::Any | Type::String | Type::Number | Type::Bool)
}

fn missing(context: &Context<'_>, name: &str, block: &Block) -> Diag {
    let description = attr(block, "description")
        .and_then(|expr| eval::expr(expr, &Constants { budget: context.budget(), place: "a description" }).ok())
        .and_then(|value| value.as_str().map(str::to_owned));
    let diag = Diag::error("variable", format!("No value for variable {name:?}"))
        .at(block.header, "declared here, without a default")
        .help(format!(
            "Write `{name} = …` into {}, or give --var {name}=VALUE, or set SLICEFORM_VAR_{name}.",
            context.inputs.vars_file
        ));
    match description {
        Some(description) => diag.detail(format!("It is: {description}")),
        None => diag,
    }
}

fn validate(context: &Context<'_>, name: &str, block: &Block, value: Value) -> Value {
    let mut good = true;
    for rule in block.body.blocks.iter().filter(|inner| inner.kind.value == "validation") {
        let (Some(condition), Some(message)) = (attr(rule, "condition"), attr(rule, "error_message")) else { continue };
        let scope = WithVariable { context, name, value: &value };
        let verdict = match eval::expr(condition, &scope) {
            Ok(verdict) => verdict,
            Err(diags) => {
                context.report_all(diags);
                continue;
            }
        };
        if verdict.as_bool().is_none() && !verdict.is_unknown() {
            context.report(
                Diag::error("type", "A validation's condition is true or false")
                    .at(condition.span, format!("this is {}", verdict.what()))
                    .also(block.header, "the variable"),
            );
            good = false;
        }
        if verdict.as_bool() == Some(false) {
            let text = eval::expr(message, &scope).ok().filter(|text| !text.has_sensitive());
            let text = text.and_then(|text| text.as_str().map(str::to_owned));
            context.report(
                Diag::error("variable", format!("Invalid value for variable {name:?}"))
                    .at(condition.span, "this condition is false")
                    .detail(text.unwrap_or_else(|| "Its message holds a sensitive value, or none.".to_owned()))
                    .also(block.header, "the variable"),
            );
            good = false;
        }
    }
    if good { value } else { Value::unknown() }
}

/// The scope of a validation: the variable's own value is known there, though the variable is still being computed.
struct WithVariable<'a, 'b> {
    context: &'a Context<'b>,
    name: &'a str,
    value: &'a Value,
}

impl Scope for WithVariable<'_, '_> {
    fn lookup(&self, root: &Spanned<String>, next: Option<&Spanned<String>>) -> Result<(Value, bool), Box<Diag>> {
        if root.value == "var" && next.is_some_and(|next| next.value == self.name) {
            return Ok((self.value.clone(), true));
        }
        self.context.lookup(root, next)
    }

    fn block_attr(&self, block: &Addr, name: &Spanned<String>) -> Result<Value, Box<Diag>> {
        self.context.block_attr(block, name)
    }

    fn read_file(&self, path: &str) -> Result<String, String> {
        self.context.read_file(path)
    }

    fn file_exists(&self, path: &str) -> Result<bool, String> {
        self.context.file_exists(path)
    }

    fn list_files(&self, dir: &str) -> Result<Vec<String>, String> {
        self.context.list_files(dir)
    }

    fn budget(&self) -> &eval::Budget {
        self.context.budget()
    }
}
