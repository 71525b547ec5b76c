"""``torch.autograd.graph``."""

from abc import ABC as _ABC
from abc import abstractmethod as _abstractmethod
from collections.abc import Callable as _Callable
from typing import Any as _Any

from chalkgrad.engine.blocking import DelayedError as _DelayedError
from chalkgrad.engine.blocking import UndefinedGrad as _UndefinedGrad
from chalkgrad.engine.counting import increment_version
from chalkgrad.engine.edges import GradientEdge, get_gradient_edge, register_multi_grad_hook
from chalkgrad.engine.graph import Node as _Node
from chalkgrad.engine.mutation import allow_mutation_on_saved_tensors
from chalkgrad.engine.packing import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
from chalkgrad.torch.functions import absent as _absent

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class Node(_ABC):
    """What every ``grad_fn`` is an instance of, though none is made from it: for ``isinstance`` and annotations."""

    @_abstractmethod
    def name(self) -> str:
        """The name as the C++ side has it."""

    @property
    @_abstractmethod
    def next_functions(self) -> tuple[tuple[_Any, int], ...]:
        """For each input, the node its gradient goes to and which of that node's outputs it belongs to."""

    @property
    @_abstractmethod
    def metadata(self) -> dict[_Any, _Any]:
        """A dictionary for whatever one wants to note on the node."""

    @property
    @_abstractmethod
    def _input_metadata(self) -> tuple[_Any, ...]:
        """Shape, dtype and device of each of its outputs."""

    @_abstractmethod
    def _register_hook_dict(self, tensor: _Any) -> None:
        """Kept for old code."""

    @_abstractmethod
    def _sequence_nr(self) -> int:
        """Its number in order of birth."""

    @_abstractmethod
    def register_hook(self, fn: _Callable[..., _Any]) -> _Any:
        """Call ``fn(grad_inputs, grad_outputs)`` after the node has run."""

    @_abstractmethod
    def register_prehook(self, fn: _Callable[..., _Any]) -> _Any:
        """Call ``fn(grad_outputs)`` before the node runs."""


Node.__module__ = "torch.autograd.graph"
for _kind in (_Node, _DelayedError, _UndefinedGrad):
    Node.register(_kind)

__getattr__ = _absent("torch.autograd.graph")
