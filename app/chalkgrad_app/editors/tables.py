"""Numbers as text: what a spreadsheet, NumPy and PyTorch write, read as an array; and arrays written for them.

A million numbers take seconds. Reading and writing are therefore generators: they yield how much is done, from 0 to 1,
between slices of a few thousand numbers, and return what was made.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from itertools import islice, pairwise
from typing import cast

import numpy as np

from chalkgrad.program.names import narrow
from chalkgrad.program.vocabulary import DTYPE_NAMES
from chalkgrad.source import read
from chalkgrad.source.problem import SourceError
from chalkgrad_app.i18n import translate
from chalkgrad_app.naming import cut_short

DIGITS, LOOKED_AT = 6, 10_000
"""Of a column as many digits are shown, told by so many of its numbers."""
TITLES = 40
"""So many characters of a row of titles are said."""
SHOWN = 9
"""So many characters of a number fit a cell."""

SLICE = 4096
"""So many numbers are read or written at once."""

LONG = 200_000
"""A text of so many characters is not gone over twice at once."""

_NUMBER = re.compile(r"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|inf(?:inity)?|∞)|true|false", re.IGNORECASE)
CALL = re.compile(r"(?:Parameter containing:\s*)?(?:np\.|numpy\.|torch\.)?(array|tensor|as_tensor|Tensor|Parameter)\(")
"""How an array begins as NumPy or PyTorch writes it."""
_PRINTED = re.compile(CALL.pattern + r"\s*(.*)\)", re.DOTALL)
_KEYWORD = re.compile(r",\s*[a-z_]+\s*=[^\[\]]*$")
_FLAG = re.compile(r",\s*requires_grad\s*=\s*(True|False)\b[^\[\]]*$")
_DTYPE = re.compile(r",\s*dtype\s*=\s*(?:torch\.|np\.|numpy\.)?(\w+)[^\[\]]*$")
_COMMA_DECIMAL = re.compile(r"[-+]?\d+,\d+(?:[eE][-+]?\d+)?")
_TOKEN = re.compile(r"[\[\]]|[^\s,\[\]]+")
_NOT_WHOLE = re.compile(r"[.en]", re.IGNORECASE)
_NAMES = ("nan", "infinity", "true", "false", *read.MATH_NAMES, *(f"math.{name}" for name in read.MATH_NAMES))
_WORDS = {"true": 1.0, "false": 0.0, "∞": np.inf, "+∞": np.inf, "-∞": -np.inf}


def is_number(text: str) -> bool:
    """True for one number, or a truth value."""
    return _NUMBER.fullmatch(text) is not None


def has_titles(lines: list[str]) -> bool:
    """True for rows of which the first holds no number, and the second nothing else."""
    rows = [[cell for cell in re.split(r'[\s,;"]+', line) if cell] for line in lines[:2]]
    if len(rows) < 2 or not all(rows):
        return False
    return not any(map(is_number, rows[0])) and all(map(is_number, rows[1]))


def is_tensor(text: str) -> bool:
    """True for the text of a whole tensor, with brackets that say its shape, rather than of cells."""
    return "[" in narrow(text)


def requires_grad(text: str) -> bool | None:
    """What the text of a tensor says of ``requires_grad``; None where it says nothing."""
    said = _FLAG.search(narrow(text[-LOOKED_AT:]))
    return None if said is None else said.group(1) == "True"


def dtype(text: str) -> np.dtype | None:
    """The dtype that the text of a tensor says it has; None where it says none that a leaf can have."""
    said = _DTYPE.search(narrow(text[-LOOKED_AT:]))
    name = DTYPE_NAMES.get(said.group(1)) if said is not None else None
    return None if name is None else np.dtype(name)


def reading(text: str) -> Generator[float, None, np.ndarray]:
    """The numbers in a text: rows of a spreadsheet (tabs), CSV, or an array as NumPy or PyTorch prints it.

    Float64 (int64 and bool where all are written so), two-dimensional unless brackets say otherwise. ValueError, with
    a sentence that says where, for what is no table of numbers.
    """
    is_long = len(text) > LONG
    plain = narrow(text).strip("\r\n ")
    if is_long:
        yield 0.0
    if "..." in plain or "…" in plain:
        raise ValueError(translate("Tables", "Numbers are left out of this text"))
    plain = _without_call(plain)
    if not plain:
        raise ValueError(translate("Tables", "There are no numbers in it"))
    if "[" in plain:
        nested = _Nested(plain)
        numbers = yield from _typing(nested.cells(), len(plain))
        return numbers.reshape(nested.shape(numbers.size))
    if is_long:
        yield 0.0
    lines = [line for line in plain.splitlines() if line.strip()]
    numbers = yield from _typing(_cells(lines), len(plain))
    return numbers.reshape(len(lines), -1)


def writing(array: np.ndarray) -> Generator[float, None, str]:
    """A two-dimensional array as rows of a spreadsheet."""
    height, width = array.shape
    lines: list[str] = []
    step = max(1, SLICE // width)
    for top in range(0, height, step):
        parts = []
        for left in range(0, width, SLICE):
            if top or left:
                yield (top + left / width) / height
            block = array[top : top + step, left : left + SLICE]
            parts.append(["\t".join(map(cell_text, row)) for row in block])
        lines += map("\t".join, zip(*parts, strict=True))
    return "\n".join(lines)


def cell_text(value: np.generic) -> str:
    """One number as short as it can be read back: ``1.`` for a float, ``nan``, ``inf``, ``True``."""
    text = str(value)
    return text[:-2] + "." if text.endswith(".0") else text


def decimals(column: np.ndarray) -> int | None:
    """With how many decimals the numbers of a column are shown, so that their points stand below each other.

    As few as they need, and no more than five digits let be told; None where each is shown as it is.
    """
    if column.dtype.kind != "f":
        return None
    column = column[:LOOKED_AT]
    numbers = column[np.isfinite(column)].astype(np.float64)
    most = DIGITS - len(str(int(np.abs(numbers).max(initial=0.0))))
    if most < 0:
        return None
    with np.errstate(over="ignore"):
        exact = (
            count
            for count in range(most)
            if (numbers.round(count).astype(column.dtype) == numbers.astype(column.dtype)).all()
        )
        return next(exact, most)


def shown_text(value: np.generic, count: int | None = None) -> str:
    """One number as a narrow cell shows it: with so many decimals, or rounded to five digits where that tells more."""
    text = cell_text(value)
    if value.dtype.kind != "f" or not np.isfinite(value):
        return text
    number = float(value)
    if count is not None and (not number or abs(number) >= 10.0**-count):
        fixed = f"{number:.{count}f}" + ("" if count else ".")
        if len(fixed) <= SHOWN:
            return fixed
    return text if len(text) <= SHOWN else f"{number:.5g}"


def read_cell(text: str, dtype: np.dtype) -> np.generic:
    """The number that was typed into a cell of an array; a ValueError says why it can't stand there."""
    value = _worked_out(narrow(text).strip())
    if dtype.kind in "iu":
        if isinstance(value, float) and not value.is_integer():
            raise ValueError(translate("Tables", "{dtype} holds whole numbers").format(dtype=dtype.name))
        whole, limits = int(value), np.iinfo(dtype)
        if not limits.min <= whole <= limits.max:
            words = translate("Tables", "{dtype} holds {least} to {most}")
            raise ValueError(words.format(dtype=dtype.name, least=limits.min, most=limits.max))
        return cast("np.generic", np.array(whole, dtype)[()])
    with np.errstate(over="ignore"):
        return cast("np.generic", np.array(float(value)).astype(dtype)[()])


