//! `model`: dimensions of a model that the catalogue lacks, written out or read from its `config.json`.

use crate::base::diag::Diag;
use crate::facts::models::{self, Quantization, config};
use crate::resolve::decode::Decoder;
use crate::resolve::spec::{BlockSpec, LIFECYCLE, Label, META, Open, Times, optional};
use crate::resolve::stack::ModelFacts;

/// The `model` block at the top of a stack.
pub const SPEC: BlockSpec = BlockSpec {
    name: "model",
    label: Label::Name,
    times: Times::Any,
    doc: "Facts of a model that the catalogue lacks: from its `config.json`, or written out. `facts = model.NAME` in a served model uses them.",
    attrs: &[
        &[
            optional("config", "path", "The model's `config.json`, below the stack's root; what is written here wins."),
            optional("parameters", "number", "Parameters, without vision towers."),
            optional("layers", "number", "Layers."),
            optional("heads", "number", "Attention heads."),
            optional("kv_heads", "number", "Key and value heads; the attention heads by default."),
            optional("head_dim", "number", "Width of a head."),
            optional("vision_heads", "number", "Attention heads of the vision tower, where there is one."),
            optional("experts", "number", "Experts of a mixture; 0, a dense model, by default."),
            optional("context", "number", "Tokens of its context."),
            optional("dtype", "string", "What it computes in; bfloat16 by default."),
            optional("quantization", "string", "How its weights are stored, where not in `dtype`: `fp8`, `awq`."),
        ],
        META,
    ],
    blocks: &[&LIFECYCLE],
    open: Open::No,
};

/// Reads a `model` block.
pub fn decode(block: &Decoder<'_>) -> ModelFacts {
    ModelFacts { head: block.head(), facts: facts(block) }
}

fn facts(block: &Decoder<'_>) -> Option<models::Model> {
    let size = |name: &str| {
        let number = block.check(name, block.integer::<u32>(name), |number| *number >= 1, "1 or more");
        number.map(|number| number.value)
    };
    let mut model = if block.has("config") {
        from_config(block)?
    } else {
        block.need("layers", "there is no `config`");
        block.need("heads", "there is no `config`");
        let (heads, layers) = (size("heads")?, size("layers")?);
        models::Model { heads, layers, kv_heads: heads, dtype: "bfloat16".to_owned(), ..models::Model::default() }
    };
    let set = |field: &mut u32, value: Option<u32>| value.into_iter().for_each(|value| *field = value);
    set(&mut model.layers, size("layers"));
    set(&mut model.heads, size("heads"));
    set(&mut model.kv_heads, size("kv_heads"));
    set(&mut model.head_dim, size("head_dim"));
    if let Some(heads) = size("vision_heads") {
        (model.vision_heads, model.multimodal) = (Some(heads), true);
    }
    set(&mut model.experts, block.integer("experts").map(|number| number.value));
    if let Some(context) = block.integer::<u64>("context") {
        model.context = Some(context.value);
    }
    if let Some(parameters) = block.integer::<u64>("parameters") {
        model.parameters = parameters.value;
    }
    if let Some(dtype) = block.word("dtype") {
        model.dtype = dtype.value;
    }
    if let Some(method) = block.word("quantization") {
        model.quantization = Some(Quantization { method: method.value, block: None, bits: None });
    }
    model.id = block.head().addr.to_string();
    Some(model)
}

fn from_config(block: &Decoder<'_>) -> Option<models::Model> {
    let path = block.word("config")?;
    let read = block.read_file(&path).and_then(|text| config::read(&text));
    if let Err(why) = &read {
        block.report(
            Diag::error("model-config", "The model's configuration can't be read")
                .at(path.span, why.clone())
                .help("It takes the path of a Hugging Face config.json, relative to the stack's folder."),
        );
    }
    read.ok()
}
