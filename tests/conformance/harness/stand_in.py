"""Modules of one package that isn't installed: every name in them is an empty class, enough to import what imports them."""

import importlib.abc
import importlib.machinery
import sys
import types


class Empty(type):
    """The class of such classes: an unknown attribute of one is another."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Empty(name, (), {})


class Module(types.ModuleType):
    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Empty(name, (), {})


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, package, version):
        self.package, self.version = package, version

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == self.package:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        module.__version__ = self.version


def install(package, version):
    sys.meta_path.append(Finder(package, version))
