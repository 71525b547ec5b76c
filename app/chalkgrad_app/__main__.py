"""The command ``chalkgrad``: opens windows and draws pictures; everything else is the core's command line."""

from __future__ import annotations

import builtins
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

CORE_COMMANDS = frozenset({"run", "trace", "check", "ops", "lessons"})

HELP = """usage: chalkgrad [FILE ...]               open documents or PyTorch code in windows
       chalkgrad export FILE -o OUT ...    write pictures (svg png pdf tex) or text (py json dot mmd)
       chalkgrad run SCRIPT.py             run straight-line PyTorch on the core
       chalkgrad trace FILE                print the trace as JSON lines
       chalkgrad check FILE                compare with finite differences and with PyTorch
       chalkgrad ops | lessons             list the operators, the lessons
       chalkgrad COMMAND --help            the options of a command
       chalkgrad --version"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks; the exit status. Qt is imported only where something is drawn."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in ("-h", "--help"):
        sys.stdout.write(f"{HELP}\n")
        return 0
    if given and given[0] in CORE_COMMANDS:
        from chalkgrad import cli

        return cli.main(given)
    if given and given[0] == "export":
        from chalkgrad_app.export import command

        return command.main(given[1:])
    if given == ["--version"]:
        from chalkgrad import __version__

        sys.stdout.write(f"chalkgrad {__version__}\n")
        return 0
    if given and not Path(given[0]).exists() and not Path(given[0]).suffix and not given[0].startswith("-"):
        sys.stderr.write(f"chalkgrad: {given[0]}: there is no such command or file; see chalkgrad --help\n")
        return 2
    if given and given[0].startswith("-"):
        sys.stderr.write(f"chalkgrad: unknown option {given[0]}; see chalkgrad --help\n")
        return 2
    return _open(given)


def _open(paths: list[str]) -> int:
    gc.disable()  # while the modules are loaded the collector finds nothing, and takes an eighth of the time
    compute_alone()
    load_qt()
    from chalkgrad_app.application import has_display

    if has_display():
        from chalkgrad_app.main import run

        return run(paths)
    from chalkgrad_app.export import demonstration

    return demonstration.main(paths)


def compute_alone() -> None:
    """Have numpy compute in this thread: its helpers wait busily for work, and small matrices are none to them."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def load_qt() -> None:
    """Import Qt, and keep Python's own import: that of PySide6 reads the source of every module that comes after it."""
    plain = builtins.__import__
    import_module("PySide6.QtWidgets")
    builtins.__import__ = plain


if __name__ == "__main__":
    raise SystemExit(main())
