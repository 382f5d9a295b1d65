"""Compiles the generated Ray Train drivers, as the snapshot tests hold them. Needs Python 3.10 and nothing else."""

import pathlib
import sys

snapshots = sorted(pathlib.Path(__file__).parents[2].glob("src/emit/snapshots/*__driver__*.snap"))
if not snapshots:
    sys.exit("no driver snapshots found")
for snapshot in snapshots:
    _, _, script = snapshot.read_text(encoding="utf-8").split("---\n", 2)
    compile(script, snapshot.name, "exec")
    print(f"ok {snapshot.name}")
