"""Downloads with the ordinary clients: go and pip."""

import json
import pathlib
import subprocess
import sys
import zipfile


def go_module(query):
    """The folder of an extracted Go module; query is path@version."""
    done = subprocess.run(["go", "mod", "download", "-json", query], check=True, capture_output=True, text=True)
    return pathlib.Path(json.loads(done.stdout)["Dir"])


def wheel(work, package, version):
    """A wheel of PyPI, opened as a zip file."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "-d", work]
    subprocess.run([*pip, f"{package}=={version}"], check=True)
    return zipfile.ZipFile(next(work.glob(f"{package.replace('-', '_')}-*.whl")))
