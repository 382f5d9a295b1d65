"""Every YAML file means the same to PyYAML (both of its loaders) and to kubectl, and hostile strings come back as written."""

import json
import pathlib
import tempfile

import yaml
from harness import Suite, applied, differences, documents, hostile, kubectl, name, rendered, run, stacks

MARK = "conformance"  # `kubectl label --local` needs no server; it must be given a label to add
NESTED = ("serveConfigV2", "runtimeEnvYAML")  # strings that hold YAML again


def read_by_kubectl(path):
    text = run([kubectl(), "label", "--local", "-o", "json", "-f", str(path), f"{MARK}=x"])
    tree = json.loads(text)
    del tree["metadata"]["labels"][MARK]
    if not tree["metadata"]["labels"]:
        del tree["metadata"]["labels"]
    return tree


def disagreements(path, text):
    """Where the readers of one file differ; it holds one object."""
    fast, pure = yaml.load(text, yaml.CSafeLoader), yaml.load(text, yaml.SafeLoader)
    yield from (f"{path}: PyYAML's loaders: {found}" for found in differences(fast, pure))
    yield from (f"{path}: PyYAML and kubectl: {found}" for found in differences(fast, read_by_kubectl(path)))


def nested(tree):
    """Every string of a tree that is YAML itself, with its key."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        if key in NESTED:
            yield key, value
        else:
            yield from nested(value)


def inner_disagreements(path, tree):
    """The same of YAML inside of YAML, which Ray reads with PyYAML and KubeRay with kubectl's reader."""
    for key, text in nested(tree):
        with tempfile.TemporaryDirectory() as work:
            shell = pathlib.Path(work) / "inner.yaml"
            inner = "".join(f"  {line}\n" for line in text.splitlines())
            shell.write_text(f"apiVersion: v1\nkind: X\nmetadata:\n  name: x\nspec:\n{inner}", encoding="utf-8")
            yield from (
                found.replace(str(shell), f"{path}: {key}")
                for found in disagreements(shell, shell.read_bytes().decode())
            )


def check_stack(suite, stack, title):
    with applied(stack) as folder:
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in sorted(folder.rglob("*.yaml"))
        }
        again = rendered(stack)
        suite.group(
            f"{title}: apply writes what render prints, and render twice prints the same bytes",
            [path for path, text in again.items() if files.get(path, text) != text]
            + sorted(set(files) - set(again) - {"kustomization.yaml"})
            + ([] if rendered(stack) == again else ["two runs differ"]),
        )
        objects = [path for path in files if path != "kustomization.yaml"]
        found = [each for path in objects for each in disagreements(folder / path, files[path])]
        suite.group(f"{title}: PyYAML and kubectl read the same from {len(objects)} files", found)
    trees = documents(again)
    count = sum(1 for _, tree in trees for _ in nested(tree))
    if count:
        found = [each for path, tree in trees for each in inner_disagreements(path, tree)]
        suite.group(f"{title}: and from the YAML inside of them ({count} strings)", found)
    return trees


def check_hostile(suite):
    expected = hostile.environment()
    with tempfile.TemporaryDirectory() as work:
        trees = check_stack(suite, hostile.write(pathlib.Path(work)), "hostile")
    job = next(tree for _, tree in trees if tree["kind"] == "RayJob")
    cluster = job["spec"]["rayClusterSpec"]
    for role, group in ("head", cluster["headGroupSpec"]), ("worker", cluster["workerGroupSpecs"][0]):
        env = {entry["name"]: entry.get("value", "") for entry in group["template"]["spec"]["containers"][0]["env"]}
        kept = {key: env.get(key) for key in expected}
        suite.group(f"hostile: {len(kept)} strings reach the {role}'s environment", differences(expected, kept))
    notes = {
        key.removeprefix("example.com/"): text for key, text in job["metadata"]["annotations"].items() if "/H" in key
    }
    suite.group(f"hostile: {len(notes)} strings reach the annotations", differences(expected, notes))


with Suite() as suite:
    for stack in stacks():
        check_stack(suite, stack, name(stack))
    check_hostile(suite)
