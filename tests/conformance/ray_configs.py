"""Ray Serve configurations that are wrong in one place: our verdict is Ray's, or there is a reason why not.

A stack that is right is rendered. Each mutation changes the stack, and the rendered configuration in the same way; our
verdict is `validate`'s on the one, Ray's that of its schema, LLMConfig, placement and deployment options on the other.
And a model on each slice and GPU that Ray knows is one that LLMConfig takes.
"""

import copy
import dataclasses
import json
import pathlib
import tempfile

import yaml
from harness import Suite, documents, rendered, sliceform, stand_in

stand_in.install("vllm", "0.29.0")
stand_in.install("torch", "2.12.0")
stand_in.install("httpx", "0.28.1")

import vllm.engine.arg_utils
import vllm.entrypoints.launchers.cli_args
from ray import serve
from ray.llm._internal.serve.core.configs.llm_config import LLMConfig
from ray.llm._internal.serve.core.ingress.builder import LLMServingArgs
from ray.llm._internal.serve.engines.vllm import vllm_models
from ray.serve._private.utils import validate_route_prefix
from ray.serve.config import AutoscalingConfig
from ray.serve.schema import DeploymentSchema, RayActorOptionsSchema, ServeApplicationSchema, ServeDeploySchema

STACK = """stack "sTITLE" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
cluster "c" {
  name     = "cTITLE"
  project  = "demo"
  location = "us-east5-b"
}
slice "s" {
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
}
serve "llm" {
  runtime    = "ray"
  slice      = slice.s
  num_slices = 2
  image      = "example.com/llm:1"
  model "one" {
    source               = "Qwen/Qwen3-32B"
    tensor_parallel_size = 16
    ONE
  }
  model "two" {
    source               = "Qwen/Qwen3-32B"
    TWO
  }
  application "app" {
    import_path = "IMPORT"
    APP
    deployments = [DEPLOYMENT]
  }
}
"""
RIGHT = {
    "ONE": "",
    "TWO": "tensor_parallel_size = 16",
    "IMPORT": "app:main",
    "APP": "",
    "DEPLOYMENT": '{ name = "main" }',
}
# Where we refuse what all of Ray's checks let pass, and why that is right: the mutation and the reason.
PRODUCT = "Ray reserves the whole slice for any size, and the rest of it is idle; vLLM may hang"
STRICTER = {
    "autoscale without a target": "Ray's own for models is 1e9 requests: it would never scale",
    "parallel 0 x 1": "the engine refuses it when it starts",
    "parallel 1 x 1": PRODUCT,
    "parallel 3 x 1": "the model's heads don't divide either",
    "parallel 8 x 1": PRODUCT,
    "parallel 32 x 1": "the slice has 16 devices",
    "data parallel": "ranks are a gang, and the replica reserves its slice itself",
    "deployment max_replicas_per_node = 101": "the schema takes it; it is refused when the deployment starts",
    "deployment twice": "one of them counts, in silence",
}


def one(config):
    return config["applications"][0]["args"]["llm_configs"][0]


def two(config):
    return config["applications"][0]["args"]["llm_configs"][1]


def app(config):
    return config["applications"][1]


def deployment(**values):
    """A mutation of the application's deployment."""
    text = ", ".join(f"{name} = {hcl(value)}" for name, value in values.items())
    return {"DEPLOYMENT": f'{{ name = "main", {text} }}'}, lambda config: app(config)["deployments"][0].update(values)


def hcl(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {hcl(item)}" for name, item in value.items()) + "}"
    return json.dumps(value)


def engine(**values):
    """A mutation of the first model's engine arguments."""
    text = "\n    ".join(f"{name} = {hcl(value)}" for name, value in values.items())
    return {"ONE": text}, lambda config: one(config)["engine_kwargs"].update(values)


def parallel(tensor, pipeline=1):
    values = {"tensor_parallel_size": tensor, "pipeline_parallel_size": pipeline}
    text = "\n    ".join(f"{name} = {value}" for name, value in values.items())
    return {"TWO": text}, lambda config: two(config)["engine_kwargs"].update(values)


