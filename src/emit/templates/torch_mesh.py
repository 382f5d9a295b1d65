def mesh():
    """The device mesh of `axes`. An elastic run stretches the outermost axis over the workers that it has."""
    if not SPEC["axes"]:
        return None
    import torch.distributed
    from torch.distributed.device_mesh import init_device_mesh

    sizes = [axis["size"] for axis in SPEC["axes"]]
    if SPEC["elastic"]:
        sizes[0] = torch.distributed.get_world_size() // math.prod(sizes[1:])
    return init_device_mesh(
        SPEC["device"], tuple(sizes), mesh_dim_names=tuple(axis["name"] for axis in SPEC["axes"])
    )


def train_loop_per_worker(config):
    parallelism = {"strategy": SPEC["strategy"], "axes": SPEC["axes"], "mesh": mesh()}
    load(SPEC["train_loop"])({**config, "parallelism": parallelism})
