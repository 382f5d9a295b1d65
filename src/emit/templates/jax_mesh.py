def mesh():
    """The device mesh of `axes`. An elastic run stretches the outermost axis over the devices that it has."""
    if not SPEC["axes"]:
        return None
    import jax
    from jax.experimental import mesh_utils

    sizes = [axis["size"] for axis in SPEC["axes"]]
    if SPEC["elastic"]:
        sizes[0] = jax.device_count() // math.prod(sizes[1:])
    slices = int(os.environ.get("MEGASCALE_NUM_SLICES", "1"))
    if slices == 1:
        devices = mesh_utils.create_device_mesh(sizes)
    else:
        if sizes[0] % slices:
            raise ValueError(f"axis {SPEC['axes'][0]['name']}: {sizes[0]} devices can't be spread over {slices} slices")
        within = [sizes[0] // slices, *sizes[1:]]
        across = [slices] + [1] * len(sizes[1:])
        devices = mesh_utils.create_hybrid_device_mesh(within, across)
    return jax.sharding.Mesh(devices, tuple(axis["name"] for axis in SPEC["axes"]))


def train_loop_per_worker(config):
    parallelism = {"axes": SPEC["axes"], "mesh": mesh()}
    load(SPEC["train_loop"])({**config, "parallelism": parallelism})
