FIRST_PORT = 8471  # of the ports on which the ranks of a host listen for each other


def place():
    """Where this worker is: its slice, and the address on which it listens."""
    local_rank = ray.train.get_context().get_local_rank()
    slice_name = os.environ.get("TPU_NAME", "")
    return slice_name, f"{ray.util.get_node_ip_address()}:{FIRST_PORT + local_rank}"


def join_slice(addresses):
    os.environ.setdefault("TORCH_TPU_TOPOLOGY", SPEC["torch_tpu_topology"])
    os.environ["TORCH_TPU_SLICEBUILDER_ADDRESSES"] = addresses


class TpuBackend(TorchConfig().backend_cls):
    """Ray's Torch backend, which first tells every worker of its slice: one address a rank, in the order of ranks."""

    def on_start(self, worker_group, backend_config):
        places = worker_group.execute(place)
        for rank, (slice_name, _) in enumerate(places):
            addresses = ",".join(address for name, address in places if name == slice_name)
            worker_group.execute_single(rank, join_slice, addresses)
        super().on_start(worker_group, backend_config)


class TpuConfig(TorchConfig):
    @property
    def backend_cls(self):
        return TpuBackend
