//! A model that its devices may not hold.

use crate::base::diag::{Diag, Severity};
use crate::check::rule::{Findings, Pass, Rule};
use crate::check::rules::subject::engines::Devices;
use crate::check::rules::subject::rooms::{Room, gib, rooms, share};
use crate::check::rules::subject::words::count;
use crate::facts::vllm::Backend;
use crate::facts::vllm::room::{EXPERTS_ON_TPU, PROVEN, TOO_LARGE};
use crate::resolve::stack::Stack;

/// The rule.
pub const RULE: Rule = Rule {
    name: "hbm-headroom",
    severity: Severity::Warning,
    summary: "A model that its devices may not hold",
    pass: Pass::Stack(check),
    docs: r#"
## What

There should be room for what no configuration says: activations, programs, padding.

## Why

vLLM on TPUs does not measure what programs and activations need: they get what `gpu_memory_utilization` leaves. For a mixture of
experts that is several GiB, so 0.9 is what Sliceform writes where the stack says nothing; with more, some starts fail and others
don't. Also warned of: a model that fits by less than the formula is exact, or only by a formula that nobody has compared with an
engine's own numbers; and a model that its back end's makers list as too large for the slice.

## Bad

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "qwen" {
    source                 = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size   = 16
    gpu_memory_utilization = 0.95
  }
}
```

```hcl
slice "one_host" {
  cluster        = cluster.tpu
  accelerator    = "v6e"
  topology       = "2x4"
  chips_per_host = 8
}

serve "chat" {
  runtime = "ray"
  slice   = slice.one_host
  image   = "example/serve:1"
  model "oss" {
    source               = "openai/gpt-oss-120b"
    tensor_parallel_size = 8
    max_model_len        = 2048
  }
}
```

## Good

```hcl
serve "chat" {
  runtime = "ray"
  slice   = slice.v6e
  image   = "example/serve:1"
  model "qwen" {
    source               = "Qwen/Qwen3-30B-A3B"
    tensor_parallel_size = 16
  }
}
```

## Source

tpu-recipes issue 151 (63.6 % of the starts of gpt-oss-120b fail at 0.93, its recipe has 0.86); tpu-inference PR 2923 and its
support matrix of 2026-10-22; vllm issues 23278 (padding of MXFP4 weights on Hopper) and 27508.
"#,
};

fn check(stack: &Stack, found: &mut Findings) {
    for room in rooms(stack) {
        if let Some(diag) = too_large(&room, found).or_else(|| tight(&room, found)).or_else(|| no_scratch(&room, found))
        {
            found.push(diag);
        }
    }
}

/// The model stands on a list of what is too large.
fn too_large(room: &Room<'_>, found: &Findings) -> Option<Diag> {
    let devices = room.load.tensor.saturating_mul(room.load.pipeline);
    let row = TOO_LARGE.iter().find(|row| {
        row.model == room.load.model.id
            && row.accelerator == room.devices.id()
            && devices <= row.devices
            && room.length.is_none_or(|length| length > row.tokens)
            && !room.refused()
    })?;
    let label = format!("listed as too large for {} of {}", count(row.devices, "device"), row.accelerator);
    Some(
        room.found(found, label)
            .detail(format!("By the formula it fits, and yet it did not start. {}", room.sum()))
            .source(row.source.to_string())
            .help(room.ways_out(Some(row.tokens).filter(|tokens| *tokens > 0))),
    )
}

/// It fits by less than the formula is exact, or does not fit by numbers that nobody has confirmed.
fn tight(room: &Room<'_>, found: &Findings) -> Option<Diag> {
    let padded = room.load.backend == Backend::Gpu && room.load.model.weight_dtype() == "mxfp4";
    let percent = if padded { 8 } else { 2 };
    // What certainly does not fit is an error already.
    if room.fits(100 + percent) || room.refused() {
        return None;
    }
    let label = match room.load.left() {
        Some(left) => format!("{} are left", gib(left)),
        None => format!("weights of {} a device", gib(room.load.weights())),
    };
    let why = if room.certain {
        format!("It fits by less than the {percent} % that weights may take more than the formula says.")
    } else {
        "It does not fit by the formula, whose numbers for this model or back end nobody has compared with an engine's own.".to_owned()
    };
    Some(
        room.found(found, label)
            .detail(format!("{why} {}", room.sum()))
            .source("vllm issue 23278; vLLM 0.33.0 v1/core/kv_cache_utils.py")
            .help(room.ways_out(room.longest())),
    )
}

/// A mixture on TPUs whose programs get too little.
fn no_scratch(room: &Room<'_>, found: &Findings) -> Option<Diag> {
    let written = room.utilization?;
    let Devices::Tpu(_, shape) = room.devices else { return None };
    let proven = PROVEN.iter().filter(|row| row.model == room.load.model.id && row.accelerator == shape.accelerator.id);
    let most = proven.map(|row| row.utilization).chain([EXPERTS_ON_TPU.value]).max().unwrap_or_default();
    if room.load.model.experts == 0 || room.load.utilization <= most {
        return None;
    }
    Some(
        found
            .found(written.span, format!("leaves {} for programs", gib(room.load.outside())))
            .detail(format!(
                "{} is a mixture of experts. On TPUs its programs and activations must fit outside of the {} that vLLM takes, and \
                 nothing measures them beforehand: mixtures are known to start up to {}.",
                room.name(),
                share(room.load.utilization),
                share(most)
            ))
            .source(EXPERTS_ON_TPU.source.to_string())
            .help("Leave gpu_memory_utilization out, or write 0.9.".to_owned())
            .fix(written.span, "gpu_memory_utilization = 0.9")
            .addr(&room.serve.head.addr),
    )
}
