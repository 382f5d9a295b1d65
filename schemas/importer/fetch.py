"""Downloads with the ordinary clients: cargo, go and pip."""

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


def crate(work, name, version):
    """The folder of an unpacked crate."""
    project = work / f"fetch-{name}"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").touch()
    manifest = f'[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n{name} = "={version}"\n[workspace]\n'
    (project / "Cargo.toml").write_text(manifest)
    command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", project / "Cargo.toml"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found = [package for package in json.loads(done.stdout)["packages"] if package["name"] == name]
    return pathlib.Path(found[0]["manifest_path"]).parent