def is_begun(text: str) -> bool:
    """True for what is no number yet and can become one: ``-``, ``1/``, ``sq``, ``2*(1``."""
    plain = narrow(text).strip()
    word = re.search(r"[a-z.]*$", plain.lower())
    known = word is not None and any(name.startswith(word.group()) for name in _NAMES)
    longer = [f"{plain}1"] + ([f"{plain[: word.start()]}(1)"] if word is not None and known else [])
    closing = ")" * (plain.count("(") - plain.count(")"))
    return not _is_readable(plain) and any(_is_readable(one + closing) for one in longer)


def _is_readable(plain: str) -> bool:
    try:
        _worked_out(plain)
    except ValueError:
        return False
    return True


def _worked_out(plain: str) -> float:
    """The number that was typed, or that comes of what was: ``1/3``, ``2**0.5``, ``pi``; ValueError for no number."""
    if re.fullmatch(r"[-+]?\d{1,18}", plain):
        return int(plain)
    if _NUMBER.fullmatch(plain):
        return _number(plain)
    try:
        value = read.read_value(plain)
        if isinstance(value, bool | int | float) and np.isfinite(float(value)):
            return value
    except (SourceError, OverflowError):
        pass
    raise ValueError(translate("Tables", "{text} is no number").format(text=plain or '""'))


