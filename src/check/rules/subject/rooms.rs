//! Engines and the memory of their devices: what a served model needs of each, and what there is.

use crate::base::diag::Diag;
use crate::base::span::Spanned;
use crate::check::rule::Findings;
use crate::check::rules::subject::engines::{Devices, engines};
use crate::check::rules::subject::words::count;
use crate::facts::models;
use crate::facts::vllm::{Backend, human_int, room};
use crate::fit::memory::{GIB, Load, Storage};
use crate::fit::parallelism::legal_tensor_sizes;
use crate::fit::shape::{self, Shape};
use crate::resolve::stack::{Model, Serve, Stack};

/// What changes weights or cache in ways that no table here knows.
const CHANGES_MEMORY: &[&str] = &["cpu_offload_gb", "hf_overrides", "kv_cache_memory_bytes", "speculative_config"];
/// The variable that stores the experts of a checkpoint anew on TPUs.
const REQUANTIZE: &str = "MOE_REQUANTIZE_WEIGHT_DTYPE";

/// A served model with what is known of its memory.
pub struct Room<'a> {
    /// The application.
    pub serve: &'a Serve,
    /// The model's block.
    pub model: &'a Model,
    /// Where it runs.
    pub devices: Devices<'a>,
    /// The longest request; none where vLLM takes what fits, or nobody knows.
    pub length: Option<u64>,
    /// `gpu_memory_utilization` as the stack says it; none where it doesn't.
    pub utilization: Option<&'a Spanned<serde_json::Value>>,
    /// True where every number of the sum was read, and none is an estimate.
    pub certain: bool,
    /// How the weights are stored, in words: `bfloat16`, `mxfp4, widened to bfloat16`.
    stored: String,
    /// Its share of a device; the model's dimensions are in it.
    pub load: Load,
}

/// Every served model whose dimensions, storage and devices are known, and whose split is sound: what fits a split that must
/// change says nothing.
pub fn rooms(stack: &Stack) -> Vec<Room<'_>> {
    engines(stack)
        .into_iter()
        .filter(|engine| engine.faults().is_empty())
        .filter_map(|engine| room(engine.serve, engine.model, engine.devices, engine.layout.backend, engine.facts?))
        .collect()
}

fn room<'a>(
    serve: &'a Serve,
    model: &'a Model,
    devices: Devices<'a>,
    backend: Backend,
    facts: models::Model,
) -> Option<Room<'a>> {
    if facts.parameters == 0
        || facts.head_dim == 0
        || CHANGES_MEMORY.iter().any(|name| model.engine.contains_key(*name))
    {
        return None;
    }
    let config = model.engine.get("additional_config").map(|config| config.value.to_string()).unwrap_or_default();
    if config.contains("qwix") {
        return None;
    }
    let size = |name: &str| u32::try_from(model.engine_int(name, 1)?).ok().filter(|size| *size > 0);
    let written = model.engine.get("gpu_memory_utilization");
    let default = room::utilization(facts.experts > 0, backend);
    let utilization = written.map_or(Some(default), |written| millionths(&written.value))?;
    let mib = device_mib(devices)?;
    let (storage, stored) = storage(serve, model, devices, &facts)?;
    let load = Load {
        backend,
        tensor: size("tensor_parallel_size")?,
        pipeline: size("pipeline_parallel_size")?,
        whole_attention: backend != Backend::Gpu && config.contains("enable_dp_attention"),
        storage,
        cache_bits: cache_bits(model, &facts)?,
        batched_tokens: written_int(model, "max_num_batched_tokens").unwrap_or(2048),
        block_size: written_int(model, "block_size"),
        device: u64::from(mib) << 20,
        utilization,
        model: facts,
    };
    let length = match model.engine.get("max_model_len") {
        None => load.model.context,
        Some(_) => written_int(model, "max_model_len"),
    };
    // The arithmetic of the PyTorch back end is the JAX one's; nobody has compared it with an engine's own numbers.
    let certain = backend != Backend::TorchTpu && load.model.unverified.is_empty();
    Some(Room { serve, model, devices, length, stored, utilization: written, certain, load })
}

/// A number in millionths; none where it is none between 0 and 1.
fn millionths(value: &serde_json::Value) -> Option<u32> {
    let number = value.as_f64().filter(|number| (0.0..=1.0).contains(number))?;
    format!("{:.0}", number * 1e6).parse().ok()
}

