"""A formula set term by term in a row that breaks between terms where there is no room: as text, then as pictures."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from html import escape
from itertools import pairwise
from time import perf_counter

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from chalkgrad.explain import Formula
from chalkgrad.explain.writing import EQUALS, NOTHING, PLUS
from chalkgrad_app.style import theme
from chalkgrad_app.widgets.code_font import scaled
from chalkgrad_app.widgets.formula import SHARPNESS, FormulaPicture, formula_picture, picture_html
from chalkgrad_app.widgets.formula_grid import Rows, in_brackets

_IN_TEXT = re.compile(r"\\text\{(?:[^{}\\]|\\.|\{\})*\}")
_OUTSIDE = re.compile(r"\\\^\{\}|\\[%&{}]|[<>~]")
"""Signs within ``\\text{}`` at which the library stumbles: they are set beside it."""
_WIDTH = re.compile(r'<img [^>]*\bwidth="(\d+)"')
_SIGNS = {r"\^{}": r"\wedge", "~": r"\sim"}

LARGER = 1.15
"""Letters of formulas beside words."""


class FormulaRow(QLabel):
    """Shows the terms of a formula; :meth:`set_next` sets a part of one, for setting all may take long."""

    def __init__(self, terms: Sequence[Formula], parent: QWidget) -> None:
        super().__init__(parent)
        self.terms = tuple(terms)
        self._pictures: list[str] = []
        self._widths: list[int] = []
        self._begins: frozenset[int] = frozenset()
        self._setting = self._set()
        self.setObjectName("formula")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(self.plain())
        self._show()

    def plain(self) -> str:
        """The formula as text."""
        return " ".join(term.plain for term in self.terms)

    def set_next(self) -> bool:
        """Set the next part of a term; True when none is left."""
        return next(self._setting, True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines break elsewhere in another width."""
        super().resizeEvent(event)
        if len(self._pictures) == len(self.terms) and self._line_begins() != self._begins:
            self._show()

    def _set(self) -> Iterator[bool]:
        """Sets the terms one after another, entry by entry what has entries."""
        for term in self.terms:
            picture = yield from _pictured(term)
            self._pictures.append(escape(term.plain) if picture is None else _aligned(picture))
        self._widths = self._measured()
        self._show()

    def _show(self) -> None:
        if len(self._pictures) < len(self.terms):
            self.setText(escape(self.plain()))
            return
        self.setMinimumWidth(max(self._widths, default=0))  # a term does not break: around it is scrolled
        self._begins = self._line_begins()
        gaps = ("<br>" if at in self._begins else gap for at, gap in enumerate(_gaps(self.terms)))
        pictures = "".join(map("".join, zip(gaps, self._pictures, strict=True)))
        self.setText(f'<p style="line-height: 120%">{pictures}</p>')

    def _measured(self) -> list[int]:
        """How wide each term is."""
        found = zip(map(_WIDTH.search, self._pictures), self.terms, strict=True)
        return [self.fontMetrics().horizontalAdvance(term.plain) if w is None else int(w[1]) for w, term in found]

    def _line_begins(self) -> frozenset[int]:
        """The terms before which a line is to break: a plus whose summand has no more room on the line.

        A summand that has no room on any line breaks where it has to.
        """
        space = self.fontMetrics().horizontalAdvance(" ")
        gaps = [space * gap.replace("&nbsp;", " ").count(" ") for gap in _gaps(self.terms)]
        starts = [at for at, term in enumerate(self.terms) if term.plain[:1] == "+"]
        found: set[int] = set()
        taken = 0
        for start, end in pairwise([0, *starts, len(self.terms)]):
            wanted = sum(self._widths[start:end]) + sum(gaps[start:end])
            if start and taken + wanted > self.width():
                found.add(start)
                taken = -gaps[start]
            taken += wanted
        return frozenset(found)


def set_some(rows: list[FormulaRow], milliseconds: float) -> None:
    """Set formulas for about so long; those that are done leave the list."""
    deadline = perf_counter() + milliseconds / 1000
    while rows and perf_counter() < deadline:
        if rows[0].set_next():
            rows.pop(0)


def _gaps(terms: Sequence[Formula]) -> Iterator[str]:
    """What stands before each term: a sign stands closer to what it leads to than to what is before it."""
    for before, term in zip((NOTHING, *terms), terms, strict=False):
        yield "&nbsp;" if before in (EQUALS, PLUS) else "&nbsp; " if term.plain[:1] in ("+", "=") else " "


def _pictured(term: Formula) -> Generator[bool, None, FormulaPicture | None]:
    """A term as a picture; None where the library can't set it or its font lacks the signs."""
    ink, pixels = theme.current().color("text").name(), round(scaled(theme.BASE_PIXELS) * LARGER)
    if term.cells:
        rows = yield from _entries(term, ink, pixels)
        return None if rows is None else in_brackets(rows, ink, pixels * SHARPNESS)
    picture = _picture(term, ink, pixels)
    yield False
    return picture


def _entries(term: Formula, ink: str, pixels: int) -> Generator[bool, None, Rows | None]:
    """The entries of what stands in brackets, set one after another; None where one can't be set."""
    rows: Rows = []
    for cells in term.cells:
        rows.append([])
        for cell in cells:
            found = (yield from _entries(cell, ink, pixels)) if cell.cells else _picture(cell, ink, pixels)
            yield False
            if found is None:
                return None
            rows[-1].append(found)
    return rows


def _picture(term: Formula, ink: str, pixels: int) -> FormulaPicture | None:
    latex = _IN_TEXT.sub(_unescaped, term.latex)
    if not latex.isascii():
        return None
    try:
        return formula_picture(latex, ink, pixels)
    except Exception:  # a typed name may make the library raise anything
        return None


def _aligned(picture: FormulaPicture) -> str:
    return picture_html(picture).replace("<img ", '<img style="vertical-align: middle" ')


def _unescaped(found: re.Match[str]) -> str:
    r"""The library shows what stands in ``\text{}`` as it is, backslashes too."""
    parts = _OUTSIDE.sub(lambda sign: rf"}}{_SIGNS.get(sign[0], sign[0])}\text{{", found[0])
    return re.sub(r"\\([_#$])", r"\1", parts).replace(r"\text{}", "")