def _number(text: str) -> float:
    low = text.lower()
    return float(_WORDS.get(low, low))


def _without_call(plain: str) -> str:
    """``[1, 2]`` of ``array([1, 2], dtype=float32)``."""
    printed = _PRINTED.fullmatch(plain)
    if printed is None:
        return plain
    inside = printed.group(2)
    end = inside.rfind("]") + 1
    numbers, rest = inside[:end], inside[end:]
    while (keyword := _KEYWORD.search(rest)) is not None:
        rest = rest[: keyword.start()]
    return (numbers + rest).strip(" ,\n")


def _cells(lines: list[str]) -> Iterator[str]:
    """The cells of rows that have to be equally long."""
    if has_titles(lines):
        words = translate("Tables", "The first row holds no numbers ({text}): copy those below it")
        raise ValueError(words.format(text=cut_short(" ".join(lines[0].split()), TITLES)))
    width = 0
    for number, full in enumerate(lines, 1):
        line = full if "\t" in full else full.rstrip(" ,;")
        mark = next((mark for mark in "\t;" if mark in line), None)
        cells = line.split(mark or ("," if "," in line else None))
        width = width or len(cells)
        if len(cells) != width:
            words = translate("Tables", "Row {n} has length {here}, the first has length {first}")
            raise ValueError(words.format(n=number, here=len(cells), first=width))
        for cell in cells:
            bare = cell.strip().strip('"')
            # with tabs or semicolons between cells a comma may be the decimal point
            yield bare.replace(",", ".") if mark and _COMMA_DECIMAL.fullmatch(bare) else bare


class _Nested:
    """Nested lists, with commas or only space between what stands in them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._opened: list[int] = []  # so many lists at each depth
        self._level = 0
        self._lengths: set[int] = set()  # of the innermost lists

    def cells(self) -> Iterator[str]:
        """What stands in the lists, while it is counted how they lie."""
        length, is_innermost = 0, False
        for found in _TOKEN.finditer(self._text):
            token = found.group()
            if token == "[":
                self._open()
                length, is_innermost = 0, True
            elif token == "]":
                self._level -= 1
                if is_innermost:
                    self._lengths.add(length)
                is_innermost = False
            else:
                length += 1
                yield token

    def shape(self, size: int) -> tuple[int, ...]:
        """The shape of the lists, in which ``size`` cells were found."""
        opened = self._opened
        uneven = any(inner % outer for outer, inner in pairwise(opened))
        if not (self._level or uneven or len(self._lengths) != 1 or opened[0] != 1):
            shape = (*(inner // outer for outer, inner in pairwise(opened)), *self._lengths)
            if size == int(np.prod(shape)):
                return shape
        raise ValueError(translate("Tables", "The rows are not equally long"))

    def _open(self) -> None:
        self._opened += [0] * (self._level + 1 - len(self._opened))
        self._opened[self._level] += 1
        self._level += 1


def _typing(cells: Iterator[str], length: int) -> Generator[float, None, np.ndarray]:
    """Cells of a text so long as an array: whole numbers and truth values as such where all are."""
    parts: list[np.ndarray] = [np.zeros(0)]
    are_true = are_whole = True
    done = 0
    while some := list(islice(cells, SLICE)):
        if done:
            yield min(done / length, 1.0)
        parts.append(_numbers(some))
        written = " ".join(some)
        are_whole = are_whole and not _NOT_WHOLE.search(written)
        are_true = are_true and all(cell.lower() in ("true", "false") for cell in some)
        done += len(written) + 1
    if len(parts) > 2:
        yield 1.0
    numbers = np.concatenate(parts)
    if not numbers.size:
        return numbers
    return numbers.astype(np.bool_ if are_true else np.int64 if are_whole else np.float64, copy=False)


def _numbers(cells: list[str]) -> np.ndarray:
    try:
        return np.array([float(cell) for cell in cells])
    except ValueError:
        bad = next((cell for cell in cells if not _NUMBER.fullmatch(cell)), None)
    if bad is not None:
        raise ValueError(translate("Tables", "{text} is no number").format(text=bad or '""'))
    return np.array([_number(cell) for cell in cells])
