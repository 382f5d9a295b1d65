//! vLLM's arguments by version, as its own parsers list them.

mod kind;
pub mod platform;
pub mod room;
mod spelling;

pub use kind::{Kind, human_int, structure};
pub use spelling::{Meant, meant};

use std::sync::{LazyLock, OnceLock};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use crate::base::suggest;
use crate::facts::version::Version;

/// Which vLLM runs: the arguments are one list by version, the rules of parallelism differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backend {
    /// vLLM on GPUs.
    Gpu,
    /// vLLM on TPUs through JAX.
    TpuInference,
    /// vLLM on TPUs through PyTorch.
    TorchTpu,
}

impl Backend {
    /// What a stack writes as `vllm_backend`, and `gpu`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::TpuInference => "tpu_inference",
            Self::TorchTpu => "torchtpu",
        }
    }

    /// The package whose version counts.
    pub fn package(self) -> &'static str {
        match self {
            Self::Gpu => "vllm",
            Self::TpuInference => "vllm-tpu",
            Self::TorchTpu => "vllm-torchtpu",
        }
    }

    /// The releases of the package that were read, oldest first.
    pub fn versions(self) -> &'static [Version] {
        match self {
            Self::Gpu => GPU,
            Self::TpuInference => TPU_INFERENCE,
            Self::TorchTpu => TORCH_TPU,
        }
    }
}

static GPU: &[Version] = &[Version::new(0, 33, 0)];
static TPU_INFERENCE: &[Version] = &[Version::new(0, 21, 0), Version::new(0, 32, 0)];
static TORCH_TPU: &[Version] = &[Version::new(0, 29, 0)];

/// An argument of `vllm serve`.
#[derive(Debug, Deserialize)]
pub struct Arg {
    /// Its name, with underscores.
    pub name: String,
    /// What its value looks like.
    pub kind: Kind,
    /// True if vLLM's HTTP server reads it, and not the engine.
    #[serde(default)]
    pub server: bool,
    /// True if only the command line of `vllm serve` has it, and no class of arguments that Ray passes.
    #[serde(default)]
    pub command_line: bool,
    #[serde(default)]
    default: Value,
    /// Defaults of other versions.
    #[serde(default)]
    defaults: IndexMap<String, Value>,
    #[serde(default)]
    choices: Vec<Value>,
    /// The versions of those choices that not all versions have.
    #[serde(default)]
    choices_in: IndexMap<String, Vec<String>>,
    /// The versions that take any value.
    #[serde(default)]
    unchecked_in: Vec<String>,
    /// True if other values are taken too.
    #[serde(default)]
    open: bool,
    /// True if capitals and dashes in a value are taken for small letters and underscores.
    #[serde(default)]
    folded: bool,
    /// The versions that have it; None: all that were read.
    #[serde(default, rename = "in")]
    versions: Option<Vec<String>>,
}

/// Every argument that was read, by name.
pub fn all() -> impl Iterator<Item = &'static Arg> {
    DATA.args.iter().filter_map(Row::arg)
}

/// The argument of that name, in any version.
pub fn named(name: &str) -> Option<&'static Arg> {
    DATA.args.iter().find(|row| row.name == name).and_then(Row::arg)
}

impl Arg {
    /// The versions that have it.
    pub fn versions(&self) -> Vec<&'static str> {
        DATA.versions.iter().map(String::as_str).filter(|version| self.is_in(version)).collect()
    }

    fn is_in(&self, version: &str) -> bool {
        self.versions.as_ref().is_none_or(|versions| versions.iter().any(|known| known == version))
    }

    /// The default; null where vLLM decides at run time.
    pub fn default(&self, surface: &Surface) -> &Value {
        surface.newest().and_then(|version| self.defaults.get(version)).unwrap_or(&self.default)
    }

    /// True if it takes `value`, or takes any.
    pub fn takes(&self, surface: &Surface, value: &Value) -> bool {
        let folded = value.as_str().filter(|_| self.folded).map(|text| text.to_lowercase().replace('-', "_"));
        let value = folded.map_or_else(|| value.clone(), Value::from);
        value.is_null() || self.choices(surface).is_none_or(|choices| choices.contains(&&value))
    }

    /// The values that it takes, if it takes these only.
    pub fn choices(&self, surface: &Surface) -> Option<Vec<&Value>> {
        let unchecked = surface.read().iter().any(|version| self.unchecked_in.contains(version));
        if self.open || unchecked || self.choices.is_empty() {
            return None;
        }
        let has = |choice: &&Value| {
            let name = choice.as_str().map_or_else(|| choice.to_string(), str::to_owned);
            let versions = self.choices_in.get(&name);
            versions.is_none_or(|versions| surface.read().iter().any(|version| versions.contains(version)))
        };
        Some(self.choices.iter().filter(has).collect())
    }
}

/// An argument of old recipes that no version read here takes any more.
#[derive(Debug, Deserialize)]
pub struct Gone {
    /// Its name.
    pub name: String,
    /// What does its work today, where one argument does.
    #[serde(default)]
    pub instead: Option<String>,
    /// How that is written, where it is more than the same value under another name.
    #[serde(default, rename = "as")]
    pub how: Option<String>,
}