fn written_int(model: &Model, name: &str) -> Option<u64> {
    let value = &model.engine.get(name)?.value;
    value.as_u64().or_else(|| human_int(value.as_str()?)).filter(|number| *number > 0)
}

/// The memory of a device in MiB: what a source says that a program gets, else the product's own number, which is the most
/// that it can be, so that what is too large for it is too large for certain.
fn device_mib(devices: Devices<'_>) -> Option<u32> {
    let (usable, product) = match devices {
        Devices::Tpu(_, shape) => {
            let usable = shape.accelerator.usable_hbm_mib_per_device.as_ref().map(|usable| usable.value);
            (usable, Some(shape.accelerator.hbm_gib_per_device))
        }
        Devices::Gpu(_, gpus) => (room::usable_gpu_mib(gpus.gpu.id).map(|usable| usable.value), gpus.hbm_gib()),
    };
    usable.or_else(|| product.map(|gib| gib * 1024))
}

/// How the weights are stored once they are loaded, with the words for it; none where no source says.
fn storage(serve: &Serve, model: &Model, devices: Devices<'_>, facts: &models::Model) -> Option<(Storage, String)> {
    let word = |name: &str| model.engine.get(name).and_then(|value| value.as_str()).filter(|word| *word != "auto");
    let (name, bits) = match (&facts.quantization, word("quantization")) {
        (Some(stored), _) => (stored.method.as_str(), stored.bits),
        (None, Some(method)) => (method, None),
        (None, None) => (word("dtype").unwrap_or(&facts.dtype), None),
    };
    let (mut storage, mut words) = (Storage::of(name, bits)?, name.to_owned());
    let Devices::Tpu(_, shape) = devices else { return Some((storage, words)) };
    if name == "mxfp4" && !shape.accelerator.fp4_weights.value {
        storage = Storage::of("bfloat16", None)?;
        words.push_str(", widened to bfloat16");
    }
    let env = [&serve.workload.env, &serve.workload.worker_pod.env];
    if let Some(format) = env.into_iter().find_map(|env| env.values.get(REQUANTIZE)) {
        let experts = match format.value.as_str() {
            "fp4" => Storage::of("mxfp4", None)?,
            "fp8" => Storage::of("fp8", None)?,
            _ => return None,
        };
        storage.experts = experts.experts;
        words.push_str(&format!(", experts in {}", format.value));
    }
    Some((storage, words))
}

/// Bits of a number in the cache; none where no source says.
fn cache_bits(model: &Model, facts: &models::Model) -> Option<u32> {
    let written = model.engine.get("kv_cache_dtype").and_then(|value| value.as_str()).unwrap_or("auto");
    match written {
        "auto" if facts.dtype == "float32" => Some(32),
        "auto" | "bfloat16" | "float16" => Some(16),
        _ if written.starts_with("fp8") || written.starts_with("int8") => Some(8),
        _ => None,
    }
}

