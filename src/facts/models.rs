//! Models whose dimensions were read from their configuration, and the re-releases that share them.

pub mod config;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

/// The dimensions of a model that decide how it can be split.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Model {
    /// The name on Hugging Face: `Qwen/Qwen3-30B-A3B`.
    pub id: String,
    /// The class in the configuration: `Qwen3MoeForCausalLM`.
    pub architecture: String,
    /// Layers.
    pub layers: u32,
    /// Width of a layer.
    pub hidden: u32,
    /// Attention heads.
    pub heads: u32,
    /// Key and value heads.
    pub kv_heads: u32,
    /// Width of a head.
    pub head_dim: u32,
    /// Multi-head latent attention: keys and values count as one head, on every rank.
    #[serde(default)]
    pub latent: Option<Latent>,
    /// Layers that look back over a window only.
    #[serde(default)]
    pub sliding: Option<Sliding>,
    /// Layers of linear attention: they keep one state a request, and nothing a token.
    #[serde(default)]
    pub linear_layers: u32,
    /// The heads of the other layers, where they differ from those of the sliding ones.
    #[serde(default)]
    pub full: Option<FullAttention>,
    /// Key heads of the linear attention layers, where there are any.
    #[serde(default)]
    pub linear_key_heads: Option<u32>,
    /// Heads of the vision tower, where it is known.
    #[serde(default)]
    pub vision_heads: Option<u32>,
    /// Width of a dense feed-forward layer.
    #[serde(default)]
    pub intermediate: Option<u32>,
    /// Experts of a mixture; 0 for a dense model.
    pub experts: u32,
    /// Experts that a token uses.
    pub experts_per_token: u32,
    /// Width of an expert.
    #[serde(default)]
    pub moe_intermediate: Option<u32>,
    /// Tokens of its context. None: not known, as for a dated re-release.
    #[serde(default)]
    pub context: Option<u64>,
    /// What it computes in.
    pub dtype: String,
    /// How its weights are stored, if not in `dtype`.
    #[serde(default)]
    pub quantization: Option<Quantization>,
    /// The block that its maker's own FP8 re-release is quantized in.
    #[serde(default)]
    pub fp8_release_block: Option<u32>,
    /// True if it reads more than text.
    #[serde(default)]
    pub multimodal: bool,
    /// Parameters, without vision towers. 0: not known.
    pub parameters: u64,
    /// Those of them that are experts'.
    #[serde(default)]
    pub expert_parameters: u64,
    /// Those of them that are embeddings', which quantization leaves alone.
    #[serde(default)]
    pub embedding_parameters: u64,
    /// Those of them that are latent attention's, which data-parallel attention repeats on every device. 0: there is none.
    #[serde(default)]
    pub attention_parameters: u64,
    /// What couldn't be read from a configuration.
    #[serde(default)]
    pub unverified: Vec<String>,
    /// Where the dimensions were read.
    pub source: String,
}

/// What latent attention keeps of a token in each layer, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Latent {
    /// The rank that keys and values are pressed into: 512.
    pub rank: u32,
    /// Width of the part that carries the position: 64.
    pub rope: u32,
    /// Width of the key of a sparse index, which is kept beside them. None: there is no index.
    #[serde(default)]
    pub index: Option<u32>,
}

/// Layers with a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Sliding {
    /// Tokens of the window, or of a chunk.
    pub window: u32,
    /// How many layers have it.
    pub layers: u32,
}

/// The heads of full attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct FullAttention {
    /// Key and value heads.
    pub kv_heads: u32,
    /// Width of a head.
    pub head_dim: u32,
}

/// How weights are stored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Quantization {
    /// `fp8`, `awq`, `gptq`, `mxfp4`, `compressed-tensors` and so on.
    pub method: String,
    /// The side of a block that shares a scale. None: there are no blocks, or nobody knows.
    #[serde(default)]
    pub block: Option<u32>,
    /// Bits of a weight, where the method alone does not say them.
    #[serde(default)]
    pub bits: Option<u32>,
}

impl Model {
    /// What the weights are stored in: the quantization, else the dtype.
    pub fn weight_dtype(&self) -> &str {
        self.quantization.as_ref().map_or(&self.dtype, |quantization| &quantization.method)
    }
}

static CATALOGUE: LazyLock<Vec<Model>> =
    LazyLock::new(|| serde_json::from_str(include_str!("data/models.json")).unwrap_or_default());

/// The keys of the catalogue's names, in its order.
static KEYS: LazyLock<Vec<String>> = LazyLock::new(|| CATALOGUE.iter().map(|model| Name::of(&model.id).key).collect());

