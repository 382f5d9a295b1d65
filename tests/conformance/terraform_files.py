"""Every Terraform file is as `terraform fmt` leaves it and loads as a module; stack files hold to the same format.

The provider can't be downloaded offline, so `terraform validate` isn't run: the arguments of each resource are checked
against the provider's schema by `cargo test` (schemas/manifests/terraform). `terraform get` needs no provider, and still
finds what can't be parsed, two resources of one name, and blocks that Terraform doesn't know.
"""

import os
import pathlib
import tempfile

from harness import ROOT, Suite, applied, name, run, stacks, tool

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
        files = sorted(folder.rglob("*.tf"))
        suite.group(
            f"{name(stack)}: terraform fmt changes nothing in {len(files)} files", unformatted(folder, "-recursive")
        )
        for module in sorted({file.parent for file in files}):
            root = folder.parent / "root"
            root.mkdir()
            (root / "main.tf").write_text(
                f'module "{name(stack)}" {{\n  source = "../{name(stack)}/{module.name}"\n}}\n'
            )
            code, text = terraform("get", folder=root)
            suite.group(f"{name(stack)}: a configuration can call {module.name} as a module", [text] if code else [])


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
    check_sources(suite)
