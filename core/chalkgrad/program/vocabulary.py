"""What a statement may say beside the operators: factories of leaves, dtypes, modes, flags and facts of a tensor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Factory(NamedTuple):
    """A function that makes a leaf: its positional arguments by name; a last ``*size`` takes separate ints too."""

    name: str
    arguments: tuple[str, ...]
    random: bool = False
    required: int = 0


FACTORIES: Mapping[str, Factory] = {
    factory.name: factory
    for factory in (
        Factory("tensor", ("data",), required=1),
        Factory("ones", ("*size",)),
        Factory("zeros", ("*size",)),
        Factory("empty", ("*size",)),
        Factory("full", ("size", "fill_value"), required=2),
        Factory("eye", ("n", "m"), required=1),
        Factory("arange", ("start", "end", "step"), required=1),
        Factory("linspace", ("start", "end", "steps"), required=3),
        Factory("rand", ("*size",), random=True),
        Factory("randn", ("*size",), random=True),
        Factory("randint", ("low", "high", "size"), random=True, required=2),
        Factory("randperm", ("n",), random=True, required=1),
        Factory("rand_like", ("input",), random=True, required=1),
        Factory("randn_like", ("input",), random=True, required=1),
        Factory("empty_like", ("input",), required=1),
        Factory("zeros_like", ("input",), required=1),
        Factory("ones_like", ("input",), required=1),
        Factory("full_like", ("input", "fill_value"), required=2),
    )
}
"""Factories by name; each is called as ``torch.<name>``."""

LIKE = tuple(factory.name for factory in FACTORIES.values() if factory.arguments[0] == "input")
"""Those whose leaf has the shape of a tensor that they read."""

DTYPES = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool")
DTYPE_NAMES = {name: name for name in DTYPES} | {"float": "float32", "double": "float64"}
DTYPE_NAMES |= {"long": "int64", "int": "int32", "short": "int16"}
"""PyTorch's dtypes by every name they go by after ``torch.``."""

MODES = ("no_grad", "enable_grad", "inference_mode")
"""Modes that a ``with`` block may set."""

LOOP = "for"
"""What a block has in place of a mode when it is a loop."""

MOST_ROUNDS = 20_000
"""A loop has at most so many rounds."""


def is_recording(modes: Iterable[str]) -> bool:
    """Whether operators are recorded inside blocks of these modes, outermost first; inference mode ends it for good."""
    recording = True
    for mode in modes:
        if mode == "inference_mode":
            return False
        recording = mode == "enable_grad"
    return recording


ACTIONS = ("retain_grad", "requires_grad_", "detach_", "register_hook")
"""Methods that change a tensor's flags or hooks."""

FLAGS = ("grad", "requires_grad", "data")
"""Attributes that may be assigned."""

FACTS = ("is_leaf", "grad_fn", "requires_grad", "shape", "dtype", "_version", "retains_grad")
"""Attributes that may be printed, beside ``grad`` and ``data``."""

LAST_STEPS = ("item()", "is None", "is not None")
"""Steps that end the path of a reference."""

STEPS = frozenset({"grad", "data", *FACTS, *LAST_STEPS})
"""All steps that the path of a reference may have."""

LEAF_OPTIONS = ("dtype", "requires_grad", "seed")
BACKWARD_OPTIONS = ("gradient", "retain_graph", "create_graph", "inputs")
GRAD_OPTIONS = ("grad_outputs", "retain_graph", "create_graph", "allow_unused")
PRINT_OPTIONS = ("sep", "end")
"""Options by the kind of statement."""

UPDATES = ("step", "zero_grad")
"""Methods of an optimiser."""

UPDATE_OPTIONS = ("set_to_none",)
"""Options of ``zero_grad``."""

STYLES = ("function", "method", "operator")
"""Spellings of an operator or a backward."""
