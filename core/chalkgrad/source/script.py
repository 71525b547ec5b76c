"""Running a script as Python would, on the core in PyTorch's place.

The script is read first, and nothing of it runs unless all of it is straight-line PyTorch: what is then executed is
made of calls to the core, arithmetic and prints, and no import but those of the core, ``math``, NumPy and ``warnings``.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType, TracebackType

from chalkgrad.source.prepare import prepare
from chalkgrad.source.read import read_source

SUBMODULES = (
    "nn",
    "nn.functional",
    "nn.init",
    "nn.utils",
    "autograd",
    "autograd.functional",
    "optim",
    "optim.lr_scheduler",
    "utils",
    "utils.data",
)


def run_script(path: str, text: str) -> int:
    """Run a script that prints to stdout; 1 after an error, whose traceback goes to stderr.

    Raises SourceError, and runs nothing, where the script is not all read.
    """
    read_source(text, path, lenient=True)
    code = compile(prepare(text).text, path, "exec", dont_inherit=True)
    with _in_place_of_torch(), _warnings_at_their_lines(path, text):
        try:
            exec(code, {"__name__": "__main__", "__file__": path})
        except Exception as error:
            sys.stdout.flush()
            sys.stderr.write(_traceback(error, path))
            return 1
        finally:
            sys.stdout.flush()
    return 0


@contextmanager
def _in_place_of_torch() -> Iterator[None]:
    """Have ``import torch`` find the core's face, and put back what was there."""
    modules = _face()
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"}
    for name in before:
        del sys.modules[name]
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            sys.modules.pop(name, None)
        sys.modules.update(before)


def _face() -> dict[str, ModuleType]:
    """The face and its modules by the names that PyTorch gives them."""
    from chalkgrad import torch

    found: dict[str, ModuleType] = {"torch": torch}
    for name in SUBMODULES:
        module: object = torch
        for step in name.split("."):
            module = getattr(module, step, None)
        if isinstance(module, ModuleType):
            found[f"torch.{name}"] = module
    return found


@contextmanager
def _warnings_at_their_lines(path: str, text: str) -> Iterator[None]:
    """Show each warning once a line of the script, at that line, as Python shows it."""
    rows = text.splitlines()
    shown: set[tuple[str, type[Warning], int]] = set()

    def show(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: object) -> None:
        line = _line_of(path) or lineno
        key = (str(message), category, line)
        if key not in shown:
            shown.add(key)
            sys.stdout.flush()
            source = rows[line - 1] if 0 < line <= len(rows) else ""
            sys.stderr.write(warnings.formatwarning(message, category, path, line, source))

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _line_of(path: str) -> int | None:
    """The line of the script that is being executed."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == path:
            return frame.f_lineno
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _traceback(error: BaseException, path: str) -> str:
    """Python's traceback, of which only the script's own lines are kept."""
    told = traceback.TracebackException(type(error), error, _own(error.__traceback__, path))
    told.stack = traceback.StackSummary.from_list([frame for frame in told.stack if frame.filename == path])
    return "".join(told.format(chain=False))


def _own(trace: TracebackType | None, path: str) -> TracebackType | None:
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    return trace
