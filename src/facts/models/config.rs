//! A model's dimensions from its `config.json`, as Hugging Face's transformers spell it.

use serde_json::Value;

use crate::facts::models::{FullAttention, Latent, Model, Quantization, Sliding};

/// Reads the dimensions, or says in a sentence what is missing.
///
/// The names are those of `transformers` configurations; models that read images nest their text part in `text_config`
/// and the tower in `vision_config`.
pub fn read(text: &str) -> Result<Model, String> {
    let config: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    let inner = ["text_config", "llm_config"].iter().find_map(|name| config.get(*name)).unwrap_or(&config);
    let number = |names: &[&str]| names.iter().find_map(|name| inner.get(*name)?.as_u64());
    let small = |names: &[&str]| number(names).and_then(|number| u32::try_from(number).ok());
    let needed = |name: &str| small(&[name]).filter(|number| *number > 0).ok_or(format!("it has no {name}"));
    let (layers, heads) = (needed("num_hidden_layers")?, needed("num_attention_heads")?);
    let hidden = needed("hidden_size")?;
    let kv_heads = small(&["num_key_value_heads"]).unwrap_or(heads);
    let head_dim = small(&["head_dim"]).unwrap_or(hidden / heads);
    let latent = small(&["kv_lora_rank"]).map(|rank| Latent {
        rank,
        rope: small(&["qk_rope_head_dim"]).unwrap_or(0),
        index: small(&["index_head_dim"]),
    });
    let vision = config.get("vision_config");
    let vision_heads = vision.and_then(|tower| tower.get("num_attention_heads").or_else(|| tower.get("num_heads")));
    Ok(Model {
        architecture: config.pointer("/architectures/0").and_then(Value::as_str).unwrap_or_default().to_owned(),
        layers,
        hidden,
        heads,
        kv_heads,
        head_dim,
        latent,
        sliding: sliding(inner, layers),
        linear_layers: layers_of(inner, "linear_attention"),
        full: small(&["global_head_dim"]).map(|head_dim| FullAttention {
            head_dim,
            kv_heads: small(&["num_global_key_value_heads"]).unwrap_or(kv_heads),
        }),
        linear_key_heads: small(&["linear_num_key_heads"]),
        vision_heads: vision_heads.and_then(Value::as_u64).and_then(|heads| u32::try_from(heads).ok()),
        intermediate: small(&["intermediate_size"]),
        experts: small(&["num_experts", "num_local_experts", "n_routed_experts"]).unwrap_or(0),
        experts_per_token: small(&["num_experts_per_tok", "num_experts_per_token"]).unwrap_or(0),
        moe_intermediate: small(&["moe_intermediate_size"]),
        context: number(&["max_position_embeddings"]),
        dtype: ["dtype", "torch_dtype"]
            .iter()
            .find_map(|name| inner.get(*name).or_else(|| config.get(*name))?.as_str())
            .unwrap_or("bfloat16")
            .to_owned(),
        quantization: quantization(&config).or_else(|| quantization(inner)),
        multimodal: vision.is_some(),
        parameters: dense_parameters(inner, heads, kv_heads, head_dim).unwrap_or(0),
        embedding_parameters: embeddings(inner).and_then(|number| u64::try_from(number).ok()).unwrap_or(0),
        ..Model::default()
    })
}

/// Layers of a kind, where the configuration lists the kind of each.
fn layers_of(config: &Value, kind: &str) -> u32 {
    let kinds = config.get("layer_types").and_then(Value::as_array);
    let count = kinds.map_or(0, |kinds| kinds.iter().filter(|found| found.as_str() == Some(kind)).count());
    u32::try_from(count).unwrap_or(0)
}

