"""Every Terraform file is as `terraform fmt` leaves it and loads as a module; stack files hold to the same format.

The provider can't be downloaded offline, so `terraform validate` isn't run: the arguments of each resource are checked
against the provider's schema by `cargo test` (schemas/manifests/terraform). `terraform get` needs no provider, and still
finds what can't be parsed, two resources of one name, and blocks that Terraform doesn't know.
"""

import os
import pathlib
import tempfile

from harness import ROOT, Suite, applied, name, run, sliceform, stacks, tool

INSTALL = "no registry that CI reaches ships its binary; install Terraform 1.11 or newer from HashiCorp's packages"


def terraform(*arguments, folder):
    settings = {**os.environ, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", "TF_CLI_CONFIG_FILE": os.devnull}
    command = [tool("terraform", INSTALL), *arguments, "-no-color"]
    return run(command, check=False, cwd=folder, env=settings)


def unformatted(folder, *arguments):
    # `-check` alone prints the names and exits with 3; `-diff` adds what to change.
    code, text = terraform("fmt", "-check", "-diff", *arguments, folder=folder)
    return [text] if code else []


def check_module(suite, stack):
    with applied(stack) as folder:
        check_folder(suite, name(stack), folder)


def check_folder(suite, stack, folder):
    files = sorted(folder.rglob("*.tf"))
    suite.group(f"{stack}: terraform fmt changes nothing in {len(files)} files", unformatted(folder, "-recursive"))
    for module in sorted({file.parent for file in files}):
        root = folder.parent / "root"
        root.mkdir()
        (root / "main.tf").write_text(f'module "{stack}" {{\n  source = "../{folder.name}/{module.name}"\n}}\n')
        code, text = terraform("get", folder=root)
        suite.group(f"{stack}: a configuration can call {module.name} as a module", [text] if code else [])


PAST = """
moved {
  from = cluster.tpu
  to   = cluster.main
}

moved {
  from = bucket.data
  to   = bucket.store
}

removed {
  from = slice.v6e

  lifecycle {
    destroy = false
  }
}

import {
  to = cluster.main
  id = "projects/demo/locations/us-east5/clusters/main"
}
"""


def check_past(suite):
    """What a stack says of its past, in the words that Terraform has for it."""
    with applied(ROOT / "stacks" / "park.stack.hcl") as folder:
        stack = folder.parent.parent / "park.stack.hcl"
        text = stack.read_text()
        for kind, old, new in [("cluster", "tpu", "main"), ("bucket", "data", "store"), ("slice", "v6e", "other")]:
            text = text.replace(f'{kind} "{old}"', f'{kind} "{new}"').replace(f"{kind}.{old}", f"{kind}.{new}")
        stack.write_text(text + PAST)
        sliceform("apply", stack, "--auto-approve")
        texts = "".join(file.read_text() for file in folder.rglob("*.tf"))
        missing = [word for word in ("moved {", "removed {") if word not in texts]
        suite.group("park, refactored: Terraform is told", [f"no {word} }}" for word in missing])
        check_folder(suite, "park-refactored", folder)
        blocks = folder / "gke" / "imports.tf.example"
        (folder.parent / "imports").mkdir()
        (folder.parent / "imports" / "imports.tf").write_text(blocks.read_text())
        suite.group("park, refactored: terraform fmt changes no import block", unformatted(folder.parent / "imports"))


def check_sources(suite):
    """`terraform fmt` takes .tf names only, and so gets copies."""
    sources = sorted(path for pattern in ("*.stack.hcl", "*.vars.hcl", "*.module.hcl") for path in ROOT.rglob(pattern))
    sources = [path for path in sources if not {"target", "tests", ".git"} & set(path.relative_to(ROOT).parts)]
    with tempfile.TemporaryDirectory() as work:
        for path in sources:
            copy = pathlib.Path(work) / f"{path.relative_to(ROOT).as_posix().replace('/', '__')}.tf"
            copy.write_bytes(path.read_bytes())
        suite.group(f"terraform fmt changes nothing in {len(sources)} stack and value files", unformatted(work))


with Suite() as suite:
    for stack in stacks():
        check_module(suite, stack)
    check_past(suite)
    check_sources(suite)
