//! What can be wrong with the shape of a slice, and the words for it.

use crate::facts::accelerators::{Accelerator, MachineType};
use crate::fit::shape::{shapes, with_chips};
use crate::fit::topology::Topology;

/// A legal slice, as a message offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its topology.
    pub topology: Topology,
    /// Its hosts.
    pub hosts: u32,
    /// Their machine type.
    pub machine_type: &'static MachineType,
}

impl Offer {
    /// `4x4 (16 chips on 4 hosts)`.
    pub fn text(&self) -> String {
        let chips = self.topology.chips();
        format!("{} ({}, {})", self.topology, count(chips, "chip"), count(self.hosts, "host"))
    }
}

/// Why a slice can't be. Each fault carries what its message needs: what was written and what is legal instead.
#[derive(Clone, Debug)]
pub enum ShapeFault {
    /// Not numbers with `x` between them.
    Malformed {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        text: String,
        /// What was probably meant.
        meant: Option<Topology>,
    },
    /// Two dimensions where the generation has three, or the reverse.
    Dimensions {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// Legal slices of as many chips, else the nearest in size.
        offers: Vec<Offer>,
    },
    /// The dimensions of a legal topology in another order.
    Order {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// The same dimensions in an order that is legal.
        ordered: Topology,
    },
    /// Nobody lists it, or GKE doesn't sell it.
    Unlisted {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// Why GKE has none, where a source lists it.
        reason: Option<&'static str>,
        /// Legal slices of as many chips, else the nearest in size.
        offers: Vec<Offer>,
    },
    /// More chips than a pod has.
    LargerThanPod {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// The largest legal slice.
        largest: Option<Offer>,
    },
    /// Several machine types make it, and `chips_per_host` doesn't say which.
    Ambiguous {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// The possibilities.
        choices: Vec<Offer>,
    },
    /// The chips of the slice aren't a multiple of `chips_per_host`.
    NotDivisible {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// What was written.
        chips_per_host: u32,
        /// What is legal for the topology.
        choices: Vec<Offer>,
    },
    /// No machine type with `chips_per_host` chips makes this topology.
    MachineType {
        /// The generation.
        accelerator: &'static Accelerator,
        /// What was written.
        topology: Topology,
        /// What was written.
        chips_per_host: u32,
        /// Why the machine type with so many chips doesn't serve, where there is one.
        reason: Option<String>,
        /// What is legal for the topology.
        choices: Vec<Offer>,
    },
}

impl ShapeFault {
    pub(crate) fn malformed(accelerator: &'static Accelerator, text: &str) -> Self {
        Self::Malformed { accelerator, text: text.to_owned(), meant: Topology::meant(text) }
    }

    pub(crate) fn dimensions(accelerator: &'static Accelerator, topology: &Topology) -> Self {
        Self::Dimensions {
            accelerator,
            topology: topology.clone(),
            offers: nearest_in_size(accelerator, topology.chips()),
        }
    }

    pub(crate) fn larger_than_pod(accelerator: &'static Accelerator, topology: &Topology) -> Self {
        let largest =
            shapes(accelerator).iter().rfind(|shape| shape.doubts.is_empty()).map(crate::fit::shape::Shape::offer);
        Self::LargerThanPod { accelerator, topology: topology.clone(), largest }
    }

    pub(crate) fn unlisted(accelerator: &'static Accelerator, topology: &Topology) -> Self {
        if let Some(ordered) = legal_order(accelerator, topology) {
            return Self::Order { accelerator, topology: topology.clone(), ordered };
        }
        let reason = accelerator
            .refused_topologies
            .iter()
            .find(|refused| refused.dims == topology.dims())
            .map(|refused| refused.reason);
        Self::Unlisted {
            accelerator,
            topology: topology.clone(),
            reason,
            offers: nearest_in_size(accelerator, topology.chips()),
        }
    }

    pub(crate) fn chips_per_host(
        accelerator: &'static Accelerator,
        topology: &Topology,
        chips_per_host: u32,
        choices: Vec<Offer>,
    ) -> Self {
        let topology = topology.clone();
        if !topology.chips().is_multiple_of(chips_per_host) {
            return Self::NotDivisible { accelerator, topology, chips_per_host, choices };
        }
        let refused = accelerator.refused_machine_types.iter().find(|machine| machine.chips == chips_per_host);
        let reason = match accelerator.machine_types.iter().find(|machine| machine.chips == chips_per_host) {
            Some(machine) => machine
                .single_host_topology
                .and_then(Topology::new)
                .filter(|_| !machine.multi_host)
                .map(|single| format!("{} makes {single} only", machine.name)),
            None => refused.map(|machine| format!("{} isn't for GKE node pools: {}", machine.name, machine.reason)),
        };
        Self::MachineType { accelerator, topology, chips_per_host, reason, choices }
    }

