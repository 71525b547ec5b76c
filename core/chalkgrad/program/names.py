"""Names: which are free, and which a person may give."""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from itertools import count

from chalkgrad.errors import ChalkgradError
from chalkgrad.program.program import Program
from chalkgrad.text import Text

RESERVED = frozenset({"torch", "F", "math", "print", "float", "warnings", "_"})
"""Names that the emitted text needs for itself."""

RESULTS = "abcdefghijklmnopqrstuvyz"
"""Letters for results, in order; ``w`` and ``x`` are for tensors that a person makes."""

WIDE = {ord(wide): narrow for wide, narrow in zip("\u3000。、【】“”‘’×÷−", " .,[]\"\"''*/-", strict=True)}
WIDE |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
"""Full-width digits, letters and punctuation, as a Chinese input method types them, and what they mean."""


class BadNameError(ChalkgradError):
    """A text that can't be a name; ``text`` says why, in every language."""


def narrow(text: str) -> str:
    """``text`` with full-width digits, letters and punctuation as ASCII; the same length."""
    return text.translate(WIDE)


def check_name(text: str) -> str:
    """The Python name that a person meant by ``text``; BadNameError when it can't be one."""
    name = unicodedata.normalize("NFKC", narrow(text)).strip()
    if not name:
        raise BadNameError(Text("name.empty"))
    if keyword.iskeyword(name):
        raise BadNameError(Text("name.keyword", name=name))
    if name in RESERVED:
        raise BadNameError(Text("name.reserved", name=name))
    if not name.isidentifier():
        raise BadNameError(Text("name.not_a_name", name=name))
    return name


def check_free(program: Program, id_: int, output: int, name: str) -> None:
    """Refuse a name that another output of the program has: BadNameError that says in which line."""
    for other in program:
        if any(bound == name and (other.id, n) != (id_, output) for n, bound in enumerate(other.targets)):
            raise BadNameError(Text("name.taken", name=name, line=program.lines[other.id]))


def free_tensor_name(program: Program, requires_grad: bool) -> str:
    """A name for a new leaf: ``w``, ``w1`` ... where it requires grad, ``x``, ``x1`` ... where it doesn't."""
    return _first_free(_numbered("w" if requires_grad else "x"), program.names())


def free_result_name(program: Program, taken: Collection[str] = ()) -> str:
    """A name for a new result: ``a``, ``b``, ``c`` ..., then ``a1``, ``b1`` ..."""
    return _first_free(_letters(), {*program.names(), *taken})


def free_names(program: Program, wanted: Iterable[str]) -> list[str]:
    """Free names like those wanted, all different."""
    return list(map(FreeNames(program).like, wanted))


class FreeNames:
    """Names that are free in a program, each given out once. Of a thousand alike it asks each only once if it is."""

    def __init__(self, program: Program) -> None:
        self._taken = program.names()
        self._numbered: dict[str, Iterator[str]] = {}

    def like(self, name: str) -> str:
        """A free name that reads like ``name``: ``w``, ``w1``, ``w2`` ..."""
        stem = _stem(name)
        found = name
        if name in self._taken or name in RESERVED:
            found = _first_free(self._numbered.setdefault(stem, _numbered(stem)), self._taken)
        self._taken.add(found)
        return found


def free_among(name: str, taken: Collection[str]) -> str:
    """``name``, or else it with the first number that makes it none of ``taken``."""
    if name not in taken and name not in RESERVED:
        return name
    return _first_free(_numbered(_stem(name)), taken)


def _stem(name: str) -> str:
    return name.rstrip("0123456789") or "t"


def _first_free(names: Iterator[str], taken: Collection[str]) -> str:
    return next(name for name in names if name not in taken and name not in RESERVED and not keyword.iskeyword(name))


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    for number in count(1):
        yield f"{stem}{number}"


def _letters() -> Iterator[str]:
    yield from RESULTS
    for number in count(1):
        yield from (f"{letter}{number}" for letter in RESULTS)
