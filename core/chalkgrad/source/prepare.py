"""Before a text is parsed: prompts and indentation are taken off, and it is remembered where things stood."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from typing import NamedTuple

from chalkgrad.source.problem import SourceError
from chalkgrad.stepwise import Stepwise
from chalkgrad.text import Text

IPYTHON = re.compile(r"\s*In ?\[\d*\]: ?")
IPYTHON_MORE = re.compile(r"\s*\.\.\.+: ?")
IPYTHON_OUT = re.compile(r"\s*Out ?\[\d*\]:")
PYTHON = re.compile(r"\s*>>> ?")
PYTHON_MORE = re.compile(r"\s*\.\.\. ?")
PROMPT = re.compile(rf"^(?:{IPYTHON.pattern}|{PYTHON.pattern})", re.MULTILINE)
MAGIC = re.compile(r"#!|#.*coding[:=]")
"""First lines that are for the machine, not for the reader."""
PIECE = 500
"""So many lines are parsed at a time."""


class Comment(NamedTuple):
    """A comment that has a line of its own; ``row`` counts from 1, ``column`` from 0."""

    row: int
    column: int
    text: str


class Prepared(NamedTuple):
    """A text ready for parsing, and for each row how many characters were taken off its start."""

    rows: tuple[str, ...]
    shifts: tuple[int, ...]

    @property
    def text(self) -> str:
        """The text."""
        return "\n".join(self.rows) + "\n"

    def error(self, text: Text, row: int, column: int) -> SourceError:
        """The error at a place of the prepared text (row from 1, column from 0), told for the original one."""
        shift = self.shifts[row - 1] if 0 < row <= len(self.shifts) else 0
        return SourceError(text, max(row, 1), column + shift + 1)

    def in_pieces(self) -> Stepwise[ast.Module]:
        """The syntax tree of a long text, parsed piece by piece; SourceError where Python itself can't read it.

        A piece that ends in the middle of something is no Python: then the text is parsed as a whole.
        """
        body: list[ast.stmt] = []
        lines = [row for row, text in enumerate(self.rows) if text[:1].isidentifier()]
        starts = [0, *lines[PIECE::PIECE]]
        for start, end in zip(starts, [*starts[1:], len(self.rows)], strict=True):
            try:
                body += ast.parse("\n" * start + "\n".join(self.rows[start:end])).body
            except (SyntaxError, RecursionError, MemoryError, ValueError):
                return self.parse()
            yield end / max(len(self.rows), 1)
        return ast.Module(body, [])

    def parse(self) -> ast.Module:
        """The syntax tree; SourceError where Python itself can't read the text."""
        try:
            return ast.parse(self.text)
        except SyntaxError as error:
            column = max((error.offset or 1) - 1, 0)
            raise self.error(Text("source.syntax", message=error.msg.rstrip(".?")), error.lineno or 1, column) from None
        except (RecursionError, MemoryError):
            raise self.error(Text("source.too_deep"), 1, 0) from None
        except ValueError as error:
            raise self.error(Text("source.syntax", message=str(error)), 1, 0) from None

    def column(self, node: ast.AST) -> int:
        """The column of a node in characters (Python counts bytes)."""
        row = getattr(node, "lineno", 1)
        before = self.rows[row - 1].encode()[: getattr(node, "col_offset", 0)] if row <= len(self.rows) else b""
        return len(before.decode(errors="ignore"))

    def comments(self) -> Stepwise[list[Comment]]:
        """The comments that have a line of their own."""
        found: list[Comment] = []
        if not any("#" in row for row in self.rows):
            return found
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            row, column = token.start
            if token.type == tokenize.NEWLINE:
                yield row / len(self.rows)
            if token.type != tokenize.COMMENT or self.rows[row - 1][:column].strip():
                continue
            if row > 2 or not MAGIC.match(token.string):
                found.append(Comment(row, column, token.string[1:].removeprefix(" ").rstrip()))
        return found


def prepare(text: str) -> Prepared:
    """``text`` without prompts, outputs after prompts, and common indentation."""
    rows = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if rows and not rows[-1]:
        rows.pop()
    cut = [0] * len(rows)
    if PROMPT.search(text):
        console = _is_console(rows)
        cut = [_prompt(row, console) for row in rows]
    bare = [row[at:] for row, at in zip(rows, cut, strict=True)]
    margin = min((len(row) - len(row.lstrip()) for row in bare if row.strip()), default=0)
    return Prepared(tuple(row[margin:] for row in bare), tuple(at + margin for at in cut))


def _prompt(row: str, console: bool) -> int:
    """How much of a row is prompt; all of it where the row is output."""
    for pattern in (IPYTHON, IPYTHON_MORE, PYTHON, PYTHON_MORE):
        if match := pattern.match(row):
            return match.end()
    return len(row) if console or IPYTHON_OUT.match(row) else 0


def _is_console(rows: list[str]) -> bool:
    """True where code stands behind the prompts, so that rows without one are output."""
    return any((match := IPYTHON.match(row) or PYTHON.match(row)) and row[match.end() :].strip() for row in rows)
