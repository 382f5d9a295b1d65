//! Engine arguments of vLLM: of all versions that were read, or of one back end and version.

use serde_json::{Value, json};

use crate::base::diag::Diag;
use crate::cli::args::VllmOf;
use crate::cli::catalog::Rows;
use crate::facts::version::Version;
use crate::facts::vllm::{self, Arg, Standing, Surface};

/// The arguments, with the versions that have them.
pub fn all() -> Rows {
    let columns = &["argument", "takes", "server", "versions"];
    let rows =
        vllm::all().map(|arg| vec![json!(arg.name), json!(arg.kind.words()), json!(arg.server), json!(arg.versions())]);
    (columns, rows.collect())
}

/// The vLLM that was asked for: the newest of a back end that was read, where no version is named.
fn surface(backend: VllmOf, version: Option<&Version>) -> (Version, Option<Surface>) {
    let backend = backend.backend();
    let version = version.or_else(|| backend.versions().last()).cloned().unwrap_or_else(|| Version::new(0, 0, 0));
    let surface = vllm::surface(backend, &version);
    (version, surface)
}

/// What to know of a list: that nobody has read this very release.
pub fn doubt(backend: VllmOf, version: Option<&Version>) -> Option<String> {
    let (version, surface) = surface(backend, version);
    let surface = surface?;
    let read = surface.read().join(" and ");
    match surface.standing {
        Standing::Read => None,
        Standing::Between => {
            Some(format!("vLLM {version} was not read: these are the arguments that {read} both have."))
        }
        Standing::AboveLast => {
            Some(format!("vLLM {version} is newer than all that were read: these are those of {read}."))
        }
    }
}

/// The arguments of one vLLM: what each takes there, and its default.
pub fn of(backend: VllmOf, version: Option<&Version>) -> Result<Rows, Box<Diag>> {
    let (version, surface) = surface(backend, version);
    let Some(surface) = surface else {
        let first = vllm::versions().first().map_or_else(String::new, ToString::to_string);
        return Err(Box::new(
            Diag::error("version-below-facts", format!("vLLM {version} is older than what was read"))
                .help(format!("The oldest is {first}; `sliceform catalog versions vllm` lists them.")),
        ));
    };
    let columns = &["argument", "takes", "choices", "default", "server"];
    Ok((columns, surface.args().map(|arg| row(arg, &surface)).collect()))
}

fn row(arg: &Arg, surface: &Surface) -> Vec<Value> {
    let choices: Vec<Value> = arg.choices(surface).unwrap_or_default().into_iter().cloned().collect();
    let default = match arg.default(surface) {
        Value::String(text) => json!(text),
        Value::Null => Value::Null,
        other => json!(other.to_string()),
    };
    vec![
        json!(arg.name),
        json!(arg.kind.words()),
        if choices.is_empty() { Value::Null } else { json!(choices) },
        default,
        json!(arg.server),
    ]
}
