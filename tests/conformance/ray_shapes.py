"""Shapes and worker counts: whatever we accept, Ray's ScalingConfig accepts; where we are stricter, there is a reason.

Every topology that Ray knows, with plausible and implausible numbers of workers, for PyTorch and JAX. Our verdict is
`validate`'s on a stack of its own; Ray's is that of its constructor, and whether the workers take the stack's slices.
It holds for the Ray that Python imports: CI runs it with each that is supported.
"""

import collections
import json
import os
import pathlib
import tempfile
from unittest import mock

import ray
from harness import Suite, shapes, sliceform
from ray._private.accelerators.tpu import (
    VALID_TPU_TOPOLOGY,
    get_chips_per_host,
    get_num_chips_from_topology,
    infer_tpu_pod_type_from_topology,
)
from ray.train import ScalingConfig
from ray.util.tpu import get_tpu_num_slices_for_workers

GENERATIONS = {"v4": "v4", "v5e": "v5litepod", "v5p": "v5p", "v6e": "v6e", "tpu7x": "v7x"}  # ours: Ray's
TWO_DEVICES_A_CHIP = ("tpu7x",)
# Where Ray's ScalingConfig accepts what we refuse, and why refusing is right. A rule that isn't here fails the suite.
STRICTER = {
    "unknown-topology": "GKE has no nodes of the shape 2x8, which Ray's table holds",
    "worker-not-one-device": "more workers take further slices in silence; fewer fail in torch_tpu, after a warning",
    "workers-not-one-per-host": "more workers take further slices in silence",
    "uncounted-devices": "before 2.60 workers of a tpu7x chip's two devices are counted, and see the wrong chips",
    "torch-multi-slice": "before 2.60 the workers raise when they start, after the slices are reserved",
}
# TPUs that a worker may ask for: what machines have, and what none has.
RESOURCES = (1, 2, 3, 4, 8)


def topologies():
    return [(ours, topology) for ours, rays in GENERATIONS.items() for topology in sorted(VALID_TPU_TOPOLOGY[rays])]


def shape(accelerator, topology):
    """Devices and hosts of a slice."""
    chips = get_num_chips_from_topology(topology)
    hosts = chips // get_chips_per_host(topology, GENERATIONS[accelerator])
    return chips * (2 if accelerator in TWO_DEVICES_A_CHIP else 1), hosts


