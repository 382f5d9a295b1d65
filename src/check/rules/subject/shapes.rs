//! The faults of a slice's shape, each reported by the rule of its name.

use crate::base::span::Span;
use crate::check::rule::Findings;
use crate::fit::shape_fault::ShapeFault;
use crate::resolve::stack::{Slice, Stack};

/// Reports the shapes with the fault of `rule`; `label` stands at the attribute that is wrong.
pub fn report(stack: &Stack, found: &mut Findings, rule: &str, label: &str) {
    for slice in stack.slices() {
        let (Some(Err(fault)), Some(generation), Some(topology)) = (&slice.shape, slice.generation, &slice.topology)
        else {
            continue;
        };
        if fault.rule() != rule {
            continue;
        }
        let mut diag = found
            .found(place(slice, fault, topology.span), label)
            .detail(fault.detail())
            .source(generation.source.to_string())
            .help(fault.help())
            .addr(&slice.head.addr);
        if let Some(replacement) = fault.replacement() {
            diag = diag.fix(topology.span, format!("\"{replacement}\""));
        }
        if let (Some(chips), Some(written)) = (only_chips(fault), &slice.chips_per_host) {
            diag = diag.fix(written.span, chips.to_string());
        }
        found.push(diag);
    }
}

/// The chips of a host that alone make the topology, where others were written.
fn only_chips(fault: &ShapeFault) -> Option<u32> {
    match fault {
        ShapeFault::NotDivisible { choices, .. } | ShapeFault::MachineType { choices, .. } => {
            match choices.as_slice() {
                [only] => Some(only.machine_type.chips),
                _ => None,
            }
        }
        _ => None,
    }
}

fn place(slice: &Slice, fault: &ShapeFault, topology: Span) -> Span {
    match fault {
        ShapeFault::NotDivisible { .. } | ShapeFault::MachineType { .. } => {
            slice.chips_per_host.as_ref().map_or(topology, |chips| chips.span)
        }
        _ => topology,
    }
}
