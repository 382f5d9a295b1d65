//! Engines: models split over the devices of a slice, and what is wrong with the split.

use crate::base::diag::Diag;
use crate::base::span::Span;
use crate::check::rule::Findings;
use crate::check::rules::subject::words::{count, or};
use crate::facts::models;
use crate::facts::ray::{self, Ray};
use crate::facts::vllm::Backend;
use crate::fit::parallel_fault::ParallelFault;
use crate::fit::parallelism::{self, Layout, legal_tensor_sizes};
use crate::fit::shape::{self, Shape};
use crate::resolve::stack::{Model, Serve, Slice, Stack, VllmBackend};

/// One model of a served application, on slices of a sound shape that Ray can serve from.
pub struct Engine<'a> {
    /// The application.
    pub serve: &'a Serve,
    /// The model's block.
    pub model: &'a Model,
    /// The slices; a replica takes one.
    pub slice: &'a Slice,
    /// Their shape.
    pub shape: &'a Shape,
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
    let reachable = stack.serves().filter_map(|serve| {
        let slice = stack.slice(&serve.slice.as_ref()?.value)?;
        let shape = slice.shape().filter(|shape| shape.ray_expressible)?;
        ray_of(stack, serve).is_none_or(|row| row.llm_accelerator_config).then_some((serve, slice, shape))
    });
    let models =
        reachable.flat_map(|(serve, slice, shape)| serve.models.iter().map(move |model| (serve, slice, shape, model)));
    models
        .filter_map(|(serve, slice, shape, model)| {
            let facts = stack.facts_of(model);
            Some(Engine { serve, model, slice, shape, facts, layout: layout(stack, model, shape)? })
        })
        .collect()
}

fn layout(stack: &Stack, model: &Model, shape: &Shape) -> Option<Layout> {
    let size = |name: &str| u32::try_from(model.engine_int(name, 1)?).ok();
    let mode = model.engine.get("mm_encoder_tp_mode").and_then(|mode| mode.as_str());
    Some(Layout {
        tensor: size("tensor_parallel_size")?,
        pipeline: size("pipeline_parallel_size")?,
        data: size("data_parallel_size")?,
        expert: model.engine_flag("enable_expert_parallel"),
        whole_vision_tower: mode == Some("data"),
        backend: match stack.settings.vllm_backend.as_ref().map(|backend| backend.value) {
            Some(VllmBackend::TorchTpu) => Backend::TorchTpu,
            Some(VllmBackend::TpuInference) | None => Backend::TpuInference,
        },
        hosts: shape.hosts,
        devices_per_host: shape.devices_per_host(),
    })
}

impl Engine<'_> {
    /// What is wrong with the split, one fault for each cause: where the sizes don't fill the slice they must change
    /// anyway, and a `tensor_parallel_size` that divides one thing badly is told once.
    pub fn faults(&self) -> Vec<ParallelFault> {
        // Data parallelism has a rule of its own; the other sizes are judged without it.
        let layout = Layout { data: self.layout.data.min(1), ..self.layout };
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
        Some(legal_tensor_sizes(model, self.layout.expert, self.shape.devices))
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

    /// What to do where the model allows no `tensor_parallel_size` that fills the slice: the largest slice that it fills.
    pub fn smaller_slice(&self) -> String {
        let sizes = self.legal_sizes().unwrap_or_default();
        let fits = sizes.iter().rev().find_map(|size| {
            let chips = size / self.shape.devices_per_chip;
            let offers: Vec<String> = shape::shapes(self.shape.accelerator)
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
        let devices = count(self.shape.devices, "device");
        format!("{} ({} {}) has {devices}", self.slice.head.addr, self.shape.accelerator.id, self.shape.topology)
    }
}
