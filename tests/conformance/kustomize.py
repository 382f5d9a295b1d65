"""`kubectl kustomize` of an applied folder lists exactly the objects of its files, with nothing changed."""

import yaml
from harness import Suite, applied, differences, documents, kubectl, name, rendered, run, stacks


def identity(tree):
    return tree["apiVersion"], tree["kind"], tree["metadata"].get("namespace", ""), tree["metadata"]["name"]


with Suite() as suite:
    for stack in stacks():
        with applied(stack) as folder:
            built = list(yaml.load_all(run([kubectl(), "kustomize", str(folder)]), yaml.CSafeLoader))
        ours = {identity(tree): tree for _, tree in documents(rendered(stack))}
        theirs = {identity(tree): tree for tree in built}
        twice = [f"listed {len(built)} objects, {len(theirs)} of them different"] if len(built) != len(theirs) else []
        suite.group(
            f"{name(stack)}: kustomize builds {len(built)} objects as they are", [*differences(ours, theirs), *twice]
        )