def scaled(minimum, maximum, **more):
    """A mutation of the first model: it scales."""
    more = {name: value for name, value in ({"target_ongoing_requests": 8} | more).items() if value is not None}
    values = {"min_replicas": minimum, "max_replicas": maximum}
    text = f"autoscale {{\n min_replicas = {minimum}\n max_replicas = {maximum}\n"
    text += "".join(f" {name} = {value}\n" for name, value in more.items()) + "}"

    def mutate(config):
        one(config)["deployment_config"].pop("num_replicas", None)
        one(config)["deployment_config"]["autoscaling_config"] = values | more

    return {"ONE": text}, mutate


def routed(prefix):
    return {"APP": f"route_prefix = {json.dumps(prefix)}"}, lambda config: app(config).update(route_prefix=prefix)


def imported(path):
    return {"IMPORT": path}, lambda config: app(config).update(import_path=path)


MUTATIONS = {
    "nothing": ({}, lambda config: None),
    **{
        f"replicas = {n}": (
            {"ONE": f"replicas = {n}"},
            lambda config, n=n: one(config)["deployment_config"].update(num_replicas=n),
        )
        for n in (-1, 0, 1)
    },
    "replicas and autoscale": (
        {"ONE": "replicas = 1\n autoscale {\n min_replicas = 1\n max_replicas = 1\n }"},
        lambda config: one(config)["deployment_config"].update(
            num_replicas=1, autoscaling_config={"min_replicas": 1, "max_replicas": 1}
        ),
    ),
    **{f"autoscale {low} to {high}": scaled(low, high) for low, high in ((1, 1), (2, 1), (0, 1), (0, 0), (-1, 1))},
    **{f"target_ongoing_requests = {n}": scaled(1, 1, target_ongoing_requests=n) for n in (0, -1, 8)},
    "autoscale without a target": scaled(1, 1, target_ongoing_requests=None),
    **{
        f"max_ongoing_requests = {n}": (
            {"ONE": f"max_ongoing_requests = {n}"},
            lambda config, n=n: one(config)["deployment_config"].update(max_ongoing_requests=n),
        )
        for n in (0, -1, 8)
    },
    "two models of one name": (
        {"model": ('model "two"', 'model "one"')},
        lambda config: two(config)["model_loading_config"].update(model_id="one"),
    ),
    **{f"parallel {tensor} x 1": parallel(tensor) for tensor in (0, 1, 3, 5, 6, 8, 16, 32)},
    "parallel 4 x 4": parallel(4, 4),
    "data parallel": engine(data_parallel_size=2),
    "served_model_name": engine(served_model_name="x"),
    "model": engine(model="x"),
    "executor mp": engine(distributed_executor_backend="mp"),
    "executor ray": engine(distributed_executor_backend="ray"),
    "disable_log_stats": engine(disable_log_stats=True),
    **{f"route {prefix!r}": routed(prefix) for prefix in ("/", "/a", "/a/", "a", "/{a}", "/a/b", "")},
    **{f"import {path!r}": imported(path) for path in ("app:main", "app.main", "app", "a:b:c", "")},
    **{f"deployment {name} = {value}": deployment(**{name: value}) for name, value in (
        ("num_replicas", 2), ("num_replicas", 0), ("num_replicas", -1), ("num_replicas", "auto"), ("num_replica", 2),
        ("max_ongoing_requests", 0), ("max_ongoing_requests", 3), ("max_queued_requests", 5),
        ("max_replicas_per_node", 101), ("max_replicas_per_node", 1), ("graceful_shutdown_timeout_s", -1),
        ("graceful_shutdown_wait_loop_s", 0), ("health_check_period_s", 0), ("health_check_timeout_s", 0.5),
        ("rolling_update_percentage", 0), ("rolling_update_percentage", 0.5), ("rolling_update_percentage", 2),
        ("max_surge_percent", 101), ("max_surge_percent", 20), ("user_config", {"a": 1}),
        ("ray_actor_options", {"num_cpus": 1}), ("ray_actor_options", {"num_cpu": 1}),
        ("ray_actor_options", {"num_cpus": -1}), ("ray_actor_options", {"memory": -1}),
        ("autoscaling_config", {"min_replicas": 1, "max_replicas": 3}),
        ("autoscaling_config", {"min_replicas": 3, "max_replicas": 1}), ("autoscaling_config", {"min_replicas": 2}),
        ("autoscaling_config", {"max_replicas": 0}), ("autoscaling_config", {"maximum": 3}),
        ("autoscaling_config", {"min_replicas": 1, "max_replicas": 2, "initial_replicas": 3}),
        ("autoscaling_config", {"target_ongoing_requests": 0}), ("autoscaling_config", {"upscale_delay_s": -1}),
        ("autoscaling_config", {"metrics_interval_s": 0}), ("autoscaling_config", {"look_back_period_s": 0}),
    )},
    "deployment of both": deployment(num_replicas=2, autoscaling_config={"max_replicas": 2}),
    "deployment of auto and autoscaling": deployment(num_replicas="auto", autoscaling_config={"max_replicas": 2}),
    "deployment of bundles and a maximum a node": deployment(
        placement_group_bundles=[{"CPU": 1}], max_replicas_per_node=1
    ),
    "deployment twice": (
        {"DEPLOYMENT": '{ name = "main" }, { name = "main" }'},
        lambda config: app(config)["deployments"].append({"name": "main"}),
    ),
}


