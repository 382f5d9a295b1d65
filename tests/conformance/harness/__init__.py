"""What every suite shares: the stacks, the binary, other people's tools, and how a result is told."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOWN = 10  # problems of a group; the rest is counted


class Suite:
    """Checks in groups: a line each, with its problems below it. `with` it, and the exit code follows."""

    def __init__(self):
        self.passed = self.failed = 0

    def group(self, title, problems):
        problems = list(problems)
        self.passed += not problems
        self.failed += bool(problems)
        print("FAILED" if problems else "ok    ", title)
        for problem in problems[:SHOWN]:
            print("       " + str(problem).rstrip().replace("\n", "\n         "))
        if len(problems) > SHOWN:
            print(f"       and {len(problems) - SHOWN} more")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            print(f"{self.passed} groups passed, {self.failed} failed")
            sys.exit(bool(self.failed or not self.passed))


def stacks():
    """Every stack that ships."""
    found = sorted(path for folder in ("stacks", "examples") for path in (ROOT / folder).rglob("*.stack.hcl"))
    return found or sys.exit("no stack found")


def name(stack):
    return stack.name.removesuffix(".stack.hcl")


def sliceform(*arguments, check=True):
    """What the binary prints; `check` ends the suite if it fails."""
    binary = os.environ.get("SLICEFORM") or sys.exit("SLICEFORM must be the path of the binary")
    return run([os.path.abspath(binary), *map(str, arguments)], check)


def environment(stack):
    """The environment of a stack that is looked at: the last of those that it has."""
    found = sorted(stack.parent.glob(f"{name(stack)}.*.vars.hcl"))
    return found[-1].name.removesuffix(".vars.hcl").removeprefix(f"{name(stack)}.") if found else None


def within(stack):
    """The options that name that environment."""
    return ["--env", environment(stack)] if environment(stack) else []


def rendered(stack):
    """Every file of a stack as {path: text}."""
    printed = json.loads(sliceform("render", stack, *within(stack), "--json"))
    return {file["path"]: file["text"] for file in printed["files"]}


@contextlib.contextmanager
def applied(stack):
    """The folder that `apply` fills, in a copy of the stack's folder."""
    with tempfile.TemporaryDirectory() as work:
        copy = pathlib.Path(work) / "stacks"
        shutil.copytree(stack.parent, copy, ignore=shutil.ignore_patterns("rendered"))
        sliceform("apply", copy / stack.name, *within(stack), "--auto-approve")
        yield copy / "rendered" / name(stack) / (environment(stack) or "")


def documents(files):
    """Every YAML document of {path: text} as [(path, tree)]."""
    yamls = sorted(path for path in files if path.endswith(".yaml"))
    return [(path, tree) for path in yamls for tree in yaml.load_all(files[path], yaml.CSafeLoader)]


def tool(command, install):
    """The path of another project's program. Without it the suite fails: nothing is skipped."""
    return shutil.which(command) or sys.exit(f"{command} is not found, and without it this suite can't run: {install}")


def kubectl():
    return tool("kubectl", "install Google Cloud's package kubectl, or Debian 13's kubernetes-client")


def run(command, check=True, **options):
    """Standard output of a command; with `check` false, (exit code, standard output and error)."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", **options)
    if not check:
        return done.returncode, done.stdout + done.stderr
    if done.returncode:
        said = (done.stderr or done.stdout).splitlines()[:40]
        sys.exit("\n".join([f"{' '.join(map(str, command))} exited with {done.returncode}", *said]))
    return done.stdout


def differences(ours, theirs, at=""):
    """Where two trees differ, types included: 1, 1.0, True and "1" are four values."""
    if type(ours) is not type(theirs):
        yield f"{at}: {ours!r} and {theirs!r}"
    elif isinstance(ours, dict):
        for key in sorted({*ours, *theirs}, key=repr):
            if key in ours and key in theirs:
                yield from differences(ours[key], theirs[key], f"{at}.{key}")
            else:
                yield f"{at}.{key}: only in {'the first' if key in ours else 'the second'}"
    elif isinstance(ours, list):
        if len(ours) != len(theirs):
            yield f"{at}: {len(ours)} and {len(theirs)} items"
        for index, pair in enumerate(zip(ours, theirs)):
            yield from differences(*pair, f"{at}[{index}]")
    elif ours != theirs:
        yield f"{at}: {ours!r} and {theirs!r}"
