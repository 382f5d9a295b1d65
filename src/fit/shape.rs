//! The shape of a slice: chips, hosts and devices, derived from a generation and a topology.

use crate::facts::accelerators::{Accelerator, Lister, MachineType};
use crate::facts::source::Source;
use crate::fit::shape_fault::{Offer, ShapeFault};
use crate::fit::topology::Topology;

/// A slice of one generation. Everything about its size is derived here and nowhere else.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The generation.
    pub accelerator: &'static Accelerator,
    /// The topology as written.
    pub topology: Topology,
    /// Chips of the slice.
    pub chips: u32,
    /// Hosts, which are nodes and pods, of the slice.
    pub hosts: u32,
    /// Chips of a host: what a pod asks for as `google.com/tpu`.
    pub chips_per_host: u32,
    /// The machine type of a host.
    pub machine_type: &'static MachineType,
    /// Devices that JAX, torch and vLLM see per chip.
    pub devices_per_chip: u32,
    /// Devices of the slice: what vLLM's parallel sizes must multiply to (tpu7x has two a chip).
    pub devices: u32,
    /// True if the slice has more than one host: its pool needs a placement, its group `numOfHosts`.
    pub multi_host: bool,
    /// Ray's name of the slice: `v6e-16`.
    pub ray_pod_type: String,
    /// True if Ray's table of topologies has it.
    pub ray_known: bool,
    /// True if Ray Train and Ray Serve can ask for it: they know the topology and count as many chips a host.
    pub ray_expressible: bool,
    /// What is doubtful about it: legal, but sources disagree. Each deserves a warning.
    pub doubts: Vec<Doubt>,
}

/// A reason to doubt a slice that isn't refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// One source alone lists the topology.
    OneSource(Lister),
    /// It is larger than the largest slice in the vendor's documentation.
    AboveDocumented {
        /// That slice.
        largest: Topology,
        /// Where it is named.
        source: Source,
    },
}

impl Shape {
    /// Devices of one host.
    pub fn devices_per_host(&self) -> u32 {
        self.chips_per_host * self.devices_per_chip
    }

