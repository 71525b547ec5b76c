"""Numbers pasted as a table: rows of a spreadsheet, or an array as NumPy prints it, without commas."""

from __future__ import annotations

import re

from chalkgrad.program.names import narrow
from chalkgrad.program.statement import Operand

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)", re.IGNORECASE)


def read_rows(text: str) -> Operand:
    """The numbers of a table as nested tuples, or None for text that is no table.

    A table has a tab, or several lines without brackets, or brackets with numbers that only spaces part.
    """
    plain = narrow(text).strip()
    if "[" in plain:
        return _printed(plain)
    lines = [line for line in plain.splitlines() if line.strip()]
    if "\t" not in plain and len(lines) < 2:
        return None
    rows = [_row(re.split(r"[\t ]*[\t,;][\t ]*|\s+", line.strip())) for line in lines]
    if any(row is None or len(row) != len(rows[0] or ()) for row in rows):
        return None
    made = tuple(row for row in rows if row is not None)
    return made if len(made) > 1 else made[0]


def _row(cells: list[str]) -> tuple[float, ...] | None:
    if not all(_NUMBER.fullmatch(cell) for cell in cells):
        return None
    return tuple(float(cell) for cell in cells)


def _printed(text: str) -> Operand:
    """An array as NumPy prints it, or None where a comma or anything but numbers stands between."""
    if "," in text or ";" in text or not text.startswith("["):
        return None
    tokens = re.findall(r"\[|\]|[^\s\[\]]+", text)
    stack: list[list[Operand]] = [[]]
    for token in tokens:
        if token == "[":
            stack.append([])
        elif token == "]":
            if len(stack) < 2:
                return None
            closed = tuple(stack.pop())
            stack[-1].append(closed)
        elif _NUMBER.fullmatch(token):
            stack[-1].append(float(token) if re.search(r"[.einf]", token, re.IGNORECASE) else int(token))
        else:
            return None
    return stack[0][0] if len(stack) == 1 and len(stack[0]) == 1 else None
