"""Numbers as text: what a spreadsheet, NumPy and PyTorch write, read as an array; and arrays written for them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import cast

import numpy as np

from chalkgrad.program.names import narrow
from chalkgrad_app.i18n import translate

SHOWN = 9
"""So many characters of a number fit a cell."""

_NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf(?:inity)?|∞)|true|false", re.IGNORECASE)
_PRINTED = re.compile(r"(?:np\.|numpy\.|torch\.)?(?:array|tensor|as_tensor|Tensor|Parameter)\(\s*(.*)\)", re.DOTALL)
_KEYWORD = re.compile(r",\s*[a-z_]+\s*=[^\[\]]*$")
_COMMA_DECIMAL = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
_WORDS = {"true": 1.0, "false": 0.0, "∞": np.inf, "+∞": np.inf, "-∞": -np.inf}


def as_list(text: str) -> str:
    """The text of a value with a table written as a nested list, and NumPy's ``array( )`` taken off.

    A table has several lines or a tab, no brackets, and as many numbers in each line; other text is left as it is.
    """
    plain = narrow(text).strip()
    printed = re.fullmatch(r"(?:np\.|numpy\.)?array\((\[.*\])(?:,\s*dtype=[\w.]+)?\)", plain, re.DOTALL)
    if printed is not None:
        return printed.group(1)
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    if "[" in plain or (len(lines) < 2 and "\t" not in plain):
        return text
    rows = [[cell for cell in re.split(r"[\s,;]+", line) if cell] for line in lines]
    if any(len(row) != len(rows[0]) or not all(map(_NUMBER.fullmatch, row)) for row in rows):
        return text
    written = [f"[{', '.join(row)}]" for row in rows]
    return f"[{', '.join(written)}]" if len(written) > 1 else written[0]


def read_array(text: str) -> np.ndarray:
    """The numbers in a text: rows of a spreadsheet (tabs), CSV, or an array as NumPy or PyTorch prints it.

    Float64 (int64 and bool where all are written so), two-dimensional unless brackets say otherwise. ValueError, with
    a sentence that says where, for what is no table of numbers.
    """
    plain = narrow(text).strip("\r\n ")
    if "..." in plain or "…" in plain:
        raise ValueError(translate("Tables", "Numbers are left out of this text"))
    printed = _PRINTED.fullmatch(plain)
    if printed is not None:
        plain = printed.group(1)
        while (keyword := _KEYWORD.search(plain)) is not None:
            plain = plain[: keyword.start()]
        plain = plain.strip(" ,\n")
    if not plain:
        raise ValueError(translate("Tables", "There are no numbers in it"))
    return _bracketed(plain) if "[" in plain else _rows(plain)


def write_table(array: np.ndarray) -> str:
    """A two-dimensional array as rows of a spreadsheet."""
    return "\n".join("\t".join(map(cell_text, row)) for row in array)


def cell_text(value: np.generic) -> str:
    """One number as short as it can be read back: ``1.`` for a float, ``nan``, ``inf``, ``True``."""
    text = str(value)
    return text[:-2] + "." if text.endswith(".0") else text


def shown_text(value: np.generic) -> str:
    """One number as a narrow cell shows it: rounded to five digits where all of them are too many."""
    text = cell_text(value)
    return text if len(text) <= SHOWN or value.dtype.kind != "f" else f"{float(value):.5g}"


def read_cell(text: str, dtype: np.dtype) -> np.generic:
    """The number that was typed into a cell of an array; a ValueError says why it can't stand there."""
    plain = narrow(text).strip()
    if not _NUMBER.fullmatch(plain):
        raise ValueError(translate("Tables", "{text} is no number").format(text=plain or '""'))
    if dtype.kind in "iu" and re.fullmatch(r"[-+]?\d+", plain):
        whole, limits = int(plain), np.iinfo(dtype)
        if not limits.min <= whole <= limits.max:
            words = translate("Tables", "{dtype} holds {least} to {most}")
            raise ValueError(words.format(dtype=dtype.name, least=limits.min, most=limits.max))
        return cast("np.generic", np.array(whole, dtype)[()])
    value = _number(plain)
    if dtype.kind in "iu" and not value.is_integer():
        raise ValueError(translate("Tables", "{dtype} holds whole numbers").format(dtype=dtype.name))
    with np.errstate(over="ignore"):
        return cast("np.generic", np.array(value).astype(dtype)[()])


def _number(text: str) -> float:
    low = text.lower()
    return float(_WORDS.get(low, low))


def _rows(plain: str) -> np.ndarray:
    lines = [line for line in plain.splitlines() if line.strip()]
    rows = [_cells(line) for line in lines]
    width = len(rows[0])
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            words = translate("Tables", "Row {n} has {here} numbers, the first has {first}")
            raise ValueError(words.format(n=number, here=len(row), first=width))
    return _typed([cell for row in rows for cell in row]).reshape(len(rows), width)


def _cells(line: str) -> list[str]:
    """The cells of one line; with tabs or semicolons between them a comma may be the decimal point."""
    for mark in ("\t", ";"):
        if mark in line:
            cells = [cell.strip().strip('"') for cell in line.strip("\r\n").split(mark)]
            return [cell.replace(",", ".") if _COMMA_DECIMAL.fullmatch(cell) else cell for cell in cells]
    parts = line.split(",") if "," in line else line.split()
    return [cell.strip().strip('"') for cell in parts]


def _typed(cells: list[str]) -> np.ndarray:
    """Cells as an array: whole numbers and truth values as such where all are."""
    lows = {cell.lower() for cell in cells[:64]}
    if lows <= {"true", "false"} and all(cell.lower() in ("true", "false") for cell in cells):
        return np.array([cell.lower() == "true" for cell in cells])
    try:
        numbers = np.array(cells, dtype=np.float64)
    except ValueError:
        bad = next((cell for cell in cells if not _NUMBER.fullmatch(cell)), None)
        if bad is not None:
            raise ValueError(translate("Tables", "{text} is no number").format(text=bad or '""')) from None
        return np.array([_number(cell) for cell in cells])
    if not any("." in cell or "e" in cell.lower() or "n" in cell.lower() for cell in cells):
        return numbers.astype(np.int64)
    return numbers


def _bracketed(plain: str) -> np.ndarray:
    """Nested lists, with commas or only space between what stands in them."""
    shape = _shape(plain)
    cells = re.split(r"[\s,\[\]]+", plain.strip(" \n[],"))
    cells = [cell for cell in cells if cell]
    if len(cells) != int(np.prod(shape)):
        raise ValueError(translate("Tables", "The rows are not equally long"))
    return _typed(cells).reshape(shape)


def _shape(plain: str) -> tuple[int, ...]:
    """The shape of nested lists, by how many of them are opened at each depth."""
    opened: list[int] = []
    level = 0
    for mark in re.findall(r"[\[\]]", plain):
        level += 1 if mark == "[" else -1
        if mark == "[":
            opened += [0] * (level - len(opened))
            opened[level - 1] += 1
    rows = {len(re.findall(r"[^\s,]+", row)) for row in re.findall(r"\[([^\[\]]*)\]", plain)}
    uneven = any(inner % outer for outer, inner in pairwise(opened))
    if level or uneven or len(rows) != 1 or opened[0] != 1:
        raise ValueError(translate("Tables", "The rows are not equally long"))
    return (*(inner // outer for outer, inner in pairwise(opened)), rows.pop())
