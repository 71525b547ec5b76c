"""Which operators ran, and where they were called: what a checkpoint says of two runs that differ."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chalkgrad.engine.base import TensorBase, state
from chalkgrad.engine.dtype import dtype_of
from chalkgrad.engine.graph import Node
from chalkgrad.engine.observer import Observer

_BOTH_RUNS = """ An error happened while unpacking tensors; dumping logs of latest computation
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.
Scroll all the way down for guidance on how to navigate these logs.

+~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~+
|        1. Stack traces of the operators that ran in the original forward     |
+------------------------------------------------------------------------------+

{}
+~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~+
|        2. Stack traces of the operators that ran during recomputation        |
+------------------------------------------------------------------------------+

{}
+~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~+
|       3. Log of operators in the original forward and recomputation          |
+------------------------------------------------------------------------------+
(Scroll up to correlate stack traces with each operation listed below. This
 helps identify their source in the code.)

Operations executed during the original forward:

{}

Operations executed during recomputation:

{}

+------------------------------------------------------------------------------+
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 tensors to be saved during the original forward and differ between those saved
 during recomputation. This can happen if different operators were ran in the
 original forward and in the recomputation.

 To identify where the mismatch may be coming from, you can do the following:

 1) Compare the operators ran during original forward and recomputation to
    see where they differ. These operators are printed above in the order they
    were executed.

 2) Review the stack trace for each operator to locate its invocation source.
    Each operator's stack trace is printed in their execution order.

 Note that the logs can be quite long. Here's how they are structured:
 (Tip: you can Ctrl-f for these headers)

 1. Stack traces of the operators that ran in the original forward
 2. Stack traces of the operators that ran during recomputation
 3. Log of operators in the original forward and recomputation
 4. Error message                                             <--- You are here
--------------------------------------------------------------------------------
"""

_ABBREVIATIONS = {"float": "f", "int": "i", "uint": "u", "bool": "b8"}


class OperatorLog:
    """The operators of one run that leave a node behind, each as a line, with the lines of code that led to it."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.traces: list[str] = []
        self._tensors: list[TensorBase] = []

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Note the operators of the block; who watches already is told of everything as before."""
        before = state.observer
        state.observer = _Listener(self, before)
        state.look_again()
        try:
            yield
        finally:
            state.observer = before
            state.look_again()

    def note(self, node: Node, inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> None:
        """One operator ran."""
        name = type(node).__name__ if node.record is None else node.record.part_of or node.record.name
        given = ", ".join(self._called(value) if isinstance(value, TensorBase) else repr(value) for value in inputs)
        made = ", ".join(f"{self._called(output)}: {_kind(output)}" for output in outputs)
        self.lines.append(f"{made} = {name}({given})")
        self.traces.append("".join(_stack()))

    def _called(self, tensor: TensorBase) -> str:
        for number, known in enumerate(self._tensors):
            if known is tensor:
                return f"${number}"
        self._tensors.append(tensor)
        return f"${len(self._tensors) - 1}"

    def _traced(self, which: str) -> str:
        count = len(self.lines)
        pieces = zip(self.lines, self.traces, strict=True)
        return "".join(
            f"{line}   ({at + 1} of {count} in {which})\n\n{trace}\n" for at, (line, trace) in enumerate(pieces)
        )

    def compared_with(self, again: OperatorLog) -> str:
        """What both runs did, for whoever looks for where they part."""
        traces = self._traced("original"), again._traced("recompute")
        return _BOTH_RUNS.format(*traces, "\n".join(self.lines), "\n".join(again.lines))


def _kind(tensor: TensorBase) -> str:
    """Dtype and shape in brief: ``f32[2, 3]``."""
    dtype = dtype_of(tensor.array).name
    word = dtype.rstrip("0123456789")
    return f"{_ABBREVIATIONS[word]}{dtype[len(word) :]}{list(tensor.array.shape)}"


def _stack() -> list[str]:
    """The lines of code outside of the engine that led here."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("chalkgrad."):
        frame = frame.f_back
    return traceback.format_stack(frame)


class _Listener(Observer):
    """Notes operators in a log, and hands all notices on to who watched before."""

    __slots__ = ("_log", "_others")

    def __init__(self, log: OperatorLog, others: Observer | None) -> None:
        self._log = log
        self._others = others or Observer()

    def node_made(self, node: Node, inputs: tuple[Any, ...], outputs: tuple[TensorBase, ...]) -> None:
        self._log.note(node, inputs, outputs)
        self._others.node_made(node, inputs, outputs)

    def result_made(self, node: Node, inputs: tuple[Any, ...], output: TensorBase) -> None:
        self._log.note(node, inputs, (output,))
        self._others.result_made(node, inputs, output)


def _handed_on(name: str) -> Any:
    return lambda self, *notice: getattr(self._others, name)(*notice)


for _name in vars(Observer):
    if not _name.startswith("_") and _name not in vars(_Listener):
        setattr(_Listener, _name, _handed_on(_name))
