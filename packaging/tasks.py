"""The commands of ``packaging/dev.py``: run, test, check."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import environment
import system
from environment import ROOT

PACKAGES = [ROOT / folder for folder in ("core", "app", "resources")]

DESCRIPTION = """Start, test and check Chalkgrad from this checkout.

The first time this makes .venv and installs what is needed into it. On Debian and Ubuntu it installs missing shared
libraries with apt when it may; when it may not, it prints the line to type."""


def parse(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The command and what is handed on to it."""
    parser = argparse.ArgumentParser("packaging/dev.py", description=DESCRIPTION, allow_abbrev=False)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True, metavar="run | test | check")
    commands.add_parser("run", add_help=False, help="start Chalkgrad; what follows goes to chalkgrad: run FILE.chalk")
    commands.add_parser("test", add_help=False, help="run the tests; what follows goes to pytest: test tests/core -x")
    commands.add_parser("check", help="lint, format, types and import contracts")
    known, rest = parser.parse_known_args(arguments)
    if known.command == "check" and rest:
        parser.error(f"check takes no arguments: {' '.join(rest)}")
    return known.command, rest


def has_display(variables: Mapping[str, str]) -> bool:
    """Whether a window can be shown: always on Windows and macOS, elsewhere when a display is named."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))


def qt_variables(variables: Mapping[str, str], window: bool) -> dict[str, str]:
    """The environment variables for a program that uses Qt; offscreen unless ``window`` and there is a display."""
    changed = dict(variables)
    if not window or not has_display(variables):
        changed.setdefault("QT_QPA_PLATFORM", "offscreen")
    return changed


def set_up(extra: str, window: bool = False) -> None:
    """See to libraries, fonts and the virtual environment for a program that uses Qt; raises SetupError."""
    on_linux = sys.platform == "linux"
    if on_linux:
        system.ensure_packages(system.libraries_needed(os.environ, window))
    first_time = not environment.is_ready(ROOT, extra)
    if on_linux and first_time:
        system.ensure_chinese_font()
    environment.prepare(ROOT, extra)


def call(command: Sequence[str], variables: Mapping[str, str], folder: Path | None = None) -> int:
    """Run a program to its end and return its exit status as a shell gives it (128 + signal when killed)."""
    status = subprocess.run(command, env=dict(variables), cwd=folder, check=False).returncode
    return status if status >= 0 else 128 - status


def run(arguments: Sequence[str]) -> int:
    """Start Chalkgrad with ``arguments``, in the folder this was started in."""
    set_up("", window=True)
    return call([str(environment.program(ROOT, "chalkgrad")), *arguments], qt_variables(os.environ, window=True))


def test(arguments: Sequence[str]) -> int:
    """Run the tests with pytest's ``arguments``, offscreen, in the root of the checkout."""
    set_up("test")
    command = [str(environment.program(ROOT, "python")), "-m", "pytest", *arguments]
    return call(command, qt_variables(os.environ, window=False), ROOT)


def check() -> int:
    """Run every check that needs no run of the program, all of them even when one fails; 1 when one failed."""
    if sys.platform == "linux":
        system.ensure_packages({})
    environment.prepare(ROOT, "dev")
    python = str(environment.program(ROOT, "python"))
    failed = []
    for name, command, folder in checks(python):
        system.say(f"-- {name}")
        if call(command, {**os.environ, "MYPYPATH": os.pathsep.join(map(str, PACKAGES))}, folder):
            failed.append(name)
    system.say(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def checks(python: str) -> list[tuple[str, list[str], Path]]:
    """Each check's name, command and folder."""
    # What lies in packaging/ is no package, so it is looked at from inside, its imports of the product unquestioned.
    scripts = sorted(path.name for path in (ROOT / "packaging").glob("*.py"))
    cache = str(ROOT / ".mypy_cache" / "packaging")
    strict = [python, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", cache]
    return [
        ("lint", [python, "-m", "ruff", "check", "."], ROOT),
        ("format", [python, "-m", "ruff", "format", "--check", "."], ROOT),
        ("types", [python, "-m", "mypy"], ROOT),
        ("types of packaging", [*strict, *scripts], ROOT / "packaging"),
        ("import contracts", [str(environment.program(ROOT, "lint-imports")), "--no-logo"], ROOT),
    ]


def main(arguments: Sequence[str]) -> int:
    """Do one command and return its exit status; 130 after Ctrl+C."""
    command, rest = parse(arguments)
    try:
        if command == "run":
            return run(rest)
        return test(rest) if command == "test" else check()
    except system.SetupError as error:
        system.say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130
