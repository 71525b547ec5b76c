"""Parameters, modules and the functions they compute with."""

from chalkgrad.nn import functional, init, modules, parameter, utils
from chalkgrad.nn.module import Module
from chalkgrad.nn.modules import *  # noqa: F403 - every module
from chalkgrad.nn.modules import __all__ as _modules
from chalkgrad.nn.parameter import Buffer, Parameter

__all__ = ["Buffer", "Module", "Parameter", "functional", "init", "modules", "parameter", "utils", *_modules]
