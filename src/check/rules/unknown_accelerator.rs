//! A name that is no TPU generation which GKE sells.

use crate::base::diag::{Diag, Severity};
use crate::base::span::Spanned;
use crate::base::suggest::one_of;
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::words::{and, or};
use crate::facts::accelerators::{self, ACCELERATORS, Accelerator, Found, Meaning};
use crate::fit::shape;
use crate::resolve::stack::{Slice, Stack};

/// The rule.
pub const RULE: Rule = Rule {
    name: "unknown-accelerator",
    severity: Severity::Error,
    summary: "Not a TPU generation that GKE sells",
    pass: Pass::Stack(check),
    docs: r#"
## What

`accelerator` names a TPU generation as `sliceform catalog accelerators` does (`v6e`), or by another of its common
spellings (`trillium`, `tpu-v6e-slice`, `TPU-V6E`). Its size is `topology`.

## Why

Short names such as `v5p-8` mean different slices: cores to Ray and xpk, chips to Cluster Toolkit. So they are refused,
and the message says what each tool would read. A generation that libraries know may still not be sold: TPU 8i and 8t.

## Bad

```hcl
slice "big" {
  cluster     = cluster.tpu
  accelerator = "v5p-8"
  topology    = "2x2x1"
}
```

```hcl
slice "v6e" {
  cluster     = cluster.tpu
  accelerator = "v6f"
  topology    = "4x4"
}
```

```hcl
slice "next" {
  cluster     = cluster.tpu
  accelerator = "tpu8i"
  topology    = "4x4"
}
```

## Good

```hcl
slice "big" {
  cluster     = cluster.tpu
  accelerator = "v5p"
  topology    = "2x2x1"
}
```

## Source

GKE cluster autoscaler; GKE documentation; Ray 2.60.0 `_private/accelerators/tpu.py`; xpk 1.16; Cluster Toolkit 1.95.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for slice in stack.slices() {
        if let (Some(name), None) = (&slice.accelerator, slice.generation) {
            found.push(explained(slice, name, found).addr(&slice.head.addr));
        }
    }
}

fn explained(slice: &Slice, name: &Spanned<String>, found: &Findings) -> Diag {
    match accelerators::find(name) {
        Found::Refused(refused) => found
            .found(name.span, "not to be had on GKE")
            .detail(format!("{}.", capital(refused.reason)))
            .help(write_one()),
        Found::ShortName { accelerator, meanings, .. } => short_name(accelerator, &meanings, name, found),
        Found::WithTopology { accelerator, topology } => {
            let diag = found
                .found(name.span, "a generation and a topology in one")
                .detail("A slice names them apart: the node labels, and Ray, take each by itself.")
                .help(format!("Write accelerator = \"{}\" and topology = \"{topology}\".", accelerator.id))
                .source(accelerator.source.to_string());
            let told = slice.topology.as_ref().is_some_and(|written| written.value == topology);
            if told { diag.fix(name.span, quoted(accelerator.id)) } else { diag }
        }
        Found::Accelerator(_) | Found::Unknown { nearest: None } => {
            found.found(name.span, "not the name of a TPU generation").detail(choices()).help(write_one())
        }
        Found::Unknown { nearest: Some(near) } => found
            .found(name.span, "not the name of a TPU generation")
            .detail(choices())
            .help(format!("Write accelerator = \"{near}\", if that is meant."))
            .fix(name.span, quoted(near)),
    }
}

fn short_name(
    accelerator: &'static Accelerator,
    meanings: &[Meaning],
    name: &Spanned<String>,
    found: &Findings,
) -> Diag {
    let readings: Vec<String> =
        meanings.iter().map(|meaning| format!("{} {}", meaning.dialect.name(), meaning.text)).collect();
    let mut chips: Vec<u32> = meanings.iter().filter_map(|meaning| meaning.chips).collect();
    chips.sort_unstable();
    chips.dedup();
    let offers: Vec<String> =
        chips.iter().flat_map(|chips| shape::with_chips(accelerator, *chips)).map(|offer| offer.text()).collect();
    let size =
        if offers.is_empty() { String::new() } else { format!(" with the topology that you mean: {}", or(&offers)) };
    found
        .found(name.span, "a short name: every tool reads its number differently")
        .detail(format!("{}.", readings.join("; ")))
        .source(accelerator.source.to_string())
        .help(format!("Write accelerator = \"{}\"{size}.", accelerator.id))
}

fn choices() -> String {
    let ids: Vec<&str> = ACCELERATORS.iter().map(|row| row.id).collect();
    format!("GKE sells {}.", and(&ids))
}

fn write_one() -> String {
    let ids: Vec<&str> = ACCELERATORS.iter().map(|row| row.id).collect();
    format!("Write {}.", one_of(&ids))
}

fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
