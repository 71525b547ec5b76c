"""Who imports whom, and what starting the program imports."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = os.pathsep.join(str(ROOT / folder) for folder in ("core", "app", "resources"))
HEAVY = ("networkx", "numpy.ma", "numpy.typing", "ziamath", "PIL", "pygments", "statistics")
PANELS = ("compare", "difference_table", "engine", "history", "memory", "training", "versions", "why")
ANSWERS = ("mending", "reasons")
CORE = ("check", "explain", "nn.modules", "optim.adam", "optim.sgd", "torch.autograd", "torch.nn")
APP = ("canvas.background", "picture.note_text", *(f"panels.{name}" for name in PANELS))
LATE = (
    *(f"chalkgrad.session.{name}" for name in ANSWERS),
    *(f"chalkgrad.{name}" for name in CORE),
    *(f"chalkgrad_app.{name}" for name in APP),
)

START = """
import sys
from PySide6.QtWidgets import QApplication
from chalkgrad_app.main import create_window

window = create_window()
QApplication.processEvents()
assert window.isVisible()
print(*sys.modules)
"""

THREADS = """
import os, sys, types
window = types.ModuleType("chalkgrad_app.main")
def run(paths):
    import numpy
    print(len(os.listdir("/proc/self/task")))
    return 0
window.run = run
sys.modules["chalkgrad_app.main"] = window
from chalkgrad_app.__main__ import main
main([])
"""
"""How many threads there are once numpy is imported as it is for a window."""

OPERATORS = """
import chalkgrad.torch
from chalkgrad.engine.record import OPS
from chalkgrad.engine.rules import TENSORS
print(len(OPS), len(vars(TENSORS)))
"""

LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"


def run(program: str, folder: Path, more: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """Run Python text in a process of its own, in which the packages of this checkout can be imported."""
    variables = {**os.environ, "PYTHONPATH": PACKAGES, "PYTHONDONTWRITEBYTECODE": "1"} | (more or {})
    variables = {name: value for name, value in variables.items() if value}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=120, check=False)


def test_the_import_contracts_are_kept() -> None:
    if importlib.util.find_spec("importlinter") is None:
        pytest.skip("import-linter is not installed")
    done = run(LINT, ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_starting_imports_nothing_that_is_only_needed_later(tmp_path: Path) -> None:
    done = run(START, tmp_path)
    assert done.returncode == 0, done.stderr
    imported = done.stdout.split()
    assert "chalkgrad_app" in imported
    assert [name for name in (*HEAVY, *LATE) if name in imported] == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux lists the threads of a process")
def test_a_window_computes_in_its_own_thread(tmp_path: Path) -> None:
    display = {"DISPLAY": ":0", "OPENBLAS_NUM_THREADS": ""}
    assert run(THREADS, tmp_path, display).stdout.split() == ["1"]
    assert run(THREADS, tmp_path, display | {"OPENBLAS_NUM_THREADS": "2"}).stdout.split() == ["2"], "who wants more"


def test_operators_on_tensors_are_made_when_they_are_asked_for(tmp_path: Path) -> None:
    registered, made = map(int, run(OPERATORS, tmp_path).stdout.split())
    assert registered > 700
    assert made < registered / 10


def test_the_core_imports_no_qt(tmp_path: Path) -> None:
    done = run('import sys, chalkgrad.torch; print(*sys.modules, sep="\\n")', tmp_path)
    assert done.returncode == 0, done.stderr
    imported = {name.partition(".")[0] for name in done.stdout.split()}
    assert "chalkgrad" in imported
    assert not imported & {"PySide6", "shiboken6"}
