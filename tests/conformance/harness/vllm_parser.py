"""vLLM's own parser of arguments, from an unpacked package, without Torch: a program that `vllm_arguments` runs.

    python vllm_parser.py FOLDER < arguments.json > answers.json

Reads a list of [name, value] of engine arguments, and answers for each with null, or with why the parser refuses the
command line that says the same.
Whatever vLLM imports and isn't there is stood in for by empty classes. Its parser is made from the annotations of its
own dataclasses, which are pure Python, so nothing that answers here is a stand-in.
"""

import argparse
import contextlib
import dataclasses
import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import io
import json
import pathlib
import re
import sys
import types

from pydantic_core import core_schema

# Where make_arg_parser is, newest first.
PARSERS = ("vllm.entrypoints.common.cli_args", "vllm.entrypoints.launchers.cli_args", "vllm.entrypoints.openai.cli_args")
# Parts of vLLM that only patch or register something in Torch.
ALWAYS = ("vllm.env_override", "vllm.ir", "vllm.utils.torch_utils")
# Those that find them missing do without; a stand-in would send them the other way.
NEVER = ("_winapi", "email_validator", "tpu_inference", "vllm_torchtpu")
VERSION = "99.0"  # what an absent package says: newer than every minimum


class Empty(type):
    """The class of classes that stand in: they take every operator, and decorate by giving back what they decorate."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return empty(name)

    def __call__(cls, *given, **named):
        if len(given) == 1 and not named and callable(given[0]) and not isinstance(given[0], Empty):
            return given[0]
        return type.__call__(cls)

    def itself(cls, *_):
        return cls

    __or__ = __ror__ = __getitem__ = itself


def attribute(_, name):
    if name.startswith("__"):
        raise AttributeError(name)
    return empty(name)


def empty(name):
    members = {
        "__init__": lambda self, *_, **__: None,
        "__init_subclass__": classmethod(lambda cls, **_: None),
        "__class_getitem__": classmethod(lambda cls, _: cls),
        "__get_pydantic_core_schema__": classmethod(lambda cls, *_: core_schema.any_schema()),
        "__getattr__": attribute,
        "__call__": lambda self, *given, **_: given[0] if len(given) == 1 and callable(given[0]) else self,
        "__bool__": lambda self: False,
        "__iter__": lambda self: iter(()),
        "__enter__": lambda self: self,
        "__exit__": lambda self, *_: None,
    }
    return Empty(name, (), members)


class Module(types.ModuleType):
    __path__ = ()
    __version__ = VERSION

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return empty(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, wanted):
        self.wanted = wanted

    def find_spec(self, name, path=None, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if self.wanted(name) else None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        pass


def stand_in():
    """Makes every import succeed; what is there is real."""
    absent = sys.stdlib_module_names | set(NEVER)
    sys.meta_path.insert(0, Finder(lambda name: any(f"{name}.".startswith(f"{part}.") for part in ALWAYS)))
    sys.meta_path.append(Finder(lambda name: name.split(".")[0] not in absent))
    sys.modules["regex"] = re  # of which vLLM's parser uses what `re` has too
    real = importlib.metadata.version

    def version(name):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return real(name)
        return VERSION

    importlib.metadata.version = version


def parser_of(folder):
    """The parser of `vllm serve`, and the two classes whose fields Ray Serve LLM looks for."""
    sys.path.insert(0, folder)
    stand_in()
    name = next(name for name in PARSERS if (pathlib.Path(folder) / f"{name.replace('.', '/')}.py").exists())
    arguments = importlib.import_module(name)
    flexible = importlib.import_module("vllm.utils.argparse_utils").FlexibleArgumentParser
    engine = importlib.import_module("vllm.engine.arg_utils").AsyncEngineArgs
    return arguments.make_arg_parser(flexible(prog="vllm")), engine, arguments.FrontendArgs


def refusal(parser, line):
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told), contextlib.redirect_stdout(told):
            parser.parse_args(line)
    except SystemExit:
        return told.getvalue().strip().splitlines()[-1]
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}"
    return None


def is_boolean(action):
    return isinstance(action, argparse.BooleanOptionalAction)


def line(name, value, flags, several):
    """The words of a command line that say what an engine argument says."""
    flag, off = (f"--{word}{name}".replace("_", "-") for word in ("", "no_"))
    if value is True and flag in flags:
        return [flag]
    if value is False and flag in flags:
        return [off] if off in flags else []  # a flag that has no other form is left out
    if isinstance(value, list) and flag in several:
        return [flag, *map(str, value)]
    return [f"{flag}={value if isinstance(value, str) else json.dumps(value)}"]


def main(folder):
    output, sys.stdout = sys.stdout, sys.stderr  # vLLM logs while it is imported
    parser, engine, frontend = parser_of(folder)
    switches = (action for action in parser._actions if action.nargs == 0 or is_boolean(action))
    flags = {flag for action in switches for flag in action.option_strings}
    several = {flag for action in parser._actions if action.nargs in ("+", "*") for flag in action.option_strings}
    answers = {
        "options": sorted(flag for action in parser._actions for flag in action.option_strings),
        "engine": sorted(field.name for field in dataclasses.fields(engine)),
        "frontend": sorted(field.name for field in dataclasses.fields(frontend)),
        "refusals": [refusal(parser, line(*given, flags, several)) for given in json.load(sys.stdin)],
    }
    json.dump(answers, output)


if __name__ == "__main__":
    main(sys.argv[1])