/// The layers with a window: those listed, or all where there is a window and no list.
fn sliding(config: &Value, layers: u32) -> Option<Sliding> {
    let number = |name: &str| config.get(name)?.as_u64().and_then(|number| u32::try_from(number).ok());
    let (window, kind) = match number("sliding_window") {
        Some(window) if config.get("use_sliding_window").and_then(Value::as_bool) != Some(false) => {
            (window, "sliding_attention")
        }
        _ => (number("attention_chunk_size")?, "chunked_attention"),
    };
    let layers = if config.get("layer_types").is_some() { layers_of(config, kind) } else { layers };
    (layers > 0).then_some(Sliding { window, layers })
}

fn width(config: &Value, name: &str) -> Option<u128> {
    config.get(name)?.as_u64().filter(|number| *number < 1 << 32).map(u128::from)
}

/// The embeddings: one table, or one at each end.
fn embeddings(config: &Value) -> Option<u128> {
    let tied = config.get("tie_word_embeddings").and_then(Value::as_bool).unwrap_or(false);
    Some(width(config, "vocab_size")? * width(config, "hidden_size")? * if tied { 1 } else { 2 })
}

/// The parameters of a plain dense model, by its widths. None: it is a mixture, or has another attention, or a width is
/// missing. Embeddings, attention and three matrices of the feed-forward layer; the rest is less than a thousandth.
fn dense_parameters(config: &Value, heads: u32, kv_heads: u32, head_dim: u32) -> Option<u64> {
    let other = ["kv_lora_rank", "num_experts", "num_local_experts", "n_routed_experts", "linear_num_key_heads"];
    if other.iter().any(|name| config.get(*name).is_some_and(|value| !value.is_null())) {
        return None;
    }
    let number = |name: &str| width(config, name);
    let (layers, hidden) = (number("num_hidden_layers")?, number("hidden_size")?);
    let embeddings = embeddings(config)?;
    let attention = hidden * 2 * (u128::from(heads) + u128::from(kv_heads)) * u128::from(head_dim);
    let feed_forward = 3 * hidden * number("intermediate_size")?;
    let inside = attention.checked_add(feed_forward)?.checked_mul(layers)?;
    u64::try_from(embeddings.checked_add(inside)?).ok()
}

fn quantization(config: &Value) -> Option<Quantization> {
    let found = config.get("quantization_config")?;
    let block = found.pointer("/weight_block_size/0").and_then(Value::as_u64);
    let groups = found.get("config_groups").and_then(Value::as_object);
    let of_group =
        groups.and_then(|groups| groups.values().next()).and_then(|group| group.pointer("/weights/num_bits"));
    let bits = found.get("bits").or_else(|| found.get("w_bit")).or(of_group).and_then(Value::as_u64);
    Some(Quantization {
        method: found.get("quant_method")?.as_str()?.to_owned(),
        block: block.and_then(|side| u32::try_from(side).ok()),
        bits: bits.and_then(|bits| u32::try_from(bits).ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixture_with_a_vision_tower() {
        let model = read(
            r#"{"architectures": ["X"], "vision_config": {"num_heads": 16}, "text_config": {"num_hidden_layers": 48,
            "hidden_size": 2048, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "num_experts": 128,
            "num_experts_per_tok": 8, "moe_intermediate_size": 768, "max_position_embeddings": 40960, "dtype": "bfloat16"},
            "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}"#,
        )
        .unwrap();
        assert_eq!((model.layers, model.heads, model.kv_heads, model.head_dim), (48, 32, 4, 128));
        assert_eq!((model.experts, model.experts_per_token, model.context), (128, 8, Some(40960)));
        assert_eq!(model.quantization, Some(Quantization { method: "fp8".into(), block: Some(128), bits: None }));
        assert_eq!((model.multimodal, model.vision_heads), (true, Some(16)));
    }

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(read("{}").unwrap_err(), "it has no num_hidden_layers");
        assert!(read("[").unwrap_err().starts_with("it is no JSON"));
        let dense = read(r#"{"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}"#).unwrap();
        assert_eq!((dense.kv_heads, dense.head_dim, dense.experts), (4, 16, 0));
        assert!(read(r#"{"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 0}"#).is_err());
    }
}
