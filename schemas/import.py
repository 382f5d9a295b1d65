"""Writes schemas/manifests/**, closed JSON Schemas of every object that Sliceform emits, and schemas/sarif-2.1.0.json.

Usage (Python 3.11, PyYAML, cargo, go, pip; from anywhere in the repository):

    python3 schemas/import.py            # download what the registries ship and write the files
    python3 schemas/import.py --check    # the same, but only compare: exit 1 if a committed file differs

Sources, each pinned below: KubeRay's CRDs from its Go module, core Kubernetes kinds from PyPI's kubernetes-validate,
Terraform resources from PyPI's cdktn-provider-google, SARIF from the crate serde-sarif. Fields of KubeRay releases that the module proxy lacks come from
manifests/ray.io/since.json, written by hand; each row names its source. A re-run gives the same bytes.

A file holds {"origin", "kinds": {"<apiVersion>/<kind>": schema}, "$defs"}, without descriptions, one definition a line.
Beside JSON Schema 2020-12 it uses two keywords of its own, which src/check/schema.rs implements:
`whole: true` (an integer that isn't written as a float) and `listMapKeys: {field: default}` (no two items alike there).

What the importer can't take over and rebuilds by hand: see importer/crd.py (CEL rules) and importer/known.py (value
sets and names that the API server or KubeRay checks in code). An unknown CEL rule or keyword stops the import.
"""

import argparse
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True  # leaves no __pycache__ beside the parts

from importer import core, crd, fetch, google, sarif
from importer.compact import render

KUBERAY = ["v1.4.0", "v1.5.0"]
KUBERNETES = "1.34"  # the oldest release that has every kind emitted here: resource.k8s.io/v1 arrived in 1.34
KUBERNETES_VALIDATE = "1.37.0"
CDKTN_GOOGLE = "20.3.1"
SERDE_SARIF = "0.8.0"

OUT = pathlib.Path(__file__).resolve().parent
MANIFESTS = OUT / "manifests"


def build(work):
    """Every file below schemas/ that is made here, as {relative path: text}."""
    k8s = core.Kubernetes(fetch.wheel(work, "kubernetes-validate", KUBERNETES_VALIDATE), KUBERNETES)
    k8s_origin = f"kubernetes-validate {KUBERNETES_VALIDATE}, Kubernetes v{KUBERNETES}"
    files = {f"manifests/core/{KUBERNETES}.json": render(k8s_origin, k8s.kinds())}
    modules = {version: fetch.go_module(f"github.com/ray-project/kuberay/ray-operator@{version}") for version in KUBERAY}
    for version, origin, kinds in crd.versions(modules, MANIFESTS / "ray.io" / "since.json", k8s):
        files[f"manifests/ray.io/{version}.json"] = render(origin, kinds)
    provider, kinds = google.kinds(fetch.wheel(work, "cdktn-provider-google", CDKTN_GOOGLE))
    files["manifests/terraform/google.json"] = render(f"cdktn-provider-google {CDKTN_GOOGLE}, hashicorp/google {provider}", kinds)
    files["sarif-2.1.0.json"] = sarif.schema(fetch.crate(work, "serde-sarif", SERDE_SARIF))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a committed file differs")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as work:
        files = build(pathlib.Path(work))
    written = {p.relative_to(OUT).as_posix() for p in MANIFESTS.rglob("*.json")} - {"manifests/ray.io/since.json"}
    wrong = sorted(written - set(files))
    for name, text in sorted(files.items()):
        path = OUT / name
        if path.exists() and path.read_text() == text:
            continue
        wrong.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    for name in wrong:
        print(f"{name}: {'differs' if name in files and check else 'written' if name in files else 'not made by the importer'}")
    print(f"{len(files)} files, {len(wrong)} changed")
    return 1 if check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