/// The file: an argument a line, each read when it is first asked for, since a stack names a few of hundreds.
#[derive(Debug, Default)]
struct Data {
    source: String,
    versions: Vec<String>,
    args: Vec<Row>,
    gone: Vec<Gone>,
    short: IndexMap<String, String>,
}

#[derive(Debug)]
struct Row {
    name: &'static str,
    text: &'static str,
    arg: OnceLock<Option<Box<Arg>>>,
}

impl Row {
    fn arg(&self) -> Option<&Arg> {
        self.arg.get_or_init(|| serde_json::from_str(self.text).ok()).as_deref()
    }
}

static DATA: LazyLock<Data> = LazyLock::new(|| read(include_str!("../data/vllm_engine_args.json")).unwrap_or_default());

fn read(file: &'static str) -> Option<Data> {
    #[derive(Deserialize)]
    struct Rest {
        source: String,
        versions: Vec<String>,
        gone: Vec<Gone>,
        short: IndexMap<String, String>,
    }
    let (before, rest) = file.split_once("\"args\":[\n")?;
    let (args, after) = rest.split_once("\n],\n")?;
    let Rest { source, versions, gone, short } = serde_json::from_str(&format!("{before}{after}")).ok()?;
    let row = |line: &'static str| {
        let name = line.strip_prefix("{\"name\":\"")?.split_once('"')?.0;
        Some(Row { name, text: line.trim_end_matches(','), arg: OnceLock::new() })
    };
    Some(Data { source, versions, args: args.lines().filter_map(row).collect(), gone, short })
}

/// Where the arguments were read.
pub fn source() -> &'static str {
    &DATA.source
}

/// The versions that were read, oldest first.
pub fn versions() -> Vec<Version> {
    DATA.versions.iter().filter_map(|text| text.parse().ok()).collect()
}

/// Whether any version, however old, has or had an argument of this name; dashes and underscores are the same.
pub fn known_anywhere(name: &str) -> bool {
    let name = name.replace('-', "_");
    DATA.args.iter().any(|row| row.name == name) || DATA.gone.iter().any(|gone| gone.name == name)
}

/// The argument that a short form of vLLM's command line stands for: `tp`.
pub fn short_for(name: &str) -> Option<&'static str> {
    DATA.short.get(name).map(String::as_str)
}

/// The argument of old recipes of that name.
pub fn gone(name: &str) -> Option<&'static Gone> {
    DATA.gone.iter().find(|gone| gone.name == name)
}

/// The names of all arguments that were read, in any version.
pub fn names() -> Vec<&'static str> {
    DATA.args.iter().map(|row| row.name).collect()
}

/// How a version stands to those that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was read.
    Read,
    /// It lies between two that were read: what only one of them has is uncertain.
    Between,
    /// It is newer than all: the newest is used.
    AboveLast,
}

/// The arguments of one vLLM.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Which vLLM.
    pub backend: Backend,
    /// Its version.
    pub version: Version,
    /// How sure the answers are.
    pub standing: Standing,
    /// Indices of the read versions that answer for it, as a range of `DATA.versions`.
    first: usize,
    last: usize,
}

/// What is known of a name.
#[derive(Debug)]
pub enum Known {
    /// An argument.
    Yes(&'static Arg),
    /// An argument of one of the two read versions around this one.
    Perhaps(&'static Arg),
    /// An argument of a newer version only.
    NotYet {
        /// The argument.
        arg: &'static Arg,
        /// The first read version that has it.
        since: &'static str,
    },
    /// An argument of an older version only.
    Removed {
        /// The argument.
        arg: &'static Arg,
        /// The last read version that has it.
        last: &'static str,
    },
    /// An argument of versions older than all that were read.
    Gone(&'static Gone),
    /// No argument.
    Unknown {
        /// The name that was probably meant.
        nearest: Option<&'static str>,
        /// The arguments that it begins; vLLM's parser would take it for the only one of them.
        prefix_of: Vec<&'static str>,
    },
}

/// The arguments of `version` of a back end. None: it is older than all that were read.
pub fn surface(backend: Backend, version: &Version) -> Option<Surface> {
    let read = versions();
    let first = read.iter().rposition(|read| read.line() <= version.line())?;
    let (standing, last) = match read.get(first) {
        Some(exact) if exact.line() == version.line() => (Standing::Read, first),
        _ if first + 1 == read.len() => (Standing::AboveLast, first),
        _ => (Standing::Between, first + 1),
    };
    Some(Surface { backend, version: version.clone(), standing, first, last })
}

impl Surface {
    /// The read versions that answer for this one.
    pub fn read(&self) -> &'static [String] {
        DATA.versions.get(self.first..=self.last).unwrap_or_default()
    }

    fn newest(&self) -> Option<&'static str> {
        self.read().last().map(String::as_str)
    }

    /// Every argument that this version surely has, by name.
    pub fn args(&self) -> impl Iterator<Item = &'static Arg> {
        let read = self.read();
        all().filter(move |arg| read.iter().all(|version| arg.is_in(version)))
    }

