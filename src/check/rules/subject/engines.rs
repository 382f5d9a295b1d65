//! Engines: models split over the devices of a slice or of GPU nodes, and what is wrong with the split.

use crate::base::diag::Diag;
use crate::base::span::Span;
use crate::check::rule::Findings;
use crate::check::rules::subject::words::{count, or};
use crate::facts::machines::Gpus;
use crate::facts::models;
use crate::facts::ray::{self, Ray};
use crate::facts::vllm::{Backend, human_int};
use crate::fit::parallel_fault::ParallelFault;
use crate::fit::parallelism::{self, Layout, legal_tensor_sizes};
use crate::fit::shape::{self, Shape};
use crate::resolve::stack::{Model, Nodes, Serve, Slice, Stack, VllmBackend};

/// The devices of an engine.
#[derive(Clone, Copy)]
pub enum Devices<'a> {
    /// Those of a slice: a replica takes them all.
    Tpu(&'a Slice, &'a Shape),
    /// Those of nodes: a replica takes as many as it needs.
    Gpu(&'a Nodes, Gpus),
}

impl Devices<'_> {
    /// `v6e`, `h100-80gb`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Tpu(_, shape) => shape.accelerator.id,
            Self::Gpu(_, gpus) => gpus.gpu.id,
        }
    }

    /// `slice.v6e (v6e 4x4)`.
    pub fn name(self) -> String {
        match self {
            Self::Tpu(slice, shape) => format!("{} ({} {})", slice.head.addr, shape.accelerator.id, shape.topology),
            Self::Gpu(nodes, gpus) => format!("{} ({})", nodes.head.addr, gpus.machine.name),
        }
    }

    /// Devices of a slice, or of a node.
    pub fn count(self) -> u32 {
        match self {
            Self::Tpu(_, shape) => shape.devices,
            Self::Gpu(_, gpus) => gpus.count(),
        }
    }

    /// Devices of a chip that is paid for.
    pub fn per_chip(self) -> u32 {
        match self {
            Self::Tpu(_, shape) => shape.devices_per_chip,
            Self::Gpu(..) => 1,
        }
    }
}

/// One model of a served application, on slices of a sound shape that Ray can serve from, or on nodes with GPUs.
pub struct Engine<'a> {
    /// The application.
    pub serve: &'a Serve,
    /// The model's block.
    pub model: &'a Model,
    /// Where it runs.
    pub devices: Devices<'a>,
    /// What the catalogue knows of the model.
    pub facts: Option<models::Model>,
    /// How it is split.
    pub layout: Layout,
}

/// The Ray of an application; none where it is not pinned, or older than all that were read.
pub fn ray_of(stack: &Stack, serve: &Serve) -> Option<&'static Ray> {
    stack.ray_version(&serve.workload).and_then(|version| ray::row_for(&version.value).row())
}

/// Every engine whose sizes can be read, and which no rule refuses as a whole.
pub fn engines(stack: &Stack) -> Vec<Engine<'_>> {
    let placed = stack.serves().filter_map(|serve| devices(stack, serve).map(|devices| (serve, devices)));
    let models = placed.flat_map(|(serve, devices)| serve.models.iter().map(move |model| (serve, devices, model)));
    models
        .filter_map(|(serve, devices, model)| {
            let facts = stack.facts_of(model);
            Some(Engine { serve, model, devices, facts, layout: layout(stack, model, devices)? })
        })
        .collect()
}

fn devices<'a>(stack: &'a Stack, serve: &Serve) -> Option<Devices<'a>> {
    if let Some(nodes) = serve.nodes.as_ref().and_then(|addr| stack.nodes(addr)) {
        return Some(Devices::Gpu(nodes, nodes.gpus()?));
    }
    let slice = stack.slice(&serve.slice.as_ref()?.value)?;
    let shape = slice.shape().filter(|shape| shape.ray_expressible)?;
    ray_of(stack, serve).is_none_or(|row| row.llm_accelerator_config).then_some(Devices::Tpu(slice, shape))
}

fn layout(stack: &Stack, model: &Model, devices: Devices<'_>) -> Option<Layout> {
    let size = |name: &str| u32::try_from(model.engine_int(name, 1)?).ok();
    let mode = model.engine.get("mm_encoder_tp_mode").and_then(|mode| mode.as_str());
    let tpu = match stack.settings.vllm_backend.as_ref().map(|backend| backend.value) {
        Some(VllmBackend::TorchTpu) => Backend::TorchTpu,
        Some(VllmBackend::TpuInference) | None => Backend::TpuInference,
    };
    let (backend, hosts, devices_per_host) = match devices {
        Devices::Tpu(_, shape) => (tpu, shape.hosts, shape.devices_per_host()),
        Devices::Gpu(_, gpus) => (Backend::Gpu, 1, gpus.count()),
    };
    Some(Layout {
        tensor: size("tensor_parallel_size")?,
        pipeline: size("pipeline_parallel_size")?,
        data: size("data_parallel_size")?,
        expert: model.engine_flag("enable_expert_parallel"),
        whole_vision_tower: mode == Some("data"),
        backend,
        hosts,
        devices_per_host,
    })
}

