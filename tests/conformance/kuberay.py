"""The KubeRay operator's own checks, run by its own functions, and ours: the same verdict on every object.

`operator/` is a Go program over the newest release of the operator that Go's module proxy has. Every KubeRay object of the
stacks that ship is taken by it. Then patches, most of them wrong, on both sides of each check: what it refuses we refuse,
what it takes we take. Checks of later releases have no function to run here; they are listed, and the unit tests hold them.
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from harness import Suite, documents, name, rendered, sliceform, stacks

KUBERAY = "1.6.2"  # the release in operator/go.mod
LATER = "C12 C16 C17 C24 C25 C28 C29 X2"  # of KubeRay 1.7: read in its source, without a module on the proxy
# Reached at run time only: a headService without ports (C30), the KAI scheduler of the operator's configuration (J14).

HEAD = """stack "%(name)s" {
  ray_version     = "2.60.0"
  kuberay_version = "%(kuberay)s"
}
cluster "c" {
  project  = "demo"
  location = "us-central1"
}
slice "s" {
  cluster     = cluster.c
  accelerator = "v6e"
  topology    = "4x4"
  num_slices  = 2
  provision   = "existing"%(slice)s
}
"""
TRAIN = """train "t" {
  framework  = "jax"
  slice      = slice.s
  num_slices = 2
  image      = "example.com/ray:2.60.0"
  entrypoint = "python3 train.py"
  %(more)s
  %(patch)s
}
"""
SERVE = """serve "t" {
  runtime = "ray"
  slice   = slice.s
  num_slices = 2
  image   = "example.com/ray:2.60.0"
  %(more)s
  application "a" {
    import_path = "app:build"
  }
  %(patch)s
}
"""
CLUSTER = """ray_cluster "t" {
  slice = slice.s
  num_slices = 2
  image = "example.com/ray:2.60.0"
  %(more)s
  %(patch)s
}
"""
BASES = {  # kind, block, more in it, more in the slice
    "job": ("RayJob", TRAIN, "", ""),
    "cron": ("RayCronJob", TRAIN, 'schedule = "0 3 * * *"', ""),
    "service": ("RayService", SERVE, "", ""),
    "cluster": ("RayCluster", CLUSTER, "", ""),
    "scaled": ("RayCluster", CLUSTER, "autoscale {\n    min_slices = 0\n    max_slices = 2\n  }", ""),
}
NAMED = {"containers": "name", "env": "name", "workerGroupSpecs": "groupName", "ports": "containerPort"}


def head(**fields):
    return {"headGroupSpec": fields}


def group(**fields):
    return {"workerGroupSpecs": [{"groupName": "s", **fields}]}


def head_env(key, value="x"):
    return head(template={"spec": {"containers": [{"name": "ray-head", "env": [{"name": key, "value": value}]}]}})


def rule(policy, ttl=0, status="SUCCEEDED", **condition):
    return {"policy": policy, "condition": {"jobStatus": status, "ttlSeconds": ttl, **condition}}


def deletion(*rules, **fields):
    return {"shutdownAfterJobFinishes": False, "deletionStrategy": {"deletionRules": list(rules)}, **fields}


def legacy(success, failure):
    side = lambda policy: {"policy": policy} if policy else {}
    return {"deletionStrategy": {"onSuccess": side(success), "onFailure": side(failure)}}


def incremental(scaling=True, **options):
    all_of = {"maxSurgePercent": 50, "stepSizePercent": 10, "intervalSeconds": 5, "gatewayClassName": "gke"}
    return {
        "upgradeStrategy": {
            "type": "NewClusterWithIncrementalUpgrade",
            "clusterUpgradeOptions": {**all_of, **options},
        },
        "rayClusterConfig": {"enableInTreeAutoscaling": scaling},
    }


# The check, what it is patched on, the patch of `spec`, and what of `metadata`. Both verdicts are computed, none is written.
CASES = [
    ("C3", "cluster", {"upgradeStrategy": {"type": "Replace"}}),
    ("C3", "cluster", {"upgradeStrategy": {"type": "Recreate"}}),
    ("C3", "cluster", {"upgradeStrategy": {"type": "None"}}),
    ("C4", "job", {"rayClusterSpec": {"upgradeStrategy": {"type": "Recreate"}}}),
    ("C4", "service", {"rayClusterConfig": {"upgradeStrategy": {"type": "None"}}}),
    ("C5", "cluster", head(template={"spec": {"containers": None}})),
    ("C6", "cluster", head(resources={"CPU": "1"})),
    ("C6", "cluster", group(resources={"CPU": "1"})),
    ("C6", "cluster", group(resources={"CPU": "1"}, rayStartParams={"num-cpus": "1"})),
    ("C6", "cluster", group(resources={}, rayStartParams={"num-cpus": "1"})),
    ("C6", "cluster", group(resources={"CPU": "1"}, rayStartParams={"num-cpus": ""})),
    ("C7", "cluster", head(rayStartParams={"labels": "a=b"})),
    ("C7", "cluster", group(rayStartParams={"labels": ""})),
    ("C8", "cluster", group(labels={"a b": "c"})),
    ("C8", "cluster", group(labels={"a/b/c": "c"})),
    ("C8", "cluster", group(labels={"ray.io/tier": "gold"})),
    ("C8", "cluster", group(labels={"tier": "-gold"})),
    ("C8", "cluster", group(labels={"tier": "g" * 64})),
    ("C8", "cluster", group(labels={"tier": ""})),
    ("C8", "cluster", head(labels={"A.b/c": "d"})),
    ("C8", "cluster", head(labels={"a.b/": "d"})),
    ("C10", "cluster", group(minReplicas=3, maxReplicas=2)),
    ("C10", "cluster", group(minReplicas=-1)),
    ("C10", "cluster", group(maxReplicas=-1)),
    ("C10", "cluster", group(minReplicas=2, maxReplicas=2)),
    ("C11", "cluster", group(idleTimeoutSeconds=60)),
    ("C11", "scaled", group(idleTimeoutSeconds=60)),
    ("C11", "scaled", group(idleTimeoutSeconds=-1)),
    ("C11", "scaled", {**group(idleTimeoutSeconds=60), "autoscalerOptions": {"version": "v1"}}),
    ("C13", "cluster", {"gcsFaultToleranceOptions": {"redisAddress": "r:1"}}, {"ray.io/ft-enabled": "true"}),
    ("C13", "cluster", {"gcsFaultToleranceOptions": {"redisAddress": "r:1"}}),
    ("C14", "cluster", head_env("RAY_REDIS_ADDRESS")),
    ("C14", "cluster", head_env("RAY_REDIS_ADDRESS"), {"ray.io/ft-enabled": "true"}),
    ("C14", "cluster", head_env("RAY_REDIS_ADDRESS"), {"ray.io/ft-enabled": "no"}),
    ("C15", "cluster", {"gcsFaultToleranceOptions": {"redisAddress": "r:1"}, **head(rayStartParams={"redis-password": "x"})}),
    ("C15", "cluster", {"gcsFaultToleranceOptions": {"redisAddress": "r:1"}, **head_env("REDIS_PASSWORD")}),
    ("C15", "cluster", {"gcsFaultToleranceOptions": {"redisAddress": "r:1"}, **head_env("RAY_REDIS_ADDRESS")}),
    ("C15", "cluster", {"gcsFaultToleranceOptions": {"redisAddress": "r:1"}}, {"ray.io/external-storage-namespace": "x"}),
    ("C15", "cluster", head(rayStartParams={"redis-password": "x"})),
    ("C18", "cluster", head_env("REDIS_USERNAME")),
    ("C18", "cluster", head(rayStartParams={"redis-username": "x"})),
    ("C19", "scaled", group(suspend=True)),
    ("C19", "cluster", group(suspend=True)),
    ("C20", "cluster", head_env("RAY_enable_autoscaler_v2", "1")),
    ("C20", "cluster", head_env("RAY_enable_autoscaler_v2", "true")),
    ("C20", "cluster", head_env("RAY_enable_autoscaler_v2", "0")),
    ("C21", "scaled", head_env("RAY_enable_autoscaler_v2", "1")),
    ("C22", "scaled", head(template={"spec": {"restartPolicy": "Always"}})),
    ("C22", "scaled", head(template={"spec": {"restartPolicy": "Never"}})),
    ("C22", "scaled", group(template={"spec": {"restartPolicy": "OnFailure"}})),
    ("C22", "cluster", group(template={"spec": {"restartPolicy": "OnFailure"}})),
    ("C23", "scaled", {"autoscalerOptions": {"idleTimeoutSeconds": -1}}),
    ("C23", "scaled", {"autoscalerOptions": {"idleTimeoutSeconds": 0}}),
    ("C26", "cluster", {"authOptions": {"mode": "token"}}),
    ("C26", "cluster", {"authOptions": {"mode": "token"}, "rayVersion": "2.51.0"}),
    ("C26", "cluster", {"authOptions": {"mode": "token"}, "rayVersion": "2.52.0"}),
    ("C26", "cluster", {"authOptions": {"mode": "token"}, "rayVersion": "latest"}),
    ("C26", "cluster", {"authOptions": {"mode": "token"}, "rayVersion": None}),
    ("C27", "cluster", {"authOptions": {"mode": "token", "enableK8sTokenAuth": True}}),
    ("C27", "cluster", {"authOptions": {"enableK8sTokenAuth": True, "mode": "disabled"}}),
    ("C27", "cluster", {"authOptions": {"mode": "token", "enableK8sTokenAuth": True}, "rayVersion": "2.54.0"}),
    ("C27", "cluster", {"authOptions": {"mode": "token", "enableK8sTokenAuth": True, "secretName": "x"}}),
    ("J2", "job", {"suspend": True}),
    ("J2", "job", {"suspend": True, "shutdownAfterJobFinishes": False}),
    ("J3", "job", {"ttlSecondsAfterFinished": -1}),
    ("J3", "job", {"ttlSecondsAfterFinished": 60}),
    ("J3", "job", {"ttlSecondsAfterFinished": 60, "shutdownAfterJobFinishes": False}),
    ("J4", "job", {"deletionStrategy": {"deletionRules": [rule("DeleteCluster")]}}),
    ("J4", "job", deletion(rule("DeleteCluster"))),
    ("J5", "job", deletion(rule("DeleteWorkers"))),
    ("J5", "job", deletion(rule("DeleteWorkers"), rayClusterSpec={"enableInTreeAutoscaling": True})),
    ("J5", "job", deletion(rule("DeleteCluster"), rule("DeleteCluster", 5))),
    ("J5", "job", deletion(rule("DeleteCluster"), rule("DeleteCluster", 5, "FAILED"))),
    ("J5", "job", deletion(rule("DeleteCluster", -1))),
    ("J6", "job", deletion(rule("DeleteCluster", 60), rule("DeleteSelf", 30))),
    ("J6", "job", deletion(rule("DeleteCluster", 60), rule("DeleteSelf", 60))),
    ("J6", "job", deletion(rule("DeleteSelf", 60), rule("DeleteWorkers", 60), rule("DeleteCluster", 60))),
    ("J7", "job", legacy("DeleteCluster", "DeleteCluster")),
    ("J7", "job", legacy("DeleteCluster", "DeleteNone")),
    ("J7", "job", {**legacy("DeleteWorkers", "DeleteSelf"), "rayClusterSpec": {"enableInTreeAutoscaling": True}}),
    ("J8", "job", {"rayClusterSpec": None}),
    ("J8", "job", {"rayClusterSpec": None, "clusterSelector": {"ray.io/cluster": "c"}}),
    ("J8", "job", {"rayClusterSpec": None, "clusterSelector": {"app": "c"}}),
    ("J8", "job", {"rayClusterSpec": None, "clusterSelector": {"ray.io/cluster": "c"}, "suspend": True}),
    ("J8", "job", {"rayClusterSpec": None, "clusterSelector": {"ray.io/cluster": "c"}, "backoffLimit": 1}),
    ("J9", "job", {"submissionMode": "InteractiveMode", "backoffLimit": 1}),
    ("J9", "job", {"submissionMode": "InteractiveMode", "backoffLimit": 0}),
    ("J10", "job", {"submissionMode": "SidecarMode", "submitterConfig": {"backoffLimit": 1}}),
    ("J10", "job", {"submissionMode": "SidecarMode", "submitterPodTemplate": None}),
    ("J10", "job", {"submissionMode": "SidecarMode", "submitterPodTemplate": None, "submitterConfig": None}),
    (
        "J10",
        "job",
        {
            "submissionMode": "SidecarMode",
            "submitterPodTemplate": None,
            "submitterConfig": None,
            "rayClusterSpec": head(template={"spec": {"restartPolicy": "Always"}}),
        },
    ),
    ("J11", "job", {"rayClusterSpec": {"authOptions": {"mode": "token", "enableK8sTokenAuth": True}}}),
    ("J12", "job", {"runtimeEnvYAML": "- a"}),
    ("J12", "job", {"runtimeEnvYAML": "a: ["}),
    ("J12", "job", {"runtimeEnvYAML": "pip: [x]"}),
    ("J12", "job", {"runtimeEnvYAML": ""}),
    ("J13", "job", {"activeDeadlineSeconds": 0}),
    ("J13", "job", {"activeDeadlineSeconds": 1}),
    ("J13", "job", {"preRunningDeadlineSeconds": 0}),
    ("J13", "job", {"backoffLimit": -1}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "0"}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "30m"}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "1h30m"}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "600"}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "-5m"}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "soon"}),
    ("S2", "service", {}, {"ray.io/initializing-timeout": "5d"}),
    ("S3", "service", {"rayClusterConfig": {"authOptions": {"mode": "token", "enableK8sTokenAuth": True}}}),
    ("S4", "service", {"rayClusterConfig": head(headService={"metadata": {"name": "x"}})}),
    ("S4", "service", {"rayClusterConfig": head(headService={"metadata": {"labels": {"a": "b"}}})}),
    ("S5", "service", {"upgradeStrategy": {"type": "Recreate"}}),
    ("S5", "service", {"upgradeStrategy": {"type": "None"}}),
    ("S6", "service", {"rayClusterDeletionDelaySeconds": -1}),
    ("S6", "service", {"rayClusterDeletionDelaySeconds": 0}),
    ("S7", "service", incremental()),
    ("S7", "service", incremental(scaling=False)),
    ("S7", "service", incremental(maxSurgePercent=101)),
    ("S7", "service", incremental(stepSizePercent=None)),
    ("S7", "service", incremental(stepSizePercent=101)),
    ("S7", "service", incremental(intervalSeconds=0)),
    ("S7", "service", incremental(gatewayClassName="")),
    ("X3", "cron", {"schedule": "0 3 * *"}),
    ("X3", "cron", {"schedule": "@daily"}),
    ("X3", "cron", {"schedule": "@every 5m"}),
    ("X3", "cron", {"schedule": "*/5 1-3,8 * jan mon"}),
    ("X3", "cron", {"schedule": "@never"}),
    ("X3", "cron", {"schedule": "61 3 * * *"}),
    ("X5", "cron", {"jobTemplate": {"activeDeadlineSeconds": 0}}),
]


def merged(value, patch, key=""):
    """A merge patch as ours: null takes out, items of lists that have names are merged by them."""
    if isinstance(patch, list) and isinstance(value, list) and key in NAMED:
        known = NAMED[key]
        found = [merged(item, next((new for new in patch if new.get(known) == item.get(known)), {})) for item in value]
        names = [item.get(known) for item in value]
        return found + [item for item in patch if item.get(known) not in names]
    if not isinstance(patch, dict):
        return patch
    result = copy.copy(value) if isinstance(value, dict) else {}
    for name, new in patch.items():
        if new is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), new, name)
    return result


def operator(objects):
    """What the operator says of each object; "" where it takes it."""
    program = os.environ.get("OPERATOR") or sys.exit("OPERATOR must be the path of the built operator/")
    run = subprocess.run([program], input=json.dumps(objects), capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{program}: {run.stderr}")
    return json.loads(run.stdout)


def parts(case):
    check, base, spec, *annotations = case
    return check, base, {"spec": spec, **({"metadata": {"annotations": annotations[0]}} if annotations else {})}


def write(folder, stack, base, patch):
    kind, block, more, slice_more = BASES[base]
    words = f'patch {{\n    target = "{kind}"\n    merge  = {json.dumps(patch)}\n  }}' if patch else ""
    text = HEAD % {"name": stack, "kuberay": KUBERAY, "slice": slice_more} + block % {"more": more, "patch": words}
    (folder / f"{stack}.stack.hcl").write_text(text)
    return folder / f"{stack}.stack.hcl"


def our_verdicts(folder):
    """The errors of each case; none: accepted."""
    for index, case in enumerate(CASES):
        _, base, patch = parts(case)
        write(folder, f"s{index}", base, patch)
    _, text = sliceform("validate", "--json", folder, check=False)
    verdicts = {}
    for stack in json.JSONDecoder().raw_decode(text)[0]["stacks"]:
        index = int(pathlib.Path(stack["path"]).name.removesuffix(".stack.hcl")[1:])
        verdicts[index] = [diag for diag in stack["diagnostics"] if diag["severity"] == "error"]
    return verdicts


def by_check(error, check):
    """Whether an error is of the check; a field that the API server itself refuses never comes to the operator."""
    of_job = check == "X5" and error["rule"] == "refused-by-kuberay"
    return of_job or error["rule"] == "manifest-schema" or f"({check} of" in (error["source"] or "")


def check_shipped(suite):
    kinds = ("RayCluster", "RayJob", "RayService", "RayCronJob")
    found = [(stack, tree) for stack in stacks() for _, tree in documents(rendered(stack)) if tree["kind"] in kinds]
    said = operator([tree for _, tree in found])
    wrong = [f"{name(stack)}: {tree['kind']}: {fault}" for (stack, tree), fault in zip(found, said) if fault]
    suite.group(f"the operator takes the {len(found)} objects of the stacks that ship", wrong if found else ["none"])


def check_cases(suite):
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        bases = {}
        for base, (kind, *_) in BASES.items():
            trees = [tree for _, tree in documents(rendered(write(folder, "base", base, None))) if tree["kind"] == kind]
            (bases[base],) = trees
        (folder / "base.stack.hcl").unlink()
        ours = our_verdicts(folder)
    theirs = operator([merged(bases[base], patch) for _, base, patch in map(parts, CASES)])
    refused = taken = 0
    wrong = []
    for index, (case, said) in enumerate(zip(CASES, theirs)):
        errors = ours.get(index)
        if errors is None:
            wrong.append(f"{case}: we have no verdict")
        elif said and not errors:
            wrong.append(f"{case}: the operator says {said!r}, and we take it")
        elif errors and not said:
            wrong.append(f"{case}: the operator takes it, and we say {errors[0]['rule']}: {errors[0]['detail']}")
        elif said and not any(by_check(error, case[0]) for error in errors):
            wrong.append(f"{case}: we refuse it for another reason: {errors[0]['rule']}: {errors[0]['detail']}")
        refused, taken = refused + bool(said), taken + (not said)
    checks = sorted({case[0] for case in CASES}, key=lambda check: (check[0], int(check[1:])))
    suite.group(f"{refused} patches are refused by both, {taken} taken by both", wrong)
    suite.group(f"checks that were run: {' '.join(checks)}; of later releases, not run: {LATER}", [] if refused else ["none"])


with Suite() as suite:
    suite.group(f"the operator's functions of KubeRay {KUBERAY}", [])
    check_shipped(suite)
    check_cases(suite)
