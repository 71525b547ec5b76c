"""What a backward does, node by node, on PyTorch and on ours, written down alike so that the two can be compared.

PyTorch tells it by hooks on every node of the graph, hung there right before each backward; ours by the trace.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from support.outcomes import Run

from chalkgrad import torch as ours
from chalkgrad.engine.base import state
from chalkgrad.session import Session
from chalkgrad.session.events import EventKind
from chalkgrad.session.recorder import Recorder
from chalkgrad.session.schedule import Schedule
from chalkgrad.session.tables import Tables
from chalkgrad.session.trace import Trace
from chalkgrad.source.read import read_source

MOST_BACKWARDS, MOST_NODES, MOST_NUMBERS = 6, 200, 6
"""Of a script so many backwards are written down, of graphs up to so large; of a larger gradient only shape and sum."""

LEAF = "AccumulateGrad"
REFUSED, UNTOLD = "returned an invalid gradient", ["untold"]
"""When what a node gave is refused, PyTorch's hook after it no longer gets that: ours tells what it was."""
SILENT = frozenset({"CopySlices"})
"""Nodes of which PyTorch does not let one see what they have saved."""

RAN = frozenset({EventKind.NODE_RAN, EventKind.ACCUMULATED, EventKind.DROPPED})

Log = list[dict[str, Any]]
"""One entry for each backward: ``nodes`` in the order in which they ran, each with its ``name``, ``age`` (its rank by
sequence number, None for leaves), ``waits`` (how many gradients it waited for), what ``came`` and ``went``, and which
nodes, by place in this order, were seen to be ``freed`` since the one before; ``freed`` at the end, too.
"""


def written(gradient: Any) -> Any:
    """A gradient as JSON: its numbers, of many its shape, sum and largest."""
    if gradient is None:
        return None
    array = np.asarray(gradient, np.float64)
    if array.size <= MOST_NUMBERS:
        return _rounded(array).tolist()
    with np.errstate(all="ignore"):
        return {
            "shape": list(array.shape),
            "sum": _rounded(array.sum()).item(),
            "most": _rounded(abs(array).max()).item(),
        }


def alike(one: Any, other: Any) -> bool:
    """Equal as far as rounding lets two written gradients be."""
    if isinstance(one, dict) and isinstance(other, dict):
        scale = max(1.0, abs(one["most"])) * np.prod(one["shape"])
        near = np.allclose(one["most"], other["most"], 1e-3, 1e-4, equal_nan=True)
        return bool(one["shape"] == other["shape"] and near) and bool(
            np.isclose(one["sum"], other["sum"], 1e-3, 1e-5 * scale, equal_nan=True)
        )
    if one is None or other is None or isinstance(one, dict) or isinstance(other, dict):
        return one is other
    mine, theirs = np.asarray(one, float), np.asarray(other, float)
    return mine.shape == theirs.shape and bool(np.allclose(mine, theirs, 1e-3, 1e-5, equal_nan=True))


def difference(ours: Log, theirs: Log) -> str:
    """The first thing that differs, in words; nothing where all is the same."""
    if len(ours) != len(theirs):
        return f"{len(ours)} backwards instead of {len(theirs)}"
    for number, (mine, his) in enumerate(zip(ours, theirs, strict=True)):
        found = _difference(mine, his)
        if found:
            return f"backward {number}: {found}"
    return ""


def _difference(mine: dict[str, Any], his: dict[str, Any]) -> str:
    names, wanted = [node["name"] for node in mine["nodes"]], [node["name"] for node in his["nodes"]]
    if names != wanted:
        return f"{names} ran instead of {wanted}"
    for one, other in zip(mine["nodes"], his["nodes"], strict=True):
        for fact in ("age", "waits", "freed"):
            if one[fact] != other[fact]:
                return f"{fact} of {one['name']} is {one[fact]} instead of {other[fact]}"
        for fact in ("came", "went"):
            if other[fact] == UNTOLD:
                continue
            if len(one[fact]) != len(other[fact]) or not all(map(alike, one[fact], other[fact])):
                return f"what {fact} at {one['name']} is {one[fact]} instead of {other[fact]}"
    return "" if mine["freed"] == his["freed"] else f"at the end {mine['freed']} are freed instead of {his['freed']}"


