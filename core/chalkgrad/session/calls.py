"""Calls into the face: an operator in the spelling that its statement has, and the factories of leaves.

Only what the operator table and the list of factories name is ever called.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, cast

from chalkgrad import torch
from chalkgrad.engine.generator import Generator
from chalkgrad.engine.graph import TensorBase
from chalkgrad.engine.record import OPS
from chalkgrad.engine.tensor import Tensor
from chalkgrad.ops.subscript import index_of
from chalkgrad.program.arguments import arranged, caller

Function = Callable[..., object]
Way = Callable[[Sequence[object], Mapping[str, object]], object]

FACTORIES = frozenset(
    {"tensor", "as_tensor", "ones", "zeros", "empty", "full", "eye", "arange", "linspace", "rand", "randn"}
    | {"zeros_like", "ones_like", "full_like", "empty_like", "rand_like", "randn_like", "randint", "randperm"}
)
SIGNS: Mapping[tuple[str, int], Function] = {
    ("-", 1): operator.neg,
    ("~", 1): operator.invert,
    ("+", 2): operator.add,
    ("-", 2): operator.sub,
    ("*", 2): operator.mul,
    ("/", 2): operator.truediv,
    ("//", 2): operator.floordiv,
    ("%", 2): operator.mod,
    ("**", 2): operator.pow,
    ("@", 2): operator.matmul,
    ("==", 2): operator.eq,
    ("!=", 2): operator.ne,
    ("<", 2): operator.lt,
    ("<=", 2): operator.le,
    (">", 2): operator.gt,
    (">=", 2): operator.ge,
    ("&", 2): operator.and_,
    ("|", 2): operator.or_,
    ("^", 2): operator.xor,
    ("<<", 2): operator.lshift,
    (">>", 2): operator.rshift,
    ("+=", 2): operator.iadd,
    ("-=", 2): operator.isub,
    ("*=", 2): operator.imul,
    ("/=", 2): operator.itruediv,
    ("//=", 2): operator.ifloordiv,
    ("%=", 2): operator.imod,
    ("**=", 2): operator.ipow,
    ("&=", 2): operator.iand,
    ("|=", 2): operator.ior,
    ("^=", 2): operator.ixor,
    ("<<=", 2): operator.ilshift,
    (">>=", 2): operator.irshift,
}


def _taken(tensor: Tensor, rest: Sequence[Any], index: str) -> object:
    return tensor[index_of(index, *rest)]


def _put(tensor: Tensor, rest: Sequence[Any], index: str) -> object:
    value, *tensors = rest
    tensor[index_of(index, *tensors)] = value
    return tensor


SUBSCRIPTS: Mapping[str, Callable[[Tensor, Sequence[Any], str], object]] = {
    "getitem": _taken,
    "getitem_at": _taken,
    "setitem_": _put,
    "setitem_at_": _put,
}
"""What brackets do: the tensor, the value that is put in, the tensors in the index, and its text."""


def operate(call: str, style: str, operands: Sequence[object], options: Mapping[str, object]) -> object:
    """The result of operator ``call`` in spelling ``style``, or in the nearest that it has.

    AttributeError, as PyTorch words it, for an operator that isn't there.
    """
    return way(call, style, tuple([value is None for value in operands]), tuple(options))(operands, options)


@cache
def way(call: str, style: str, missing: tuple[bool, ...], names: tuple[str, ...]) -> Way:
    """How operator ``call`` is called with such operands (which of them are None) and the options ``names``.

    Found once for all calls of a kind, because finding it takes several times as long as a small operator.
    """
    record = OPS.get(call)
    if record is None:
        raise AttributeError(f"module 'torch' has no attribute '{call}'")
    if call in SUBSCRIPTS:
        return _subscript(SUBSCRIPTS[call], record.attributes[0].default)
    sign = SIGNS.get((record.symbol or "", len(missing)))
    if style == "operator" and sign is not None and not names:
        return _plain(sign)
    public = caller(call)
    spelling = "method" if public.method and (style == "method" or not public.function) else "function"
    places: list[int | str | None] = [None if gone else place for place, gone in enumerate(missing)]
    arrangement = arranged(record, spelling, places, [(name, name) for name in names])
    if spelling == "method":
        found: Function = partial(_method, str(public.method))
    elif public.function:
        found = function(public.function)
    elif sign is not None:
        return _plain(sign)
    else:
        raise AttributeError(f"module 'torch' has no attribute '{call}'")
    first = [place for _, place in arrangement.positional]
    if first == list(range(len(missing))) and not arrangement.keywords:
        return _plain(found)
    return _sorted(found, first, arrangement.keywords)


def _plain(found: Function) -> Way:
    """A call with the operands as they stand."""
    return lambda operands, options: found(*operands)


def _sorted(found: Function, first: Sequence[int | str | None], named: Sequence[tuple[str, int | str | None]]) -> Way:
    """A call with operands (by place) and options (by name) in another order, or by name."""

    def call(operands: Sequence[object], options: Mapping[str, object]) -> object:
        values: dict[int | str | None, object] = {None: None, **dict(enumerate(operands))}
        values.update(options)
        return found(*[values[place] for place in first], **{name: values[place] for name, place in named})

    return call


def _subscript(found: Callable[[Tensor, Sequence[Any], str], object], default: object) -> Way:
    """What brackets do."""

    def call(operands: Sequence[object], options: Mapping[str, object]) -> object:
        tensor, *rest = operands
        return found(cast("Tensor", tensor), rest, str(options.get("index", default)))

    return call


def make_leaf(call: str, operands: Sequence[object], options: Mapping[str, object]) -> object:
    """The result of factory ``call``; its ``seed`` is the seed of a generator of its own."""
    if call not in FACTORIES:
        raise AttributeError(f"module 'torch' has no attribute '{call}'")
    keywords = dict(options)
    seed = keywords.pop("seed", None)
    if isinstance(seed, int):
        keywords["generator"] = Generator().manual_seed(seed)
    sizes = operands or [()] if call in ("ones", "zeros", "empty", "rand", "randn") else operands
    return function(f"torch.{call}")(*sizes, **keywords)


def as_tensor(value: object) -> object:
    """``value`` where PyTorch wants a tensor: tensors and None as they are, numbers as ``torch.tensor(...)``."""
    if value is None or isinstance(value, TensorBase):
        return value
    if isinstance(value, list) and any(member is None or isinstance(member, TensorBase) for member in value):
        return [as_tensor(member) for member in value]
    return function("torch.tensor")(value)


@cache
def function(name: str) -> Function:
    """A function of the face by its full name; AttributeError where there is none."""
    full = f"torch.nn.functional.{name[2:]}" if name.startswith("F.") else name
    found: object = torch
    for step in full.split(".")[1:]:
        found = getattr(found, step)
    if not callable(found):
        raise AttributeError(f"'{full}' can't be called")
    return found


def _method(name: str, tensor: object, /, *arguments: object, **keywords: object) -> object:
    method: object = getattr(tensor, name)
    # x.T is spelled as an attribute: reading it is already the result.
    return method(*arguments, **keywords) if callable(method) else method
