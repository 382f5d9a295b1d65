"""The generated Ray Train drivers compile, are where the jobs look for them, and carry the stack's data unharmed."""

import ast
import json
import pathlib
import shlex
import tempfile

from harness import ROOT, Suite, differences, documents, hostile, name, rendered, stacks


def scripts(trees):
    """Every Python file of a ConfigMap as {(namespace, ConfigMap, file): text}."""
    maps = [tree for _, tree in trees if tree["kind"] == "ConfigMap"]
    return {
        (each["metadata"].get("namespace"), each["metadata"]["name"], file): text
        for each in maps
        for file, text in each["data"].items()
        if file.endswith(".py")
    }


def faults(text, title):
    try:
        compile(text, title, "exec")
    except SyntaxError as fault:
        yield f"{title}: {fault}"


def spec(script):
    """What `SPEC` is, without running anything of the script: it must be JSON in one literal."""
    for node in ast.parse(script).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SPEC":
            return json.loads(ast.literal_eval(node.value.args[0]))
    raise ValueError("no SPEC")


def lost_entrypoints(trees):
    """Jobs whose entrypoint starts a mounted file that isn't there."""
    present = scripts(trees)
    for _, tree in trees:
        if tree["kind"] != "RayJob":
            continue
        template = tree["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
        maps = {
            volume["name"]: volume["configMap"]["name"]
            for volume in template.get("volumes", ())
            if "configMap" in volume
        }
        mounts = {
            mount["mountPath"]: maps.get(mount["name"]) for mount in template["containers"][0].get("volumeMounts", ())
        }
        for word in shlex.split(tree["spec"]["entrypoint"]):
            folder, _, file = word.rpartition("/")
            if maps and folder in mounts and (tree["metadata"].get("namespace"), mounts[folder], file) not in present:
                yield f"{tree['metadata']['name']}: {word}"


def check_snapshots(suite):
    snapshots = sorted((ROOT / "src/emit/snapshots").glob("*__driver__*.snap"))
    found = [fault for path in snapshots for fault in faults(path.read_text("utf-8").split("---\n", 2)[2], path.name)]
    suite.group(f"{len(snapshots)} snapshots of drivers compile", found if snapshots else ["none found"])


def check_stack(suite, stack):
    trees = documents(rendered(stack))
    present = scripts(trees)
    found = [fault for (_, config_map, file), text in present.items() for fault in faults(text, f"{config_map}/{file}")]
    suite.group(
        f"{name(stack)}: {len(present)} drivers compile, and jobs find them", [*found, *lost_entrypoints(trees)]
    )


def check_hostile(suite):
    with tempfile.TemporaryDirectory() as work:
        (script,) = scripts(documents(rendered(hostile.write(pathlib.Path(work))))).values()
    config = spec(script)["config"]
    values = {f"H{index}": text for index, text in enumerate(hostile.strings())}
    suite.group("hostile: the driver compiles", faults(script, "hostile"))
    suite.group(f"hostile: {len(config['values'])} values reach it", differences(values, config["values"]))
    keys = {"k" + text: 1 for text in hostile.strings()}
    suite.group(f"hostile: {len(config['keys'])} keys reach it", differences(keys, config["keys"]))
    suite.group("hostile: numbers reach it", differences(hostile.NUMBERS, config["numbers"]))


with Suite() as suite:
    check_snapshots(suite)
    for stack in stacks():
        check_stack(suite, stack)
    check_hostile(suite)