    /// The node labels that find its hosts.
    pub fn node_selector(&self) -> [(&'static str, String); 2] {
        [
            ("cloud.google.com/gke-tpu-accelerator", self.accelerator.gke_label.to_owned()),
            ("cloud.google.com/gke-tpu-topology", self.topology.to_string()),
        ]
    }

    /// The size of the slice, as a message offers it.
    pub fn offer(&self) -> Offer {
        Offer { topology: self.topology.clone(), hosts: self.hosts, machine_type: self.machine_type }
    }
}

/// The shape of a slice of `accelerator` with `topology`.
///
/// `chips_per_host` is needed only where several machine types make the topology (2x4 on v5e and v6e), and must name one
/// of those that do elsewhere. The smallest mistake that explains the input is the one that is reported.
pub fn shape(
    accelerator: &'static Accelerator,
    topology: &str,
    chips_per_host: Option<u32>,
) -> Result<Shape, ShapeFault> {
    let Ok(topology) = topology.parse::<Topology>() else {
        return Err(ShapeFault::malformed(accelerator, topology));
    };
    let doubts = listed(accelerator, &topology)?;
    let machine_type = machine_type(accelerator, &topology, chips_per_host)?;
    Ok(build(accelerator, topology, machine_type, doubts))
}

/// Every slice of `accelerator` that more than one source lists, smallest first, with each machine type that makes it.
pub fn shapes(accelerator: &'static Accelerator) -> Vec<Shape> {
    let mut found: Vec<Shape> = candidates(accelerator)
        .into_iter()
        .filter_map(|topology| listed(accelerator, &topology).ok().map(|doubts| (topology, doubts)))
        .flat_map(|(topology, doubts)| {
            machine_types(accelerator, &topology)
                .into_iter()
                .map(move |machine| build(accelerator, topology.clone(), machine, doubts.clone()))
                .collect::<Vec<_>>()
        })
        .filter(|shape| !shape.doubts.iter().any(|doubt| matches!(doubt, Doubt::OneSource(_))))
        .collect();
    found.sort_by(|a, b| (a.chips, &a.topology, a.hosts).cmp(&(b.chips, &b.topology, b.hosts)));
    found
}

/// The slices of `accelerator` with exactly `chips` chips.
pub fn with_chips(accelerator: &'static Accelerator, chips: u32) -> Vec<Offer> {
    shapes(accelerator).iter().filter(|shape| shape.chips == chips).map(Shape::offer).collect()
}

/// The topologies that may be listed, whoever lists them: the small ones, and all ascending cubes of a pod.
fn candidates(accelerator: &'static Accelerator) -> Vec<Topology> {
    let mut found: Vec<Topology> =
        accelerator.topologies.iter().filter_map(|listed| Topology::new(listed.dims)).collect();
    if accelerator.cubes.is_some() {
        let cubes = accelerator.pod_chips / 64;
        for a in 1..=cubes {
            for b in (a..=cubes).take_while(|b| a * b * b <= cubes) {
                for c in (b..=cubes).take_while(|c| a * b * c <= cubes) {
                    found.extend(Topology::new(&[4 * a, 4 * b, 4 * c]));
                }
            }
        }
    }
    found
}

/// The doubts about a topology that somebody lists, or the fault of one that nobody does.
fn listed(accelerator: &'static Accelerator, topology: &Topology) -> Result<Vec<Doubt>, ShapeFault> {
    if topology.dims().len() != accelerator.dims {
        return Err(ShapeFault::dimensions(accelerator, topology));
    }
    if topology.chips() > accelerator.pod_chips {
        return Err(ShapeFault::larger_than_pod(accelerator, topology));
    }
    let listers = accelerator.listers(topology.dims());
    let mut doubts = match listers.as_slice() {
        [] => return Err(ShapeFault::unlisted(accelerator, topology)),
        [one] => vec![Doubt::OneSource(*one)],
        _ => Vec::new(),
    };
    if let Some(documented) = &accelerator.largest_documented
        && let Some(largest) = Topology::new(documented.value)
        && topology.chips() > largest.chips()
    {
        doubts.push(Doubt::AboveDocumented { largest, source: documented.source });
    }
    Ok(doubts)
}

/// The machine types that make `topology`, by chips.
pub fn machine_types(accelerator: &'static Accelerator, topology: &Topology) -> Vec<&'static MachineType> {
    let chips = topology.chips();
    accelerator
        .machine_types
        .iter()
        .filter(|machine| {
            machine.single_host_topology == Some(topology.dims())
                || (machine.multi_host && chips > machine.chips && chips.is_multiple_of(machine.chips))
        })
        .collect()
}

fn machine_type(
    accelerator: &'static Accelerator,
    topology: &Topology,
    chips_per_host: Option<u32>,
) -> Result<&'static MachineType, ShapeFault> {
    let choices = machine_types(accelerator, topology);
    match chips_per_host {
        None => match choices.as_slice() {
            [only] => Ok(only),
            _ => Err(ShapeFault::Ambiguous {
                accelerator,
                topology: topology.clone(),
                choices: offers(topology, &choices),
            }),
        },
        Some(wanted) => choices
            .iter()
            .find(|machine| machine.chips == wanted)
            .copied()
            .ok_or_else(|| ShapeFault::chips_per_host(accelerator, topology, wanted, offers(topology, &choices))),
    }
}

fn offers(topology: &Topology, machines: &[&'static MachineType]) -> Vec<Offer> {
    machines
        .iter()
        .map(|machine| Offer {
            topology: topology.clone(),
            hosts: topology.chips() / machine.chips,
            machine_type: machine,
        })
        .collect()
}

fn build(
    accelerator: &'static Accelerator,
    topology: Topology,
    machine_type: &'static MachineType,
    doubts: Vec<Doubt>,
) -> Shape {
    let chips = topology.chips();
    let ray_known = accelerator.listers(topology.dims()).contains(&Lister::Ray);
    let ray_expressible = ray_known && accelerator.ray_chips_per_host(topology.dims()) == machine_type.chips;
    Shape {
        accelerator,
        chips,
        hosts: chips / machine_type.chips,
        chips_per_host: machine_type.chips,
        machine_type,
        devices_per_chip: accelerator.devices_per_chip,
        // A pod has at most 9216 chips (checked in `listed`): no overflow.
        devices: chips * accelerator.devices_per_chip,
        multi_host: chips != machine_type.chips,
        ray_pod_type: accelerator.ray_pod_type(chips),
        ray_known,
        ray_expressible,
        doubts,
        topology,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::accelerators::{ACCELERATORS, Found, find};
    use proptest::prelude::*;

    fn accelerator(name: &str) -> &'static Accelerator {
        match find(name) {
            Found::Accelerator(row) => row,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn shape_of(name: &str, topology: &str) -> Shape {
        shape(accelerator(name), topology, None).unwrap()
    }

    #[test]
    fn sizes_are_those_that_gke_and_ray_compute() {
        let seen: Vec<String> = [
            ("v6e", "4x4"),
            ("v6e", "16x16"),
            ("v5e", "1x1"),
            ("v4", "2x2x1"),
            ("v5p", "2x2x2"),
            ("tpu7x", "2x2x1"),
            ("tpu7x", "4x4x4"),
            ("tpu7x", "1x1x1"),
        ]
        .into_iter()
        .map(|(name, topology)| {
            let s = shape_of(name, topology);
            format!(
                "{name} {topology}: {} chips, {} hosts x {} {}, {} devices, {}, ray {}/{}",
                s.chips,
                s.hosts,
                s.chips_per_host,
                s.machine_type.name,
                s.devices,
                s.ray_pod_type,
                s.ray_known,
                s.ray_expressible
            )
        })
        .collect();
        insta::assert_snapshot!(seen.join("\n"), @r"
        v6e 4x4: 16 chips, 4 hosts x 4 ct6e-standard-4t, 16 devices, v6e-16, ray true/true
        v6e 16x16: 256 chips, 64 hosts x 4 ct6e-standard-4t, 256 devices, v6e-256, ray true/true
        v5e 1x1: 1 chips, 1 hosts x 1 ct5lp-hightpu-1t, 1 devices, v5litepod-1, ray true/true
        v4 2x2x1: 4 chips, 1 hosts x 4 ct4p-hightpu-4t, 4 devices, v4-8, ray true/true
        v5p 2x2x2: 8 chips, 2 hosts x 4 ct5p-hightpu-4t, 8 devices, v5p-16, ray true/true
        tpu7x 2x2x1: 4 chips, 1 hosts x 4 tpu7x-standard-4t, 8 devices, v7x-8, ray true/true
        tpu7x 4x4x4: 64 chips, 16 hosts x 4 tpu7x-standard-4t, 128 devices, v7x-128, ray true/true
        tpu7x 1x1x1: 1 chips, 1 hosts x 1 tpu7x-standard-1t, 2 devices, v7x-2, ray false/false
        ");
    }

    #[test]
    fn a_2x4_needs_to_be_told_its_hosts() {
        for name in ["v5e", "v6e"] {
            assert!(matches!(shape(accelerator(name), "2x4", None), Err(ShapeFault::Ambiguous { .. })));
            let one = shape(accelerator(name), "2x4", Some(8)).unwrap();
            assert_eq!((one.hosts, one.multi_host, one.ray_expressible), (1, false, true));
            let two = shape(accelerator(name), "2x4", Some(4)).unwrap();
            assert_eq!((two.hosts, two.multi_host, two.ray_known, two.ray_expressible), (2, true, true, false));
        }
    }

    #[test]
    fn a_topology_of_one_source_is_doubted_and_one_of_none_refused() {
        assert_eq!(shape_of("v5p", "8x4x4").doubts, [Doubt::OneSource(Lister::Ray)]);
        assert_eq!(shape_of("v4", "16x4x4").doubts, [Doubt::OneSource(Lister::Xpk)]);
        assert_eq!(shape_of("v4", "8x4x4").doubts, []);
        assert!(matches!(shape_of("v5p", "16x16x28").doubts.as_slice(), [Doubt::AboveDocumented { .. }]));
        assert!(matches!(shape(accelerator("tpu7x"), "8x4x4", None), Err(ShapeFault::Order { .. })));
        assert!(matches!(shape(accelerator("v6e"), "4x2", None), Err(ShapeFault::Order { .. })));
        assert!(matches!(shape(accelerator("v6e"), "2x8", None), Err(ShapeFault::Unlisted { .. })));
    }

    #[test]
    fn every_legal_slice_adds_up() {
        for row in ACCELERATORS {
            let all = shapes(row);
            assert!(!all.is_empty());
            for s in all {
                assert_eq!(s.hosts * s.chips_per_host, s.chips, "{} {}", row.id, s.topology);
                assert_eq!(s.devices, s.chips * row.devices_per_chip);
                assert_eq!(s.multi_host, s.chips != s.machine_type.chips);
                assert_eq!(s.hosts == 1, !s.multi_host);
                assert_eq!(s.devices, s.hosts * s.devices_per_host());
                let again = shape(row, &s.topology.to_string(), Some(s.chips_per_host)).unwrap();
                assert_eq!((again.hosts, again.machine_type), (s.hosts, s.machine_type));
            }
        }
    }

    /// The counts of the fact sheet, which come from programs that list topologies themselves.
    #[test]
    fn the_rule_for_cubes_gives_as_many_topologies_as_the_tools_list() {
        for (id, count) in [("v4", 186), ("v5e", 9), ("v5p", 414), ("v6e", 9), ("tpu7x", 433)] {
            assert_eq!(shapes(accelerator(id)).len(), count, "{id}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".*", chips_per_host in proptest::option::of(any::<u32>()), row in 0..ACCELERATORS.len()) {
            let _ = shape(&ACCELERATORS[row], &text, chips_per_host);
        }

        #[test]
        fn no_topology_makes_it_panic(
            dims in proptest::collection::vec(prop_oneof![0u32..20, 990u32..1100], 1..5),
            chips_per_host in proptest::option::of(0u32..10),
            row in 0..ACCELERATORS.len(),
        ) {
            let text = dims.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
            match shape(&ACCELERATORS[row], &text, chips_per_host) {
                Ok(shape) => prop_assert_eq!(shape.hosts * shape.chips_per_host, shape.chips),
                Err(fault) => prop_assert!(!fault.detail().is_empty() && !fault.help().is_empty()),
            }
        }
    }
}