def cases():
    for accelerator, topology in topologies():
        devices, hosts = shape(accelerator, topology)
        for framework in "pytorch", "jax":
            for workers in sorted({1, hosts, 2 * hosts, devices // 2 or 1, devices, 2 * devices}):
                for slices in 1, 2:
                    yield shapes.Case(framework, accelerator, topology, workers, slices)


def our_verdicts(found):
    """Rules of the errors of each case; none: accepted. One call validates all."""
    with tempfile.TemporaryDirectory() as work:
        for index, case in enumerate(found):
            shapes.write(pathlib.Path(work), f"s{index}", case, ray.__version__)
        _, text = sliceform("validate", "--json", work, check=False)
    verdicts = {}
    for stack in json.JSONDecoder().raw_decode(text)[0]["stacks"]:
        index = int(pathlib.Path(stack["path"]).name.removesuffix(".stack.hcl")[1:])
        errors = [diagnostic for diagnostic in stack["diagnostics"] if diagnostic["severity"] == "error"]
        verdicts[found[index]] = sorted({error["rule"] for error in errors})
    return verdicts


def tpus(case):
    """The TPUs that our driver asks for a worker: it is derived, and no stack says it."""
    return 1 if case.framework == "pytorch" else get_chips_per_host(case.topology, GENERATIONS[case.accelerator])


def ray_verdict(case, chips=None):
    """The number of slices that Ray takes for a case; else why it refuses."""
    version = GENERATIONS[case.accelerator]
    per_chip = 2 if case.framework == "pytorch" and case.accelerator in TWO_DEVICES_A_CHIP else 1
    chips = chips or tpus(case)
    scaling = {
        "topology": case.topology,
        "accelerator_type": f"TPU-{version.upper()}",
        "resources_per_worker": {"TPU": chips},
    }
    with mock.patch.dict(os.environ, {"RAY_TPU_RESOURCE_PER_CHIP": str(per_chip)}):
        try:
            ScalingConfig(num_workers=case.workers, use_tpu=True, **scaling)
        except ValueError as fault:
            return str(fault)
        return get_tpu_num_slices_for_workers(num_workers=case.workers, **scaling)


def check_verdicts(suite):
    found = list(cases())
    ours = our_verdicts(found)
    suite.group(f"{len(found)} cases have a verdict", [f"{case}: none" for case in found if case not in ours])
    rays = {case: ray_verdict(case) for case in found}
    accepted = [case for case in found if case in ours and not ours[case]]
    wrong = [f"{case}: Ray says {rays[case]}" for case in accepted if rays[case] != case.slices]
    suite.group(
        f"Ray accepts the {len(accepted)} that we accept, and takes as many slices", wrong if accepted else ["none"]
    )
    refused = [case for case in found if ours.get(case) and isinstance(rays[case], int)]
    stricter = collections.Counter(rule for case in refused for rule in ours[case])
    for rule, count in sorted(stricter.items()):
        reason = STRICTER.get(rule)
        first = next(case for case in refused if rule in ours[case])
        title = f"{rule} refuses {count} cases that ScalingConfig accepts: {reason}"
        suite.group(title, [] if reason else [f"no reason is given in STRICTER; the first is {first}"])


def check_resources(suite):
    """The resources of a worker are ours to choose: what we choose is among what Ray accepts, for every shape."""
    pairs, others, wrong = 0, 0, []
    for accelerator, topology in topologies():
        devices, hosts = shape(accelerator, topology)
        for framework, workers in ("pytorch", devices), ("jax", hosts):
            for slices in 1, 2:
                case = shapes.Case(framework, accelerator, topology, slices * workers, slices)
                verdicts = {chips: ray_verdict(case, chips) for chips in RESOURCES}
                pairs += len(RESOURCES)
                if verdicts[tpus(case)] != slices:
                    wrong.append(f"{case} with TPU: {tpus(case)}: Ray says {verdicts[tpus(case)]}")
                others += sum(isinstance(found, int) for chips, found in verdicts.items() if chips != tpus(case))
    reason = "torch_tpu takes one chip a worker, JAX one worker a host"
    suite.group(
        f"of {pairs} shapes with TPUs a worker, Ray accepts the one that we give; {others} others too, which no stack "
        f"can ask for: {reason}",
        wrong if pairs else ["none"],
    )


def check_catalog(suite):
    """Our table of topologies is Ray's, where it says that Ray knows the shape."""
    rows = [row for row in json.loads(sliceform("catalog", "topologies", "--json"))["rows"] if row["ray"]]
    wrong = []
    for row in rows:
        version = GENERATIONS[row["accelerator"]]
        if row["topology"] not in VALID_TPU_TOPOLOGY[version]:
            wrong.append(f"{row['accelerator']} {row['topology']}: Ray does not know it")
            continue
        devices, hosts = shape(row["accelerator"], row["topology"])
        pod = infer_tpu_pod_type_from_topology(row["topology"], version)
        theirs = get_num_chips_from_topology(row["topology"]), hosts, devices, pod
        if theirs != (row["chips"], row["hosts"], row["devices"], row["ray_pod_type"]):
            wrong.append(f"{row}: Ray says {theirs}")
    suite.group(f"{len(rows)} topologies of the catalog are as Ray has them", wrong if rows else ["none found"])


with Suite() as suite:
    suite.group(f"Ray {ray.__version__}", [])
    check_catalog(suite)
    check_verdicts(suite)
    check_resources(suite)