    /// What is known of `name`; dashes and underscores are the same.
    pub fn find(&self, name: &str) -> Known {
        let name = name.replace('-', "_");
        let Some(arg) = named(&name) else {
            return self.missing(&name);
        };
        match self.read().iter().filter(|version| arg.is_in(version)).count() {
            0 => {
                let having = |at: &usize| DATA.versions.get(*at).is_some_and(|version| arg.is_in(version));
                let text = |at: usize| DATA.versions.get(at).map_or("", String::as_str);
                match (0..self.first).rev().find(having) {
                    Some(at) => Known::Removed { arg, last: text(at) },
                    None => {
                        Known::NotYet { arg, since: (self.last + 1..DATA.versions.len()).find(having).map_or("", text) }
                    }
                }
            }
            some if some < self.read().len() => Known::Perhaps(arg),
            _ => Known::Yes(arg),
        }
    }

    fn missing(&self, name: &str) -> Known {
        if let Some(gone) = gone(name) {
            return Known::Gone(gone);
        }
        let names = || self.args().map(|arg| arg.name.as_str());
        Known::Unknown {
            nearest: suggest::nearest(name, names()),
            prefix_of: names().filter(|known| !name.is_empty() && known.starts_with(name)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn of(version: &str) -> Surface {
        surface(Backend::Gpu, &version.parse().unwrap()).unwrap()
    }

    #[test]
    fn the_data_parses_and_every_backend_was_read() {
        assert_eq!((all().count(), DATA.gone.len(), DATA.versions.len()), (326, 20, 4));
        assert!(!source().is_empty());
        for backend in [Backend::Gpu, Backend::TpuInference, Backend::TorchTpu] {
            for version in backend.versions() {
                assert_eq!(surface(backend, version).unwrap().standing, Standing::Read);
            }
        }
        for arg in all() {
            assert!(arg.kind.accepts(&arg.default), "{} = {}", arg.name, arg.default);
            assert!(
                arg.choices_in
                    .values()
                    .chain([&arg.unchecked_in])
                    .flatten()
                    .all(|version| DATA.versions.contains(version))
            );
        }
        assert!(DATA.short.iter().all(|(short, name)| named(name).is_some() && named(short).is_none()));
        for gone in &DATA.gone {
            assert!(gone.instead.iter().all(|name| matches!(of("0.33.0").find(name), Known::Yes(_))), "{}", gone.name);
        }
    }

    #[test]
    fn a_name_is_known_by_version() {
        assert!(
            matches!(of("0.33.0").find("tensor-parallel-size"), Known::Yes(arg) if arg.default(&of("0.33.0")) == &json!(1))
        );
        assert!(matches!(of("0.33.0").find("calculate_kv_scales"), Known::Removed { last: "0.21.0", .. }));
        assert!(matches!(of("0.21.0").find("watchdog_config"), Known::NotYet { since: "0.33.0", .. }));
        assert!(matches!(of("0.25.0").find("calculate_kv_scales"), Known::Perhaps(_)));
        assert!(matches!(of("0.32.0").find("swap_space"), Known::Gone(_)));
        assert!(matches!(
            of("0.33.0").find("tensor_paralel_size"),
            Known::Unknown { nearest: Some("tensor_parallel_size"), .. }
        ));
        assert!(
            matches!(of("0.33.0").find("enable_expert"), Known::Unknown { prefix_of, .. } if prefix_of == ["enable_expert_parallel"])
        );
        assert!(surface(Backend::Gpu, &Version::new(0, 20, 0)).is_none());
        assert_eq!(of("0.34.0").standing, Standing::AboveLast);
        assert_eq!(of("0.30.0").standing, Standing::Between);
    }

    #[test]
    fn choices_and_defaults_are_known_by_version() {
        let choices = |version: &str, name: &str| match of(version).find(name) {
            Known::Yes(arg) => {
                arg.choices(&of(version)).map(|choices| choices.into_iter().cloned().collect::<Vec<_>>())
            }
            other => panic!("{other:?}"),
        };
        assert!(choices("0.21.0", "mamba_cache_mode").unwrap().contains(&json!("all")));
        assert!(!choices("0.33.0", "mamba_cache_mode").unwrap().contains(&json!("all")));
        assert_eq!(choices("0.21.0", "safetensors_load_strategy"), None);
        assert!(choices("0.33.0", "max_lora_rank").unwrap().contains(&json!(320)));
        assert_eq!(choices("0.33.0", "distributed_executor_backend"), None);
        let Known::Yes(origins) = of("0.29.0").find("allowed_origins") else { panic!() };
        assert_eq!(origins.default(&of("0.29.0")), &json!(["*"]));
        assert_eq!(origins.default(&of("0.33.0")), &json!([]));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*", minor in 0u32..50) {
            if let Some(surface) = surface(Backend::TorchTpu, &Version::new(0, minor, 0)) {
                let _ = surface.find(&text);
            }
        }
    }
}