def _rounded(array: Any) -> np.ndarray:
    """Six significant digits: enough to compare, and short to write."""
    with np.errstate(all="ignore"):
        return np.array([float(f"{value:.6g}") + 0.0 for value in np.ravel(array)]).reshape(np.shape(array))  # no -0


# ------------------------------------------------------------ ours


@contextmanager
def watched() -> Iterator[Tables]:
    """While it lasts, all that our engine does is recorded."""
    tables, outer = Tables(), state.observer
    state.observer = Recorder(tables)
    state.look_again()
    try:
        yield tables
    finally:
        state.observer = outer
        state.look_again()


def log_of(trace: Trace) -> Log:
    """The backwards of a trace."""
    entries = (_entry(trace, began) for began in trace.plans)
    return [entry for entry in entries if entry is not None and entry["nodes"]][:MOST_BACKWARDS]


def _entry(trace: Trace, began: int) -> dict[str, Any] | None:
    schedule = Schedule(trace, began)
    if len(schedule.plan.nodes) > MOST_NODES:
        return None
    ages = dict(zip(schedule.plan.nodes, schedule.plan.sequence, strict=True))
    nodes: list[dict[str, Any]] = []
    places: dict[int, int] = {}
    freed: list[int] = []
    for event in trace.events[began + 1 : schedule.end]:
        if event.node not in ages:
            continue
        if event.kind is EventKind.FREED and trace.nodes[event.node].name not in SILENT:
            freed.append(places[event.node])
        elif event.kind in RAN:
            places[event.node] = len(nodes)
            nodes.append(
                {
                    "name": trace.nodes[event.node].name,
                    "age": ages[event.node],
                    "waits": schedule.needs(event.node),
                    "came": [written(gradient) for gradient in event.incoming],
                    "went": [written(gradient) for gradient in event.outgoing],
                    "freed": sorted(freed),
                }
            )
            freed = []
    return _ranked({"nodes": nodes, "freed": sorted(freed)})


def _ranked(entry: dict[str, Any]) -> dict[str, Any]:
    """Sequence numbers as ranks: both sides count on from something else."""
    ages = sorted({node["age"] for node in entry["nodes"] if node["name"] != LEAF})
    for node in entry["nodes"]:
        node["age"] = None if node["name"] == LEAF else ages.index(node["age"])
    return entry


# ------------------------------------------------------------ PyTorch


class TorchLog:
    """Watches PyTorch's backwards while it is entered: ``entries`` has what they did."""

    def __init__(self, torch: ModuleType) -> None:
        self._torch = torch
        self._run = torch.autograd._engine_run_backward
        self.entries: Log = []

    def __enter__(self) -> TorchLog:
        self._torch.autograd._engine_run_backward = self._watched
        return self

    def __exit__(self, *_: object) -> None:
        self._torch.autograd._engine_run_backward = self._run

    def _watched(self, roots: Sequence[Any], *args: Any, **options: Any) -> Any:
        if len(self.entries) == MOST_BACKWARDS:
            return self._run(roots, *args, **options)
        with self._torch.inference_mode(False), self._torch.enable_grad():
            begun = [self._torch.autograd.graph.get_gradient_edge(root).node for root in roots]
        waits = _counted(begun)
        if len(waits) > MOST_NODES:
            return self._run(roots, *args, **options)
        watch = _Watch(waits)
        try:
            return self._run(roots, *args, **options)
        except RuntimeError as error:
            watch.refused = REFUSED in str(error)
            raise
        finally:
            entry = watch.end()
            self.entries += [entry] if entry["nodes"] else []


