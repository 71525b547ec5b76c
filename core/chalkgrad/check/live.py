"""The same program on real PyTorch, in a child process, tensor by tensor."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypedDict

import numpy as np

from chalkgrad.check.report import Comparison, Report, facts, numbers
from chalkgrad.program.program import Program
from chalkgrad.session import Session
from chalkgrad.session.state import State, TensorState
from chalkgrad.source import emit
from chalkgrad.torch.testing import TOLERANCES

SECONDS = 120
ADDRESS = re.compile(r" object at 0x[0-9a-fA-F]+")

REPORTER = """
import json as _json, sys as _sys, warnings as _warnings
_warnings.simplefilter("ignore")
def _numbers(t):
    return [str(v) if v != v or v in (float("inf"), float("-inf")) else v for v in t.detach().flatten().tolist()]
def _facts(t):
    fn = t.grad_fn
    return {"shape": list(t.shape), "dtype": str(t.dtype)[6:], "value": _numbers(t), "is_leaf": t.is_leaf,
            "requires_grad": t.requires_grad, "retains_grad": t.retains_grad, "version": t._version,
            "grad_fn": None if fn is None else type(fn).__name__}
_found = {}
for _name, _value in list(globals().items()):
    if isinstance(_value, torch.Tensor) and not _name.startswith("_"):
        _found[_name] = _facts(_value) | {"grad": None if _value.grad is None else _facts(_value.grad)}
with open(_sys.argv[1], "w") as _file:
    _json.dump({"torch": torch.__version__, "tensors": _found}, _file)
"""


class LiveTensor(TypedDict):
    """What the child says about one tensor."""

    shape: list[int]
    dtype: str
    value: list[float | str]
    is_leaf: bool
    requires_grad: bool
    retains_grad: bool
    version: int
    grad_fn: str | None
    grad: LiveTensor | None


class LiveError(RuntimeError):
    """The child process did not come to its end; the message is what it said last."""


def torch_is_there() -> bool:
    """True when real PyTorch can be imported by the Python that runs this."""
    return importlib.util.find_spec("torch") is not None


def against_torch(program: Program) -> Report:
    """Compare value, grad, flags and version of every named tensor, and what was printed, with real PyTorch.

    Raises LiveError where PyTorch isn't there or does not come to the end of the program.
    """
    session = Session(program)
    session.finish()
    end = session.trace.state()
    types = end.failures
    version, tensors, printed = _run_live(emit.program_text(program, types))
    found = list(_compare(end, tensors))
    if not types:
        ours = "".join(f"{line.text}\n" for line in end.output)
        found.append(facts(None, "print", "output", _masked(ours), _masked(printed)))
    return Report(f"torch {version}", tuple(found))


def _run_live(text: str) -> tuple[str, Mapping[str, LiveTensor], str]:
    """Version, tensors by name and output of ``text`` run by Python with PyTorch."""
    with tempfile.TemporaryDirectory(prefix="chalkgrad-") as folder:
        script, answer = Path(folder) / "program.py", Path(folder) / "answer.json"
        script.write_text(text + REPORTER, encoding="utf-8")
        command = [sys.executable, "-P", "-W", "ignore", str(script), str(answer)]
        environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
        try:
            done = subprocess.run(
                command, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False, env=environment
            )
        except subprocess.TimeoutExpired:
            raise LiveError(f"PyTorch was not done after {SECONDS} seconds") from None
        if done.returncode or not answer.exists():
            raise LiveError((done.stderr.strip().splitlines() or ["it said nothing"])[-1])
        found = json.loads(answer.read_text(encoding="utf-8"))
        return found["torch"], found["tensors"], done.stdout


def _compare(end: State, tensors: Mapping[str, LiveTensor]) -> Iterator[Comparison]:
    makers = {t.number: id_ for id_, found in end.statements.items() for t in found.outputs if t is not None}
    for name, ours in end.names.items():
        theirs = tensors.get(name)
        if theirs is None:
            yield facts(makers.get(ours.number), name, "value", ours.text, None)
            continue
        yield from _compare_tensor(makers.get(ours.number), name, ours, theirs)
        if ours.grad is None or theirs["grad"] is None:
            shown = None if theirs["grad"] is None else theirs["grad"]["value"]
            yield facts(makers.get(ours.number), name, "grad", ours.grad and ours.grad.text, shown)
        else:
            yield from _compare_tensor(makers.get(ours.number), f"{name}.grad", ours.grad, theirs["grad"])


def _compare_tensor(statement: int | None, name: str, ours: TensorState, theirs: LiveTensor) -> Iterator[Comparison]:
    yield facts(statement, name, "dtype", ours.dtype, theirs["dtype"])
    yield facts(statement, name, "is_leaf", ours.is_leaf, theirs["is_leaf"])
    yield facts(statement, name, "requires_grad", ours.requires_grad, theirs["requires_grad"])
    yield facts(statement, name, "retains_grad", ours.retains_grad, theirs["retains_grad"])
    yield facts(statement, name, "_version", ours.version, theirs["version"])
    yield facts(statement, name, "grad_fn", ours.grad_fn, theirs["grad_fn"])
    if ours.value is not None:
        values = np.array([float(v) for v in theirs["value"]], np.float64).reshape(theirs["shape"])
        yield numbers(statement, name, "value", ours.value, values, TOLERANCES.get(ours.dtype, (0.0, 0.0)))


def _masked(text: str) -> str:
    """A text without the addresses of objects."""
    return ADDRESS.sub(" object", text)
