//! What a name in a stack means: a generation, one that is refused, a short name of another tool, or nothing.

use crate::base::suggest;
use crate::facts::accelerators::{ACCELERATORS, Accelerator, ToolkitShortNames};

/// What a name stands for.
#[derive(Debug)]
pub enum Found {
    /// A generation that GKE sells.
    Accelerator(&'static Accelerator),
    /// One that is known and can't be had.
    Refused(&'static Refused),
    /// A name with a size, such as `v5p-8`, which every tool reads differently.
    ShortName {
        /// The generation before the dash.
        accelerator: &'static Accelerator,
        /// The number after it.
        number: u32,
        /// How each tool reads it.
        meanings: Vec<Meaning>,
    },
    /// Nothing known.
    Unknown {
        /// The name that was probably meant.
        nearest: Option<&'static str>,
    },
}

/// A generation that exists somewhere but not on GKE.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub id: &'static str,
    /// Other spellings, in lower case.
    pub aliases: &'static [&'static str],
    /// Why it can't be had.
    pub reason: &'static str,
}

/// Every name that is known and refused.
pub static REFUSED: &[Refused] = &[
    Refused { id: "v2", aliases: &["tpu-v2", "tpuv2"], reason: "TPU v2 isn't sold on GKE" },
    Refused {
        id: "v3",
        aliases: &["tpu-v3", "tpuv3", "tpu-v3-device", "tpu-v3-slice", "tpu-v3-podslice"],
        reason: "TPU v3 is a legacy generation: KubeRay's autoscaler and vLLM have no support for it",
    },
    Refused {
        id: "tpu7",
        aliases: &["v7", "tpu-v7"],
        reason: "TPU7 is in GKE's autoscaler and xpk only, without documentation; what GKE sells is tpu7x (Ironwood)",
    },
    Refused {
        id: "tpu8",
        aliases: &["tpu8i", "tpu8t", "v8", "v8i", "v8t", "tpu-v8", "tpu-v8i", "tpu-v8t", "8i", "8t"],
        reason: "the 8th generation (TPU 8i and 8t) was announced in April 2026: libraries know it, GKE doesn't sell it yet",
    },
];

/// A tool with its own reading of short names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// Google Kubernetes Engine.
    Gke,
    /// Ray.
    Ray,
    /// xpk.
    Xpk,
    /// Cluster Toolkit.
    ClusterToolkit,
}

impl Dialect {
    /// The name that people know.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gke => "GKE",
            Self::Ray => "Ray",
            Self::Xpk => "xpk",
            Self::ClusterToolkit => "Cluster Toolkit",
        }
    }
}

/// How one tool reads a short name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The tool.
    pub dialect: Dialect,
    /// The chips that it stands for there; None where the tool refuses the name.
    pub chips: Option<u32>,
    /// The reading in words, to stand after the tool's name.
    pub text: String,
}

/// What `name` stands for; upper and lower case are the same.
pub fn find(name: &str) -> Found {
    let wanted = name.trim().to_lowercase();
    if let Some(accelerator) = by_alias(&wanted) {
        return Found::Accelerator(accelerator);
    }
    if let Some(refused) =
        REFUSED.iter().find(|refused| refused.id == wanted || refused.aliases.contains(&wanted.as_str()))
    {
        return Found::Refused(refused);
    }
    if let Some((family, number)) = wanted.rsplit_once('-')
        && let Ok(number) = number.parse::<u32>()
    {
        if let Some(accelerator) = by_alias(family) {
            return Found::ShortName { accelerator, number, meanings: meanings(accelerator, number) };
        }
        if let Found::Refused(refused) = find(family) {
            return Found::Refused(refused);
        }
    }
    let names = ACCELERATORS.iter().flat_map(|row| std::iter::once(row.id).chain(row.aliases.iter().copied()));
    Found::Unknown { nearest: suggest::nearest(&wanted, names) }
}

fn by_alias(name: &str) -> Option<&'static Accelerator> {
    ACCELERATORS
        .iter()
        .find(|row| row.id == name || row.aliases.contains(&name) || row.ray.accelerator_type.to_lowercase() == name)
}

/// Conflict `pod-type-units`: the number is cores in some tools, chips in others.
fn meanings(accelerator: &Accelerator, number: u32) -> Vec<Meaning> {
    let cores = accelerator.ray.cores_per_chip;
    let ray_name = format!("{}-{number}", accelerator.ray.generation);
    let by_cores = number.is_multiple_of(cores).then(|| number / cores);
    let counted = match by_cores {
        Some(chips) if cores > 1 => format!("{number} cores, that is {}", chips_in_words(chips)),
        Some(chips) => chips_in_words(chips),
        None => format!("{number} cores, which isn't a whole number of chips"),
    };
    let (toolkit_chips, toolkit) = match accelerator.toolkit_short_names {
        ToolkitShortNames::Cores => (by_cores, counted.clone()),
        ToolkitShortNames::Chips => (Some(number), chips_in_words(number)),
        ToolkitShortNames::Refused => (None, "refuses a size after the name and asks for the topology".to_owned()),
    };
    vec![
        Meaning {
            dialect: Dialect::Gke,
            chips: None,
            text: "has no such names: a node pool takes a machine type and a topology".to_owned(),
        },
        Meaning { dialect: Dialect::Ray, chips: by_cores, text: format!("{ray_name} is {counted}") },
        Meaning { dialect: Dialect::Xpk, chips: by_cores, text: counted },
        Meaning { dialect: Dialect::ClusterToolkit, chips: toolkit_chips, text: toolkit },
    ]
}

fn chips_in_words(chips: u32) -> String {
    if chips == 1 { "1 chip".to_owned() } else { format!("{chips} chips") }
}