class _Watch:
    """The hooks of one backward."""

    def __init__(self, waits: dict[Any, int]) -> None:
        self._waits = waits
        self._ran: list[Any] = []
        self._nodes: list[dict[str, Any]] = []
        self._kept: list[int] = []
        self._had = {node: _holds(node) for node in waits}
        self._handles = [node.register_prehook(self._before(node)) for node in waits]
        self._handles += [node.register_hook(self._after(node)) for node in waits]
        self._failed = True
        self.refused = False

    def end(self) -> dict[str, Any]:
        """No more hooks; what happened."""
        for handle in self._handles:
            handle.remove()
        if self.refused:
            self._nodes[-1]["went"] = UNTOLD
        failed = [self._nodes.pop()] if self._failed and self._nodes and not self.refused else []
        freed = [place for node in failed for place in node["freed"]]
        return _ranked({"nodes": self._nodes, "freed": sorted(freed + self._newly_freed())})

    def _before(self, node: Any) -> Callable[[Any], None]:
        def hook(came: Any) -> None:
            self._nodes.append(
                {
                    "name": node.name().rpartition("::")[2],
                    "age": node._sequence_nr(),
                    "waits": self._waits[node],
                    "came": [None if g is None else written(g.detach().numpy(force=True)) for g in came],
                    "went": [],
                    "freed": self._newly_freed(),
                }
            )
            self._failed = True
            self._ran.append(node)
            if self._had[node]:
                self._kept.append(len(self._ran) - 1)

        return hook

    def _after(self, node: Any) -> Callable[[Any, Any], None]:
        def hook(went: Any, _came: Any) -> None:
            own = next(
                entry for entry, ran in zip(reversed(self._nodes), reversed(self._ran), strict=True) if ran is node
            )
            self._failed = False
            own["went"] = [None if g is None else written(g.detach().numpy(force=True)) for g in went]

        return hook

    def _newly_freed(self) -> list[int]:
        """Places of nodes that had saved something when last looked at, and have it no longer."""
        gone = [place for place in self._kept if not _holds(self._ran[place])]
        self._kept = [place for place in self._kept if place not in gone]
        return gone


def _counted(roots: list[Any]) -> dict[Any, int]:
    """The nodes that roots lead to, and how many gradients each waits for."""
    waits: dict[Any, int] = {}
    stack = []
    for node in roots:
        waits[node] = waits.get(node, 0) + 1
        if waits[node] == 1:
            stack.append(node)
    while stack:
        for node, _ in stack.pop().next_functions:
            if node is not None:
                waits[node] = waits.get(node, 0) + 1
                if waits[node] == 1:
                    stack.append(node)
    return waits


def _holds(node: Any) -> bool:
    """True while a node has a tensor that it saved: reading one that was freed raises."""
    for name in [name for name in dir(node) if name.startswith("_raw_saved_")]:
        try:
            found = node.saved_tensors if name == "_raw_saved_tensors" else getattr(node, name.replace("_raw", ""))
        except RuntimeError:
            return False
        if found is not None and found != ():
            return True
    return False


# ------------------------------------------------------------ running


def quietly(run: Callable[[], None]) -> None:
    """Run a script's code: nothing is printed, and what it raises ends it."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        run()


def ours_of_program(code: str) -> Log:
    """What a session's trace says of a program."""
    session = Session(read_source("import torch\n" + code))
    session.finish()
    return log_of(session.trace)


def ours_of_script(code: str) -> Log:
    """What our engine tells while a whole script runs on it."""
    with ours_as_torch() as torch, watched() as tables:
        quietly(partial(exec, compile(code, "<script>", "exec"), {"__name__": "__main__"}))
        torch.set_default_dtype(torch.float32)
    return log_of(Trace(tables))


def ours_of_lines(lines: Sequence[str]) -> Log:
    """What our engine tells while random lines run on it, each by itself."""
    with watched() as tables:
        _run_lines(ours, lines)
    return log_of(Trace(tables))


def theirs_of_script(torch: ModuleType, code: str) -> Log:
    """What PyTorch's hooks tell of a script."""
    with TorchLog(torch) as log:
        quietly(partial(exec, compile(code, "<script>", "exec"), {"__name__": "__main__"}))
    torch.set_default_dtype(torch.float32)
    return log.entries


def theirs_of_lines(torch: ModuleType, lines: Sequence[str]) -> Log:
    """The same of lines, of which some may fail."""
    with TorchLog(torch) as log:
        _run_lines(torch, lines)
    return log.entries


def _run_lines(torch: ModuleType, lines: Sequence[str]) -> None:
    torch.set_default_dtype(torch.float32)
    run = Run(torch)
    for line in lines:
        quietly(partial(run.line, line))
    torch.set_default_dtype(torch.float32)


@contextmanager
def ours_as_torch() -> Iterator[ModuleType]:
    """While it lasts, ``import torch`` gives ours."""
    own = ours.__name__
    real = {name: module for name, module in sys.modules.items() if name == "torch" or name.startswith("torch.")}
    instead = {"torch" + name[len(own) :]: module for name, module in sys.modules.items() if name.startswith(own)}
    for name in real:
        del sys.modules[name]
    sys.modules.update(instead)
    try:
        yield ours
    finally:
        for name in instead:
            sys.modules.pop(name, None)
        sys.modules.update(real)
