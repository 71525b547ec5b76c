"""What the face consists of: the table's operators under PyTorch's names, and a few plain functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from chalkgrad.engine.record import OPS
from chalkgrad.engine.spelling import function

ONLY_METHODS = frozenset({"absolute_"})
"""Aliases of functions that are no functions themselves."""


def operators(module: str) -> dict[str, Callable[..., Any]]:
    """All operators that PyTorch has as functions of ``module``, by name, with their aliases."""
    found: dict[str, Callable[..., Any]] = {}
    for record in OPS.values():
        place, _, name = (record.function or "").rpartition(".")
        if name and place == module:
            spellings = [spelling for spelling in (name, *record.aliases) if spelling not in ONLY_METHODS]
            found |= {spelling: function(record, spelling) for spelling in spellings}
    return found


LEFT_OUT = {
    "forward-mode derivatives, but for torch.func.jvp": "torch.autograd.forward_ad",
    "functions without side effects made of others": "torch.func.functionalize torch.func.debug_unwrap",
    "Wishart's distribution, whose samples PyTorch takes for singular": "torch.distributions.Wishart",
    "compilation": "torch.compile torch.compiler torch.jit torch.fx torch.export torch.library torch.ops",
    "complex numbers": "torch.complex torch.polar torch.view_as_real torch.view_as_complex torch.fft torch.stft",
    "sparse and nested tensors": "torch.sparse torch.sparse_coo_tensor torch.sparse_csr_tensor torch.nested",
    "half precision": "torch.amp torch.autocast",
    "several devices and processes": "torch.distributed torch.multiprocessing torch.nn.DataParallel",
    "quantisation": "torch.ao torch.quantization torch.quantize_per_tensor",
    "profiling": "torch.profiler torch.autograd.profiler",
}
"""What of PyTorch is not offered on purpose, and the names that stand for it."""

_LEFT_OUT = {name: subject for subject, names in LEFT_OUT.items() for name in names.split()}


def absent(module: str) -> Callable[[str], NoReturn]:
    """The ``__getattr__`` of a module of the face, which says where more than a name is missing."""

    def refuse(name: str) -> NoReturn:
        subject = _LEFT_OUT.get(f"{module}.{name}")
        reason = "" if subject is None else f": Chalkgrad leaves out {subject}"
        raise AttributeError(f"module '{module}' has no attribute '{name}'{reason}")

    return refuse
