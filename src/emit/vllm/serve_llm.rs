//! Ray Serve's configuration (`serveConfigV2`), with vLLM behind `ray.serve.llm`.
//!
//! Field names are those of Ray 2.56 to 2.60: `ServeDeploySchema`, and `LLMConfig`, which refuses what it doesn't know.

use serde_json::{Map, Value, json};

use crate::emit::tree::{Tree, list};
use crate::emit::yaml;
use crate::lower::intent::ray::{AppBody, Application, LlmConfig, Replicas, ServeConfig};

/// The text of `serveConfigV2`.
pub fn config(serve: &ServeConfig) -> Result<String, String> {
    let tree = Tree::new()
        .with("http_options", json!({"host": serve.host, "port": serve.port}))
        .with("applications", list(&serve.applications, application));
    yaml::write(&tree.into())
}

fn application(app: &Application) -> Tree {
    let named = |import_path: &str| {
        Tree::new()
            .with("name", app.name.clone())
            .with("route_prefix", app.route_prefix.clone())
            .with("import_path", import_path)
    };
    let runtime_env = app.runtime_env.clone().unwrap_or_default();
    match &app.body {
        AppBody::Llm(models) => named("ray.serve.llm:build_openai_app")
            .some("runtime_env", runtime_env)
            .with("args", Tree::new().with("llm_configs", list(models, llm_config))),
        AppBody::Import { import_path, args, deployments } => named(import_path)
            .some("runtime_env", runtime_env)
            .some("args", args.clone())
            .some("deployments", list(deployments, |deployment| Value::Object(deployment.clone()))),
    }
}

fn llm_config(model: &LlmConfig) -> Tree {
    Tree::new()
        .with("model_loading_config", json!({"model_id": model.model_id, "model_source": model.model_source}))
        .some("accelerator_type", model.accelerator_type.clone())
        // `kind` chooses the class; a key that it doesn't know would be dropped in silence.
        .some(
            "accelerator_config",
            model.topology.as_ref().map(|topology| json!({"kind": "tpu", "topology": topology})),
        )
        .some("engine_kwargs", model.engine_kwargs.clone())
        .with("deployment_config", deployment_config(model))
        .some("lora_config", model.lora.clone())
        .some("runtime_env", model.runtime_env.clone())
}

/// A number of replicas and a range exclude each other: Serve takes the first and refuses both.
fn deployment_config(model: &LlmConfig) -> Tree {
    let config = match &model.replicas {
        Replicas::Fixed(count) => Tree::new().with("num_replicas", *count),
        Replicas::Scaled { min, max, target_ongoing_requests } => Tree::new().with(
            "autoscaling_config",
            Tree::new()
                .with("min_replicas", *min)
                .with("max_replicas", *max)
                .some("target_ongoing_requests", *target_ongoing_requests),
        ),
    };
    config
        .some("max_ongoing_requests", model.max_ongoing_requests)
        .some("ray_actor_options", Map::clone(&model.ray_actor_options))
}
