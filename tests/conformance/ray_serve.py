"""Ray Serve accepts every serveConfigV2, Ray Serve LLM every llm_config, and the bundles that it asks for fit the workers.

vLLM isn't installed: the names of engine arguments are taken as good here (`cargo test` checks them against the facts),
and so its modules are stood in for by empty ones.
"""

import dataclasses

import yaml
from harness import Suite, documents, name, rendered, stacks, stand_in

stand_in.install("vllm", "0.29.0")
stand_in.install("torch", "2.12.0")
stand_in.install("httpx", "0.28.1")

import vllm.engine.arg_utils
import vllm.entrypoints.launchers.cli_args
from ray.llm._internal.serve.core.configs.llm_config import LLMConfig
from ray.llm._internal.serve.core.ingress.builder import LLMServingArgs
from ray.serve.schema import ServeApplicationSchema, ServeDeploySchema

LLM_APP = "ray.serve.llm:build_openai_app"


def arguments(config):
    """Lets Ray split the engine's arguments, which it does by the fields of vLLM's two classes of arguments."""
    known = dataclasses.make_dataclass("AsyncEngineArgs", config.engine_kwargs)
    vllm.engine.arg_utils.AsyncEngineArgs = known
    vllm.entrypoints.launchers.cli_args.FrontendArgs = dataclasses.make_dataclass("FrontendArgs", [])
    import ray.llm._internal.serve.engines.vllm.vllm_models as models

    models.AsyncEngineArgs = known
    return config.get_engine_config()


def unknown_keys(given, schema, at):
    """Keys that Ray would ignore without a word."""
    for key in sorted(set(given) - set(schema.model_fields)):
        yield f"{at}: {key} is unknown to {schema.__name__}, which ignores it"


def schema_faults(config):
    """What Ray Serve's schema refuses, or silently drops."""
    try:
        ServeDeploySchema(**config)
    except Exception as fault:
        yield str(fault)
    yield from unknown_keys(config, ServeDeploySchema, "serveConfigV2")
    for app in config["applications"]:
        yield from unknown_keys(app, ServeApplicationSchema, app["name"])


def model_faults(given, group):
    """What is wrong with one llm_config, given the worker group whose slices or GPUs its replicas take."""
    try:
        config = LLMConfig(**given)
        engine = arguments(config)
        engine.get_initialization_kwargs()
        bundles = engine.placement_bundles
    except Exception as fault:
        yield f"{type(fault).__name__}: {fault}"
        return
    lost = set(given.get("accelerator_config") or {}) - set(type(config.accelerator_config).model_fields)
    yield from (f"accelerator_config.{key} is unknown, and Ray ignores it" for key in sorted(lost))
    limits = group["template"]["spec"]["containers"][0]["resources"]["limits"]
    if "google.com/tpu" not in limits:
        yield from gpu_faults(given, [bundle.get("GPU", 0) for bundle in bundles], int(limits["nvidia.com/gpu"]), group)
        return
    chips = int(limits["google.com/tpu"])
    asked = [bundle.get("TPU", 0) for bundle in bundles]
    if asked != [chips] * group["numOfHosts"]:
        yield f"Ray asks for bundles of {asked} chips, and the slice has {group['numOfHosts']} hosts of {chips}"


def gpu_faults(given, asked, gpus, group):
    """Whether a replica's GPUs are those of its engine, and all replicas fit the group's nodes."""
    engine = given["engine_kwargs"]
    wanted = engine.get("tensor_parallel_size", 1) * engine.get("pipeline_parallel_size", 1)
    if sum(asked) != wanted or max(asked) > gpus:
        yield f"Ray asks for bundles of {asked} GPUs; the engine takes {wanted}, and a node has {gpus}"
    replicas = given["deployment_config"].get("num_replicas", 1)
    if replicas * wanted > gpus * group["replicas"]:
        yield f"{replicas} replicas of {wanted} GPUs don't fit {group['replicas']} nodes of {gpus}"


def check_service(suite, title, tree):
    config = yaml.safe_load(tree["spec"]["serveConfigV2"])
    suite.group(f"{title}: Ray Serve takes serveConfigV2, and ignores nothing of it", schema_faults(config))
    (group,) = tree["spec"]["rayClusterConfig"]["workerGroupSpecs"]
    for app in config["applications"]:
        if app["import_path"] == LLM_APP:
            models = app["args"]["llm_configs"]
            found = [fault for given in models for fault in model_faults(given, group)]
            try:
                LLMServingArgs(llm_configs=models)
            except Exception as fault:
                found.append(str(fault))
            suite.group(
                f"{title}: Ray Serve LLM takes {len(models)} llm_configs, whose bundles are what the workers have", found
            )


with Suite() as suite:
    services = 0
    for stack in stacks():
        for _, tree in documents(rendered(stack)):
            if tree["kind"] == "RayService":
                check_service(suite, f"{name(stack)}/{tree['metadata']['name']}", tree)
                services += 1
    suite.group(f"{services} services found", [] if services else ["there should be one"])