/// How long a request may be.
pub const MAX_MODEL_LEN: &str = "max_model_len";
/// With it, vLLM takes any length.
const ALLOWED_BY: &str = "VLLM_ALLOW_LONG_MAX_MODEL_LEN";
/// What changes the context that the model's own configuration gives.
const STRETCHES: &[&str] = &["hf_config_path", "hf_overrides", "rope_scaling"];

impl Engine<'_> {
    /// A `max_model_len` that is beyond the model's context, and the context.
    pub fn beyond_context(&self) -> Option<(u64, u64)> {
        let written = self.model.engine.get(MAX_MODEL_LEN)?;
        let length = written.as_u64().or_else(|| written.as_str().and_then(human_int))?;
        let context = self.facts.as_ref()?.context?;
        let stretched = STRETCHES.iter().any(|argument| self.model.engine.contains_key(*argument));
        let workload = &self.serve.workload;
        let allowed = [&workload.env, &workload.worker_pod.env].iter().any(|env| env.values.contains_key(ALLOWED_BY));
        (length > context && !stretched && !allowed).then_some((length, context))
    }

    /// What is wrong with the split, one fault for each cause: where the sizes don't fill the slice they must change
    /// anyway, and a `tensor_parallel_size` that divides one thing badly is told once.
    pub fn faults(&self) -> Vec<ParallelFault> {
        // On a slice data parallelism has a rule of its own; the other sizes are judged without it.
        let on_slice = matches!(self.devices, Devices::Tpu(..));
        let data = if on_slice { self.layout.data.min(1) } else { self.layout.data };
        let layout = Layout { data, ..self.layout };
        let mut found = match &self.facts {
            Some(model) => parallelism::faults(model, &layout),
            None => parallelism::size_faults(&layout),
        };
        if self.layout.data > 1 {
            found.retain(|fault| !matches!(fault, ParallelFault::Product { .. }));
        }
        if let Some(product) = found.iter().position(|fault| matches!(fault, ParallelFault::Product { .. })) {
            return vec![found.swap_remove(product)];
        }
        let mut told = false;
        found.retain(|fault| {
            let of_tensor = matches!(
                fault,
                ParallelFault::Heads { .. }
                    | ParallelFault::KvHeads { .. }
                    | ParallelFault::LinearKeyHeads { .. }
                    | ParallelFault::VisionHeads { .. }
                    | ParallelFault::Blocks { .. }
            );
            let again = of_tensor && told;
            told |= of_tensor;
            !again
        });
        found
    }

    /// The model as messages name it.
    pub fn name(&self) -> &str {
        let source = self.model.source.as_ref().map(|source| source.value.as_str());
        source.unwrap_or(self.model.name.value.as_str())
    }

    /// A finding at an engine argument, or at the model's block where the argument was left out.
    pub fn found(&self, found: &Findings, argument: &str, label: impl Into<String>) -> Diag {
        found.found(self.model.engine_span(argument), label).addr(&self.serve.head.addr)
    }

    /// The edit that gives an argument, which stands in the stack, another value.
    pub fn set(&self, argument: &str, value: &str) -> Option<(Span, String)> {
        self.model.engine.get(argument).map(|written| (written.span, format!("{argument} = {value}")))
    }

    /// The tensor sizes that the model allows, up to the devices of the slice.
    fn legal_sizes(&self) -> Option<Vec<u32>> {
        let model = self.facts.as_ref()?;
        Some(legal_tensor_sizes(model, self.layout.expert, self.layout.backend, self.devices.count()))
    }

    /// Whether the model allows a `tensor_parallel_size`. None: the catalogue does not have the model.
    pub fn allows(&self, tensor: u32) -> Option<bool> {
        Some(self.legal_sizes()?.contains(&tensor))
    }

    /// `32 attention heads, 4 of keys and values`.
    pub fn heads(&self) -> String {
        self.facts.as_ref().map_or_else(String::new, |model| {
            format!("{} attention heads, {} of keys and values", model.heads, model.kv_heads)
        })
    }

    /// What to do where the model does not divide by `tensor_parallel_size`: the largest slice that it fills, or the most GPUs.
    pub fn smaller(&self) -> String {
        let sizes = self.legal_sizes().unwrap_or_default();
        let shape = match self.devices {
            Devices::Tpu(_, shape) => shape,
            Devices::Gpu(..) => {
                let most = sizes.last().copied().unwrap_or(1);
                return format!("Write tensor_parallel_size = {most}: {} allows it.", self.name());
            }
        };
        let fits = sizes.iter().rev().find_map(|size| {
            let chips = size / shape.devices_per_chip;
            let offers: Vec<String> = shape::shapes(shape.accelerator)
                .iter()
                .filter(|shape| shape.devices == *size && shape.chips == chips && shape.ray_expressible)
                .map(|shape| shape.offer().text())
                .collect();
            (!offers.is_empty()).then_some((size, offers))
        });
        match fits {
            Some((size, offers)) => {
                format!(
                    "Use slices of {}: {}, with tensor_parallel_size = {size}.",
                    count(*size, "device"),
                    or(&offers)
                )
            }
            None => "Choose another model, or other weights of it.".to_owned(),
        }
    }

    /// `slice.v6e (v6e 4x4) has 16 devices`.
    pub fn slice_has(&self) -> String {
        format!("{} has {}", self.devices.name(), count(self.devices.count(), "device"))
    }
}
