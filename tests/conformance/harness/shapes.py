"""Stacks with one training run each, of a given shape."""

import collections

AMBIGUOUS = [(accelerator, "2x4") for accelerator in ("v5e", "v6e")]  # one host or two: the stack must say

Case = collections.namedtuple("Case", "framework accelerator topology workers slices")
STACK = """
stack "%(id)s" {
  ray_version     = "%(ray)s"
  kuberay_version = "1.6.2"
}
cluster "main" {
  project  = "demo"
  location = "us-central1"
}
slice "s" {
  cluster     = cluster.main
  accelerator = "%(accelerator)s"
  topology    = "%(topology)s"
  num_slices  = %(slices)d
  provision   = "existing"%(chips)s
}
train "run" {
  framework             = "%(framework)s"
  slice                 = slice.s
  num_slices            = %(slices)d
  multi_slice           = %(multi)s
  num_workers           = %(workers)d
  image                 = "example.com/train:1"
  train_loop_per_worker = "recipes:loop"
  storage_path          = "gs://demo/runs"
}
"""


def write(folder, stack, case, ray="2.60.0"):
    """The stack of a case, for a Ray; its slices are those that it names, as many as the run takes."""
    chips = "\n  chips_per_host = 8" if (case.accelerator, case.topology) in AMBIGUOUS else ""
    multi = str(case.slices > 1).lower() if case.framework == "pytorch" else "null"
    (folder / f"{stack}.stack.hcl").write_text(STACK % {**case._asdict(), "id": stack, "chips": chips, "multi": multi, "ray": ray})
    return folder / f"{stack}.stack.hcl"
