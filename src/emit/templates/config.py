def load(reference):
    """Imports what `module:name` names. Only workers do: the head needs neither the chips nor their libraries."""
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name)


def scaling_config():
    scaling = dict(SPEC["scaling"])
    if isinstance(scaling["num_workers"], list):
        scaling["num_workers"] = tuple(scaling["num_workers"])  # elastic: Ray takes a tuple and refuses a list
    return ScalingConfig(**scaling)


def run_config():
    return RunConfig(
        name=SPEC["run_name"],
        storage_path=SPEC["storage_path"],
        checkpoint_config=CheckpointConfig(**SPEC["checkpoint"]),
        failure_config=FailureConfig(**SPEC["failure"]),
    )