impl Room<'_> {
    /// The model as messages name it.
    pub fn name(&self) -> &str {
        self.model.source.as_ref().map_or(self.model.name.value.as_str(), |source| source.value.as_str())
    }

    /// A finding at what decides: the length, else the model's source.
    pub fn found(&self, found: &Findings, label: impl Into<String>) -> Diag {
        let argument = if self.model.engine.contains_key("max_model_len") { "max_model_len" } else { "" };
        let source = self.model.source.as_ref().map(|source| source.span);
        let place =
            if argument.is_empty() { source.unwrap_or(self.model.span) } else { self.model.engine_span(argument) };
        found.found(place, label).addr(&self.serve.head.addr)
    }

    /// `235.0 B parameters in bfloat16 / 16`.
    pub fn weights_words(&self) -> String {
        let split = match (self.load.tensor, self.load.pipeline) {
            (1, 1) => String::new(),
            (tensor, 1) => format!(" / {tensor}"),
            (tensor, pipeline) => format!(" / ({tensor} x {pipeline})"),
        };
        format!("{} parameters in {}{split}", billions(self.load.model.parameters), self.stored)
    }

    /// The sum: what a device has, what the weights take, and what a request needs.
    pub fn sum(&self) -> String {
        let load = &self.load;
        let mut parts = vec![
            format!(
                "a device of {} has {}, of which vLLM takes {} ({})",
                self.devices.name(),
                gib(load.device),
                share(load.utilization),
                gib(load.usable())
            ),
            format!("weights: {} = {}", self.weights_words(), gib(load.weights())),
        ];
        parts.push(match load.left() {
            Some(left) => format!("left for keys and values: {}", gib(left)),
            None => format!("nothing is left for keys and values: {} are missing", gib(load.weights() - load.usable())),
        });
        if let Some(length) = self.length {
            let request = load.cache(length);
            let token = request.checked_div(length).unwrap_or(0);
            parts.push(format!(
                "one request of {length} tokens: {} ({} KiB a token)",
                gib(request),
                token.div_ceil(1024)
            ));
        }
        format!("For {}: {}.", self.name(), parts.join("; "))
    }

    /// The requests of full length that the cache holds at once, in hundredths.
    pub fn concurrency(&self) -> Option<u64> {
        (self.load.left()? * 100).checked_div(self.load.cache(self.length?))
    }

    /// The longest request that fits, rounded down to whole blocks of 128 tokens where it is longer than one.
    pub fn longest(&self) -> Option<u64> {
        self.load.longest().map(|longest| if longest > 128 { longest / 128 * 128 } else { longest })
    }

    /// Whether it surely can't start: the weights alone are too large, or one request is by numbers that were all read. The
    /// formula is exact to 2 %, or says less than there is, where vision towers are not counted.
    pub fn refused(&self) -> bool {
        let request = if self.certain { self.length.unwrap_or(1) } else { 0 };
        !self.load.fits(request, 98)
    }

    /// Whether the weights and one request fit, were the weights so many percent of what the formula says.
    pub fn fits(&self, percent: u32) -> bool {
        self.load.fits(self.length.unwrap_or(1), percent)
    }

    /// The smallest slice of the same generation that the model fits, with its `tensor_parallel_size`.
    pub fn larger_slice(&self) -> Option<(Shape, u32)> {
        let Devices::Tpu(_, now) = self.devices else { return None };
        shape::shapes(now.accelerator)
            .into_iter()
            .filter(|shape| shape.devices > now.devices && shape.ray_expressible)
            .find_map(|shape| {
                let tensor = shape.devices;
                let legal =
                    legal_tensor_sizes(&self.load.model, self.expert(), self.load.backend, tensor).contains(&tensor);
                let load = Load { tensor, pipeline: 1, ..self.load.clone() };
                (legal && load.fits(self.length.unwrap_or(1), 100)).then_some((shape, tensor))
            })
    }

    fn expert(&self) -> bool {
        self.model.engine_flag("enable_expert_parallel")
    }

    /// What to do where it does not fit: requests of so many tokens at most, a larger slice, or smaller weights.
    pub fn ways_out(&self, longest: Option<u64>) -> String {
        let mut ways = Vec::new();
        if let Some(longest) = longest {
            ways.push(format!("write max_model_len = {longest} or less"));
        }
        match (self.larger_slice(), self.devices) {
            (Some((shape, tensor)), _) => {
                ways.push(format!("take slices of {} with tensor_parallel_size = {tensor}", shape.offer().text()));
            }
            (None, Devices::Gpu(_, gpus)) if gpus.count() > self.load.tensor => {
                ways.push(format!("use more of the node's {}", count(gpus.count(), "GPU")));
            }
            (None, Devices::Gpu(..)) => ways.push("take GPUs with more memory, or stages over more nodes".to_owned()),
            (None, Devices::Tpu(..)) => {}
        }
        if self.stored == "bfloat16" || self.stored == "float16" {
            ways.push("take weights in FP8".to_owned());
        }
        let text = ways.join("; or ");
        let mut letters = text.chars();
        letters.next().map_or_else(
            || "Choose a smaller model.".to_owned(),
            |first| format!("{}{}.", first.to_uppercase(), letters.as_str()),
        )
    }
}

/// `28.75 GiB`.
pub fn gib(bytes: u64) -> String {
    let hundredths = u128::from(bytes) * 100 / u128::from(GIB);
    format!("{}.{:02} GiB", hundredths / 100, hundredths % 100)
}

/// `92 %` of 920000 millionths.
pub fn share(millionths: u32) -> String {
    let text = format!("{}.{:04}", millionths / 10_000, millionths % 10_000);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// `30.5 B`.
fn billions(number: u64) -> String {
    let tenths = number / 100_000_000;
    format!("{}.{} B", tenths / 10, tenths % 10)
}
