"""The drivers of all stacks build trainers that Ray Train accepts, on exactly the slices or GPUs of their worker groups.

A driver runs up to the `fit()` of its trainer, in the environment of its head pod. Torch isn't installed (its wheel with
CUDA takes gigabytes): its modules are stood in for by empty ones, which is enough to build a TorchTrainer, not to train.
"""

import importlib.util
import os
import pathlib
import tempfile
from unittest import mock

from harness import Suite, documents, name, rendered, shapes, stacks, stand_in

stand_in.install("torch", "2.12.0")

import ray
import ray.train
from ray._private.accelerators.tpu import TPUAcceleratorManager, get_chips_per_host, get_num_chips_from_topology
from ray.train._internal.base_worker_group import BaseWorkerGroup
from ray.train.v2.api.data_parallel_trainer import DataParallelTrainer
from ray.util.accelerators import accelerators as ACCELERATOR_TYPES
from ray.util.tpu import get_tpu_num_slices_for_workers, get_tpu_version_from_type

# Besides the stacks: every generation, on one host and on several slices.
SHAPES = [
    shapes.Case(framework, accelerator, topology, workers, slices)
    for accelerator, topology, devices, hosts, slices in [
        ("v4", "2x2x1", 4, 1, 1),
        ("v4", "2x2x4", 16, 4, 2),
        ("v5e", "2x4", 8, 1, 1),
        ("v5e", "4x8", 32, 8, 2),
        ("v5p", "4x4x4", 64, 16, 1),
        ("v6e", "1x1", 1, 1, 1),
        ("v6e", "16x16", 256, 64, 2),
        ("tpu7x", "2x2x1", 8, 1, 1),
        ("tpu7x", "2x2x2", 16, 2, 2),
    ]
    for framework, workers in (("pytorch", devices * slices), ("jax", hosts * slices))
]


