"""vLLM's own parser takes every engine argument that we emit, and our verdict on arguments and values is the parser's.

For each release of which `catalog flags` has facts, the Python files of its package from PyPI, and of them the parser of
`vllm serve`, which `harness/vllm_parser.py` makes without Torch. Ray Serve LLM passes arguments by their fields' names,
so what we accept must also be a field of vLLM's two classes of arguments.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import yaml
from harness import ROOT, Suite, documents, name, rendered, sliceform, stacks

PYTHON, PLATFORMS = "3.12", ("manylinux_2_24_x86_64", "manylinux_2_28_x86_64", "any")
Release = collections.namedtuple("Release", "backend package version sha256")
RELEASES = [
    Release("tpu_inference", "vllm-tpu", "0.21.0", "25cf16e9824a35be897b2afa45488d31cb72ac302ac9e325287da25e8f6577b0"),
    Release("torchtpu", "vllm-torchtpu", "0.29.0", "0915e7f75f7378e13ba3a1e1c186078b4837efa96fe1de11eb8816e74d9e8af4"),
    Release("tpu_inference", "vllm-tpu", "0.32.0", "d054efff911887584511b4583787cd79e1fecba261c719b44e49b06051e2d067"),
    Release("gpu", "vllm", "0.33.0", "4b6bdec4ab269990bf70d45a3c1e94c3760a27064513760193b26d6f0da883aa"),
]
CATALOG = ("catalog", "flags")
WITH_RAY = ("0.29.0", "0.32.0")  # the releases that Ray 2.60 goes with
# Arguments that a `model` block has another word for.
OWNED = {"api_key", "config", "host", "model", "port", "served_model_name"}
# The rules that judge an argument by itself.
OURS = {"argument-not-in-vllm", "argument-value-not-taken", "type", "unknown-attribute"}

VALUES = (
    *(True, False, 0, 1, -1, 1.5, "1", "1k", "1K", "8.5K", "auto", "none", "word", ""),
    *({}, {"a": 1}, '{"a": 1}', "{bad", ["word"], [1, 2]),
)
# Names that are none: aliases, prefixes of one and of several, negations, words of other releases, slips.
NAMES = (
    *("tp", "pp", "dp", "ep", "q", "device_memory_utilization", "enable_expert", "max_num", "tensor_parallel", "kv"),
    *("no_enable_prefix_caching", "disable_prefix_caching", "disable_log_requests", "enable_sliding_window"),
    *("tensor_paralel_size", "max_modellen", "quantisation", "swap_space", "num_scheduler_steps", "device", "task"),
    *("guided_decoding_backend", "rope_scaling", "enable_reasoning", "use_v2_block_manager", "speculative_model"),
)

AT_ONCE = 100  # models of a stack: a run tells so many errors of one, and no more
Case = collections.namedtuple("Case", "name value")


def unpacked(release):
    """The folder of a release's Python files: from the cache, else from PyPI."""
    cache = pathlib.Path(os.environ.get("CACHE") or ROOT / "target/ci-cache")
    folder = cache / f"{release.package}-{release.version}-{release.sha256[:12]}"
    if folder.exists():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as work:
        work = pathlib.Path(work)
        pinned = work / "pinned.txt"
        pinned.write_text(f"{release.package}=={release.version} --hash=sha256:{release.sha256}\n")
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--python-version", PYTHON]
        options += [word for platform in PLATFORMS for word in ("--platform", platform)]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", work, "--requirement", pinned]
        subprocess.run(command, check=True)
        (wheel,) = work.glob("*.whl")
        with zipfile.ZipFile(wheel) as packed:
            members = [member for member in packed.namelist() if member.endswith(".py") and member.startswith("vllm/")]
            packed.extractall(work / "unpacked", members)
        shutil.move(work / "unpacked", folder)
    return folder