    /// The rule under which it is reported: the fault, in kebab case.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "malformed-topology",
            Self::Dimensions { .. } => "wrong-dimensions",
            Self::Order { .. } => "dimension-order",
            Self::Unlisted { .. } => "unknown-topology",
            Self::LargerThanPod { .. } => "larger-than-pod",
            Self::Ambiguous { .. } => "ambiguous-hosts",
            Self::NotDivisible { .. } => "indivisible-hosts",
            Self::MachineType { .. } => "machine-type-mismatch",
        }
    }

    /// What is wrong and why, in a sentence.
    pub fn detail(&self) -> String {
        match self {
            Self::Malformed { accelerator, text, .. } => {
                format!("{text:?} isn't a topology: {} takes {}.", accelerator.id, form(accelerator))
            }
            Self::Dimensions { accelerator, topology, .. } => format!(
                "{topology} has {}, but a slice of {} has {}: {}.",
                count_usize(topology.dims().len(), "dimension"),
                accelerator.id,
                accelerator.dims,
                form(accelerator)
            ),
            Self::Order { accelerator, topology, ordered } => {
                format!("{} has {ordered}, but not {topology}: the order of the dimensions matters.", accelerator.id)
            }
            Self::Unlisted { accelerator, topology, reason: None, .. } => {
                format!("{} has no topology {topology}.", accelerator.id)
            }
            Self::Unlisted { accelerator, topology, reason: Some(reason), .. } => {
                format!("GKE has no topology {topology} of {}: {reason}.", accelerator.id)
            }
            Self::LargerThanPod { accelerator, topology, .. } => format!(
                "{topology} has {} chips; a whole pod of {} has {}, and a slice never spans pods.",
                topology.chips(),
                accelerator.id,
                accelerator.pod_chips
            ),
            Self::Ambiguous { accelerator, topology, choices } => format!(
                "{topology} on {} may be {}: the machine type decides, and Ray, GKE and xpk assume different ones.",
                accelerator.id,
                or(choices.iter().map(|choice| format!(
                    "{} of {}",
                    count(choice.hosts, "host"),
                    choice.machine_type.name
                )))
            ),
            Self::NotDivisible { topology, chips_per_host, .. } => format!(
                "{topology} has {}, which isn't a multiple of chips_per_host = {chips_per_host}.",
                count(topology.chips(), "chip")
            ),
            Self::MachineType { accelerator, topology, chips_per_host, reason, .. } => {
                let why = reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
                format!(
                    "No machine type of {} with {} makes {topology}{why}.",
                    accelerator.id,
                    count(*chips_per_host, "chip")
                )
            }
        }
    }

    /// What to do, in a sentence.
    pub fn help(&self) -> String {
        match self {
            Self::Malformed { meant: Some(meant), .. } => format!("Write topology = \"{meant}\"."),
            Self::Malformed { accelerator, .. } => format!("Write {}.", form(accelerator)),
            Self::Dimensions { offers, .. } | Self::Unlisted { offers, .. } => {
                format!("Use {}.", or(offers.iter().map(Offer::text)))
            }
            Self::Order { ordered, .. } => format!("Write topology = \"{ordered}\"."),
            Self::LargerThanPod { largest: Some(largest), .. } => {
                format!("Use at most {}, and num_slices for more of them.", largest.text())
            }
            Self::LargerThanPod { largest: None, .. } => "Use num_slices for several smaller slices.".to_owned(),
            Self::Ambiguous { choices, .. } => format!(
                "Set chips_per_host = {}.",
                or(choices.iter().map(|choice| format!(
                    "{} ({})",
                    choice.machine_type.chips,
                    count(choice.hosts, "host")
                )))
            ),
            Self::NotDivisible { choices, .. } | Self::MachineType { choices, .. } => match choices.as_slice() {
                [only] => {
                    format!("Leave chips_per_host out: it is {} ({}).", only.machine_type.chips, only.machine_type.name)
                }
                _ => format!(
                    "Set chips_per_host = {}.",
                    or(choices
                        .iter()
                        .map(|choice| format!("{} ({})", choice.machine_type.chips, choice.machine_type.name)))
                ),
            },
        }
    }

    /// The topology to write instead, where the answer is unique.
    pub fn replacement(&self) -> Option<&Topology> {
        match self {
            Self::Malformed { meant, .. } => meant.as_ref(),
            Self::Order { ordered, .. } => Some(ordered),
            Self::Dimensions { offers, .. } | Self::Unlisted { offers, .. } => match offers.as_slice() {
                [only] => Some(&only.topology),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Slices of `chips` chips, else the next smaller and the next larger one.
fn nearest_in_size(accelerator: &'static Accelerator, chips: u32) -> Vec<Offer> {
    let same = with_chips(accelerator, chips);
    if !same.is_empty() {
        return same;
    }
    let all = shapes(accelerator);
    let sure = || all.iter().filter(|shape| shape.doubts.is_empty());
    let smaller = sure().rfind(|shape| shape.chips < chips);
    let larger = sure().find(|shape| shape.chips > chips);
    smaller.into_iter().chain(larger).map(crate::fit::shape::Shape::offer).collect()
}

/// The dimensions of `topology` in an order that somebody lists.
fn legal_order(accelerator: &'static Accelerator, topology: &Topology) -> Option<Topology> {
    let ascending = topology.ascending();
    let listed = |dims: &[u32]| !accelerator.listers(dims).is_empty();
    if listed(ascending.dims()) {
        return Some(ascending);
    }
    // 2x2x1 is the one family that GKE writes with the smallest last.
    let mut rotated = ascending.dims().to_vec();
    rotated.rotate_left(1);
    Topology::new(&rotated).filter(|rotated| listed(rotated.dims()))
}

/// How a topology of the generation is written.
fn form(accelerator: &Accelerator) -> &'static str {
    if accelerator.dims == 2 { "two numbers, such as \"4x4\"" } else { "three numbers, such as \"2x2x4\"" }
}

fn count(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn count_usize(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `a, b or c`.
fn or(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::accelerators::{Found, find};
    use crate::fit::shape::shape;

    fn words(name: &str, topology: &str, chips_per_host: Option<u32>) -> String {
        let Found::Accelerator(row) = find(name) else { panic!("{name}") };
        let fault = shape(row, topology, chips_per_host).unwrap_err();
        format!("{}: {} {}", fault.rule(), fault.detail(), fault.help())
    }

    #[test]
    fn every_fault_says_what_is_wrong_and_what_is_legal() {
        let all = [
            words("v6e", "4X4", None),
            words("v6e", "sixteen", None),
            words("v6e", "2x2x4", None),
            words("v5p", "4x4", None),
            words("v6e", "4x2", None),
            words("v5p", "1x2x2", None),
            words("v5p", "2x4x2", None),
            words("v6e", "3x4", None),
            words("v6e", "2x8", None),
            words("v6e", "16x32", None),
            words("v6e", "2x4", None),
            words("v6e", "4x4", Some(3)),
            words("v6e", "4x4", Some(8)),
            words("v6e", "2x4", Some(1)),
            words("v5p", "2x2x1", Some(2)),
            words("tpu7x", "8x4x4", None),
        ];
        insta::assert_snapshot!(all.join("\n"), @r#"
        malformed-topology: "4X4" isn't a topology: v6e takes two numbers, such as "4x4". Write topology = "4x4".
        malformed-topology: "sixteen" isn't a topology: v6e takes two numbers, such as "4x4". Write two numbers, such as "4x4".
        wrong-dimensions: 2x2x4 has 3 dimensions, but a slice of v6e has 2: two numbers, such as "4x4". Use 4x4 (16 chips, 4 hosts).
        wrong-dimensions: 4x4 has 2 dimensions, but a slice of v5p has 3: three numbers, such as "2x2x4". Use 2x2x4 (16 chips, 4 hosts).
        dimension-order: v6e has 2x4, but not 4x2: the order of the dimensions matters. Write topology = "2x4".
        dimension-order: v5p has 2x2x1, but not 1x2x2: the order of the dimensions matters. Write topology = "2x2x1".
        dimension-order: v5p has 2x2x4, but not 2x4x2: the order of the dimensions matters. Write topology = "2x2x4".
        unknown-topology: v6e has no topology 3x4. Use 2x4 (8 chips, 2 hosts) or 4x4 (16 chips, 4 hosts).
        unknown-topology: GKE has no topology 2x8 of v6e: Ray's table has it, but GKE's documentation, xpk and Cluster Toolkit don't. Use 4x4 (16 chips, 4 hosts).
        larger-than-pod: 16x32 has 512 chips; a whole pod of v6e has 256, and a slice never spans pods. Use at most 16x16 (256 chips, 64 hosts), and num_slices for more of them.
        ambiguous-hosts: 2x4 on v6e may be 2 hosts of ct6e-standard-4t or 1 host of ct6e-standard-8t: the machine type decides, and Ray, GKE and xpk assume different ones. Set chips_per_host = 4 (2 hosts) or 8 (1 host).
        indivisible-hosts: 4x4 has 16 chips, which isn't a multiple of chips_per_host = 3. Leave chips_per_host out: it is 4 (ct6e-standard-4t).
        machine-type-mismatch: No machine type of v6e with 8 chips makes 4x4: ct6e-standard-8t makes 2x4 only. Leave chips_per_host out: it is 4 (ct6e-standard-4t).
        machine-type-mismatch: No machine type of v6e with 1 chip makes 2x4: ct6e-standard-1t makes 1x1 only. Set chips_per_host = 4 (ct6e-standard-4t) or 8 (ct6e-standard-8t).
        machine-type-mismatch: No machine type of v5p with 2 chips makes 2x2x1: ct5p-hightpu-2t isn't for GKE node pools: GKE's autoscaler knows no node pools of it. Leave chips_per_host out: it is 4 (ct5p-hightpu-4t).
        dimension-order: tpu7x has 4x4x8, but not 8x4x4: the order of the dimensions matters. Write topology = "4x4x8".
        "#);
    }
}