/// Every model of the catalogue.
pub fn all() -> &'static [Model] {
    &CATALOGUE
}

/// The model that `source` names: a name on Hugging Face, or a path or bucket that ends in one.
///
/// A re-release (`-FP8`, `-AWQ`, `-Instruct-2507`, another organisation's copy) is found as its base, with the weights'
/// type changed; its `id` stays the base's. A dated or otherwise tuned one has no known context.
pub fn find(source: &str) -> Option<Model> {
    let name = source.trim().trim_end_matches('/');
    if let Some(model) = CATALOGUE.iter().find(|model| model.id.eq_ignore_ascii_case(name)) {
        return Some(model.clone());
    }
    let wanted = Name::of(name);
    if NOT_VARIANTS.contains(&wanted.text.as_str()) {
        return None;
    }
    let base = CATALOGUE.iter().zip(KEYS.iter()).find(|(_, key)| **key == wanted.key)?.0;
    Some(wanted.variant_of(base))
}

/// Names that look like a re-release of a base in the catalogue but are stored in another way.
const NOT_VARIANTS: &[&str] = &["kimi-k2-thinking"];

/// Words that name a tuning of the same dimensions.
const TUNINGS: &[&str] = &["base", "chat", "hf", "instruct", "it", "pt", "thinking"];

/// Words that name a storage of the weights, what they mean, and the bits of a weight where they say them. An empty meaning
/// belongs to the word before it.
const STORAGE: &[(&str, &str, Option<u32>)] = &[
    ("4bit", "", Some(4)),
    ("8bit", "", Some(8)),
    ("awq", "awq", None),
    ("bf16", "bfloat16", None),
    ("block", "", None),
    ("bnb", "bitsandbytes", None),
    ("dynamic", "", None),
    ("fp4", "fp4", None),
    ("fp8", "fp8", None),
    ("gguf", "gguf", None),
    ("gptq", "gptq", None),
    ("int4", "int4", Some(4)),
    ("int8", "int8", Some(8)),
    ("mxfp4", "mxfp4", None),
    ("nvfp4", "nvfp4", None),
    ("quantized.w4a16", "compressed-tensors", Some(4)),
    ("quantized.w8a16", "compressed-tensors", Some(8)),
    ("quantized.w8a8", "compressed-tensors", Some(8)),
    ("static", "", None),
    ("w4a16", "compressed-tensors", Some(4)),
    ("w8a16", "compressed-tensors", Some(8)),
    ("w8a8", "compressed-tensors", Some(8)),
];

/// A model's name, taken apart.
struct Name {
    /// The part after the organisation, in lower case.
    text: String,
    /// What names the dimensions.
    key: String,
    /// The organisation; empty in a path.
    organisation: String,
    /// The tuning words and dates.
    tunings: BTreeSet<String>,
    /// The storage, if the name says one.
    storage: Option<&'static str>,
    /// Bits of a weight, if the name says them.
    bits: Option<u32>,
    /// True if the storage is one that this organisation gives no blocks: `-FP8-dynamic`.
    unblocked: bool,
}

impl Name {
    fn of(name: &str) -> Self {
        let lower = name.to_lowercase();
        let mut parts = lower.rsplit('/');
        let text = parts.next().unwrap_or_default().to_owned();
        let organisation = parts.next().unwrap_or_default().to_owned();
        let (mut key, mut tunings, mut storage, mut unblocked) = (Vec::new(), BTreeSet::new(), None, false);
        let mut bits = None;
        for (index, word) in text.split('-').enumerate() {
            if let Some((_, meaning, said)) = STORAGE.iter().find(|(known, ..)| *known == word) {
                bits = bits.or(*said);
                unblocked |= matches!(word, "dynamic" | "static");
                // `-GPTQ-Int4` is stored by the first word.
                storage = storage.or((!meaning.is_empty()).then_some(*meaning));
            } else if TUNINGS.contains(&word) || is_date(word) {
                tunings.insert(word.to_owned());
            } else if !(index == 0 && word == "meta") {
                key.push(word);
            }
        }
        let key = key.join("-");
        Self { text, key, organisation, tunings, storage, bits, unblocked }
    }