def stack(title, changes):
    text = STACK
    for word, value in (RIGHT | {word: value for word, value in changes.items() if word in RIGHT}).items():
        text = text.replace(word, value)
    for before, after in (value for word, value in changes.items() if word not in RIGHT):
        text = text.replace(before, after)
    return text.replace("TITLE", title)


def ignored(given, schema):
    unknown = sorted(set(given) - set(schema.model_fields))
    return f"ignores {', '.join(unknown)}" if unknown else None


def bundles_of(given):
    """The bundles of a replica of a model; raises what Ray raises."""
    config = LLMConfig(**given)
    known = dataclasses.make_dataclass("AsyncEngineArgs", config.engine_kwargs)
    vllm.engine.arg_utils.AsyncEngineArgs = vllm_models.AsyncEngineArgs = known
    vllm.entrypoints.launchers.cli_args.FrontendArgs = dataclasses.make_dataclass("FrontendArgs", [])
    vllm_models.FrontendArgs = vllm.entrypoints.launchers.cli_args.FrontendArgs
    engine_config = config.get_engine_config()
    engine_config.get_initialization_kwargs()
    bundles = engine_config.placement_bundles
    serve.deployment(**config.deployment_config)(type("Server", (), {}))
    return bundles


def refusal(config):
    """Why Ray refuses a configuration, or what it drops in silence; None: it takes all of it."""
    try:
        schema = ServeDeploySchema(**copy.deepcopy(config))
        for given in config["applications"]:
            validate_route_prefix(given["route_prefix"])
            if found := ignored(given, ServeApplicationSchema):
                return found
            for one_of in given.get("deployments", []):
                found = ignored(one_of, DeploymentSchema)
                found = found or ignored(one_of.get("ray_actor_options") or {}, RayActorOptionsSchema)
                scaling = one_of.get("autoscaling_config") or {}
                found = found or ignored(scaling, AutoscalingConfig)
                if found:
                    return found
                AutoscalingConfig(**scaling)
        models = [given for app in config["applications"] for given in app["args"].get("llm_configs", [])]
        for given in models:
            bundles_of(copy.deepcopy(given))
        LLMServingArgs(llm_configs=copy.deepcopy(models))
    except Exception as fault:
        return f"{type(fault).__name__}: {str(fault).strip().splitlines()[-1]}"
    return None if schema else "nothing"


