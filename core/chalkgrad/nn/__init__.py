"""Parameters, modules and the functions they compute with; what is no function is imported when first asked for."""

# ruff: noqa: F401

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from chalkgrad.nn import functional as functional

if _TYPE_CHECKING:
    from chalkgrad.nn import init, modules, parameter, utils
    from chalkgrad.nn.module import Module
    from chalkgrad.nn.modules import *  # noqa: F403 - every module
    from chalkgrad.nn.parameter import Buffer, Parameter

_LATE = ("init", "modules", "parameter", "utils")
_PLACES = {"Module": "module", "Buffer": "parameter", "Parameter": "parameter"}
"""Where the classes are that are no modules to build with."""


def __getattr__(name: str) -> _Any:
    if name in _LATE:
        return _import_module(f"chalkgrad.nn.{name}")
    return getattr(_import_module(f"chalkgrad.nn.{_PLACES.get(name, 'modules')}"), name)
