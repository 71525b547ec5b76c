"""The commands that draw nothing: ``python -m chalkgrad run | trace | check | export | ops | lessons``.

Each returns its exit status: 0; 1 where a program raised or a check found a difference; 2 for input that can't be
used, with one line on stderr that says what and where.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from chalkgrad.program.files import FileError, read_file, write_text
from chalkgrad.program.sheet import Sheet
from chalkgrad.source.problem import SourceError

if TYPE_CHECKING:
    from chalkgrad.session.state import State

DRAWN = (".svg", ".png", ".pdf")
"""What only the window program can write."""


class UnusableError(Exception):
    """Input that can't be used; the text is the line for stderr."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks; the exit status."""
    try:
        given = _parser().parse_args(arguments)
        command: Callable[[argparse.Namespace], int] = given.command
        return command(given)
    except UnusableError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise UnusableError(f"{self.prog}: {message}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="chalkgrad", description="PyTorch's autograd, seen: the commands that draw nothing.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(command=run)
        return command

    add("run", _run, "Run straight-line PyTorch on the core.").add_argument("file", metavar="SCRIPT.py")
    add("trace", _trace, "Print the trace of a program as JSON lines.").add_argument("file", metavar="FILE")
    check = add("check", _check, "Compare a program with finite differences and with PyTorch.")
    check.add_argument("file", metavar="FILE")
    export = add("export", _export, "Write a program as text: py, json, dot, mmd, tex.")
    export.add_argument("file", metavar="FILE")
    export.add_argument("-o", "--output", metavar="OUT", required=True, action="append")
    add("ops", _ops, "List the operators.")
    lessons = add("lessons", _lessons, "List the lessons and examples.")
    lessons.add_argument("--lang", default="en", choices=("en", "zh_CN"))
    return parser


# ---------------------------------------------------------------- commands


def _run(given: argparse.Namespace) -> int:
    from chalkgrad.source.script import run_script

    try:
        return run_script(given.file, _text(given.file))
    except SourceError as error:
        raise UnusableError(_located(given.file, error)) from None


def _trace(given: argparse.Namespace) -> int:
    from chalkgrad.session import Session
    from chalkgrad.session.lines import trace_lines

    session = Session(open_sheet(given.file).program)
    session.finish()
    for line in trace_lines(session):
        _say(line)
    return 0


def _check(given: argparse.Namespace) -> int:
    from chalkgrad.check import LiveError, against_torch, finite_differences, torch_is_there

    program = open_sheet(given.file).program
    reports = [finite_differences(program)]
    if torch_is_there():
        try:
            reports.append(against_torch(program))
        except LiveError as error:
            raise UnusableError(f"{given.file}: {error}") from None
    else:
        _say("PyTorch is not installed: not compared with it")
    for report in reports:
        agreeing = len(report.comparisons) - len(report.differences)
        _say(f"{report.against}: {agreeing} of {len(report.comparisons)} agree")
        for difference in report.differences:
            _say(f"  {difference}")
    return 0 if all(report.agrees for report in reports) else 1


def _export(given: argparse.Namespace) -> int:
    for output in given.output:
        if Path(output).suffix.lower() in DRAWN:
            raise UnusableError(
                f"{output}: pictures are drawn by the window program: chalkgrad export FILE -o {output}"
            )
        if Path(output).suffix.lower() not in WRITERS:
            raise UnusableError(f"{output}: can't write this kind of file; one of {', '.join(WRITERS)} is expected")
        if is_source(output, given.file):
            raise UnusableError(f"{output}: this is the file that is read")
    sheet = open_sheet(given.file)
    texts = [(output, WRITERS[Path(output).suffix.lower()](sheet)) for output in given.output]
    for output, text in texts:
        try:
            write_text(output, text)
        except OSError as error:
            raise UnusableError(f"{output}: {error.strerror or error}") from None
    return 0


def is_source(output: str | Path, source: str | Path) -> bool:
    """True when to write ``output`` would overwrite ``source``, the file that is read."""
    return Path(output).exists() and Path(source).exists() and Path(output).samefile(source)


def _ops(given: argparse.Namespace) -> int:
    from chalkgrad.engine.record import OPS
    from chalkgrad.program.arguments import caller

    for record in OPS.values():
        if not record.hidden:
            public = caller(record.name)
            spelled = public.function or f"Tensor.{public.method}"
            _say(f"{record.name:<24} {record.section:<12} {record.symbol or '':<4} {spelled}")
    return 0


def _lessons(given: argparse.Namespace) -> int:
    from chalkgrad.lessons.lesson import examples

    for example in examples():
        _say(f"{example.id:<20} {example.title_in(given.lang)}")
    return 0


# ---------------------------------------------------------------- writing


def _py(sheet: Sheet) -> str:
    from chalkgrad.session import Session
    from chalkgrad.source.emit import program_text

    if sheet.program.stops:
        return program_text(sheet.program)
    session = Session(sheet.program)
    session.finish()
    problems = session.trace.state().problems
    failing = {problem.statement: problem.type for problem in problems if not problem.warning}
    return program_text(sheet.program, failing)


def _recorded(sheet: Sheet) -> State | None:
    """What a program comes to that records the graph of its gradient, which is drawn as well; others needn't run."""
    from chalkgrad.session import Session

    if not any(statement.option("create_graph") is True for statement in sheet.program):
        return None
    session = Session(sheet.program)
    session.finish()
    return session.trace.state()


def _json(sheet: Sheet) -> str:
    from chalkgrad.diagram.data import to_json

    return to_json(sheet.program, _recorded(sheet))


def _dot(sheet: Sheet) -> str:
    from chalkgrad.diagram.dot import to_dot

    return to_dot(sheet.program, _recorded(sheet))


def _mermaid(sheet: Sheet) -> str:
    from chalkgrad.diagram.mermaid import to_mermaid

    return to_mermaid(sheet.program, _recorded(sheet))


def _tikz(sheet: Sheet) -> str:
    from chalkgrad.diagram.tikz import to_tikz

    return to_tikz(sheet.program, sheet.board, _recorded(sheet))


WRITERS: Mapping[str, Callable[[Sheet], str]] = {
    ".py": _py,
    ".json": _json,
    ".dot": _dot,
    ".mmd": _mermaid,
    ".tex": _tikz,
}
"""What writes each kind of text file, by its extension."""


# ---------------------------------------------------------------- reading


def open_sheet(path: str) -> Sheet:
    """The sheet in a document, or the one that a PyTorch script is; UnusableError where the file holds neither."""
    from chalkgrad.source.read import read_source

    kind = Path(path).suffix.lower()
    try:
        if kind == ".chalk":
            return read_file(path)
        if kind == ".py":
            return Sheet(read_source(_text(path), path))
    except FileError as error:
        raise UnusableError(f"{path}: {error}") from None
    except SourceError as error:
        raise UnusableError(_located(path, error)) from None
    except OSError as error:
        raise UnusableError(f"{path}: {error.strerror or error}") from None
    raise UnusableError(f"{path}: a .chalk document or a .py script is expected")


def _text(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UnusableError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UnusableError(f"{path}: not UTF-8 at byte {error.start + 1}") from None


def _located(path: str, error: SourceError) -> str:
    return f"{path}:{error.line}:{error.column}: {error.message}"


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