def ask(release, cases):
    """What a release's parser answers; see `harness/vllm_parser.py`."""
    program = ROOT / "tests/conformance/harness/vllm_parser.py"
    command = [sys.executable, program, unpacked(release)]
    asked = json.dumps([[case.name, case.value] for case in cases])
    done = subprocess.run(command, input=asked, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        sys.exit(f"{release.package} {release.version}: no parser could be made of it\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def hcl(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{word} = {hcl(item)}" for word, item in value.items()) + "}"
    return json.dumps(value)


def stack(release, title, cases):
    """A stack with a model for each case, one a line."""
    on_gpus = release.backend == "gpu"
    backend = "" if on_gpus else f'  vllm_backend = "{release.backend}"\n'
    place = (
        'nodes "here" {\n  cluster = cluster.c\n  machine_type = "a3-highgpu-8g"\n}\n'
        if on_gpus
        else 'slice "here" {\n  cluster = cluster.c\n  accelerator = "v6e"\n  topology = "1x1"\n}\n'
    )
    word = "nodes" if on_gpus else "slice"
    text = f'stack "{title}" {{\n  ray_version = "2.60.0"\n  kuberay_version = "1.6.2"\n{backend}'
    text += f'  vllm_version = "{release.version}"\n}}\n'
    text += f'cluster "c" {{\n  name = "{title}"\n  project = "demo"\n  location = "us-east5-b"\n}}\n'
    text += f'{place}serve "llm" {{\n  runtime = "ray"\n  {word} = {word}.here\n  image = "example.com/llm:1"\n'
    lines = {}
    for index, case in enumerate(cases):
        text += f'  model "m{index}" {{\n    source = "example/m"\n    {case.name} = {hcl(case.value)}\n  }}\n'
        lines[text.count("\n") - 1] = case
    return text + "}\n", lines


def ours(release, cases):
    """The rules that refuse each case. What the language itself refuses hides what rules say, so these go first."""
    refused = {}
    for _ in range(2):
        left = [case for case in cases if key(case) not in refused]
        with tempfile.TemporaryDirectory() as work:
            lines = {}
            for start in range(0, len(left), AT_ONCE):
                title = f"s{start}"
                text, lines[title] = stack(release, title, left[start : start + AT_ONCE])
                (pathlib.Path(work) / f"{title}.stack.hcl").write_text(text, encoding="utf-8")
            _, told = sliceform("validate", "--json", work, check=False)
        for report in json.JSONDecoder().raw_decode(told)[0]["stacks"]:
            for diagnostic in report["diagnostics"]:
                case = lines[pathlib.Path(report["path"]).name.removesuffix(".stack.hcl")].get(line_of(diagnostic))
                if case and diagnostic["rule"] in OURS and diagnostic["severity"] == "error":
                    refused[key(case)] = diagnostic["rule"]
    return refused


def line_of(diagnostic):
    return diagnostic["range"] and diagnostic["range"]["start"]["line"]


def key(case):
    return case.name, json.dumps(case.value)


NUMBERS = ("a whole number", "a number")
# Where we refuse what the parser takes: what holds of the argument, its kind and the value, and why we are right.
STRICTER = (
    ("a spelling of the command line: Ray Serve takes whole names of fields", lambda name, takes, value: takes is None),
    ("of the command line only: no field has the name", lambda name, takes, value: name in COMMAND_LINE),
    ("a list as text", lambda name, takes, value: isinstance(value, list)),
    ("an empty text, which the command line takes for none", lambda name, takes, value: value == ""),
    (
        "a number in quotes: all is text on a command line, and a field takes numbers",
        lambda name, takes, value: takes.startswith(NUMBERS) and isinstance(value, str),
    ),
    ("an object as text", lambda name, takes, value: takes.startswith("a string") and isinstance(value, dict)),
    (
        "JSON that is no object: the command line takes any JSON, the engine does not",
        lambda name, takes, value: takes.startswith("an object") and (value == "1" or not isinstance(value, (str, dict))),
    ),
    ("a text that begins as JSON and is none", lambda name, takes, value: takes == "an object" and value == "{bad"),
)
# Where we take what the parser refuses.
LOOSER = (
    ("keys of a configuration object: no facts list them", lambda name, takes, value: takes == "an object" and value in KEYS),
    ("adapters to load, NAME=PATH or JSON: no rule reads them", lambda name, takes, value: name == "lora_modules"),
)
COMMAND_LINE = ("api_server_count", "grpc", "headless", "model_tag")
KEYS = ({"a": 1}, '{"a": 1}')


def check_verdicts(suite, release):
    """Our verdict on every argument with every value, beside the parser's."""
    title = f"{release.package} {release.version}"
    found = json.loads(sliceform(*CATALOG, "--backend", release.backend, "--version", release.version, "--json"))
    takes = {row["argument"]: row["takes"] for row in found["rows"] if row["argument"] not in OWNED}
    cases = [Case(argument, value) for argument in takes for value in VALUES]
    cases += [Case(row["argument"], value) for row in found["rows"] for value in row["choices"] or []]
    cases += [Case(word, value) for word in NAMES if word not in takes for value in (True, 1, "word")]
    cases = list({key(case): case for case in cases}.values())
    refused, answers = ours(release, cases), ask(release, cases)
    theirs = dict(zip(map(key, cases), answers["refusals"], strict=True))
    agreed, stricter, looser, wrong = 0, collections.Counter(), collections.Counter(), []
    for case in cases:
        mine, their = refused.get(key(case)), theirs[key(case)]
        kind = takes.get(case.name)
        if bool(mine) == bool(their):
            agreed += 1
        elif mine:
            why = next((why for why, holds in STRICTER if holds(case.name, kind, case.value)), None)
            stricter[why] += 1
            wrong += [] if why else [f"{case.name} = {hcl(case.value)}: {mine}, and the parser takes it"]
        else:
            why = next((why for why, holds in LOOSER if holds(case.name, kind, case.value)), None)
            looser[why] += 1
            wrong += [] if why else [f"{case.name} = {hcl(case.value)}: taken, and the parser says {their}"]
    suite.group(f"{title}: the parser agrees on {agreed} of {len(cases)} arguments with a value", wrong)
    for word, counted in ("stricter", stricter), ("looser", looser):
        for why, count in sorted((why, count) for why, count in counted.items() if why):
            print(f"         {word} on {count}: {why}")
    fields = {*answers["engine"], *answers["frontend"]}
    taken = {case.name for case in cases if key(case) not in refused}
    suite.group(
        f"{title}: the {len(taken)} arguments that we take are fields, which Ray Serve LLM passes", sorted(taken - fields)
    )
    options = {flag.removeprefix("--").replace("-", "_") for flag in answers["options"] if flag.startswith("--")}
    known = {word for word in options & fields if word not in OWNED}
    suite.group(f"{title}: each of its {len(known)} options that are fields is a fact", sorted(known - takes.keys()))


def emitted():
    """The engine arguments of every model of the stacks that ship, and of the cases that are right: (title, stack, kwargs)."""
    right = [path for path in sorted((ROOT / "tests/cases/llm").glob("*.stack.hcl")) if "# expect: ok" in path.read_text()]
    for path in stacks() + right:
        for _, tree in documents(rendered(path)):
            if tree["kind"] != "RayService":
                continue
            for app in yaml.safe_load(tree["spec"]["serveConfigV2"])["applications"]:
                for model in (app.get("args") or {}).get("llm_configs", []):
                    yield f"{name(path)}/{model['model_loading_config']['model_id']}", path, model["engine_kwargs"]


def check_emitted(suite):
    """Each release takes what we emit for it: for the release that a stack pins, else for those that Ray 2.60 goes with."""
    found = list(emitted())
    checked = 0
    for release in RELEASES:
        mine = [item for item in found if release.version in (pinned(item[1]) or WITH_RAY)]
        if not mine:
            continue
        cases = [[Case(argument, value) for argument, value in kwargs.items()] for _, _, kwargs in mine]
        answers = ask(release, [case for line in cases for case in line])
        refusals = iter(answers["refusals"])
        wrong = []
        for (title, _, _), line in zip(mine, cases, strict=True):
            told = [(case.name, next(refusals)) for case in line]
            wrong += [f"{title}: {argument}: {why}" for argument, why in told if why]
        checked += len(mine)
        suite.group(f"{release.package} {release.version} takes the arguments of {len(mine)} emitted models", wrong)
    suite.group(f"{checked} lines of arguments were checked", [] if checked else ["there should be some"])


def pinned(path):
    told = re.search(r'vllm_version\s*=\s*"([^"]+)"', path.read_text())
    return [told[1]] if told else None


with Suite() as suite:
    for release in RELEASES:
        check_verdicts(suite, release)
    check_emitted(suite)