def verdicts(work):
    """The errors of each mutation of the stack. One call validates all."""
    titles = {f"{index:02}": title for index, title in enumerate(MUTATIONS)}
    for number, title in titles.items():
        (work / f"s{number}.stack.hcl").write_text(stack(number, MUTATIONS[title][0]), encoding="utf-8")
    _, told = sliceform("validate", "--json", work, check=False)
    found = {}
    for report in json.JSONDecoder().raw_decode(told)[0]["stacks"]:
        errors = [item for item in report["diagnostics"] if item["severity"] == "error"]
        title = titles[pathlib.Path(report["path"]).name[1:3]]
        found[title] = [f"{error['rule']}: {error['summary']}" for error in errors]
    return found


def right(work):
    path = work / "s00.stack.hcl"
    (tree,) = [tree for _, tree in documents(rendered(path)) if tree["kind"] == "RayService"]
    config = yaml.safe_load(tree["spec"]["serveConfigV2"])
    for given in config["applications"]:
        given.setdefault("args", {})
    return config


PLACE = """stack "place" {
  ray_version     = "2.60.0"
  kuberay_version = "1.6.2"
}
cluster "c" {
  project  = "demo"
  location = "us-east5-b"
}
KIND "p" {
  cluster = cluster.c
  WHERE
}
serve "llm" {
  runtime = "ray"
  KIND    = KIND.p
  image   = "example.com/llm:1"
  model "m" {
    source               = "example/m"
    tensor_parallel_size = TENSOR
  }
}
"""


def places():
    """Every slice that Ray can serve from, and every GPU: what a stack says, its devices, and what a host has."""
    for row in json.loads(sliceform("catalog", "topologies", "--json"))["rows"]:
        if row["ray"]:
            where = f'accelerator = "{row["accelerator"]}"\n  topology = "{row["topology"]}"\n  '
            where += f"chips_per_host = {row['chips_per_host']}"
            yield "slice", where, row["devices"], {"TPU": row["chips_per_host"]}
    for row in json.loads(sliceform("catalog", "gpus", "--json"))["rows"]:
        yield "nodes", f'machine_type = "{row["machine_types"][0]}"', 1, {"GPU": 1}


def place_fault(path, kind, where, tensor, host):
    """All bundles must be alike: a replica on a slice makes as many of the first as there are hosts."""
    path.write_text(PLACE.replace("KIND", kind).replace("WHERE", where).replace("TENSOR", str(tensor)))
    (tree,) = [tree for _, tree in documents(rendered(path)) if tree["kind"] == "RayService"]
    (given,) = yaml.safe_load(tree["spec"]["serveConfigV2"])["applications"][0]["args"]["llm_configs"]
    try:
        bundles = bundles_of(given)
    except Exception as fault:
        return f"{where}: {type(fault).__name__}: {fault}"
    wrong = [bundle for bundle in bundles if {word: bundle[word] for word in bundle if word in ("TPU", "GPU")} != host]
    return f"{where}: Ray asks for {wrong[0]}, and a host has {host}" if wrong or not bundles else None


def check_places(suite, work):
    found = list(places())
    faults = [place_fault(work / "place.stack.hcl", *place) for place in found]
    suite.group(
        f"LLMConfig takes a model on each of {len(found)} slices and GPUs, and asks for bundles that their hosts have",
        filter(None, faults) if found else ["there should be some"],
    )


with Suite() as suite, tempfile.TemporaryDirectory() as work:
    ours = verdicts(pathlib.Path(work))
    config = right(pathlib.Path(work))
    agreed, wrong, reasons = 0, [], []
    for title, (_, mutate) in MUTATIONS.items():
        mutated = copy.deepcopy(config)
        mutate(mutated)
        theirs, mine = refusal(mutated), ours[title]
        reason = STRICTER.get(title) if mine else None
        if bool(mine) == bool(theirs):
            agreed += 1
            if title in STRICTER:
                wrong.append(f"{title}: both agree; take it out of the list")
        elif reason:
            reasons.append(f"stricter on {title}: {reason}")
        else:
            wrong.append(f"{title}: ours {mine or 'takes it'}; Ray's {theirs or 'takes it'}")
    suite.group("the stack without a mutation is right", ours["nothing"])
    suite.group(f"Ray agrees on {agreed} of {len(MUTATIONS)} configurations", wrong)
    for line in reasons:
        print("        ", line)
    check_places(suite, pathlib.Path(work))
