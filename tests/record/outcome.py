"""What a script does: its output, warnings and exception, as JSON; in real torch, or with ``--ours`` on Chalkgrad's.

Reads ``{"codes": [...], "interactive": ...}`` from standard input. Every script gets a process of its own, because some
warnings of PyTorch come once per process: where the system can fork, a copy of one that has imported torch and done
nothing with it. Interactive code echoes the values of bare expressions, as a notebook does.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import io
import json
import os
import re
import subprocess
import sys
import traceback
import warnings
from pathlib import Path
from typing import Any

SCRIPT = "<script>"


def outcome(code: str, *, interactive: bool = False, ours: bool = False) -> dict[str, Any]:
    """The outcome of ``code`` run in a fresh process; RuntimeError when that process broke down."""
    return _asked([code], interactive, ours)[0]


def outcomes(codes: list[str], *, interactive: bool = False, ours: bool = False) -> list[dict[str, Any]]:
    """The outcome of each of ``codes`` by itself, importing torch only once where that is possible."""
    if not hasattr(os, "fork"):
        return [outcome(code, interactive=interactive, ours=ours) for code in codes]
    return _asked(codes, interactive, ours)


def _asked(codes: list[str], interactive: bool, ours: bool) -> list[dict[str, Any]]:
    command = [sys.executable, str(Path(__file__)), *(["--ours"] if ours else [])]
    request = json.dumps({"codes": codes, "interactive": interactive, "path": sys.path})
    done = subprocess.run(command, input=request, capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def stable(text: str) -> str:
    """``text`` without what differs from run to run: object addresses and places in PyTorch's C++ files."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x…", text)
    text = re.sub(r'File "(?:[^"<]*[/\\])?([^/\\"<]+)", line \d+', r'File "\1"', text)
    return re.sub(r"\s*\(Triggered internally at .*?\)", "", text).rstrip()


def run(code: str, interactive: bool) -> dict[str, Any]:
    """The outcome of ``code`` run in this process."""
    printed, exception = io.StringIO(), None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("always")
        try:
            execute(code, interactive)
        except Exception as error:
            lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == SCRIPT]
            exception = {"type": type(error).__name__, "message": stable(str(error)), "line": lines[-1]}
    return {
        "stdout": stable(printed.getvalue()),
        "warnings": [{"category": w.category.__name__, "text": stable(str(w.message))} for w in caught],
        "exception": exception,
    }


def run_apart(code: str, interactive: bool) -> dict[str, Any]:
    """The outcome of ``code`` run in a copy of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            json.dump(run(code, interactive), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer)


def execute(code: str, interactive: bool) -> None:
    """Run ``code`` as ``__main__`` would."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    if not interactive:
        exec(compile(code, SCRIPT, "exec"), namespace)
        return
    for statement in ast.parse(code).body:
        exec(compile(ast.Interactive([statement]), SCRIPT, "single"), namespace)


def put_ours_in_place() -> None:
    """Make ``import torch`` and its submodules give Chalkgrad's."""
    prefix = "chalkgrad.torch"
    for name in ("", ".distributions", ".func"):  # loaded under our name first: a second copy has classes of its own
        importlib.import_module(prefix + name)
    for name in [name for name in sys.modules if name == prefix or name.startswith(prefix + ".")]:
        sys.modules["torch" + name[len(prefix) :]] = sys.modules[name]


if __name__ == "__main__":
    request = json.load(sys.stdin)
    sys.path[:] = request["path"]
    if "--ours" in sys.argv:
        put_ours_in_place()
    else:
        importlib.import_module("torch")
    run_one = run if len(request["codes"]) == 1 else run_apart
    json.dump([run_one(code, request["interactive"]) for code in request["codes"]], sys.stdout)
