//! Plans as people read them.

use insta::assert_snapshot;

use crate::plan::Plan;
use crate::view::plan_human::plan;
use crate::view::{Style, plan_sample};

const WIDE: Style = Style { color: false, unicode: true, width: 110 };

fn shown(sample: &Plan) -> String {
    plan(sample, false, WIDE)
}

#[test]
fn the_first_plan_names_what_comes() {
    assert_snapshot!(shown(&plan_sample::fresh()), @r#"
    Sliceform will change rendered/park for the stack park:

      + serve.chat  new: RayService
      + slice.v6e   new: google_container_node_pool
      + train.dpo   new: ConfigMap, RayJob
      + train.old   new: ConfigMap

      # slice.v6e: google_container_node_pool.v6e will be created
      + gke/v6e.tf (9 lines)

      # train.dpo: ConfigMap ml/dpo-driver-bbbbbb will be created
      + core/configmap-dpo-driver-bbbbbb.yaml (17 lines)

      # train.old: ConfigMap ml/tokenizer will be created
      + core/configmap-tokenizer.yaml (7 lines)

      # train.dpo: RayJob ml/dpo-bbbbbb will be created
      + kuberay/rayjob-dpo-bbbbbb.yaml (24 lines)

      # serve.chat: RayService ml/chat will be created
      + kuberay/rayservice-chat.yaml (26 lines)

      # Also written: .gitattributes, .gitignore, kustomization.yaml

    Of these Terraform carries out: 1 to add, 0 to change, 0 to replace, 0 to destroy.
    Plan: 5 to add, 0 to change, 0 to replace, 0 to destroy. Chips: 0 -> 32.
    "#);
}

#[test]
fn no_change_is_one_line() {
    assert_snapshot!(shown(&plan_sample::idle()), @"No changes. rendered/park is what the stack says (5 objects).");
}

#[test]
fn what_is_lost_comes_first_and_every_change_says_what_it_does() {
    assert_snapshot!(shown(&plan_sample::mixed()), @r#"
    Sliceform will change rendered/park for the stack park:

      - train.old    destroyed: ConfigMap
    -/+ slice.v6e    replaced: the pool is destroyed and made anew, and what ran on it is lost
    -/+ train.dpo    replaced: a job runs once: this is a new job, and one that runs is ended
      ~ serve.chat   rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile
      + batch.embed  new: RayJob

      # slice.v6e: google_container_node_pool.v6e must be replaced: node_config.spot cannot change in place
      # replaced: the pool is destroyed and made anew, and what ran on it is lost
    -/+ gke/v6e.tf
          node_config
            ~ spot = false -> true  # forces replacement
          # (3 unchanged values hidden)

      # train.dpo: ConfigMap ml/dpo-driver-cccccc must be replaced: data."train.py" cannot change in place
      # new pods only: pods that run keep what they have read
    -/+ core/configmap-dpo-driver-cccccc.yaml (instead of core/configmap-dpo-driver-bbbbbb.yaml)
          data
            ~ "train.py" = (10 lines)
                  # (2 unchanged lines hidden)
                  | from ray.train.torch import TorchTrainer
                  |
                - | LEARNING_RATE = 1e-4
                + | LEARNING_RATE = 2e-4
                  | SCALING = ScalingConfig(num_workers=16)
                  |
                  # (3 unchanged lines hidden)
          # (3 unchanged values hidden)

      # train.dpo: RayJob ml/dpo-cccccc must be replaced: spec.entrypoint cannot change in place
      # replaced: a job runs once: this is a new job, and one that runs is ended
    -/+ kuberay/rayjob-dpo-cccccc.yaml (instead of kuberay/rayjob-dpo-bbbbbb.yaml)
          spec
            ~ entrypoint = "python3 /stack/train.py --model google/…s://data/preference/[-v1-]{+v2+} --epochs 3 --bf16"  # forces replacement
          spec.rayClusterSpec.headGroupSpec.template.spec.containers[ray-worker].env[RUN]
            ~ value = "bbbbbb" -> "cccccc"  # forces replacement
          spec.rayClusterSpec.headGroupSpec.template.spec.containers[ray-worker]
            ~ args = ["--tp=8", "--max-model-len=8192", "--remat"] -> ["--tp=8", "--max-model-len=16384", "--remat"]  # forces replacement
          # (7 unchanged values hidden)

      # batch.embed: RayJob ml/embed-bbbbbb will be created
      + kuberay/rayjob-embed-bbbbbb.yaml (8 lines)

      # serve.chat: RayService ml/chat will be changed
      # rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile
      ~ kuberay/rayservice-chat.yaml
          spec.serveConfigV2.applications[llm].args
            ~ tensor_parallel_size = 8 -> 16
          spec.rayClusterConfig.workerGroupSpecs[v6e]
            ~ replicas = 1 -> 2
          spec.rayClusterConfig.workerGroupSpecs[v6e].template.spec.containers[ray-worker]
            ~ image = "rayproject/ray:2.58.0" -> "rayproject/ray:2.59.1"
          # (9 unchanged values hidden)

      # train.old: ConfigMap ml/tokenizer will be destroyed: the stack no longer has it
      - core/configmap-tokenizer.yaml

      # Also written: kustomization.yaml

    Outputs:
    + endpoint = "http://chat-serve-svc.ml:8000/v1"

    Of these Terraform carries out: 0 to add, 0 to change, 1 to replace, 0 to destroy.
    Plan: 1 to add, 1 to change, 3 to replace, 1 to destroy. Chips: 32 -> 48.
    "#);
}

#[test]
fn everything_is_shown_on_demand() {
    assert_snapshot!(plan(&plan_sample::mixed(), true, Style::PLAIN), @r#"
    Sliceform will change rendered/park for the stack park:

      - train.old    destroyed: ConfigMap
    -/+ slice.v6e    replaced: the pool is destroyed and made anew, and what ran on
                     it is lost
    -/+ train.dpo    replaced: a job runs once: this is a new job, and one that runs
                     is ended
      ~ serve.chat   rolling: a second Ray cluster is built, then traffic moves:
                     needs twice the slices meanwhile
      + batch.embed  new: RayJob

      # slice.v6e: google_container_node_pool.v6e must be replaced: node_config.spot cannot change in place
      # replaced: the pool is destroyed and made anew, and what ran on it is lost
      # source: terraform-provider-google 7.46 (e03b7622)
    -/+ gke/v6e.tf
          node_config
            ~ spot = false -> true  # forces replacement
          # (3 unchanged values hidden)

      # train.dpo: ConfigMap ml/dpo-driver-cccccc must be replaced: data."train.py" cannot change in place
      # new pods only: pods that run keep what they have read
      # source: Kubernetes: mounted ConfigMaps are not read again by a running program
    -/+ core/configmap-dpo-driver-cccccc.yaml (instead of core/configmap-dpo-driver-bbbbbb.yaml)
          data
            ~ "train.py" = (10 lines)
                  | import ray
                  | from ray.train import ScalingConfig
                  | from ray.train.torch import TorchTrainer
                  |
                - | LEARNING_RATE = 1e-4
                + | LEARNING_RATE = 2e-4
                  | SCALING = ScalingConfig(num_workers=16)
                  |
                  | def main():
                  |     trainer = TorchTrainer(train, scaling_config=SCALING)
                  |     trainer.fit()
          # (3 unchanged values hidden)

      # train.dpo: RayJob ml/dpo-cccccc must be replaced: spec.entrypoint cannot change in place
      # replaced: a job runs once: this is a new job, and one that runs is ended
      # source: KubeRay rayjob_controller.go (facts of 1.7, section 4.3)
    -/+ kuberay/rayjob-dpo-cccccc.yaml (instead of kuberay/rayjob-dpo-bbbbbb.yaml)
          spec
            ~ entrypoint = "python3 /stack/train.py --model google/gemma-3-27b-it --dataset gs://data/preference/[-v1-]{+v2+} --epochs 3 --bf16"  # forces replacement
          spec.rayClusterSpec.headGroupSpec.template.spec.containers[ray-worker].env[RUN]
            ~ value = "bbbbbb" -> "cccccc"  # forces replacement
          spec.rayClusterSpec.headGroupSpec.template.spec.containers[ray-worker]
            ~ args = ["--tp=8", "--max-model-len=8192", "--remat"] -> ["--tp=8", "--max-model-len=16384", "--remat"]  # forces replacement
          # (7 unchanged values hidden)

      # batch.embed: RayJob ml/embed-bbbbbb will be created
      + kuberay/rayjob-embed-bbbbbb.yaml (8 lines)
          + spec = {
              + entrypoint               = "python3 /stack/batch.py"
              + shutdownAfterJobFinishes = true
            }
          + apiVersion = "ray.io/v1"
          + kind       = "RayJob"
          + metadata = { name = "embed-bbbbbb", namespace = "ml" }

      # serve.chat: RayService ml/chat will be changed
      # rolling: a second Ray cluster is built, then traffic moves: needs twice the
      # slices meanwhile
      # source: KubeRay rayservice_controller.go (facts of 1.7, section 4.4)
      ~ kuberay/rayservice-chat.yaml
          spec.serveConfigV2.applications[llm].args
            ~ tensor_parallel_size = 8 -> 16
          spec.rayClusterConfig.workerGroupSpecs[v6e]
            ~ replicas = 1 -> 2
          spec.rayClusterConfig.workerGroupSpecs[v6e].template.spec.containers[ray-worker]
            ~ image = "rayproject/ray:2.58.0" -> "rayproject/ray:2.59.1"
          # (9 unchanged values hidden)

      # train.old: ConfigMap ml/tokenizer will be destroyed: the stack no longer has it
      - core/configmap-tokenizer.yaml

      # Also written: kustomization.yaml

    Outputs:
    + endpoint = "http://chat-serve-svc.ml:8000/v1"

    Of these Terraform carries out: 0 to add, 0 to change, 1 to replace, 0 to destroy.
    Plan: 1 to add, 1 to change, 3 to replace, 1 to destroy. Chips: 32 -> 48.
    "#);
}

#[test]
fn a_hand_edit_is_marked() {
    assert_snapshot!(shown(&plan_sample::drifted()), @r#"
    Sliceform will change rendered/park for the stack park:

      ~ serve.chat  rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile
      + train.old   new: ConfigMap

      # train.old: ConfigMap ml/tokenizer will be written again: someone removed the file
      + core/configmap-tokenizer.yaml (7 lines)

      # serve.chat: RayService ml/chat will be overwritten: someone changed the file by hand
      # rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile
      ~ kuberay/rayservice-chat.yaml
          spec.rayClusterConfig
            ~ rayVersion = "2.57.0" -> "2.58.0"
          spec.rayClusterConfig.workerGroupSpecs[v6e].template.spec.containers[ray-worker]
            ~ image = "rayproject/ray:2.57.0" -> "rayproject/ray:2.58.0"
          # (10 unchanged values hidden)

      # Also written: kustomization.yaml (changed by hand)

    Changed or removed by hand since the last apply: 2 objects.
    Plan: 1 to add, 1 to change, 0 to replace, 0 to destroy. Chips: 32.
    "#);
}

#[test]
fn a_destroy_lists_what_goes() {
    assert_snapshot!(shown(&plan_sample::destroyed()), @r#"
    Sliceform will change rendered/park for the stack park:

      - serve.chat  destroyed: RayService
      - slice.v6e   destroyed: google_container_node_pool
      - train.dpo   destroyed: RayJob, ConfigMap
      - train.old   destroyed: ConfigMap

      # serve.chat: RayService ml/chat will be destroyed
      - kuberay/rayservice-chat.yaml

      # train.dpo: RayJob ml/dpo-bbbbbb will be destroyed
      - kuberay/rayjob-dpo-bbbbbb.yaml

      # train.dpo: ConfigMap ml/dpo-driver-bbbbbb will be destroyed
      - core/configmap-dpo-driver-bbbbbb.yaml

      # train.old: ConfigMap ml/tokenizer will be destroyed
      - core/configmap-tokenizer.yaml

      # slice.v6e: google_container_node_pool.v6e will be destroyed
      - gke/v6e.tf

      # Also removed: .gitattributes, .gitignore, kustomization.yaml

    Of these Terraform carries out: 0 to add, 0 to change, 0 to replace, 1 to destroy.
    Plan: 0 to add, 0 to change, 0 to replace, 5 to destroy. Chips: 32 -> 0.
    "#);
}

#[test]
fn an_apply_that_was_cut_short_at_its_end_is_told() {
    assert_snapshot!(shown(&plan_sample::unfinished()), @r#"
    No object changes. The inventory does not list what is there yet; an apply brings it up to date.

    Plan: 0 to add, 0 to change, 0 to replace, 0 to destroy. Chips: 32.
    "#);
}

#[test]
fn a_hostile_value_is_inert() {
    assert_snapshot!(shown(&plan_sample::hostile()), @r#"
    Sliceform will change rendered/park for the stack park:

      ~ serve.chat  rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile

      # serve.chat: RayService ml/chat will be changed
      # rolling: a second Ray cluster is built, then traffic moves: needs twice the slices meanwhile
      ~ kuberay/rayservice-chat.yaml
          spec.rayClusterConfig.workerGroupSpecs[v6e].template.spec.containers[ray-worker]
            ~ image = (2 lines)
                - | ray
                + | ray\u{1b}[31m\u{202e}
                + | :\u{3a}error file=x::y
          # (11 unchanged values hidden)

    Plan: 0 to add, 1 to change, 0 to replace, 0 to destroy.
    "#);
}

#[test]
fn colour_adds_nothing_but_colour() {
    for sample in plan_sample::all() {
        let colored = plan(&sample, false, Style { color: true, ..WIDE });
        assert_eq!(anstream::adapter::strip_str(&colored).to_string(), shown(&sample));
    }
}
