//! A model's dimensions from its `config.json`, as Hugging Face's transformers spell it.

use serde_json::Value;

use crate::facts::models::{Model, Quantization};

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
    let vision = config.get("vision_config");
    let vision_heads = vision.and_then(|tower| tower.get("num_attention_heads").or_else(|| tower.get("num_heads")));
    Ok(Model {
        architecture: config.pointer("/architectures/0").and_then(Value::as_str).unwrap_or_default().to_owned(),
        layers,
        hidden,
        heads,
        kv_heads: small(&["num_key_value_heads"]).unwrap_or(heads),
        head_dim: small(&["head_dim"]).unwrap_or(hidden / heads),
        mla: number(&["kv_lora_rank"]).is_some(),
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
        ..Model::default()
    })
}

fn quantization(config: &Value) -> Option<Quantization> {
    let found = config.get("quantization_config")?;
    let block = found.pointer("/weight_block_size/0").and_then(Value::as_u64);
    Some(Quantization {
        method: found.get("quant_method")?.as_str()?.to_owned(),
        block: block.and_then(|side| u32::try_from(side).ok()),
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
        assert_eq!(model.quantization, Some(Quantization { method: "fp8".into(), block: Some(128) }));
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