    /// `base`, as this name re-releases it.
    fn variant_of(&self, base: &Model) -> Model {
        let mut model = base.clone();
        let original = Self::of(&base.id);
        if self.tunings != original.tunings {
            model.context = None;
        }
        match self.storage {
            None => {}
            Some("bfloat16") => model.quantization = None,
            Some(method) if base.quantization.as_ref().is_some_and(|quantization| quantization.method == method) => {}
            Some(method) => {
                let own = self.organisation == original.organisation && method == "fp8" && !self.unblocked;
                let block = base.fp8_release_block.filter(|_| own);
                model.quantization = Some(Quantization { method: method.to_owned(), block, bits: self.bits });
            }
        }
        model
    }
}

/// A year and month, or a month and day: `2507`, `0528`.
fn is_date(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_catalogue_parses_and_its_names_are_told_apart() {
        assert_eq!(all().len(), 49);
        let keys: BTreeSet<String> = all().iter().map(|model| Name::of(&model.id).key).collect();
        assert_eq!(keys.len(), 49);
        for model in all() {
            assert_eq!(find(&model.id).as_ref(), Some(model));
            assert!(
                model.layers > 0 && model.heads > 0 && model.kv_heads > 0 && !model.source.is_empty(),
                "{}",
                model.id
            );
            assert!(model.experts == 0 || model.moe_intermediate.is_some(), "{}", model.id);
        }
    }

    #[test]
    fn re_releases_are_found_as_their_base() {
        let seen: Vec<String> = [
            "Qwen/Qwen3-235B-A22B-FP8",
            "Qwen/Qwen3-235B-A22B-Instruct-2507-FP8",
            "Qwen/Qwen3-32B-AWQ",
            "RedHatAI/Qwen3-235B-A22B-FP8-dynamic",
            "neuralmagic/Meta-Llama-3.1-70B-Instruct-quantized.w8a8",
            "meta-llama/Meta-Llama-3.1-8B",
            "deepseek-ai/DeepSeek-R1-0528",
            "unsloth/DeepSeek-V3-0324-BF16",
            "hugging-quants/Meta-Llama-3.1-70B-Instruct-GPTQ-INT4",
            "gs://models/qwen3-30b-a3b/",
            "/data/gpt-oss-120b",
        ]
        .into_iter()
        .map(|name| {
            let model = find(name).unwrap_or_else(|| panic!("{name}"));
            let block = model.quantization.as_ref().and_then(|quantization| quantization.block);
            format!("{name} = {} in {}, block {block:?}, context {:?}", model.id, model.weight_dtype(), model.context)
        })
        .collect();
        insta::assert_snapshot!(seen.join("\n"), @r"
        Qwen/Qwen3-235B-A22B-FP8 = Qwen/Qwen3-235B-A22B in fp8, block Some(128), context Some(40960)
        Qwen/Qwen3-235B-A22B-Instruct-2507-FP8 = Qwen/Qwen3-235B-A22B in fp8, block Some(128), context None
        Qwen/Qwen3-32B-AWQ = Qwen/Qwen3-32B in awq, block None, context Some(40960)
        RedHatAI/Qwen3-235B-A22B-FP8-dynamic = Qwen/Qwen3-235B-A22B in fp8, block None, context Some(40960)
        neuralmagic/Meta-Llama-3.1-70B-Instruct-quantized.w8a8 = meta-llama/Llama-3.1-70B-Instruct in compressed-tensors, block None, context Some(131072)
        meta-llama/Meta-Llama-3.1-8B = meta-llama/Llama-3.1-8B-Instruct in bfloat16, block None, context None
        deepseek-ai/DeepSeek-R1-0528 = deepseek-ai/DeepSeek-R1 in fp8, block Some(128), context None
        unsloth/DeepSeek-V3-0324-BF16 = deepseek-ai/DeepSeek-V3 in bfloat16, block None, context None
        hugging-quants/Meta-Llama-3.1-70B-Instruct-GPTQ-INT4 = meta-llama/Llama-3.1-70B-Instruct in gptq, block None, context Some(131072)
        gs://models/qwen3-30b-a3b/ = Qwen/Qwen3-30B-A3B in bfloat16, block None, context Some(40960)
        /data/gpt-oss-120b = openai/gpt-oss-120b in mxfp4, block None, context Some(131072)
        ");
    }

    #[test]
    fn other_models_stay_unknown() {
        for name in [
            "Qwen/Qwen3-1.7B",
            "deepseek-ai/DeepSeek-R1-Distill-Qwen-14B",
            "moonshotai/Kimi-K2-Thinking",
            "me/my-model",
            "",
            "/",
            "-",
        ] {
            assert_eq!(find(name), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_name_makes_it_panic(name in ".*") {
            let _ = find(&name);
        }
    }
}