def trainer_of(script, environment):
    """The trainer that a driver builds, instead of fitting it, and the driver's module."""
    with tempfile.TemporaryDirectory() as work, mock.patch.dict(os.environ, environment):
        path = pathlib.Path(work) / "driver.py"
        path.write_text(script, encoding="utf-8")
        spec = importlib.util.spec_from_file_location("driver", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with mock.patch.object(DataParallelTrainer, "fit", lambda self: self):
            return module.main(), module


def literals(container):
    return {entry["name"]: entry["value"] for entry in container.get("env", ()) if "value" in entry}


def slice_faults(trainer, group, environment):
    """Where what the trainer asks for is not the slices of its worker group."""
    scaling = trainer.scaling_config
    version = get_tpu_version_from_type(scaling.accelerator_type)
    if scaling.accelerator_type not in vars(ACCELERATOR_TYPES).values():
        yield f"{scaling.accelerator_type} is not one of Ray's accelerator types"
    if not TPUAcceleratorManager.is_valid_tpu_accelerator_topology(version, scaling.topology):
        yield f"{scaling.topology} is not one of Ray's topologies of {version}"
    chips = int(group["template"]["spec"]["containers"][0]["resources"]["limits"]["google.com/tpu"])
    if get_chips_per_host(scaling.topology, version) != chips:
        yield f"Ray takes a host to have {get_chips_per_host(scaling.topology, version)} chips, and the pods have {chips}"
    if get_num_chips_from_topology(scaling.topology) != chips * group["numOfHosts"]:
        yield f"{scaling.topology} is not {group['numOfHosts']} hosts of {chips} chips"
    with mock.patch.dict(os.environ, environment):
        resources = scaling.resources_per_worker
        slices = get_tpu_num_slices_for_workers(scaling.topology, version, scaling.max_workers, resources)
    if slices != group.get("maxReplicas", group.get("replicas")):
        yield f"the workers take {slices} slices, and the group has {group}"


def gpu_faults(trainer, group):
    """Where what the trainer asks for is not the GPUs of its worker group."""
    scaling = trainer.scaling_config
    if scaling.accelerator_type not in vars(ACCELERATOR_TYPES).values():
        yield f"{scaling.accelerator_type} is not one of Ray's accelerator types"
    if not scaling.use_gpu or scaling.use_tpu:
        yield f"the trainer uses no GPUs: {scaling}"
    gpus = int(group["template"]["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"]) * group["replicas"]
    asked = scaling.max_workers * scaling.resources_per_worker["GPU"]
    if asked != gpus:
        yield f"the workers take {asked} GPUs, and the group has {gpus}"


class Workers(BaseWorkerGroup):
    """Ray's interface of a worker group, in this process: `hosts` are the slice and address of each rank's host."""

    def __init__(self, hosts):
        local = [hosts[:rank].count(host) for rank, host in enumerate(hosts)]
        self.workers = [(host, rank, {"TPU_NAME": host[0]}) for host, rank in zip(hosts, local)]

    def execute_single(self, worker_index, func, *args, **kwargs):
        (_, address), local_rank, environment = self.workers[worker_index]
        context = mock.Mock(get_local_rank=lambda: local_rank)
        with (
            mock.patch.dict(os.environ, environment, clear=True),
            mock.patch.object(ray.train, "get_context", lambda: context),
            mock.patch.object(ray.util, "get_node_ip_address", lambda: address),
        ):
            result = func(*args, **kwargs)
            environment.update(os.environ)
        return result

    def execute(self, func, *args, **kwargs):
        return [self.execute_single(rank, func, *args, **kwargs) for rank in range(len(self))]

    def __len__(self):
        return len(self.workers)

    execute_async = execute_single_async = get_resources_per_worker = None  # what the driver has no use for


def hand_shake_faults(trainer, group):
    """Whether every Torch worker is told the slice's shape, and where each rank of its slice listens."""
    slices, hosts = group["replicas"], group["numOfHosts"]
    per_host = trainer.scaling_config.max_workers // (slices * hosts)
    place = [(f"s{index}", f"10.0.{index}.{host}") for index in range(slices) for host in range(hosts)]
    workers = Workers([each for each in place for _ in range(per_host)])
    backend = trainer.backend_config.backend_cls
    with mock.patch.object(backend.__mro__[1], "on_start"):
        backend().on_start(workers, trainer.backend_config)
    for (name_of_slice, _), rank, environment in workers.workers:
        ranks = [f"{address}:{8471 + rank}" for (other, address), rank, _ in workers.workers if other == name_of_slice]
        told = environment.get("TORCH_TPU_SLICEBUILDER_ADDRESSES")
        if told != ",".join(ranks):
            yield f"a worker of {name_of_slice} is told {told}"
        shape = environment.get("TORCH_TPU_TOPOLOGY", "").split(",")
        if shape != [*trainer.scaling_config.topology.split("x"), "1"][:3]:
            yield f"a worker of {name_of_slice} is told the shape {shape}"


def check_job(suite, title, tree, scripts):
    cluster = tree["spec"]["rayClusterSpec"]
    head = cluster["headGroupSpec"]["template"]["spec"]
    (driver,) = [scripts[volume["configMap"]["name"]] for volume in head["volumes"] if "configMap" in volume]
    environment = literals(head["containers"][0])
    try:
        trainer, module = trainer_of(driver, environment)
    except Exception as fault:
        suite.group(f"{title}: Ray Train takes what the driver says", [f"{type(fault).__name__}: {fault}"])
        return
    (group,) = cluster["workerGroupSpecs"]
    kind = type(trainer).__name__
    on_slices = "google.com/tpu" in group["template"]["spec"]["containers"][0]["resources"]["limits"]
    found = [*(slice_faults(trainer, group, environment) if on_slices else gpu_faults(trainer, group))]
    if trainer.run_config.storage_path != module.SPEC["storage_path"]:
        found.append(f"the results go to {trainer.run_config.storage_path}")
    if kind == "TorchTrainer" and on_slices:
        found.extend(hand_shake_faults(trainer, group))
    suite.group(f"{title}: Ray Train builds the {kind} with the driver's configs, on exactly what the group has", found)


def check_stack(suite, stack, title):
    """How many training jobs it has."""
    trees = [tree for _, tree in documents(rendered(stack))]
    scripts = {tree["metadata"]["name"]: tree["data"]["train.py"] for tree in trees if tree["kind"] == "ConfigMap"}
    jobs = [tree for tree in trees if tree["kind"] == "RayJob"]
    for job in jobs:
        check_job(suite, f"{title}/{job['metadata']['name']}", job, scripts)
    return len(jobs)


with Suite() as suite:
    jobs = sum(check_stack(suite, stack, name(stack)) for stack in stacks())
    suite.group(f"{jobs} training jobs found in the stacks", [] if jobs else ["there should be one"])
    for case in SHAPES:
        with tempfile.TemporaryDirectory() as work:
            stack = shapes.write(pathlib.Path(work), "shape", case)
            check_stack(suite, stack, " ".join(map(str, case)))
