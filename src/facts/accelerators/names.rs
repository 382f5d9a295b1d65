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
    /// A name with a topology, such as `v6e-4x4`: two attributes in one.
    WithTopology {
        /// The generation before the dash.
        accelerator: &'static Accelerator,
        /// What stands after it.
        topology: String,
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
    Refused { id: "v2", aliases: &["tpu-v2", "tpuv2"], reason: "GKE's autoscaler knows no node pools of TPU v2" },
    Refused {
        id: "v3",
        aliases: &["tpu-v3", "tpuv3", "tpu-v3-device", "tpu-v3-slice", "tpu-v3-podslice"],
        reason: "TPU v3 is a legacy generation that Ray's autoscaler on KubeRay doesn't know",
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
    if let Some(refused) = refused(&wanted) {
        return Found::Refused(refused);
    }
    if let Some((family, size)) = wanted.rsplit_once('-') {
        if let Some(found) = by_alias(family).and_then(|accelerator| sized(accelerator, size)) {
            return found;
        }
        if let Some(refused) = refused(family)
            && size.starts_with(|c: char| c.is_ascii_digit())
        {
            return Found::Refused(refused);
        }
    }
    let of_machine = ACCELERATORS.iter().find(|row| row.machine_type(&wanted).is_some());
    let names = ACCELERATORS.iter().flat_map(|row| std::iter::once(row.id).chain(row.aliases.iter().copied()));
    Found::Unknown { nearest: of_machine.map(|row| row.id).or_else(|| suggest::nearest(&wanted, names)) }
}

/// A generation with a size behind it: a number, or a topology.
fn sized(accelerator: &'static Accelerator, size: &str) -> Option<Found> {
    if let Ok(number) = size.parse() {
        return Some(Found::ShortName { accelerator, number, meanings: meanings(accelerator, number) });
    }
    let topology = size.contains('x') && size.bytes().all(|byte| byte == b'x' || byte.is_ascii_digit());
    topology.then(|| Found::WithTopology { accelerator, topology: size.to_owned() })
}

fn refused(name: &str) -> Option<&'static Refused> {
    REFUSED.iter().find(|refused| refused.id == name || refused.aliases.contains(&name))
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
        Some(chips) if cores > 1 => format!("{}, that is {}", count(number, "core"), count(chips, "chip")),
        Some(chips) => count(chips, "chip"),
        None => format!("{}, which isn't a whole number of chips", count(number, "core")),
    };
    let (toolkit_chips, toolkit) = match accelerator.toolkit_short_names {
        ToolkitShortNames::Cores => (by_cores, format!("reads it as {counted}")),
        ToolkitShortNames::Chips => (Some(number), format!("reads it as {}", count(number, "chip"))),
        ToolkitShortNames::Refused => (None, "refuses a size after the name and asks for the topology".to_owned()),
    };
    let gke = "has no such names: a node pool takes a machine type and a topology".to_owned();
    vec![
        Meaning { dialect: Dialect::Gke, chips: None, text: gke },
        Meaning { dialect: Dialect::Ray, chips: by_cores, text: format!("reads {ray_name} as {counted}") },
        Meaning { dialect: Dialect::Xpk, chips: by_cores, text: format!("reads it as {counted}") },
        Meaning { dialect: Dialect::ClusterToolkit, chips: toolkit_chips, text: toolkit },
    ]
}

fn count(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_name_means_one_thing() {
        let mut seen = BTreeSet::new();
        for row in ACCELERATORS {
            for name in std::iter::once(&row.id).chain(row.aliases) {
                assert!(seen.insert(*name), "{name} twice");
                assert_eq!(*name, name.to_lowercase());
                assert!(
                    matches!(find(&name.to_uppercase()), Found::Accelerator(found) if found.id == row.id),
                    "{name}"
                );
            }
            for name in [row.gke_label, row.ray.accelerator_type, row.ray.generation] {
                assert!(matches!(find(name), Found::Accelerator(found) if found.id == row.id), "{name}");
            }
        }
        for row in REFUSED {
            for name in std::iter::once(&row.id).chain(row.aliases) {
                assert!(seen.insert(*name), "{name} twice");
                assert!(matches!(find(name), Found::Refused(found) if found.id == row.id), "{name}");
            }
        }
    }

    #[test]
    fn short_names_are_explained_in_every_dialect() {
        let words = |name: &str| match find(name) {
            Found::ShortName { accelerator, number, meanings } => {
                let lines: Vec<String> =
                    meanings.iter().map(|meaning| format!("  {} {}", meaning.dialect.name(), meaning.text)).collect();
                format!("{name} ({} {number})\n{}", accelerator.id, lines.join("\n"))
            }
            other => panic!("{name}: {other:?}"),
        };
        let all = ["v4-8", "v5p-8", "v5p-7", "v5litepod-16", "v6e-8", "tpu7x-8", "v7x-1"].map(words);
        insta::assert_snapshot!(all.join("\n"), @r"
        v4-8 (v4 8)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v4-8 as 8 cores, that is 4 chips
          xpk reads it as 8 cores, that is 4 chips
          Cluster Toolkit reads it as 8 cores, that is 4 chips
        v5p-8 (v5p 8)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v5p-8 as 8 cores, that is 4 chips
          xpk reads it as 8 cores, that is 4 chips
          Cluster Toolkit reads it as 8 chips
        v5p-7 (v5p 7)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v5p-7 as 7 cores, which isn't a whole number of chips
          xpk reads it as 7 cores, which isn't a whole number of chips
          Cluster Toolkit reads it as 7 chips
        v5litepod-16 (v5e 16)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v5litepod-16 as 16 chips
          xpk reads it as 16 chips
          Cluster Toolkit reads it as 16 chips
        v6e-8 (v6e 8)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v6e-8 as 8 chips
          xpk reads it as 8 chips
          Cluster Toolkit reads it as 8 chips
        tpu7x-8 (tpu7x 8)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v7x-8 as 8 cores, that is 4 chips
          xpk reads it as 8 cores, that is 4 chips
          Cluster Toolkit refuses a size after the name and asks for the topology
        v7x-1 (tpu7x 1)
          GKE has no such names: a node pool takes a machine type and a topology
          Ray reads v7x-1 as 1 core, which isn't a whole number of chips
          xpk reads it as 1 core, which isn't a whole number of chips
          Cluster Toolkit refuses a size after the name and asks for the topology
        ");
    }

    #[test]
    fn what_cannot_be_had_says_why() {
        assert!(matches!(find("v3-8"), Found::Refused(row) if row.id == "v3"));
        assert!(matches!(find("tpu8i"), Found::Refused(row) if row.reason.contains("announced")));
        assert!(matches!(find("v6f"), Found::Unknown { nearest: Some("v6e") }));
        assert!(matches!(find("v3-2x2"), Found::Refused(row) if row.id == "v3"));
        assert!(matches!(find("ct6e-standard-4t"), Found::Unknown { nearest: Some("v6e") }));
        assert!(matches!(find("v6e-4x4"), Found::WithTopology { topology, .. } if topology == "4x4"));
        assert!(matches!(find("h100"), Found::Unknown { nearest: None }));
        assert!(matches!(find("trilium"), Found::Unknown { nearest: Some("trillium") }));
    }

    proptest! {
        #[test]
        fn no_name_makes_it_panic(name in "[a-z0-9é-]*") {
            let _ = find(&name);
        }
    }
}
