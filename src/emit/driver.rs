//! Ray Train drivers: Python scripts from built-in templates. All that a stack says travels as one JSON text.

use std::sync::LazyLock;

use handlebars::{Handlebars, Helper, HelperResult, Output, RenderContext, RenderError, RenderErrorReason, no_escape};
use serde_json::{Value, json};

use crate::emit::tree::{Tree, list};
use crate::lower::intent::train::{Axis, Checkpoint, Failure, Framework, Scaling, Strategy, TorchDevice, TrainDriver};

/// An engine for each framework, made once: reading a template costs more than filling it.
static TORCH: LazyLock<Engine> = LazyLock::new(|| engine(include_str!("templates/torch_trainer.py.hbs")));
static JAX: LazyLock<Engine> = LazyLock::new(|| engine(include_str!("templates/jax_trainer.py.hbs")));

type Engine = Result<Handlebars<'static>, String>;

fn engine(driver: &str) -> Engine {
    let mut engine = Handlebars::new();
    engine.set_strict_mode(true);
    engine.register_escape_fn(no_escape);
    engine.register_helper("json", Box::new(write_json));
    for (name, text) in [("driver", driver), ("spec", include_str!("templates/spec.py.hbs"))] {
        engine.register_template_string(name, text).map_err(|error| error.to_string())?;
    }
    Ok(engine)
}

/// The script.
pub fn render(driver: &TrainDriver) -> Result<String, String> {
    let (engine, intro, mesh) = match driver.framework {
        Framework::Torch { .. } => {
            (&TORCH, include_str!("templates/torch_intro.txt"), include_str!("templates/torch_mesh.py"))
        }
        Framework::Jax => (&JAX, include_str!("templates/jax_intro.txt"), include_str!("templates/jax_mesh.py")),
    };
    let engine = engine.as_ref().map_err(Clone::clone)?;
    // Text that is the same for all travels as data: reading it as a template would take a third of a short run.
    let parts = json!({
        "intro": intro.trim_end(),
        "tpu_intro": include_str!("templates/torch_tpu_intro.txt").trim_end(),
        "config": include_str!("templates/config.py").trim_end(),
        "mesh": mesh.trim_end(),
        "tpu": include_str!("templates/torch_tpu.py").trim_end(),
        "fit": include_str!("templates/fit.py").trim_end(),
    });
    let data = json!({"spec": Value::from(spec(driver)), "tpu": driver.scaling.use_tpu, "parts": parts});
    engine.render("driver", &data).map_err(|error| error.to_string())
}

/// Writes JSON that stands between `r'''` and `'''`: an apostrophe occurs inside strings only, and becomes an escape.
fn write_json(
    helper: &Helper,
    _: &Handlebars,
    _: &handlebars::Context,
    _: &mut RenderContext,
    out: &mut dyn Output,
) -> HelperResult {
    let value = helper.param(0).map_or(&Value::Null, handlebars::PathAndJson::value);
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| RenderError::from(RenderErrorReason::Other(error.to_string())))?;
    Ok(out.write(&text.replace('\'', "\\u0027"))?)
}

/// What the script reads.
fn spec(driver: &TrainDriver) -> Tree {
    let (min, max) = driver.scaling.workers;
    let spec = Tree::new()
        .with("train_loop", driver.train_loop.clone())
        .with("config", Value::Object(driver.config.clone()))
        .with("axes", list(&driver.axes, axis))
        .with("elastic", min != max)
        .with("scaling", scaling(&driver.scaling))
        .with("run_name", driver.run_name.clone())
        .with("storage_path", driver.storage_path.clone())
        .with("checkpoint", checkpoint(&driver.checkpoint))
        .with("failure", failure(driver.failure))
        .with("worker_group_start_timeout_s", driver.worker_group_start_timeout_s);
    match &driver.framework {
        Framework::Jax => spec,
        Framework::Torch { strategy, device } => {
            let spec = spec.with("strategy", strategy_name(*strategy));
            match device {
                TorchDevice::Cuda => spec.with("device", "cuda"),
                TorchDevice::Cpu => spec.with("device", "cpu"),
                TorchDevice::Tpu { topology } => {
                    spec.with("device", "tpu").with("torch_tpu_topology", topology.clone())
                }
            }
        }
    }
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Ddp => "ddp",
        Strategy::Fsdp2 => "fsdp2",
        Strategy::Dtensor => "dtensor",
    }
}

fn axis(axis: &Axis) -> Value {
    json!({"name": axis.name, "size": axis.size, "shard": axis.shard})
}

/// The arguments of `ScalingConfig`. A range becomes a tuple in the script: Ray refuses a list.
fn scaling(scaling: &Scaling) -> Tree {
    let (min, max) = scaling.workers;
    let workers = if min == max { json!(max) } else { json!([min, max]) };
    Tree::new()
        .with("num_workers", workers)
        .some("use_tpu", scaling.use_tpu)
        .some("use_gpu", scaling.use_gpu)
        .some("topology", scaling.topology.clone())
        .some("accelerator_type", scaling.accelerator_type.clone())
        .with("resources_per_worker", json!(scaling.resources_per_worker))
}

/// The arguments of `CheckpointConfig`.
fn checkpoint(checkpoint: &Checkpoint) -> Tree {
    Tree::new()
        .some("num_to_keep", checkpoint.num_to_keep)
        .some("checkpoint_score_attribute", checkpoint.score_attribute.clone())
        .some("checkpoint_score_order", checkpoint.score_order.clone())
}

/// The arguments of `FailureConfig`.
fn failure(failure: Failure) -> Tree {
    Tree::new()
        .with("max_failures", failure.max_failures)
        .some("max_preemption_failures", failure.max_preemption_failures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::samples;

    #[test]
    fn a_torch_driver_on_tpus() {
        insta::assert_snapshot!(render(&samples::train_driver()).unwrap());
    }

    #[test]
    fn a_jax_driver_that_is_elastic() {
        insta::assert_snapshot!(render(&samples::jax_driver()).unwrap());
    }

    #[test]
    fn a_torch_driver_on_gpus_knows_nothing_of_tpus() {
        let mut driver = samples::train_driver();
        driver.config.clear();
        driver.framework = Framework::Torch { strategy: Strategy::Ddp, device: TorchDevice::Cuda };
        driver.scaling = Scaling {
            workers: (8, 8),
            use_tpu: false,
            use_gpu: true,
            topology: None,
            accelerator_type: None,
            resources_per_worker: [("GPU".to_owned(), 1.into())].into(),
        };
        let script = render(&driver).unwrap();
        assert!(!script.to_lowercase().contains("tpu"), "{script}");
    }

    #[test]
    fn what_a_stack_says_never_leaves_its_json() {
        let mut driver = samples::train_driver();
        let hostile = "'''\nimport os; os.system('x') #\\ {{tpu}} \u{2028}\u{0}\"";
        driver.run_name = hostile.into();
        driver.config = [(hostile.to_owned(), Value::from(hostile))].into_iter().collect();
        let script = render(&driver).unwrap();
        let (_, rest) = script.split_once("r'''\n").unwrap();
        let (text, _) = rest.split_once("\n'''\n").unwrap();
        assert!(!text.contains('\''));
        let spec: Value = serde_json::from_str(text).unwrap();
        assert_eq!(spec["run_name"], hostile);
        assert_eq!(spec["config"][hostile], hostile);
    }
}
